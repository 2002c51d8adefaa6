"""The commit of memory files: several files, ``MEMORY.md``, cursor and event change together or not at all.

Owns: the order of the steps and what a failure at each of them leads to. Must not know disks, SQL, models or sessions.

S1 check every target against the hash it was read with · S2 stage the new bytes, durable · S3 prepare: one transaction in the
log, the commit point · S4 publish by link, exchange or rename, looking at what was displaced · S5 catalog · S6 finish: one
transaction with everything else that becomes true · S7 clean. A crash before S3 leaves garbage in ``staging/``; after it,
recovery publishes the rest, or takes everything back when a person edited meanwhile (``recovery.py``).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import NoReturn

from soong_memoryd.errors import CommitConflict, MemorydError, StorageError
from soong_memoryd.memories.catalog_file import FILE_MODE, HEAL_TXN, CatalogFile
from soong_memoryd.memories.change import Change
from soong_memoryd.memories.cleaning import Cleaner
from soong_memoryd.memories.ports import CatalogSource, FilePort, Intent, IntentFile, IntentLog, digest, sha256
from soong_memoryd.memories.publication import publish, withdraw
from soong_memoryd.memories.storage_errors import passes_by_itself, storage_error
from soong_memoryd.state.rows import Effects

STEPS = ("checked", "staged", "prepared", "published", "catalog", "finished", "cleaned")
"""What ``on_step`` is called with, in this order."""

OnStep = Callable[[str], None]


def no_step(_: str) -> None:
    """Nobody watches the steps."""


class Committer:
    """The only way to change memory files. One commit at a time; the caller holds the lock."""

    def __init__(self, files: FilePort, log: IntentLog, source: CatalogSource) -> None:
        self._files = files
        self._log = log
        self.catalog = CatalogFile(files, log, source)
        self.cleaner = Cleaner(files, log, self.catalog)
        self.is_open = False
        """Set when a commit could neither be finished nor taken back: no more commits until recovery has decided it."""
        self.needs_restart = False
        """Set when only the recovery of a new process may decide it: the disk failed, rather than being full or read-only."""

    def commit(self, txn: str, changes: Sequence[Change], effects: Effects, on_step: OnStep = no_step) -> None:
        """Change the files and make ``effects`` true.

        Raises:
            CommitConflict: a file, the cursor or a source moved, or git is at work; nothing is changed, an edit is kept.
            StorageError: ``storage_full``, ``read_only``, ``storage``: nothing is changed. ``degraded``: the outcome is
                open until recovery decides it; the caller reports neither success nor failure.
        """
        if self.is_open:
            raise StorageError("memory is read-only until an earlier commit is decided", code="read_only")
        files = tuple(intent_file(change, effects) for change in changes)
        self._check(files)
        on_step("checked")
        self._stage(txn, files, [change.data for change in changes])
        on_step("staged")
        intent = self._prepare(txn, files, effects)
        on_step("prepared")
        try:
            self.publish(intent)
            on_step("published")
            self.catalog.refresh(intent.staging)
            on_step("catalog")
            self._log.finish(intent)
        except (MemorydError, OSError) as error:
            self._take_back(intent, error)
        else:
            on_step("finished")
            self.cleaner.clean_quietly(intent, "done")
            on_step("cleaned")

    def heal_catalog(self) -> bool:
        """Rewrite ``MEMORY.md`` if it is not what the files say; returns whether it was rewritten.

        Raises:
            OSError: the file system refused.
        """
        if self.is_open or not self.catalog.stale():
            return False
        try:
            self.catalog.refresh(f"staging/{HEAL_TXN}")
            self.cleaner.remove_orphans()
        except (MemorydError, OSError):
            self.cleaner.leftovers = True
            raise
        return True

    def publish(self, intent: Intent) -> None:
        """S4, for every file that is not live yet, and the sync that makes it durable.

        Raises:
            CommitConflict: a person changed one of the files.
            StorageError: ``sync_failed``.
            OSError: the file system refused.
        """
        for order, file in enumerate(intent.files):
            publish(self._files, intent.staged(order), file)
        self._sync(intent)

    def roll_back(self, intent: Intent) -> None:
        """Take an ``aborting`` intent back, last file first. What a person changed meanwhile stays as it is.

        Raises:
            MemorydError | OSError: it could not be taken back now; the next recovery tries again.
        """
        for order, file in reversed(list(enumerate(intent.files))):
            withdraw(self._files, intent.staged(order), file)
        self._sync(intent)
        self.catalog.refresh(intent.staging)
        self._log.abort(intent.txn)
        self.cleaner.clean_quietly(intent, "aborted")

    def _check(self, files: Sequence[IntentFile]) -> None:
        if self._files.sync_in_progress():
            raise CommitConflict("git is at work in the memory directory", code="sync_in_progress")
        try:
            changed = [file for file in files if digest(self._files, file.target) != file.base_sha256]
        except OSError as error:
            raise storage_error(error) from error
        if changed:
            raise CommitConflict("a memory file changed since it was read")

    def _stage(self, txn: str, files: Sequence[IntentFile], contents: Sequence[bytes | None]) -> None:
        staging = f"staging/{txn}"
        try:
            self._files.make_dir(staging)
            for order, (file, data) in enumerate(zip(files, contents, strict=True)):
                if data is None:
                    continue
                self._files.write_new(f"{staging}/{order}", data, self._mode(file))
                self._files.sync_file(f"{staging}/{order}")
            self._files.sync_dir(staging)
            self._files.sync_dir("staging")
        except OSError as error:
            self.cleaner.discard_quietly(staging)
            raise storage_error(error) from error
        except CommitConflict:
            self.cleaner.discard_quietly(staging)
            raise

    def _mode(self, file: IntentFile) -> int:
        if file.op == "create":
            return FILE_MODE
        try:
            return self._files.mode(file.target)
        except FileNotFoundError:  # deleted since it was checked
            raise CommitConflict("a memory file changed since it was read") from None

    def _prepare(self, txn: str, files: tuple[IntentFile, ...], effects: Effects) -> Intent:
        staging = f"staging/{txn}"
        try:
            return self._log.prepare(txn, files, effects)
        except CommitConflict:
            self.cleaner.discard_quietly(staging)
            raise
        except MemorydError as error:
            # The log may hold the intent although it reported a failure. Without staged bytes recovery can only take it back.
            try:
                self.cleaner.discard(staging)
            except (MemorydError, OSError):
                self._leave_open(error)
            raise

    def _sync(self, intent: Intent) -> None:
        """A failed sync is never tried again: the kernel may have dropped the change, and the next call would say yes."""
        directories = [*sorted({file.directory for file in intent.files}), "memory", intent.staging]
        try:
            for directory in directories:
                with contextlib.suppress(FileNotFoundError):  # removed by a person, or staged bytes that were discarded
                    self._files.sync_dir(directory)
        except OSError as error:
            raise StorageError("the disk did not confirm a write", code="sync_failed") from error

    def _take_back(self, intent: Intent, cause: MemorydError | OSError) -> None:
        """After a failure past the commit point: undo at once, or else leave it to recovery."""
        if isinstance(cause, StorageError) and cause.code == "sync_failed":
            self._leave_open(cause)
        try:
            state = self._log.begin_abort(intent.txn)
            if state == "done":  # the finishing transaction was reported as failed, but is in the log
                self.cleaner.clean_quietly(intent, "done")
                return
            self.roll_back(intent)
        except (MemorydError, OSError) as error:
            self._leave_open(cause, error)
        if isinstance(cause, OSError):
            raise storage_error(cause) from cause
        raise cause

    def _leave_open(self, *causes: MemorydError | OSError) -> NoReturn:
        self.is_open = True
        if not all(passes_by_itself(cause) for cause in causes):
            self.needs_restart = True
        raise StorageError(
            "a commit could neither be finished nor taken back; recovery decides it", code="degraded"
        ) from causes[-1]


def intent_file(change: Change, effects: Effects) -> IntentFile:
    """What the log keeps of a change: no bytes."""
    return IntentFile(
        op=change.op,
        path=change.path,
        memory_id=change.memory_id,
        base_sha256=change.base_sha256,
        new_sha256=None if change.data is None else sha256(change.data),
        cause=change.relation if change.relation in ("update", "conflict") else effects.cause,
    )
