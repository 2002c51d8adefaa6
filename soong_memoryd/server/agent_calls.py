"""What agents call: sessions, agents, context, runs, catalog and recall.

Owns: the translation between params and rooms. Must not know the socket. Every function begins its work at once (so that
order is the order of arrival) and returns what is awaited for the answer.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from soong_memoryd import __version__
from soong_memoryd.errors import RequestError
from soong_memoryd.memories.store import MemoryStore
from soong_memoryd.protocol import models as m
from soong_memoryd.protocol.methods import MAX_BATCH, MAX_IN_FLIGHT, PROTOCOL_VERSION
from soong_memoryd.protocol.values import MAX_NODES, Answer
from soong_memoryd.recall.recall import Recall, RecallAnswer, RecallRequest
from soong_memoryd.server.dispatch import Served
from soong_memoryd.sessions import roles
from soong_memoryd.sessions.service import Sessions

T = TypeVar("T")
Handler = Callable[[Any], Awaitable[Served]]


class AgentCalls:
    """The handlers of the methods whose caller is an agent."""

    def __init__(self, sessions: Sessions, store: MemoryStore, recall: Recall, max_message_bytes: int) -> None:
        self._sessions = sessions
        self._store = store
        self._recall = recall
        self._max_message_bytes = max_message_bytes

    def table(self) -> dict[str, Handler]:
        """Method name → handler."""
        return {
            "initialize": self.initialize,
            "session.open": self.session_open,
            "session.close": self.session_close,
            "agent.register": self.agent_register,
            "context.append": self.context_append,
            "context.rewind": self.context_rewind,
            "run.started": self.run_started,
            "run.completed": self.run_completed,
            "memory.catalog": self.memory_catalog,
            "memory.recall": self.memory_recall,
        }

    async def initialize(self, params: m.Initialize) -> Served:
        """Agree on the version; says what one connection may send."""
        if params.protocol_version != PROTOCOL_VERSION:
            raise RequestError(
                "protocol_version", f"this daemon speaks protocol version {PROTOCOL_VERSION}", field="protocol_version"
            )
        limits = m.Limits(
            max_message_bytes=self._max_message_bytes, max_batch=MAX_BATCH, max_in_flight=MAX_IN_FLIGHT, max_nodes=MAX_NODES
        )
        return Served(
            m.InitializeResult(
                protocol_version=PROTOCOL_VERSION,
                server=m.ServerInfo(name="soong-memoryd", version=__version__),
                limits=limits,
                memory_enabled=self._sessions.policy.enabled,
            )
        )

    def session_open(self, params: m.SessionOpen) -> Awaitable[Served]:
        """Open or reopen a session."""
        return _then(self._sessions.open(params.session_id, params.agent_id, params.title), lambda r: m.SessionOpenResult(**r))

    def session_close(self, params: m.OfSession) -> Awaitable[Served]:
        """Close a session."""
        return _then(self._sessions.close(params.session_id), lambda _: m.EmptyResult())

    def agent_register(self, params: m.AgentRegister) -> Awaitable[Served]:
        """Register an agent."""
        future = self._sessions.register(params.session_id, params.agent_id, params.kind, params.parent_agent_id)
        return _then(future, lambda r: m.AgentRegisterResult(**r))

    def context_append(self, params: m.ContextAppend) -> Awaitable[Served]:
        """Append nodes."""
        return _then(self._sessions.append(params.session_id, params.nodes), lambda r: m.ContextAppendResult(**r))

    def context_rewind(self, params: m.ContextRewind) -> Awaitable[Served]:
        """Rewind to a node."""
        return _then(self._sessions.rewind(params.session_id, params.node_id), lambda r: m.ContextRewindResult(**r))

    def run_started(self, params: m.RunStarted) -> Awaitable[Served]:
        """A run began."""
        future = self._sessions.start_run(params.session_id, params.run_id, params.agent_id)
        return _then(future, lambda r: m.RunStartedResult(**r))

    def run_completed(self, params: m.RunCompleted) -> Awaitable[Served]:
        """A run ended."""
        future = self._sessions.complete_run(params.session_id, params.run_id, params.agent_id, params.status)
        return _then(future, lambda r: m.RunCompletedResult(**r))

    async def memory_catalog(self, params: m.MemoryCatalog) -> Served:
        """MEMORY.md for the system prompt of a main agent."""
        if params.session_id is not None:
            kind = await self._sessions.agent_kind(params.session_id, params.agent_id)
            if not roles.may(kind, "catalog"):
                raise RequestError("role_denied", "only the main agent carries the catalog", field="agent_id")
        catalog = await self._store.catalog(params.max_tokens)
        text = await self._recall.shown(catalog.text)
        revision = catalog.revision if text == catalog.text else hashlib.sha256(text.encode()).hexdigest()
        return Served(m.MemoryCatalogResult(text=text, entries=catalog.entries, truncated=catalog.truncated, revision=revision))

    async def memory_recall(self, params: m.MemoryRecall) -> Served:
        """The text of what matters now; what is shown is remembered in the session unless the caller is gone."""
        request = RecallRequest(
            query=params.query,
            session_id=params.session_id,
            agent_id=params.agent_id,
            run_id=params.run_id,
            user_request=params.user_request,
            path_summary=params.path_summary,
            top_k=params.top_k,
            token_budget=params.token_budget,
        )
        result = await self._recall.recall(request)
        session_id, node = params.session_id, result.node
        if session_id is None or node is None:
            return Served(_recall_result(result))

        async def forget_shown() -> None:
            await self._sessions.abandon_node(session_id, str(node["node_id"]))

        return Served(_recall_result(result), forget_shown)


def _recall_result(answer: RecallAnswer) -> m.MemoryRecallResult:
    return m.MemoryRecallResult.model_validate(answer, from_attributes=True)


def _then(future: asyncio.Future[T], shape: Callable[[T], Answer]) -> Awaitable[Served]:
    """What is awaited for the answer; the work itself is under way already."""

    async def wait() -> Served:
        return Served(shape(await asyncio.shield(future)))

    return wait()
