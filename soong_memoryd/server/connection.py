"""One client: read lines, begin calls in their order, answer them as they finish.

Owns: the limits of a connection (calls in flight, unfinished lines, stalled writes), that calls begin in arrival order,
that what has begun is answered before the connection ends, and its one subscription.
Must not know what a method does: it is given ``begin``, which takes a call's place in the queue at once.
"""

from __future__ import annotations

import asyncio
import math
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
from soong_memoryd.state.lanes import current_lane

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
        self._in_flight = anyio.Semaphore(MAX_IN_FLIGHT, fast_acquire=True)
        self._writing = anyio.Lock(fast_acquire=True)
        self._closed = asyncio.Event()
        self._reading = anyio.CancelScope()
        self._draining = False
        self._background: anyio.abc.TaskGroup | None = None
        self._following: anyio.CancelScope | None = None

    async def serve(self) -> None:
        """Read until the end; then finish what is in flight (a shell one-liner closes its side first)."""
        current_lane.set(self)  # what this client sends keeps its order; a long text holds up nobody else
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

    async def follow(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a subscription for as long as this client stays; it takes the place of an earlier one."""
        await self.unfollow()
        assert self._background is not None
        self._following = anyio.CancelScope()
        self._background.start_soon(_within, self._following, work)

    async def unfollow(self) -> None:
        """End the subscription, if there is one."""
        async with self._writing:  # never in the middle of a line
            if self._following is not None:
                self._following.cancel()
                self._following = None

    async def _cancel_when_closed(self, scope: anyio.CancelScope, watcher: anyio.CancelScope) -> None:
        with watcher:
            await self._closed.wait()
            scope.cancel()

    async def _read(self, calls: anyio.abc.TaskGroup) -> None:
        line_until = math.inf
        while True:
            try:
                with anyio.fail_after(line_until - anyio.current_time()):
                    data = await self._stream.receive(READ_BYTES)
            except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
                return
            except TimeoutError:
                await self._write(
                    error_answer(None, RequestError("invalid_request", "a started line was not finished in 30 s"))
                )
                return
            for number, item in enumerate(self._framer.feed(data)):
                if number:  # a client that sends without pause must not keep the others from their turn
                    await anyio.lowlevel.checkpoint()
                line_until = math.inf
                if isinstance(item, Fault):
                    await self._write(error_answer(None, RequestError(item.code, item.text)))
                    if item.close:
                        return
                    continue
                await self._accept(item.value, calls)
            if not self._framer.unfinished:
                line_until = math.inf
            elif line_until == math.inf:  # begun just now; more of the same line buys no time
                line_until = anyio.current_time() + UNFINISHED_LINE_SECONDS

    async def _accept(self, value: Any, calls: anyio.abc.TaskGroup) -> None:
        """Begin every call of a line at once, in order; their answers are waited for elsewhere."""
        message = read_message(value)
        for _ in message.calls:
            await self._in_flight.acquire()
        begun: list[tuple[Call, Pending] | Refused] = []
        for call in message.calls:
            if isinstance(call, Refused):
                begun.append(call)
                continue
            begun.append((call, Pending(self._begin(call, self))))
        calls.start_soon(self._finish, begun, message.batch)

    async def _finish(self, begun: list[tuple[Call, Pending] | Refused], batch: bool) -> None:
        undelivered = [item[1] for item in begun if not isinstance(item, Refused)]
        try:
            lines: list[bytes] = []
            for item in begun:
                if isinstance(item, Refused):
                    if not item.notification:
                        lines.append(write_line(error_answer(item.id, item.error)))
                    continue
                call, pending = item
                response = await answer(call, pending)
                if response is not None:
                    lines.append(await _encoded(call, response, pending))
            if not lines or await self._send(_batch(lines) if batch else lines[0]):
                delivered, undelivered = undelivered, []
                for pending in delivered:
                    await pending.deliver()
        finally:
            if undelivered:
                with anyio.CancelScope(shield=True):
                    for pending in undelivered:
                        await pending.lose()
            for _ in begun:
                self._in_flight.release()
            self._end_when_drained()

    def _end_when_drained(self) -> None:
        if self._draining and self._in_flight.value == MAX_IN_FLIGHT:
            self._reading.cancel()

    async def _write(self, message: dict[str, Any]) -> bool:
        return await self._send(write_line(message))

    async def _send(self, line: bytes) -> bool:
        """Send one line; False when the client is gone or does not read (then the connection ends)."""
        try:
            with anyio.fail_after(STALLED_WRITE_SECONDS):
                async with self._writing:
                    await self._stream.send(line)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, TimeoutError):
            self._closed.set()
            return False
        return True


async def _within(scope: anyio.CancelScope, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    with scope:
        await work()


async def _encoded(call: Call, response: dict[str, Any], pending: Pending) -> bytes:
    try:
        return write_line(response)
    except (ValueError, TypeError) as error:  # text that is no Unicode, a number that is none
        _log.error("answer_not_encodable", method=call.method, error=type(error).__name__)
        await pending.lose()
        return write_line(error_answer(call.id, RequestError("internal", "the answer cannot be put into JSON")))


def _batch(lines: list[bytes]) -> bytes:
    return b"[" + b",".join(line.rstrip(b"\n") for line in lines) + b"]\n"
