"""What is said to a model and what comes back, whatever the provider: the port between jobs and models.

Owns: the values and the ``Model`` port. Must not know HTTP, providers, or what the tools do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool on offer. ``parameters`` is a flat JSON schema: object, all properties required, no ``$ref``, no patterns."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that the model made. ``arguments`` is None when they could not be read; then ``problem`` says why."""

    name: str
    arguments: dict[str, Any] | None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """One earlier answer with what each call was told; ``note`` is said last (what is asked for now)."""

    calls: tuple[ToolCall, ...]
    results: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """A typed message of the person, for models that work on values instead of prose."""

    node_id: str
    text: str


@dataclass(frozen=True, slots=True)
class KnownMemory:
    """An offered memory: ``text`` is its summary and, where it was loaded, its body."""

    memory_id: str
    category: str
    summary: str
    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """The prompt's content as values: what the embedded model reads. ``messages`` are the unscanned root user messages."""

    messages: tuple[Message, ...] = ()
    memories: tuple[KnownMemory, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """All that one call needs. With several tools the JSON rungs ask for ``{"operations": [{"tool", "arguments"}]}``;
    with one tool for that tool's arguments themselves.
    """

    system: str
    user: str
    tools: tuple[ToolSpec, ...]
    rounds: tuple[Round, ...] = ()
    facts: Facts = field(default_factory=Facts)


@dataclass(frozen=True, slots=True)
class Usage:
    """What was spent: calls, and tokens as the provider counted them (or our estimate where it did not)."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer. No readable call at all: ``calls`` is empty and ``problem`` says why (our words).

    ``warning`` is a code for the log: the answer is usable, yet something about it is not as it should be.
    """

    calls: tuple[ToolCall, ...]
    usage: Usage
    rung: str
    problem: str | None = None
    warning: str | None = None


class Model(Protocol):
    """A model behind a profile. Implementations: ``llm.remote.RemoteModel`` (HTTP) and ``llm.builtin.BuiltinModel``."""

    @property
    def label(self) -> str:
        """Provider and model name for events and status: ``openai/gpt-x``, ``builtin``."""
        ...

    @property
    def context_tokens(self) -> int:
        """How large a prompt may be, in estimated tokens, after room for the answer was set aside."""
        ...

    async def ask(self, conversation: Conversation) -> Answer:
        """One answer (retries and a step down the ladder included).

        Raises:
            ModelError: nothing usable came back; ``blame`` says whether profile or window pays.
        """
        ...
