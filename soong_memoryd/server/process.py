"""The daemon as a process: config, lock, log, signals, supervisor, exit codes.

Owns: what a shell or a supervisor sees. Must not know what is served.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import structlog

from soong_memoryd import log
from soong_memoryd.clock import Clock, SystemClock, timestamp
from soong_memoryd.config.keys import KeyRing
from soong_memoryd.config.schema import Config
from soong_memoryd.errors import ConfigError, MemorydError, StorageError
from soong_memoryd.home import Home
from soong_memoryd.llm.profiles import resolve
from soong_memoryd.memories.store import MemoryStore
from soong_memoryd.server import listener, systemd
from soong_memoryd.server.app import Daemon
from soong_memoryd.server.config_report import EXIT_CONFIG, USES, complain, load
from soong_memoryd.server.confinement import Confinement, confine
from soong_memoryd.server.heartbeat import show_life
from soong_memoryd.server.listener import Listener
from soong_memoryd.server.lock import AlreadyRunningError, HomeLock, same_file
from soong_memoryd.server.settings import Secrets
from soong_memoryd.server.starting import opened, when_disk_allows
from soong_memoryd.server.upkeep import MEMORY_SECONDS, PLACE_SECONDS, Chore, keep_up
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import counters

EXIT_OK, EXIT_FAILED, EXIT_RECOVER, EXIT_RUNNING = 0, 1, 75, 73
DRAIN_SECONDS = 5.0

_log = structlog.get_logger(__name__)


def serve(home: Home, overrides: Mapping[str, Any]) -> int:
    """Run the daemon in the foreground until SIGTERM, SIGINT or ``daemon.stop``; returns the exit code.

    73: another daemon holds this home. 75: restart, so that recovery decides an open commit, a new ``memory/`` may be
    written to, or socket and lock are ours again. 78: the config or the state cannot be used, and restarting will not help.
    A disk that is full or read-only is waited for.

    Raises:
        KeyboardInterrupt: SIGINT before it serves.
    """
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file would hold what was said, and keys
    try:
        config = load(home, os.environ, overrides)
        lock = when_disk_allows(partial(_take_lock, home), _say_on_stderr)
        supervised = "NOTIFY_SOCKET" in os.environ
        confinement = when_disk_allows(partial(confine, home, is_supervised=supervised), _say_on_stderr)
    except AlreadyRunningError as error:
        return complain(error, EXIT_RUNNING)
    except (ConfigError, OSError) as error:
        return complain(error, EXIT_CONFIG)
    try:
        return anyio.run(_run, home, config, overrides, confinement, lock)
    except (ConfigError, StorageError) as error:
        return complain(error, EXIT_CONFIG)
    finally:
        lock.release()


def _take_lock(home: Home) -> HomeLock:
    home.state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = HomeLock(home.lock)
    lock.take()
    return lock


def _say_on_stderr(reason: str) -> None:
    print(f"soong-memoryd: waiting, since {reason}", file=sys.stderr, flush=True)  # noqa: T201  before there is a log
    _say_to_supervisor(reason)


def _say_in_log(reason: str) -> None:
    _log.warning("start_waits", reason=reason)
    _say_to_supervisor(reason)


def _say_to_supervisor(reason: str) -> None:
    systemd.notify(os.environ, f"STATUS=waiting, since {reason}")


async def _run(home: Home, config: Config, overrides: Mapping[str, Any], confinement: Confinement, lock: HomeLock) -> int:
    clock, found = SystemClock(), Secrets()
    keys = KeyRing(home.root, os.environ)
    profiles = [profile for use in USES if (profile := resolve(config, use)) is not None]
    found.configure(config, keys.known_values(profiles))
    log.configure(found.redact, environment=os.environ)
    for warning in config.warnings:
        _log.warning("config_note", note=warning)
    if confinement.problem is None:
        _log.info("writes_confined")
    else:
        _log.warning("writes_not_confined", problem=confinement.problem)

    async def open_all(stack: AsyncExitStack) -> tuple[Database, MemoryStore, Daemon]:
        database = await _open_database(home.database, clock)
        stack.push_async_callback(_shielded, database.close)
        store = await MemoryStore.open(
            home.memory_dir,
            home.state_dir,
            database,
            clock,
            catalog_max_tokens=config.memory.catalog_max_tokens,
            secret_refusal=found.refusal,
            redact=found.redact,
        )
        stack.push_async_callback(_shielded, store.close)
        key = await database.run(counters.hash_key)
        read_again = partial(load, home, os.environ, overrides)
        daemon = Daemon(home, clock, config, read_again, keys, found, database, store, key)
        await daemon.recover()
        return database, store, daemon

    async with AsyncExitStack() as stack:
        database, store, daemon = await opened(stack, open_all, _say_in_log)
        # the modules and the index stay, and two thousand objects of garbage are not worth the search: from now on only what
        # comes is looked through
        gc.freeze()
        gc.enable()
        await _serve(home, daemon, database, store, confinement, lock)
        with suppress(MemorydError):  # a full disk: the end is not written down
            await _shielded(daemon.announce_stop)
        needs_restart = daemon.wants_restart or store.needs_restart or not confinement.covers(home.memory_dir)
        return EXIT_RECOVER if needs_restart else EXIT_OK


async def _shielded(work: Callable[[], Awaitable[None]]) -> None:
    with anyio.CancelScope(shield=True):
        await work()


async def _serve(
    home: Home, daemon: Daemon, database: Database, store: MemoryStore, confinement: Confinement, lock: HomeLock
) -> None:
    handed_over = systemd.activated_socket(os.environ)
    listening = handed_over or listener.bind(home.socket)
    bound = None if handed_over else home.socket.lstat()
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_obey_signals, daemon)
            own_chores = _own_chores(home, daemon, database, confinement, lock, bound)
            tasks.start_soon(keep_up, [*daemon.chores(), *own_chores])
            tasks.start_soon(store.watch)
            clients = Listener(listening, daemon.serve_stream)
            async with anyio.create_task_group() as working:
                scheduling = anyio.CancelScope()
                working.start_soon(_within, scheduling, daemon.scheduler.run)
                working.start_soon(clients.run)
                systemd.notify(os.environ, "READY=1", f"STATUS=serving {home.socket}")
                _log.info("ready", socket=str(home.socket), pid=os.getpid())
                await daemon.wait_for_stop()
                systemd.notify(os.environ, "STOPPING=1")
                scheduling.cancel()
                clients.stop_accepting()
                working.cancel_scope.deadline = anyio.current_time() + DRAIN_SECONDS  # for the answers that are still due
            tasks.cancel_scope.cancel()
    finally:
        await daemon.models.close()
        listening.close()
        if bound is not None and same_file(home.socket, bound):
            home.socket.unlink(missing_ok=True)


async def _within(scope: anyio.CancelScope, work: Callable[[], Awaitable[None]]) -> None:
    with scope:
        await work()


def _own_chores(
    home: Home,
    daemon: Daemon,
    database: Database,
    confinement: Confinement,
    lock: HomeLock,
    bound: os.stat_result | None,
) -> list[Chore]:
    async def keep_place() -> None:
        """A cleaner may have removed the socket's path or the lock, and another daemon taken it: then nobody can reach us,
        or two write. Only a restart binds and locks again, or finds that another one serves."""
        if bound is not None and not same_file(home.socket, bound):
            _log.error("socket_gone")
            daemon.stop(restart=True)
        if not lock.keeps_others_out():
            _log.error("lock_gone")
            daemon.stop(restart=True)

    async def keep_memory_writable() -> None:
        """Another directory took the place of ``memory/``: only a restart can let this process write to it."""
        if not confinement.covers(home.memory_dir):
            _log.error("memory_directory_replaced")
            daemon.stop(restart=True)

    chores = [
        Chore("memory", MEMORY_SECONDS, keep_memory_writable, first_seconds=MEMORY_SECONDS),
        Chore("place", PLACE_SECONDS, keep_place, first_seconds=PLACE_SECONDS),
    ]
    seconds = systemd.watchdog_seconds(os.environ)
    if seconds is not None:
        chores.append(Chore("watchdog", seconds, partial(show_life, os.environ, database, daemon.scheduler, seconds)))
    return chores


async def _obey_signals(daemon: Daemon) -> None:
    """SIGTERM and SIGINT drain, a second one ends at once (always safe); SIGHUP reads the config again."""
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as received:
        async for number in received:
            if number == signal.SIGHUP:
                await _reload(daemon)
            elif daemon.stopping:
                os._exit(EXIT_FAILED)
            else:
                daemon.stop()


async def _reload(daemon: Daemon) -> None:
    systemd.notify(os.environ, "RELOADING=1", f"MONOTONIC_USEC={time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000}")
    try:
        await daemon.reload()
        _log.info("reloaded")
    except MemorydError as error:
        _log.error("reload_failed", code=error.code, problem=error.text)
    except Exception as error:  # the boundary of a signal
        _log.error("reload_failed", error=type(error).__name__)
    finally:
        systemd.notify(os.environ, "READY=1")


async def _open_database(path: Path, clock: Clock) -> Database:
    """Open it; a damaged one is set aside, since memories do not depend on it: cursors begin anew, nothing is lost twice."""
    try:
        return await Database.open(path)
    except StorageError as error:
        if error.code != "state_corrupt":
            raise
    aside = path.with_name(f"state.db.corrupt-{timestamp(clock.wall_seconds()).replace(':', '')}")
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.replace(f"{path}{suffix}", f"{aside}{suffix}")
    _log.error("state_db_set_aside", kept_as=aside.name)
    return await Database.open(path)
