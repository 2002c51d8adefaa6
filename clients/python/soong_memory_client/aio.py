"""The asynchronous client: the same calls as ``MemoryClient``, on asyncio streams.

Owns: the asynchronous order "backlog first, then this call". Must not know: file formats. Outbox files are touched in
a worker thread, because syncing and locking block.
"""

from __future__ import annotations

import asyncio
import os
import socket as sockets
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

from soong_memory_client import calls
from soong_memory_client.connection import MAX_REPLY_BYTES, check_server
from soong_memory_client.errors import DaemonUnavailable, DeadlineExceeded, OutboxFull, RpcError, UntrustedServer
from soong_memory_client.outbox import Claim, Outbox
from soong_memory_client.paths import home_path, outbox_directory, socket_path
from soong_memory_client.wire import Call, Json, Result, decode, encode, request, result_of

if TYPE_CHECKING:
    from soong_memory_client import results


class AsyncMemoryClient:
    """See ``MemoryClient``: same parameters, same promises; calls of one client run one after another."""

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
        self._timeout_seconds = timeout_seconds
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._turn = asyncio.Lock()

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

    async def call(self, method: str, /, *, timeout_seconds: float | None = None, **params: Any) -> Any:
        """Any method, sent now, after the backlog; raises ``RpcError`` and ``DaemonUnavailable``."""
        call: Call[Any] = Call(method, params)
        return await self._now(call, timeout_seconds)

    async def send(self, call: Call[Result]) -> Result | None:
        """A durable call as a value of ``calls``: by way of the outbox, None while it is kept for later."""
        mine = request(call, os.urandom(12).hex())
        async with self._turn:
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

    async def flush(self) -> bool:
        """Send what waits; True when nothing waits any more. Never raises because the daemon is away."""
        async with self._turn:
            return await self._flushed(self._deadline())

    async def close(self) -> None:
        """Close the connection; the next call opens another one."""
        streams, self._streams = self._streams, None
        if streams is not None:
            streams[1].close()
            with suppress(OSError):  # the other side may have been faster
                await streams[1].wait_closed()

    # -- how -------------------------------------------------------------------------------------------------------

    def _deadline(self, timeout_seconds: float | None = None) -> float:
        return asyncio.get_running_loop().time() + (self._timeout_seconds if timeout_seconds is None else timeout_seconds)

    async def _now(self, call: Call[Result], timeout_seconds: float | None = None) -> Result:
        async with self._turn:
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
        reused = self._streams is not None
        try:
            async with asyncio.timeout_at(deadline):
                try:
                    return await self._exchange_once(message)
                except DaemonUnavailable:
                    await self.close()
                    if not reused:  # only a connection that was open before may have ended for no reason
                        raise
                return await self._exchange_once(message)
        except TimeoutError as error:
            await self.close()
            raise DeadlineExceeded("no answer in time") from error
        except (DaemonUnavailable, asyncio.CancelledError):
            await self.close()  # an answer that comes later must not meet the next call
            raise

    async def _exchange_once(self, message: Json) -> Any:
        try:
            reader, writer = await self._connected()
            writer.write(encode(message))
            await writer.drain()
            while line := await reader.readline():
                reply = decode(line)
                if "method" not in reply and reply.get("id") in (message["id"], None):
                    return result_of(reply)
        except UntrustedServer:
            raise
        except OSError as error:
            raise DaemonUnavailable(f"no daemon answers at {self.socket_path}") from error
        except ValueError as error:
            raise DaemonUnavailable("what answers at the socket does not speak JSON-RPC") from error
        raise DaemonUnavailable("the daemon closed the connection")

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            reader, writer = await asyncio.open_unix_connection(self.socket_path, limit=MAX_REPLY_BYTES)
            connected = writer.get_extra_info("socket")
            try:
                check_server(cast("sockets.socket", connected))
            except UntrustedServer:
                writer.close()
                raise
            self._streams = reader, writer
        return self._streams

    async def __aenter__(self) -> AsyncMemoryClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
