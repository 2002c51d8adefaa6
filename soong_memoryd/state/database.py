"""SQLite behind one writer that groups commits: the only module that knows aiosqlite.

Owns: the connection, its pragmas, migrations, and the queue of transactions. Must not know what is stored.

Everything that touches the database is a plain function of a ``sqlite3.Connection``, queued with ``submit`` and run
in the writer's thread in the order of submission. Functions that wait together share one commit (one fsync); each runs in
a savepoint of its own, so one that raises undoes only itself. A result is delivered after the commit that holds it:
whoever sees a result may rely on it after a power cut (WAL, ``synchronous=FULL``).
Work on text is done in other threads before; what waits for it holds up its own lane alone (``lanes.py``).
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import aiosqlite
import anyio
import anyio.from_thread
import structlog

from soong_memoryd.errors import DiskFault, RequestError, StorageError
from soong_memoryd.state.lanes import Lanes, current_lane
from soong_memoryd.state.migrate import migrate, refuse_newer

_log = structlog.get_logger(__name__)

T = TypeVar("T")
Transaction = Callable[[sqlite3.Connection], T]

MAX_GROUP = 64
MAX_WAITING = 4096
UNHARMED = ("SQLITE_FULL", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_NOMEM")
"""SQLite's words for what says nothing about the bytes of a database that does not open: full disk, no leave, a program
that holds it. Only what is none of these may be called damaged."""
FAULTS = ("SQLITE_IOERR_FSYNC", "SQLITE_IOERR_DIR_FSYNC", "SQLITE_CORRUPT", "SQLITE_NOTADB")
"""What no disk says that is only full or read-only: a sync that fails is never tried again."""
UNWRITABLE = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_CORRUPT", "SQLITE_NOTADB")
"""SQLite's words for a disk that fails. The request is not to blame: clients keep it, as they do while all is read-only."""


@dataclass(slots=True)
class _Item:
    run: Transaction[Any]
    lane: Hashable
    done: asyncio.Future[Any]
    ready: bool = False
    outcome: Any = None
    error: BaseException | None = None


class _Connection(aiosqlite.Connection):
    """aiosqlite with one more verb: a whole function in one hop to the writer's thread."""

    async def call(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``function`` with the bare connection in the writer's thread."""
        # aiosqlite offers only statement-sized hops; a hop costs as much as the fsync (docs/decisions.md).
        return cast("T", await self._execute(lambda: function(self._conn)))  # type: ignore[no-untyped-call]


class Database:
    """The state database. Open with ``await Database.open(path)``, close with ``await close()``."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection
        self._wake = asyncio.Event()
        self._waiting: Lanes[_Item] = Lanes(self._wake.set)
        self._closing = False
        self._on_commit: list[Callable[[], None]] = []
        self._task = asyncio.get_running_loop().create_task(self._serve(), name="state-writer")

    @staticmethod
    async def open(path: Path) -> Database:
        """Open (and create or migrate) the database file.

        Raises:
            StorageError: ``state_newer`` when a newer daemon wrote it, ``state_corrupt`` when it is damaged; ``storage_full``,
                ``read_only``, ``busy`` when it cannot be opened now, which says nothing about what is in it.
        """
        connection = _Connection(lambda: _connect(path), iter_chunk_size=64)
        try:
            await connection
            await connection.call(_prepare)
        except sqlite3.DatabaseError as error:
            await connection.close()
            raise _opening_error(error) from error
        except BaseException:
            await connection.close()
            raise
        return Database(connection)

    def submit(
        self, run: Transaction[T], *, prepare: Callable[[], None] | None = None, lane: Hashable = None
    ) -> asyncio.Future[T]:
        """Queue a transaction now; the future carries its result once it is on disk.

        ``prepare`` runs before it in a thread of its own, one at a time in each ``lane`` (left out: ``current_lane``): for
        work on text that would block the event loop or the writer. Cancelling the waiter does not take the transaction back.

        Raises:
            RequestError: ``busy`` when too much is waiting, ``shutting_down`` after ``close``.
        """
        if self._closing:
            raise RequestError("shutting_down", "the daemon is shutting down")
        if len(self._waiting) >= MAX_WAITING:
            raise RequestError("busy", "too many writes are waiting")
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.add(_Item(run, current_lane.get() if lane is None else lane, future), prepare)
        return future

    async def run(self, run: Transaction[T]) -> T:
        """Queue a transaction and wait for it; being cancelled meanwhile does not stop it."""
        return await asyncio.shield(self.submit(run))

    def run_from_thread(self, run: Transaction[T]) -> T:
        """The same for a worker thread that anyio started."""
        return anyio.from_thread.run(self.run, run)

    async def erase_log(self) -> None:
        """Move the write-ahead log into the database and empty it: until then it holds what was deleted since.

        Raises:
            StorageError: the disk refuses; what is committed stays committed.
        """
        try:
            await self._connection.call(_checkpoint)
        except (sqlite3.Error, ValueError) as error:
            raise _storage_error(error) from error

    def on_commit(self, call: Callable[[], None]) -> None:
        """Have something called in the event loop after every commit that changed something."""
        self._on_commit.append(call)

    @property
    def waiting(self) -> int:
        """How many transactions wait."""
        return len(self._waiting)

    async def close(self) -> None:
        """Finish what is queued, truncate the write-ahead log if the disk takes it, close."""
        if self._closing:
            return
        self._closing = True
        self._wake.set()
        with anyio.CancelScope(shield=True):
            await self._task
            try:
                await self._connection.call(_checkpoint)
            except sqlite3.Error as error:  # what is committed is in the log, and the next start reads it
                _log.warning("log_not_truncated", reason=_name(error))
            finally:
                await self._connection.close()

    async def _serve(self) -> None:
        while True:
            group = self._waiting.take(MAX_GROUP)
            if not group:
                if self._closing and not self._waiting:
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            changed = False
            try:
                changed = await self._connection.call(lambda connection, group=group: _commit_group(connection, group))  # type: ignore[misc]
            except (sqlite3.Error, ValueError) as error:
                for item in group:
                    item.error = item.error or _storage_error(error)
            for item in group:
                if item.done.cancelled():
                    continue
                if item.error is not None:
                    item.done.set_exception(item.error)
                    item.done.exception()  # a notification has nobody who asks for it
                else:
                    item.done.set_result(item.outcome)
            for call in self._on_commit if changed else ():
                call()


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    connection.row_factory = sqlite3.Row
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    refuse_newer(connection)
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "fullfsync=ON",
        "secure_delete=ON",
        "foreign_keys=ON",
        "temp_store=MEMORY",
        "journal_size_limit=1048576",
    ):
        connection.execute(f"PRAGMA {pragma}")
    migrate(connection)


def _checkpoint(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _commit_group(connection: sqlite3.Connection, group: list[_Item]) -> bool:
    """Run a group in one transaction; returns whether anything changed. Results and errors are left in the items, the
    caller delivers them.
    """
    changes = connection.total_changes
    connection.execute("BEGIN IMMEDIATE")
    try:
        for item in group:
            if item.error is None:
                _run_item(connection, item)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return connection.total_changes != changes


def _run_item(connection: sqlite3.Connection, item: _Item) -> None:
    connection.execute("SAVEPOINT item")
    try:
        item.outcome = item.run(connection)
    except Exception as error:
        if not connection.in_transaction:  # the failure took the whole transaction (disk full, I/O): nothing holds
            raise
        connection.execute("ROLLBACK TO item")
        item.error = _storage_error(error) if isinstance(error, sqlite3.Error) else error
    connection.execute("RELEASE item")


def _opening_error(error: sqlite3.DatabaseError) -> StorageError:
    name = _name(error)
    if not name.startswith(UNHARMED):
        return StorageError("state.db is damaged", code="state_corrupt")
    if name == "SQLITE_FULL":
        return StorageError("the disk is full", code="storage_full")
    code = "read_only" if name.startswith(UNWRITABLE) else "busy"
    return StorageError(
        f"state.db cannot be opened ({name}): the disk is full or read-only, it is not yours, or another program holds it",
        code=code,
    )


def _name(error: BaseException) -> str:
    return getattr(error, "sqlite_errorname", "") or ""


def _storage_error(error: BaseException) -> Exception:
    name = _name(error)
    if name == "SQLITE_FULL":
        return RequestError("storage_full", "the disk is full", hint="Free some space; clients keep what was not acknowledged.")
    if name.startswith(UNWRITABLE):
        kind = DiskFault if name.startswith(FAULTS) else RequestError
        return kind("read_only", f"the state database cannot be written ({name})")
    return StorageError(f"the state database failed ({name or type(error).__name__})")
