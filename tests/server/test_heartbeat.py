"""The watchdog is fed while the writer and the scheduler answer, and only then."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from soong_memoryd.errors import StorageError
from soong_memoryd.server.heartbeat import show_life
from soong_memoryd.state.database import Database

FED, COMPLAINED = b"WATCHDOG=1", b"STATUS=the database or the scheduler does not answer"


class Supervisor:
    """A datagram socket as systemd has one."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.settimeout(5)
        self.env = {"NOTIFY_SOCKET": str(path)}

    def heard(self) -> bytes:
        return self._socket.recv(1000)

    def close(self) -> None:
        self._socket.close()


class Loop:
    """A scheduler that turns, or does not."""

    def __init__(self, *, turns: bool = True) -> None:
        self._turns = turns

    async def turn(self) -> None:
        if not self._turns:
            await anyio.sleep_forever()


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    made = Supervisor(tmp_path / "notify")
    yield made
    made.close()


@pytest.mark.rule("service.watchdog")
def test_a_daemon_whose_parts_answer_shows_life(supervisor: Supervisor, tmp_path: Path) -> None:
    async def main() -> None:
        database = await Database.open(tmp_path / "state.db")
        await show_life(supervisor.env, database, Loop(), 5.0)
        await database.close()

    anyio.run(main)
    assert supervisor.heard() == FED


@pytest.mark.rule("service.watchdog")
def test_a_scheduler_that_hangs_shows_none(supervisor: Supervisor, tmp_path: Path) -> None:
    async def main() -> None:
        database = await Database.open(tmp_path / "state.db")
        await show_life(supervisor.env, database, Loop(turns=False), 0.05)
        await database.close()

    anyio.run(main)
    assert supervisor.heard() == COMPLAINED


@pytest.mark.rule("service.watchdog")
def test_a_writer_that_hangs_shows_none(supervisor: Supervisor, tmp_path: Path) -> None:
    async def main() -> None:
        database = await Database.open(tmp_path / "state.db")
        released = threading.Event()
        stuck = database.submit(lambda connection: released.wait(10))
        await show_life(supervisor.env, database, Loop(), 0.05)
        released.set()
        await stuck
        await database.close()

    anyio.run(main)
    assert supervisor.heard() == COMPLAINED


@pytest.mark.rule("service.watchdog")
def test_a_writer_that_refuses_is_alive(supervisor: Supervisor) -> None:
    class Refusing:
        async def run(self, transaction: object) -> None:
            raise StorageError("the disk is full")

    anyio.run(show_life, supervisor.env, Refusing(), Loop(), 5.0)
    assert supervisor.heard() == FED
