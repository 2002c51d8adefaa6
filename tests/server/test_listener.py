"""The socket's path, and how many may be connected."""

from __future__ import annotations

import socket
import stat

import anyio
import anyio.abc
import pytest

from soong_memoryd.errors import ConfigError
from soong_memoryd.server import listener
from soong_memoryd.server.listener import Listener, bind


@pytest.mark.rule("wire.socket-path")
def test_a_socket_that_a_dead_daemon_left_is_replaced_and_private(tmp_path):
    path = tmp_path / "state" / "memoryd.sock"
    bind(path).close()
    bind(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.rule("wire.socket-path")
def test_what_is_no_socket_is_left_where_it_is(tmp_path):
    path = tmp_path / "memoryd.sock"
    path.write_text("somebody's file", encoding="utf-8")
    tmp_path.chmod(0o700)
    with pytest.raises(ConfigError, match="not a socket"):
        bind(path)
    assert path.read_text(encoding="utf-8") == "somebody's file"


@pytest.mark.rule("wire.socket-path")
def test_a_directory_that_others_may_write_to_holds_no_socket(tmp_path):
    tmp_path.chmod(0o777)
    with pytest.raises(ConfigError, match="nobody else may write"):
        bind(tmp_path / "memoryd.sock")


@pytest.mark.rule("wire.many-connections")
def test_a_connection_beyond_the_limit_waits_until_another_one_leaves(tmp_path, monkeypatch):
    monkeypatch.setattr(listener, "MAX_CONNECTIONS", 2)
    tmp_path.chmod(0o700)
    path = tmp_path / "memoryd.sock"

    async def echo(stream: anyio.abc.SocketStream) -> None:
        async with stream:
            async for data in stream:
                await stream.send(data)

    async def scenario() -> None:
        subject = Listener(bind(path), echo)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(subject.run)
            first, second, third = [await anyio.connect_unix(path) for _ in range(3)]
            for stream in (first, second, third):
                await stream.send(b"x")
            assert [await first.receive(), await second.receive()] == [b"x", b"x"]
            for _ in range(50):
                await anyio.lowlevel.checkpoint()
            assert subject.connections == 2
            await first.aclose()
            with anyio.fail_after(5):
                assert await third.receive() == b"x"
            await second.aclose()
            await third.aclose()
            subject.stop_accepting()

    anyio.run(scenario)


def test_a_listener_that_stops_accepting_waits_for_its_connections(tmp_path):
    tmp_path.chmod(0o700)
    path = tmp_path / "memoryd.sock"
    ended: list[str] = []

    async def hold(stream: anyio.abc.SocketStream) -> None:
        async with stream:
            await stream.send(b"held")
            with pytest.raises(anyio.EndOfStream):
                await stream.receive()
        ended.append("connection")

    async def scenario() -> None:
        subject = Listener(bind(path), hold)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(subject.run)
            stream = await anyio.connect_unix(path)
            assert await stream.receive() == b"held"
            subject.stop_accepting()
            await anyio.lowlevel.checkpoint()
            assert ended == []
            await stream.aclose()
        with socket.socket(socket.AF_UNIX) as late, pytest.raises(OSError):
            late.connect(str(path))
        assert ended == ["connection"]

    anyio.run(scenario)
