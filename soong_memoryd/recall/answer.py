"""What is asked of recall and what it answers, as values. Shapes follow the wire's ``memory.recall`` and ``memory.search``.

Owns: the values. Must not know: how an answer comes about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from soong_memoryd.llm.conversation import Usage

Json = dict[str, Any]
Degraded = Literal["no_model", "builtin", "timeout", "model_failed", "bad_answer"]

DEGRADED: Mapping[Degraded, str] = MappingProxyType(
    {
        "no_model": "no model is configured for recall",
        "builtin": "the configured model is the embedded one, which compares words",
        "timeout": "the model did not answer within the recall deadline",
        "model_failed": "the model could not be reached or gave nothing usable",
        "bad_answer": "the model's answer was not a choice out of the offered memories",
    }
)
"""Why a model did not choose → in words, for people."""


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """One call. What is None is taken from the session (texts) or the configuration (limits, which may only be lowered)."""

    query: str
    session_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    user_request: str | None = None
    path_summary: str | None = None
    top_k: int | None = None
    token_budget: int | None = None


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """A memory whose text is in the message; ``sha256`` is of the file's bytes."""

    id: str
    category: str
    summary: str
    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class OmittedMemory:
    """A chosen memory that is not in the message: ``top_k``, ``token_budget``, ``secret`` or ``unreadable``."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class ContextMessage:
    """The recalled text, ready for the model."""

    content: str
    role: Literal["user"] = "user"


@dataclass(frozen=True, slots=True)
class RecallAnswer:
    """The answer; ``message`` and ``node`` only when ``recalled``, no ``node`` in a dry run. ``usage``: what choosing cost."""

    status: Literal["recalled", "already_recalled", "no_match"]
    selected_by: Literal["model", "lexical"]
    degraded: Degraded | None
    message: ContextMessage | None = None
    node: Json | None = None
    recalled: list[RecalledMemory] = field(default_factory=list)
    already_recalled: list[str] = field(default_factory=list)
    omitted: list[OmittedMemory] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class SearchMatch:
    """A memory that has words in common with a search, best first; scores compare within one answer only."""

    id: str
    summary: str
    score: float
    path: str


@dataclass(frozen=True, slots=True)
class PathContext:
    """What the active path holds for a recall. ``shown``: memory id → sha256 of the version that the model has in view."""

    shown: Mapping[str, str] = field(default_factory=dict)
    user_request: str = ""
    path_summary: str = ""
