"""One turn of a conversation: what a person typed, what came of it, how it ended.

Owns: which calls a turn is, in what order, and that trouble with the memory never becomes trouble of the agent. Must not
know: harnesses, files, sockets. Only the text that a turn is opened with counts as typed; nothing reported inside it does.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from soong_memory_client import calls
from soong_memory_client.errors import DeadlineExceeded, MemoryClientError
from soong_memory_client.nodes import build_node
from soong_memory_client.wire import Call

if TYPE_CHECKING:
    from soong_memory_client.client import MemoryClient
    from soong_memory_client.results import AgentKind, Decision, Recalled

RECALL_TOOL = "recall_memory"
RECALL_DESCRIPTION = (
    "What the user has said before that matters for a question: preferences, standing rules, facts about the user, "
    "references. Read-only. Ask in the user's language. For the main agent only, not for sub agents."
)
NOTHING_FOUND = "Nothing is remembered about that."
NO_MEMORY = "The memory does not answer right now; go on without it."
SUMMARY_CHARS = 200
MAX_QUERY_CHARS = 8_000
MAX_ID_CHARS = 200
_LOG = logging.getLogger("soong_memory_client")


class Script:
    """The calls of one turn as values."""

    def __init__(self, session_id: str, text: str, *, run_id: str | None = None, node_id: str | None = None) -> None:
        self.session_id = session_id
        self.run_id = run_id or os.urandom(12).hex()
        self.node_id = node_id or f"{self.run_id}/0"
        self.decision: Decision | None = None
        """When the daemon will look, and why; known after the turn, None when it was not heard or sees no reason."""
        self._text = text
        self._reported = 0
        self._sub_agents: set[str] = set()
        self._hung = False  # the daemon let a call wait to its deadline: for the rest of this turn nobody waits again

    def _begin(self) -> list[Call[Any]]:
        begun: list[Call[Any]] = [calls.session_open(self.session_id), calls.run_started(self.session_id, self.run_id)]
        if self._text:  # a run may go on with what was said before
            typed = build_node(self.node_id, "user_message", self._text, origin="typed", run_id=self.run_id)
            begun.append(calls.append(self.session_id, [typed]))
        return begun

    def _recall(self, query: str, top_k: int | None) -> Call[Recalled]:
        options = {} if top_k is None else {"top_k": top_k}
        return calls.recall(query[:MAX_QUERY_CHARS] or "?", self.session_id, **options)

    def _said(self, text: str, node_id: str | None, agent_id: str | None) -> list[Call[Any]]:
        return [self._node("assistant_message", text, node_id, agent_id)] if text else []

    def _tool_result(
        self, name: str, text: str, node_id: str | None, agent_id: str | None, refs: Sequence[str], failed: bool
    ) -> list[Call[Any]]:
        if name == RECALL_TOOL:  # the daemon knows what it recalled, and what is remembered is no news
            return []
        summary = f"{name}{' failed' if failed else ''}: {' '.join(text.split())}"[:SUMMARY_CHARS]
        return [self._node("tool_result", text, node_id, agent_id, summary=summary, artifact_refs=list(refs))]

    def _sub_agent(self, agent_id: str, kind: AgentKind, brief: str) -> list[Call[Any]]:
        made: list[Call[Any]] = []
        if agent_id not in self._sub_agents:
            self._sub_agents.add(agent_id)
            made.append(calls.agent_register(self.session_id, agent_id, kind, "main"))
        return [*made, self._node("user_message", brief, None, agent_id, origin="synthetic")] if brief else made

    def _end(self, kind: type[BaseException] | None) -> Call[Any]:
        # what cancels or ends a program is no Exception: CancelledError, KeyboardInterrupt, GeneratorExit
        status = "completed" if kind is None else "failed" if issubclass(kind, Exception) else "cancelled"
        return calls.run_completed(self.session_id, self.run_id, status)

    def _noted(self, error: MemoryClientError) -> None:
        self._hung = self._hung or isinstance(error, DeadlineExceeded)
        _LOG.warning("the memory was not reached: %s", error.log_name)

    def _node(self, kind: str, text: str, node_id: str | None, agent_id: str | None, **fields: Any) -> Call[Any]:
        self._reported += 1
        run_id = None if agent_id else self.run_id  # the run is the main agent's
        node_id = node_id or f"{self.run_id}/{self._reported}"
        return calls.append(self.session_id, [build_node(node_id, kind, text, agent_id=agent_id, run_id=run_id, **fields)])


class Turn(Script):
    """``with client.turn(session_id, text) as turn``: a run that completes, fails with an ``Exception``, or is cancelled.

    Reports wait in the outbox until the turn ends or something is asked; nothing here raises because of the memory.
    """

    def __init__(self, client: MemoryClient, session_id: str, text: str, **ids: str | None) -> None:
        super().__init__(session_id, text, **ids)
        self._client = client

    def said(self, text: str, *, node_id: str | None = None, agent_id: str | None = None) -> None:
        """What the model answered, the main agent's unless ``agent_id`` says whose."""
        self._tell(self._said(text, node_id, agent_id))

    def tool_result(
        self,
        name: str,
        text: str,
        *,
        node_id: str | None = None,
        agent_id: str | None = None,
        artifact_refs: Sequence[str] = (),
        failed: bool = False,
    ) -> None:
        """What a tool returned; its first words are the summary that an extraction job sees."""
        self._tell(self._tool_result(name, text, node_id, agent_id, artifact_refs, failed))

    def sub_agent(self, name: str, kind: AgentKind = "sub", brief: str = "") -> str:
        """Register an agent below main, with what it was told; returns the ``agent_id`` for its reports."""
        agent_id = sub_agent_id(name, kind)
        self._tell(self._sub_agent(agent_id, kind, brief))
        return agent_id

    def catalog(self, max_tokens: int | None = None) -> str:
        """MEMORY.md for the system prompt; empty while no daemon answers."""
        try:
            return "" if self._hung else self._client.catalog(self.session_id, max_tokens=max_tokens)["text"]
        except MemoryClientError as error:
            self._noted(error)
            return ""

    def recall(self, query: str, top_k: int | None = None) -> str:
        """What is remembered about ``query``, as a tool's answer for the model: always a text."""
        try:
            return NO_MEMORY if self._hung else recalled_text(self._client.ask(self._recall(query, top_k)))
        except MemoryClientError as error:
            self._noted(error)
            return NO_MEMORY

    def _tell(self, told: Sequence[Call[Any]]) -> None:
        try:
            if told and self._client.outbox is not None:
                self._client.enqueue(*told)
            else:
                for call in told:
                    self._client.send(call)
        except MemoryClientError as error:
            self._noted(error)

    def __enter__(self) -> Turn:
        self._tell(self._begin())
        begun_at = time.monotonic()
        try:
            self._hung = not self._client.flush() and time.monotonic() - begun_at >= self._client.timeout_seconds
        except MemoryClientError as error:
            self._noted(error)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._hung and self._client.outbox is not None:
            return self._tell([self._end(kind)])
        try:
            ended = self._client.send(self._end(kind))
            self.decision = ended["decision"] if ended else None
        except MemoryClientError as trouble:
            self._noted(trouble)


def sub_agent_id(name: str, kind: str = "sub") -> str:
    """An id that no main agent has: a framework may call two agents by one name, or one of them ``main``. Pure."""
    plain = "".join(char if char.isprintable() else " " for char in name).strip()
    return f"{kind}:{plain or 'agent'}"[:MAX_ID_CHARS]


def recalled_text(recalled: Recalled) -> str:
    """A recall's result as the text that a tool hands to the model. Pure."""
    if recalled["message"] is not None:
        return recalled["message"]["content"]
    if recalled["already_recalled"]:
        return f"Already in this conversation: {', '.join(recalled['already_recalled'])}"
    return NOTHING_FOUND
