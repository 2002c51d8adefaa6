"""One turn of a conversation, told by an asynchronous agent.

Owns: that a cancelled turn is still told to its end. Must not know: what a turn is (``turns.py``).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from soong_memory_client.errors import MemoryClientError
from soong_memory_client.turns import NO_MEMORY, Script, recalled_text, sub_agent_id
from soong_memory_client.wire import Call

if TYPE_CHECKING:
    from soong_memory_client.aio import AsyncMemoryClient
    from soong_memory_client.results import AgentKind


class AsyncTurn(Script):
    """``async with client.turn(session_id, text) as turn``: as ``Turn``, its methods awaited."""

    def __init__(self, client: AsyncMemoryClient, session_id: str, text: str, **ids: str | None) -> None:
        super().__init__(session_id, text, **ids)
        self._client = client

    async def said(self, text: str, *, node_id: str | None = None, agent_id: str | None = None) -> None:
        """See ``Turn.said``."""
        await self._tell(self._said(text, node_id, agent_id))

    async def tool_result(
        self,
        name: str,
        text: str,
        *,
        node_id: str | None = None,
        agent_id: str | None = None,
        artifact_refs: Sequence[str] = (),
        failed: bool = False,
    ) -> None:
        """See ``Turn.tool_result``."""
        await self._tell(self._tool_result(name, text, node_id, agent_id, artifact_refs, failed))

    async def sub_agent(self, name: str, kind: AgentKind = "sub", brief: str = "") -> str:
        """See ``Turn.sub_agent``."""
        agent_id = sub_agent_id(name, kind)
        await self._tell(self._sub_agent(agent_id, kind, brief))
        return agent_id

    async def catalog(self, max_tokens: int | None = None) -> str:
        """See ``Turn.catalog``."""
        try:
            return "" if self._hung else (await self._client.catalog(self.session_id, max_tokens=max_tokens))["text"]
        except MemoryClientError as error:
            self._noted(error)
            return ""

    async def recall(self, query: str, top_k: int | None = None) -> str:
        """See ``Turn.recall``."""
        try:
            return NO_MEMORY if self._hung else recalled_text(await self._client.ask(self._recall(query, top_k)))
        except MemoryClientError as error:
            self._noted(error)
            return NO_MEMORY

    async def _tell(self, told: Sequence[Call[Any]]) -> None:
        try:
            if told and self._client.outbox is not None:
                await self._client.enqueue(*told)
            else:
                for call in told:
                    await self._client.send(call)
        except MemoryClientError as error:
            self._noted(error)

    async def __aenter__(self) -> AsyncTurn:
        await self._tell(self._begin())
        begun_at = time.monotonic()
        try:
            self._hung = not await self._client.flush() and time.monotonic() - begun_at >= self._client.timeout_seconds
        except MemoryClientError as error:
            self._noted(error)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A cancelled turn is told to its end: some frameworks cancel every further await of the task.
        await asyncio.shield(asyncio.ensure_future(self._finish(self._end(kind))))

    async def _finish(self, end: Call[Any]) -> None:
        if self._hung and self._client.outbox is not None:
            return await self._tell([end])
        try:
            ended = await self._client.send(end)
            self.decision = ended["decision"] if ended else None
        except MemoryClientError as trouble:
            self._noted(trouble)
