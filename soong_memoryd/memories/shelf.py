"""The memories on disk with index, catalog and commits, as the one thread sees them that works on files.

Owns: what is known of the files, and whether they may be written: ``degraded`` while the disk refuses or a commit is open,
``suspect`` after most of them vanished together. Must not know asyncio, or who asks.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from soong_memoryd.clock import Clock, timestamp
from soong_memoryd.errors import MemorydError, RequestError, StorageError
from soong_memoryd.memories import catalog
from soong_memoryd.memories.change import Change
from soong_memoryd.memories.commit import Committer, OnStep, no_step
from soong_memoryd.memories.directory import MemoryDirectory
from soong_memoryd.memories.document import parse
from soong_memoryd.memories.index import Entry, Snapshot
from soong_memoryd.memories.intent_log import SqlIntentLog
from soong_memoryd.memories.outside import Outside, compare, is_mass_loss, lost
from soong_memoryd.memories.ports import sha256
from soong_memoryd.memories.recovery import Recovery, recover
from soong_memoryd.memories.scan import Scan
from soong_memoryd.memories.schema import Document
from soong_memoryd.memories.storage_errors import storage_error
from soong_memoryd.state.queries.intents import PublishedRow
from soong_memoryd.state.rows import Effects, EventDraft

TXN_RANDOM_BYTES = 4
OPEN = "a commit could neither be finished nor taken back; it is decided as soon as the disk takes writes again"
OPEN_FOR_RESTART = "a commit could neither be finished nor taken back; a restart of the daemon decides it"


class Shelf:
    """Files, index and committer of one home. Every method runs in the worker thread, one at a time."""

    def __init__(
        self,
        directory: MemoryDirectory,
        log: SqlIntentLog,
        clock: Clock,
        catalog_max_tokens: int,
        redact: Callable[[str], str] = catalog.as_it_is,
    ) -> None:
        self.directory = directory
        self.log = log
        self.scan = Scan(directory, catalog_max_tokens, redact)
        self.committer = Committer(directory, log, self)
        self.suspect = False
        self.degraded: str | None = None
        """Why memory is read-only, in our words."""
        self.waits_for_git = False
        """Whether the last ``absorb`` left the catalog as it is because git was at work."""
        self._clock = clock
        self._published: dict[str, PublishedRow] = {}
        self._compared: tuple[dict[str, PublishedRow], Snapshot] | None = None

    def recover(self) -> Recovery:
        """Decide interrupted commits, take up what changed while nobody looked. Failing leaves memory read-only, not shut.

        A later call tries again, unless only a new process may.
        """
        if self.committer.needs_restart:
            return Recovery()
        try:
            self.directory.probe()
            self._published = self.log.published()
            in_flight = {file.path for intent in self.log.intents() for file in intent.files}
            self._judge(in_flight)
            recovery = recover(self.committer, self.log)
            self.committer.is_open = False
            self._published = self.log.published()
            self.degraded = None
            self.absorb()
        except MemorydError as error:
            self.degraded = error.text
            if error.code == "sync_failed":  # a sync is not tried again in one process
                self.committer.is_open = self.committer.needs_restart = True
            return Recovery()
        except OSError as error:
            self.degraded = storage_error(error).text
            return Recovery()
        return recovery

    def snapshot(self) -> Snapshot:
        """The memories as they are now."""
        return self.scan.refresh()

    def entry(self, memory_id: str) -> Entry:
        """A memory's index entry.

        Raises:
            RequestError: ``not_found``.
        """
        entry = self.snapshot().by_id.get(memory_id)
        if entry is None:
            raise not_found("memory")
        return entry

    def read(self, memory_id: str) -> tuple[Document, str, str]:
        """See ``MemoryStore.read``. The last look says where the file is; a new one is needed only when it is not there."""
        known = self.scan.last
        entry = known.by_id.get(memory_id) if known is not None else None
        data = None if entry is None else self.scan.read(entry.path)
        if entry is None or data is None:
            entry = self.entry(memory_id)
            data = self.scan.read(entry.path)
        if data is None:
            raise not_found("memory")
        return parse(data), sha256(data), entry.path

    def commit(self, changes: Sequence[Change], effects: Effects, on_step: OnStep = no_step) -> None:
        """Change files through the one commit; without changes ``effects`` become true in one transaction.

        Raises:
            CommitConflict | StorageError: see ``Committer.commit``; ``read_only`` while degraded or suspect.
        """
        self.require_writable()
        self._judge()
        self.require_writable()
        if not changes:
            self.log.apply(effects)
            return
        if self.committer.cleaner.leftovers:
            self._sweep()
        try:
            self.committer.commit(self._new_txn(), changes, effects, on_step)
        finally:
            if self.committer.is_open:
                self.degraded = OPEN_FOR_RESTART if self.committer.needs_restart else OPEN
        self._published = self.log.published()
        self.scan.refresh()

    def absorb(self) -> Outside:
        """Take up what other programs changed: known files, events, catalog. While degraded: see whether that is over.

        Raises:
            MemorydError | OSError: database or disk refuse; the next call tries again.
        """
        if self.degraded is not None:
            self.recover()
            return Outside()
        snapshot = self._judge()
        if self.suspect:
            return Outside()
        if self.committer.cleaner.leftovers:
            self.committer.cleaner.sweep()
        outside = self._outside(snapshot)
        if outside:
            first_look = not self._published
            gone = [row.path for row in outside.gone]
            self.log.absorb([*outside.created, *outside.changed], gone, [] if first_look else outside.events())
            self._published = outside.taken_up(self._published)
        self.waits_for_git = self.directory.sync_in_progress()
        if not self.waits_for_git:  # the catalog is git's while it merges
            self.committer.heal_catalog()
        return outside

    def limit_catalog(self, max_tokens: int) -> None:
        """Render the catalog within another number of estimated tokens from now on."""
        self.scan.limit_catalog(max_tokens)
        self.absorb()

    def accept_losses(self) -> None:
        """A person says that the files were meant to vanish."""
        if not self.directory.tree.follow():
            self.directory.tree.restore_root()
        snapshot = self.scan.refresh()
        outside = compare(self._published, snapshot)
        self.log.absorb([*outside.created, *outside.changed], [row.path for row in outside.gone], outside.events())
        self._published = outside.taken_up(self._published)
        self.suspect = False
        self.committer.heal_catalog()

    def render(self) -> bytes | None:
        """See ``CatalogSource``: nothing while most files are missing."""
        return None if self.suspect else self.scan.refresh(names_only=True).catalog.text.encode()

    def is_catalog(self, data: bytes) -> bool:
        """See ``CatalogSource``."""
        try:
            return catalog.is_catalog(data.decode())
        except UnicodeDecodeError:
            return False

    def require_writable(self) -> None:
        """Refuse when nothing may be written.

        Raises:
            StorageError: ``read_only``.
        """
        if self.degraded is not None:
            raise StorageError(self.degraded, code="read_only")
        if self.suspect:
            raise StorageError(
                "most memories vanished together; nothing is written until that is accepted",
                code="read_only",
                hint="Bring the files back, or accept the deletion: soong-memoryctl verify --accept memory_dir_suspect",
            )

    def _judge(self, in_flight: frozenset[str] | set[str] = frozenset()) -> Snapshot:
        snapshot = self.scan.refresh()
        missing = lost(self._published, snapshot, in_flight)
        suspect = is_mass_loss(len(self._published), missing)
        if suspect and not self.suspect:
            self.log.report(EventDraft("memory_dir_suspect", payload={"known": len(self._published), "missing": missing}))
        self.suspect = suspect
        return snapshot

    def _outside(self, snapshot: Snapshot) -> Outside:
        """``compare``, unless both sides are the same as when there was nothing to find."""
        if self._compared is not None and self._compared[0] is self._published and self._compared[1] is snapshot:
            return Outside()
        outside = compare(self._published, snapshot)
        self._compared = None if outside else (self._published, snapshot)
        return outside

    def _sweep(self) -> None:
        try:
            self.committer.cleaner.sweep()
        except OSError as error:
            raise storage_error(error) from error

    def _new_txn(self) -> str:
        at = timestamp(self._clock.wall_seconds()).translate({ord(char): None for char in "-:"})
        return f"{at}-{secrets.token_hex(TXN_RANDOM_BYTES)}"


def not_found(what: str) -> RequestError:
    """The error for a memory, version or edit that does not exist."""
    return RequestError("not_found", f"no such {what}")
