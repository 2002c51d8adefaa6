"""One connection over a socket pair: its limits, and that an answer which cannot be delivered is taken back."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import anyio
import anyio.abc
import anyio.lowlevel
import pytest

from soong_memoryd.protocol.envelope import Call
from soong_memoryd.protocol.methods import MAX_BATCH, MAX_IN_FLIGHT
from soong_memoryd.server import connection
from soong_memoryd.server.connection import Connection
from soong_memoryd.server.dispatch import Served

MAX_BYTES = 1 << 20


class Client:
    """The other end."""

    def __init__(self, stream: anyio.abc.SocketStream) -> None:
        self._stream = stream
        self._buffer = b""

    async def send(self, data: bytes) -> None:
        await self._stream.send(data)

    async def call(self, call_id: int) -> None:
        await self.send(b'{"jsonrpc":"2.0","id":%d,"method":"session.list"}\n' % call_id)

    async def batch(self, *call_ids: int) -> None:
        calls = [{"jsonrpc": "2.0", "id": call_id, "method": "session.list"} for call_id in call_ids]
        await self.send(json.dumps(calls).encode() + b"\n")

    async def read(self) -> Any:
        """The next line, None at the end."""
        while b"\n" not in self._buffer:
            try:
                self._buffer += await self._stream.receive()
            except anyio.EndOfStream:
                return None
        line, _, self._buffer = self._buffer.partition(b"\n")
        return json.loads(line)

    async def leave(self) -> None:
        await self._stream.aclose()


def served(
    begin: Callable[[Call, Connection], Awaitable[Served]], scenario: Callable[[Client, Connection], Awaitable[None]]
) -> None:
    """Run a scenario against one served connection; both must come to an end in time."""

    async def run() -> None:
        ours, theirs = socket.socketpair()
        subject = Connection(await anyio.abc.UNIXSocketStream.from_socket(theirs), begin, MAX_BYTES)
        async with await anyio.abc.UNIXSocketStream.from_socket(ours) as stream:
            with anyio.fail_after(10):
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(subject.serve)
                    await scenario(Client(stream), subject)
                    await stream.aclose()

    anyio.run(run)


async def at_once(
    result: dict[str, Any],
    on_lost: Callable[[], Awaitable[None]] | None = None,
    on_delivered: Callable[[], Awaitable[None]] | None = None,
) -> Served:
    return Served(result, on_lost, on_delivered)


@pytest.mark.rule("wire.unfinished-line")
def test_a_line_that_is_begun_and_never_ended_is_answered_and_the_connection_closed(monkeypatch):
    monkeypatch.setattr(connection, "UNFINISHED_LINE_SECONDS", 0.05)

    async def scenario(client: Client, _: Connection) -> None:
        await client.send(b'{"jsonrpc":"2.0","id":1,"meth')
        error = await client.read()
        assert (error["id"], error["error"]["data"]["code"]) == (None, "invalid_request")
        assert await client.read() is None

    served(lambda call, _: at_once({}), scenario)


@pytest.mark.rule("wire.unfinished-line")
def test_a_line_that_comes_byte_by_byte_has_no_longer_than_any_other(monkeypatch):
    monkeypatch.setattr(connection, "UNFINISHED_LINE_SECONDS", 0.05)

    async def scenario(client: Client, _: Connection) -> None:
        await client.call(1)
        assert (await client.read())["id"] == 1
        with pytest.raises(anyio.BrokenResourceError):
            while True:
                await client.send(b" ")

    served(lambda call, _: at_once({}), scenario)


@pytest.mark.rule("wire.in-flight-limit")
def test_the_calls_of_a_batch_count_one_by_one():
    begun: list[asyncio.Future[Served]] = []

    def begin(_: Call, __: Connection) -> Awaitable[Served]:
        begun.append(asyncio.get_running_loop().create_future())
        return begun[-1]

    async def scenario(client: Client, _: Connection) -> None:
        batch = [{"jsonrpc": "2.0", "id": number, "method": "session.list"} for number in range(MAX_BATCH)]
        for _ in range(3):
            await client.send(json.dumps(batch).encode() + b"\n")
        for _ in range(100):
            await anyio.lowlevel.checkpoint()
        assert len(begun) == MAX_IN_FLIGHT == 2 * MAX_BATCH
        for call in begun[:MAX_BATCH]:
            call.set_result(Served({}))
        assert len(await client.read()) == MAX_BATCH
        while len(begun) < 3 * MAX_BATCH:
            await anyio.lowlevel.checkpoint()
        for call in begun[MAX_BATCH:]:
            call.set_result(Served({}))

    served(begin, scenario)


@pytest.mark.rule("wire.in-flight-limit")
def test_a_connection_is_not_read_further_while_32_calls_are_in_flight():
    begun: list[asyncio.Future[Served]] = []

    def begin(_: Call, __: Connection) -> Awaitable[Served]:
        begun.append(asyncio.get_running_loop().create_future())
        return begun[-1]

    async def scenario(client: Client, _: Connection) -> None:
        for number in range(MAX_IN_FLIGHT + 8):
            await client.call(number)
        while len(begun) < MAX_IN_FLIGHT:
            await anyio.lowlevel.checkpoint()
        for _ in range(50):
            await anyio.lowlevel.checkpoint()
        assert len(begun) == MAX_IN_FLIGHT
        begun[0].set_result(Served({"done": True}))
        assert (await client.read())["id"] == 0
        while len(begun) < MAX_IN_FLIGHT + 1:
            await anyio.lowlevel.checkpoint()
        answered = 1
        while answered < MAX_IN_FLIGHT + 8:
            for call in begun[answered:]:
                call.set_result(Served({}))
                answered += 1
                await client.read()

    served(begin, scenario)


@pytest.mark.rule("wire.stalled-reader")
def test_a_client_that_does_not_read_its_answers_is_left(monkeypatch):
    monkeypatch.setattr(connection, "STALLED_WRITE_SECONDS", 0.05)
    lost = anyio.Event()

    async def note() -> None:
        lost.set()

    async def scenario(client: Client, _: Connection) -> None:
        await client.call(1)
        await lost.wait()

    served(lambda call, _: at_once({"text": "x" * 8_000_000}, note), scenario)


@pytest.mark.rule("recall.caller-gone")
def test_what_only_an_answer_would_have_made_true_is_taken_back_when_the_client_left():
    ready, lost = anyio.Event(), anyio.Event()

    async def note() -> None:
        lost.set()

    async def slow() -> Served:
        await ready.wait()
        return Served({"text": "x" * 1_000_000}, note)

    async def scenario(client: Client, _: Connection) -> None:
        await client.call(1)
        await client.leave()
        ready.set()
        await lost.wait()

    served(lambda call, _: slow(), scenario)


@pytest.mark.rule("wire.unfinished-line")
def test_a_line_that_comes_byte_by_byte_has_no_more_time_than_another(monkeypatch):
    monkeypatch.setattr(connection, "UNFINISHED_LINE_SECONDS", 0.05)

    async def scenario(client: Client, _: Connection) -> None:
        async def trickle() -> None:
            while True:
                await client.send(b"x")

        async with anyio.create_task_group() as tasks:
            with suppress(anyio.BrokenResourceError):
                tasks.start_soon(trickle)
                assert (await client.read())["error"]["data"]["code"] == "invalid_request"
            tasks.cancel_scope.cancel()

    served(lambda call, _: at_once({}), scenario)


@pytest.mark.rule("wire.in-flight-limit")
def test_a_batch_takes_as_many_places_as_it_has_calls():
    begun: list[asyncio.Future[Served]] = []

    def begin(_: Call, __: Connection) -> Awaitable[Served]:
        begun.append(asyncio.get_running_loop().create_future())
        return begun[-1]

    async def scenario(client: Client, _: Connection) -> None:
        for first in range(0, 3 * MAX_BATCH, MAX_BATCH):
            await client.batch(*range(first, first + MAX_BATCH))
        for _ in range(100):
            await anyio.lowlevel.checkpoint()
        assert len(begun) == MAX_IN_FLIGHT
        for answered in range(0, 3 * MAX_BATCH, MAX_BATCH):
            while len(begun) < answered + MAX_BATCH:
                await anyio.lowlevel.checkpoint()
            for call in begun[answered : answered + MAX_BATCH]:
                call.set_result(Served({}))
            assert len(await client.read()) == MAX_BATCH

    served(begin, scenario)


@pytest.mark.rule("error.internal")
def test_an_answer_that_is_no_json_is_an_internal_error_and_the_others_are_answered():
    results = iter([{"path": "caf\udce9.md"}, {"fine": True}, {"fine": True}])
    lost: list[str] = []

    async def note() -> None:
        lost.append("the first")

    async def scenario(client: Client, _: Connection) -> None:
        await client.batch(1, 2)
        first, second = await client.read()
        assert (first["id"], first["error"]["data"]["code"]) == (1, "internal")
        assert (second["id"], second["result"]) == (2, {"fine": True})
        assert lost == ["the first"]
        await client.call(3)
        assert (await client.read())["result"] == {"fine": True}

    def begin(call: Call, _: Connection) -> Awaitable[Served]:
        return at_once(next(results), note if call.id == 1 else None)

    served(begin, scenario)


@pytest.mark.rule("recall.caller-gone")
def test_an_answer_that_waits_for_others_of_its_batch_is_taken_back_when_the_connection_ends(monkeypatch):
    monkeypatch.setattr(connection, "STALLED_WRITE_SECONDS", 0.05)
    lost: set[object] = set()
    answered = anyio.Event()

    async def never() -> Served:
        answered.set()
        await anyio.sleep_forever()
        raise AssertionError

    def begin(call: Call, _: Connection) -> Awaitable[Served]:
        async def note() -> None:
            await anyio.lowlevel.checkpoint()
            lost.add(call.id)

        return never() if call.id == 2 else at_once({"text": "x" * 8_000_000} if call.id == 3 else {}, note)

    async def scenario(client: Client, _: Connection) -> None:
        await client.batch(1, 2)
        await answered.wait()
        await client.call(3)  # nobody reads it: that ends the connection
        while lost != {1, 3}:
            await anyio.lowlevel.checkpoint()

    served(begin, scenario)


@pytest.mark.rule("recall.caller-gone")
def test_an_answer_that_waits_for_its_turn_to_be_written_is_taken_back_when_the_connection_ends(monkeypatch):
    monkeypatch.setattr(connection, "STALLED_WRITE_SECONDS", 0.05)
    lost: set[object] = set()

    def begin(call: Call, _: Connection) -> Awaitable[Served]:
        async def note() -> None:
            await anyio.lowlevel.checkpoint()
            lost.add(call.id)

        return at_once({"text": "x" * 8_000_000}, note)

    async def scenario(client: Client, _: Connection) -> None:
        for number in range(3):
            await client.call(number)
        while lost != {0, 1, 2}:
            await anyio.lowlevel.checkpoint()

    served(begin, scenario)


def test_a_subscription_begins_after_its_answer_and_takes_the_place_of_an_earlier_one():
    going: list[object] = []

    def begin(call: Call, subject: Connection) -> Awaitable[Served]:
        async def tell() -> None:
            going.append(call.id)
            try:
                while True:
                    await subject.notify({"from": call.id})
                    await anyio.lowlevel.checkpoint()
            finally:
                going.remove(call.id)

        return at_once({}, on_delivered=lambda: subject.follow(tell))

    async def scenario(client: Client, _: Connection) -> None:
        await client.call(1)
        assert (await client.read())["id"] == 1
        assert await client.read() == {"from": 1}
        await client.call(2)
        while (await client.read()).get("id") != 2:
            pass
        while (await client.read())["from"] != 2:
            pass
        for _ in range(20):
            assert await client.read() == {"from": 2}
        assert going == [2]

    served(begin, scenario)


@pytest.mark.rule("shutdown.clean")
def test_a_draining_connection_ends_when_its_last_call_is_answered():
    ready = anyio.Event()

    async def slow() -> Served:
        await ready.wait()
        return Served({"late": True})

    async def scenario(client: Client, subject: Connection) -> None:
        await client.call(1)
        for _ in range(20):
            await anyio.lowlevel.checkpoint()
        subject.drain()
        ready.set()
        assert (await client.read())["result"] == {"late": True}
        assert await client.read() is None

    served(lambda call, _: slow(), scenario)


@pytest.mark.rule("shutdown.clean")
def test_a_draining_connection_without_a_call_ends_at_once():
    async def scenario(client: Client, subject: Connection) -> None:
        subject.drain()
        assert await client.read() is None

    served(lambda call, _: at_once({}), scenario)
