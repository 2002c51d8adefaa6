"""The memory store as the daemon's tasks use it: every call is one piece of work in one worker thread, in order.

Owns: the thread, the order, that its work is never cut short. Must not know models, sessions, or the wire.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread

from soong_memoryd.clock import Clock
from soong_memoryd.memories.catalog import Catalog, as_it_is, shorten
from soong_memoryd.memories.change import Change
from soong_memoryd.memories.commit import OnStep, no_step
from soong_memoryd.memories.directory import MemoryDirectory
from soong_memoryd.memories.index import Snapshot
from soong_memoryd.memories.intent_log import SqlIntentLog
from soong_memoryd.memories.personal import PersonalChanges
from soong_memoryd.memories.recovery import Recovery
from soong_memoryd.memories.schema import Document
from soong_memoryd.memories.shelf import Shelf
from soong_memoryd.memories.storage_errors import storage_error
from soong_memoryd.memories.verify import Checkup, Problem
from soong_memoryd.memories.watch import watch
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import intents
from soong_memoryd.state.queries.intents import VersionRow
from soong_memoryd.state.rows import Effects

T = TypeVar("T")


class MemoryStore:
    """The memories of one home. Open with ``await MemoryStore.open(…)``, close with ``await close()``.

    Every call may raise ``StorageError`` when the disk refuses. A call that is cancelled while its work runs does not stop
    the work: a commit ends, one way or the other.
    """

    def __init__(self, shelf: Shelf, database: Database, secret_refusal: Callable[[str], str | None]) -> None:
        self._shelf = shelf
        self._database = database
        self._personal = PersonalChanges(shelf, database, secret_refusal)
        self._checkup = Checkup(shelf, database, secret_refusal)
        self._lock = asyncio.Lock()
        self._thread = anyio.CapacityLimiter(1)
        self._work: set[asyncio.Task[object]] = set()

    @staticmethod
    async def open(
        memory_dir: Path,
        state_dir: Path,
        database: Database,
        clock: Clock,
        *,
        catalog_max_tokens: int,
        secret_refusal: Callable[[str], str | None],
        redact: Callable[[str], str] = as_it_is,
    ) -> MemoryStore:
        """Open the files and recover; ``secret_refusal`` names the kind of the first secret in a text, ``redact`` takes
        secrets out of what the catalog lists.

        Raises:
            ConfigError: memory and state directory are on different file systems.
            OSError: one of the directories cannot be made or opened.
        """
        directory = await anyio.to_thread.run_sync(MemoryDirectory.at, memory_dir, state_dir)
        shelf = Shelf(directory, SqlIntentLog(database, clock), clock, catalog_max_tokens, redact)
        store = MemoryStore(shelf, database, secret_refusal)
        await store.recover()
        return store

    async def close(self) -> None:
        """Wait for the work that is under way and let go of the directories."""
        while self._work:
            await asyncio.wait(self._work)
        self._shelf.directory.tree.close()

    @property
    def degraded(self) -> str | None:
        """Why memory is read-only, None when it is not. ``needs_restart`` says whether waiting can help."""
        return self._shelf.degraded

    @property
    def needs_restart(self) -> bool:
        """Whether a commit is open that only the recovery of a new process may decide."""
        return self._shelf.committer.needs_restart

    @property
    def suspect(self) -> bool:
        """Whether most memories vanished together and nobody has accepted that."""
        return self._shelf.suspect

    async def recover(self) -> Recovery:
        """Decide interrupted commits; call it again to see whether a read-only disk has become writable."""
        return await self._run(self._shelf.recover)

    async def snapshot(self) -> Snapshot:
        """The memories as they are on disk now; the same object as before when nothing changed."""
        return await self._run(self._shelf.snapshot)

    async def catalog(self, max_tokens: int | None = None) -> Catalog:
        """The catalog as it goes into a system prompt, cut to ``max_tokens`` estimated tokens when that is less."""
        snapshot = await self.snapshot()
        if max_tokens is None:
            return snapshot.catalog
        return shorten(snapshot.catalog, len(snapshot.entries), max_tokens)

    async def limit_catalog(self, max_tokens: int) -> None:
        """Render the catalog within another number of estimated tokens from now on, ``MEMORY.md`` included.

        Raises:
            MemorydError: database or disk refuse; the next look at the files tries again.
        """
        await self._run(lambda: self._shelf.limit_catalog(max_tokens))

    async def read(self, memory_id: str) -> tuple[Document, str, str]:
        """``(document, sha256 of the file's bytes, path)`` of a memory.

        Raises:
            RequestError: ``not_found``. InvalidDocument | UnsafePath: it changed into something that may not be read.
        """
        return await self._run(lambda: self._shelf.read(memory_id))

    async def commit(self, changes: Sequence[Change], effects: Effects, on_step: OnStep = no_step) -> None:
        """Change memory files, and make ``effects`` true with them. Without changes only the effects.

        Raises:
            CommitConflict | StorageError | RequestError: see ``Committer.commit``. After ``degraded`` the outcome is open:
                report nothing, recovery decides it (in a new process when ``needs_restart``).
        """
        await self._run(lambda: self._shelf.commit(changes, effects, on_step))

    async def forget(self, memory_id: str, expected_sha256: str | None = None, *, purge: bool = False) -> str:
        """Delete a memory for a person; returns its path.

        Raises:
            RequestError: ``not_found``, ``memory_changed``. CommitConflict | StorageError: as ``commit``.
        """
        return await self._run(lambda: self._personal.forget(memory_id, expected_sha256, purge))

    async def history(self, memory_id: str) -> list[VersionRow]:
        """The kept versions of a memory, newest first."""
        return await self._database.run(lambda connection: intents.versions_of(connection, memory_id))

    async def undo(self, version_id: str) -> tuple[str, str, str]:
        """Put a kept version back, also of a forgotten memory; returns ``(memory_id, path, sha256)``.

        Raises:
            RequestError: ``not_found``, ``invalid_params``. CommitConflict | StorageError: as ``commit``.
        """
        return await self._run(lambda: self._personal.undo(version_id))

    async def adopt(self, edit_id: str, expected_sha256: str | None = None) -> tuple[str, str, str]:
        """Commit the text that waits in ``edits/<edit_id>``; returns ``(memory_id, path, sha256)``.

        The text is removed once it is committed; on any error it stays where it is.

        Raises:
            RequestError: ``not_found``, ``memory_changed``, ``invalid_params``. CommitConflict | StorageError: as ``commit``.
        """
        return await self._run(lambda: self._personal.adopt(edit_id, expected_sha256))

    async def sync_in_progress(self) -> bool:
        """Whether git is in the middle of something in the memory directory: a commit would be refused now."""
        return await self._run(self._shelf.directory.sync_in_progress)

    async def absorb(self) -> bool:
        """Take up what other programs changed; ``watch`` calls it. True while the catalog has to wait for git to be done.

        Raises:
            MemorydError: database or disk refuse.
        """
        await self._run(self._shelf.absorb)
        return self._shelf.waits_for_git

    async def watch(self) -> None:
        """Take up what other programs change, until cancelled."""
        await watch(lambda: self._shelf.directory.tree.memory_place, self.absorb, self._shelf.scan.news)

    async def verify(self) -> list[Problem]:
        """What is wrong with the files, in words for the person who keeps them."""
        return await self._run(self._checkup.examine)

    async def repair(self, codes: Sequence[str]) -> list[Problem]:
        """``verify``, after mending what ``codes`` name; mended problems are in the answer and marked."""
        return await self._run(lambda: self._checkup.repair(codes))

    async def _run(self, function: Callable[[], T]) -> T:
        async def in_order() -> T:
            async with self._lock:
                try:
                    return await anyio.to_thread.run_sync(function, limiter=self._thread)
                except OSError as error:
                    raise storage_error(error) from error

        task = asyncio.get_running_loop().create_task(in_order())
        self._work.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    def _ended(self, task: asyncio.Task[object]) -> None:
        self._work.discard(task)
        if not task.cancelled():
            task.exception()  # whoever asked may be gone
