"""The wired daemon in this process: what a reload changes, and when it asks for a new process."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
import structlog

from soong_memoryd.config import Config
from soong_memoryd.config.keys import KeyRing
from soong_memoryd.errors import ConfigError, StorageError
from soong_memoryd.home import Home
from soong_memoryd.memories.store import MemoryStore
from soong_memoryd.server import process
from soong_memoryd.server.app import Daemon
from soong_memoryd.server.confinement import Confinement
from soong_memoryd.server.lock import HomeLock
from soong_memoryd.server.settings import Secrets
from soong_memoryd.state.database import Database
from tests.support.clock import ManualClock
from tests.support.models import config_with

BUILTIN = {"provider": "builtin"}


class Wired:
    """A daemon that serves nobody; ``config`` is what a reload reads."""

    def __init__(self, root: Path, database: Database, store: MemoryStore) -> None:
        self.config = config_with(None, idle_seconds=60)
        self.home, self.database, self.store = Home(root, root / "memoryd" / "memoryd.sock"), database, store
        keys, found = KeyRing(root, {}), Secrets()
        self.daemon = Daemon(self.home, ManualClock(), self.config, self.load, keys, found, database, store, b"key")

    def load(self) -> Config:
        return self.config


def wired(root: Path, scenario: Callable[[Wired], Awaitable[None]]) -> None:
    async def main() -> None:
        (root / "memoryd").mkdir(mode=0o700)
        database = await Database.open(root / "memoryd" / "state.db")
        options = {"catalog_max_tokens": 4000, "secret_refusal": lambda text: None}
        store = await MemoryStore.open(root / "memory", root / "memoryd", database, ManualClock(), **options)
        try:
            with anyio.fail_after(10):
                await scenario(Wired(root, database, store))
        finally:
            await store.close()
            await database.close()

    anyio.run(main)


def in_force(subject: Wired) -> tuple[float, bool]:
    return subject.daemon.sessions.policy.idle_seconds, subject.daemon.gate.configured()


def test_a_catalog_that_cannot_be_written_does_not_leave_half_a_config_in_force(tmp_path, monkeypatch):
    async def refuse(_: int) -> None:
        raise StorageError("the disk is full", code="storage_full")

    async def scenario(subject: Wired) -> None:
        monkeypatch.setattr(subject.store, "limit_catalog", refuse)
        subject.config = config_with(BUILTIN, idle_seconds=30)
        await subject.daemon.reload()
        assert in_force(subject) == (30, True)

    with structlog.testing.capture_logs() as logged:
        wired(tmp_path, scenario)
    assert ("catalog_not_rendered", "storage_full") in [(row["event"], row.get("code")) for row in logged]


def test_a_config_that_cannot_be_used_leaves_everything_as_it_was(tmp_path):
    async def scenario(subject: Wired) -> None:
        subject.config = config_with({"provider": "openai-compatible", "name": "nowhere"}, idle_seconds=30)
        with pytest.raises(ConfigError):
            await subject.daemon.reload()
        assert in_force(subject) == (60, False)

    wired(tmp_path, scenario)


def test_what_a_config_says_comes_into_force_all_at_once_and_one_reload_after_the_other(tmp_path):
    async def scenario(subject: Wired) -> None:
        seen: set[tuple[float, bool]] = set()
        done = anyio.Event()

        async def look() -> None:
            while not done.is_set():
                seen.add(in_force(subject))
                await anyio.lowlevel.checkpoint()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(look)
            subject.config = config_with(BUILTIN, idle_seconds=30)
            async with anyio.create_task_group() as reloads:
                for _ in range(3):
                    reloads.start_soon(subject.daemon.reload)
            done.set()
        assert seen == {(60, False), (30, True)}

    wired(tmp_path, scenario)


def chore(subject: Wired, name: str, bound: os.stat_result | None = None) -> Callable[[], Awaitable[None]]:
    covering = Confinement(problem="unsupported")
    lock = HomeLock(subject.home.lock)
    lock.take()
    own = process._own_chores(subject.home, subject.daemon, subject.database, covering, lock, bound)
    return next(each.work for each in [*subject.daemon.chores(), *own] if each.name == name)


@pytest.mark.parametrize("healthy", [True, False])
def test_a_commit_that_only_a_new_process_can_decide_ends_this_one_for_a_restart(tmp_path, healthy):
    async def scenario(subject: Wired) -> None:
        subject.store._shelf.committer.needs_restart = not healthy
        await chore(subject, "commit")()
        assert (subject.daemon.stopping, subject.daemon.wants_restart) == (not healthy, not healthy)

    wired(tmp_path, scenario)


@pytest.mark.parametrize("what", ["nothing", "socket removed", "socket replaced", "lock removed", "lock replaced"])
def test_a_place_that_somebody_took_ends_the_process_for_a_restart(tmp_path, what):
    async def scenario(subject: Wired) -> None:
        subject.home.socket.touch()
        keep_place = chore(subject, "place", subject.home.socket.lstat())
        path = subject.home.lock if what.startswith("lock") else subject.home.socket
        if what != "nothing":
            path.rename(path.with_suffix(".old"))
        if what.endswith("replaced"):
            path.touch()
        await keep_place()
        assert (subject.daemon.stopping, subject.daemon.wants_restart) == (what != "nothing",) * 2

    wired(tmp_path, scenario)
