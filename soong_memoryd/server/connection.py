"""One client: read lines, begin calls in their order, answer them as they finish.

Owns: the limits of a connection (calls in flight, unfinished lines, stalled writes), that calls begin in arrival order, and
that what has begun is answered before the connection ends.
Must not know what a method does: it is given ``begin``, which takes a call's place in the queue at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import anyio
import anyio.abc
import structlog

from soong_memoryd.errors import RequestError
from soong_memoryd.protocol.envelope import Call, Refused, error_answer, read_message
from soong_memoryd.protocol.framing import Fault, Framer, write_line
from soong_memoryd.protocol.methods import MAX_IN_FLIGHT
from soong_memoryd.server.dispatch import Pending, Served, answer

READ_BYTES = 64 * 1024
UNFINISHED_LINE_SECONDS = 30.0
STALLED_WRITE_SECONDS = 10.0

_log = structlog.get_logger(__name__)

Begin = Callable[[Call, "Connection"], Awaitable[Served]]


class Connection:
    """Serves one stream until the client leaves, the stream is lost, or it is cancelled."""

    def __init__(self, stream: anyio.abc.SocketStream, begin: Begin, max_message_bytes: int) -> None:
        self._stream = stream
        self._begin = begin
        self._framer = Framer(max_message_bytes)
        self._in_flight = anyio.Semaphore(MAX_IN_FLIGHT)
        self._writing = anyio.Lock()
        self._closed = asyncio.Event()
        self._reading = anyio.CancelScope()
        self._draining = False
        self._background: anyio.abc.TaskGroup | None = None

    async def serve(self) -> None:
        """Read until the end; then finish what is in flight (a shell one-liner closes its side first)."""
        async with self._stream, anyio.create_task_group() as tasks, anyio.create_task_group() as background:
            self._background = background
            watcher = anyio.CancelScope()
            tasks.start_soon(self._cancel_when_closed, tasks.cancel_scope, watcher)
            async with anyio.create_task_group() as calls:
                with self._reading:
                    await self._read(calls)
            watcher.cancel()
            background.cancel_scope.cancel()

    def drain(self) -> None:
        """End once nothing is in flight any more: at once when the client is only listening."""
        self._draining = True
        self._end_when_drained()

    async def notify(self, message: dict[str, Any]) -> None:
        """Send a notification to this client."""
        await self._write(message)

    def run_in_background(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run something (a subscription) for as long as this client stays."""
        assert self._background is not None
        self._background.start_soon(work)

    async def _cancel_when_closed(self, scope: anyio.CancelScope, watcher: anyio.CancelScope) -> None:
        with watcher:
            await self._closed.wait()
            scope.cancel()

    async def _read(self, calls: anyio.abc.TaskGroup) -> None:
        while True:
            limit = UNFINISHED_LINE_SECONDS if self._framer.unfinished else None
            try:
                with anyio.fail_after(limit):
                    data = await self._stream.receive(READ_BYTES)
            except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
                return
            except TimeoutError:
                await self._write(
                    error_answer(None, RequestError("invalid_request", "a started line was not finished in 30 s"))
                )
                return
            for item in self._framer.feed(data):
                if isinstance(item, Fault):
                    await self._write(error_answer(None, RequestError(item.code, item.text)))
                    if item.close:
                        return
                    continue
                await self._accept(item.value, calls)

    async def _accept(self, value: Any, calls: anyio.abc.TaskGroup) -> None:
        """Begin every call of a line at once, in order; their answers are waited for elsewhere."""
        message = read_message(value)
        await self._in_flight.acquire()
        begun: list[tuple[Call, Pending] | Refused] = []
        for call in message.calls:
            if isinstance(call, Refused):
                begun.append(call)
                continue
            begun.append((call, Pending(self._begin(call, self))))
        calls.start_soon(self._finish, begun, message.batch)
        # A client that sends without pause must not keep the others from their turn.
        await anyio.lowlevel.checkpoint()

    async def _finish(self, begun: list[tuple[Call, Pending] | Refused], batch: bool) -> None:
        try:
            answers: list[dict[str, Any]] = []
            for item in begun:
                if isinstance(item, Refused):
                    if not item.notification:
                        answers.append(error_answer(item.id, item.error))
                    continue
                response = await answer(*item)
                if response is not None:
                    answers.append(response)
            delivered = True
            if answers:
                delivered = await self._write(answers if batch else answers[0])
            if not delivered:
                await _lose(begun)
        finally:
            self._in_flight.release()
            self._end_when_drained()

    def _end_when_drained(self) -> None:
        if self._draining and self._in_flight.value == MAX_IN_FLIGHT:
            self._reading.cancel()

    async def _write(self, message: Any) -> bool:
        """Send one line; False when the client is gone or does not read (then the connection ends)."""
        try:
            with anyio.fail_after(STALLED_WRITE_SECONDS):
                async with self._writing:
                    await self._stream.send(write_line(message))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, TimeoutError):
            self._closed.set()
            return False
        return True


async def _lose(begun: list[tuple[Call, Pending] | Refused]) -> None:
    """The client left before its answer: take back what only the answer would have made true."""
    with anyio.CancelScope(shield=True):
        for item in begun:
            if not isinstance(item, Refused) and item[1].served is not None and item[1].served.on_lost is not None:
                await item[1].served.on_lost()
