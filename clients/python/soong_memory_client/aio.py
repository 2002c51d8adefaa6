"""The asynchronous client: the same calls as ``MemoryClient``, awaited.

Owns: the asynchronous order "backlog first, then this call". Must not know: file formats. Outbox files are touched in
a worker thread, because syncing and locking block.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

from soong_memory_client import calls
from soong_memory_client.aio_connection import AsyncConnection
from soong_memory_client.errors import DaemonUnavailable, DeadlineExceeded, OutboxFull, RpcError
from soong_memory_client.outbox import Claim, Outbox
from soong_memory_client.paths import home_path, outbox_directory, socket_path
from soong_memory_client.wire import Call, Json, Result, request

if TYPE_CHECKING:
    from soong_memory_client import results
    from soong_memory_client.aio_turns import AsyncTurn


class AsyncMemoryClient:
    """See ``MemoryClient``: same parameters, same promises; for one event loop at a time, another one may come after it."""

    def __init__(
        self,
        name: str,
        *,
        home: str | os.PathLike[str] | None = None,
        socket: str | os.PathLike[str] | None = None,
        timeout_seconds: float = 5.0,
        outbox: bool = True,
    ) -> None:
        self.socket_path: Path = socket_path(home_flag=home, socket_flag=socket)
        self.outbox = Outbox(outbox_directory(home_path(flag=home)), name) if outbox else None
        self.timeout_seconds = timeout_seconds
        self._connection: AsyncConnection | None = None
        self._turns: tuple[asyncio.AbstractEventLoop, asyncio.Lock] | None = None

    async def session_open(
        self, session_id: str, agent_id: str | None = None, title: str | None = None
    ) -> results.SessionOpened | None:
        """Open a session, or open it again."""
        return await self.send(calls.session_open(session_id, agent_id, title))

    async def session_close(self, session_id: str) -> Json | None:
        """Close a session; its idle clock goes on."""
        return await self.send(calls.session_close(session_id))

    async def agent_register(
        self, session_id: str, agent_id: str, kind: results.AgentKind, parent_agent_id: str
    ) -> results.AgentRegistered | None:
        """Register an agent below main."""
        return await self.send(calls.agent_register(session_id, agent_id, kind, parent_agent_id))

    async def append(self, session_id: str, nodes: Sequence[Mapping[str, Any]]) -> results.Appended | None:
        """Append 1 to 256 nodes; ``node_id`` makes it idempotent."""
        return await self.send(calls.append(session_id, nodes))

    async def rewind(self, session_id: str, node_id: str) -> results.Rewound | None:
        """Take everything after ``node_id`` off the path."""
        return await self.send(calls.rewind(session_id, node_id))

    async def run_started(self, session_id: str, run_id: str, agent_id: str | None = None) -> results.RunStarted | None:
        """Say that a run began."""
        return await self.send(calls.run_started(session_id, run_id, agent_id))

    async def run_completed(
        self, session_id: str, run_id: str, status: results.RunStatus = "completed", agent_id: str | None = None
    ) -> results.RunCompleted | None:
        """Say that a run ended; the result says when the daemon will look, and why."""
        return await self.send(calls.run_completed(session_id, run_id, status, agent_id))

    async def catalog(
        self, session_id: str | None = None, agent_id: str | None = None, max_tokens: int | None = None
    ) -> results.Catalog:
        """MEMORY.md as it goes into the system prompt."""
        return await self._now(calls.catalog(session_id, agent_id, max_tokens))

    async def recall(self, query: str, session_id: str | None = None, **options: Any) -> results.Recalled:
        """Choose memories for ``query``; ``options`` as in ``calls.recall``."""
        return await self._now(calls.recall(query, session_id, **options))

    def turn(self, session_id: str, text: str, *, run_id: str | None = None, node_id: str | None = None) -> AsyncTurn:
        """See ``MemoryClient.turn``; used with ``async with``."""
        from soong_memory_client.aio_turns import AsyncTurn

        return AsyncTurn(self, session_id, text, run_id=run_id, node_id=node_id)

    async def ask(self, call: Call[Result]) -> Result:
        """A question as a value of ``calls``, sent now, after the backlog."""
        return await self._now(call)

    async def call(self, method: str, /, *, timeout_seconds: float | None = None, **params: Any) -> Any:
        """Any method, sent now, after the backlog; raises ``RpcError`` and ``DaemonUnavailable``."""
        call: Call[Any] = Call(method, params)
        return await self._now(call, timeout_seconds)

    async def send(self, call: Call[Result]) -> Result | None:
        """A durable call as a value of ``calls``: by way of the outbox, None while it is kept for later."""
        mine = request(call, os.urandom(12).hex())
        async with self._turn():
            deadline = self._deadline()
            if self.outbox is None:
                return cast("Result", await self._exchange(mine, deadline))
            try:
                await asyncio.to_thread(self.outbox.append, mine)
            except OutboxFull:
                if not await self._flushed(deadline):
                    raise
                return cast("Result", await self._exchange(mine, deadline))
            try:
                return cast("Result | None", (await self._send_backlog(self.outbox, deadline, mine["id"]))[1])
            except DaemonUnavailable:
                return None

    async def enqueue(self, *requested: Call[Any]) -> None:
        """Write calls to the outbox without sending them."""
        if self.outbox is None:
            raise ValueError("this client has no outbox")
        await asyncio.to_thread(self.outbox.append, *(request(call, os.urandom(12).hex()) for call in requested))

    async def flush(self) -> bool:
        """Send what waits; True when nothing waits any more. Never raises because the daemon is away."""
        async with self._turn():
            return await self._flushed(self._deadline())

    async def close(self) -> None:
        """Close the connection; the next call opens another one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    # -- how -------------------------------------------------------------------------------------------------------

    def _turn(self) -> asyncio.Lock:
        """The lock of the running loop: one that tasks of another loop have waited for is of no use here."""
        loop = asyncio.get_running_loop()
        if self._turns is None or self._turns[0] is not loop:
            self._turns = loop, asyncio.Lock()
        return self._turns[1]

    def _deadline(self, timeout_seconds: float | None = None) -> float:
        return asyncio.get_running_loop().time() + (self.timeout_seconds if timeout_seconds is None else timeout_seconds)

    async def _now(self, call: Call[Result], timeout_seconds: float | None = None) -> Result:
        async with self._turn():
            deadline = self._deadline(timeout_seconds)
            await self._flushed(deadline)
            return cast("Result", await self._exchange(request(call, os.urandom(12).hex()), deadline))

    async def _flushed(self, deadline: float) -> bool:
        if self.outbox is None or self.outbox.is_empty():
            return True
        try:
            return (await self._send_backlog(self.outbox, deadline, None))[0]
        except DaemonUnavailable:
            return False

    async def _send_backlog(self, outbox: Outbox, deadline: float, mine: str | None) -> tuple[bool, Any]:
        """As ``MemoryClient._send_backlog``."""
        with ExitStack() as stack:
            wait_seconds = max(0.0, deadline - asyncio.get_running_loop().time())
            claim = await asyncio.to_thread(stack.enter_context, outbox.claim(wait_seconds))
            return (False, None) if claim is None else await self._send_claimed(claim, deadline, mine)

    async def _send_claimed(self, claim: Claim, deadline: float, mine: str | None) -> tuple[bool, Any]:
        result = None
        while lines := await asyncio.to_thread(claim.pending):
            for line in lines:
                assert line.request is not None
                own = mine is not None and line.request.get("id") == mine
                error = None
                try:
                    reply = await self._exchange(line.request, deadline)
                except RpcError as refused:
                    error = refused
                else:
                    result = reply if own else result
                if not await asyncio.to_thread(claim.settle, line, error, own=own):
                    return False, result
        return True, result

    async def _exchange(self, message: Json, deadline: float) -> Any:
        reused = self._connection is not None
        try:
            async with asyncio.timeout_at(deadline):
                try:
                    return await (await self._connected()).call(message)
                except DaemonUnavailable:
                    await self.close()
                    if not reused:  # only a connection that was open before may have ended for no reason
                        raise
                return await (await self._connected()).call(message)
        except TimeoutError as error:
            await self.close()
            raise DeadlineExceeded("no answer in time") from error
        except (DaemonUnavailable, asyncio.CancelledError):
            await self.close()  # an answer that comes later must not meet the next call
            raise

    async def _connected(self) -> AsyncConnection:
        if self._connection is None:
            self._connection = await AsyncConnection.open(self.socket_path)
        return self._connection

    async def __aenter__(self) -> AsyncMemoryClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
