"""``MEMORY.md`` on disk: derived from the files, swapped in as a whole, never at the price of a hand edit.

Owns: when it is rewritten and what happens to what stood there. Must not know how it is rendered or what is committed.
"""

from __future__ import annotations

from soong_memoryd.errors import UnsafePath
from soong_memoryd.memories import conflicts
from soong_memoryd.memories.ports import CATALOG_PATH, UNSAFE, CatalogSource, FilePort, IntentLog, digest, sha256
from soong_memoryd.memories.publication import ASIDE, settle, swap
from soong_memoryd.state.rows import EventDraft

STAGED_NAME = "catalog"
DRAFT_NAME = "catalog.draft"
HEAL_TXN = "heal"
FILE_MODE = 0o600


class CatalogFile:
    """The one writer of ``MEMORY.md``."""

    def __init__(self, files: FilePort, log: IntentLog, source: CatalogSource) -> None:
        self._files = files
        self._log = log
        self._source = source

    def stale(self) -> bool:
        """Whether the file differs from what it should be."""
        wanted = self._source.render()
        return wanted is not None and digest(self._files, CATALOG_PATH) != sha256(wanted)

    def refresh(self, staging: str) -> None:
        """Bring the file up to date by way of a staging directory. May be repeated after a crash at any point.

        Raises:
            OSError: the file system refused; the old or the new catalog is in place, a hand edit is kept.
        """
        wanted = self._source.render()
        if wanted is None:
            return
        self.clear(staging)
        live = digest(self._files, CATALOG_PATH)
        if live == sha256(wanted):
            self._log.note_catalog(live)
            self._files.sync_dir("memory")
            return
        staged = self._stage(staging, wanted)
        if live is None:
            try:
                self._files.rename_noreplace(staged, CATALOG_PATH)
            except FileExistsError:
                swap(self._files, staged, CATALOG_PATH)
        else:
            try:
                swap(self._files, staged, CATALOG_PATH)
            except FileNotFoundError:
                self._files.rename_noreplace(staged, CATALOG_PATH)
        # Before what was displaced may go: a power cut that undid the swap alone would take a fresh edit with it.
        self._files.sync_dir("memory")
        self._files.sync_dir(staging)
        self.clear(staging)

    def clear(self, staging: str) -> None:
        """Remove a staged or displaced catalog from a staging directory; one that somebody else wrote is kept first."""
        draft, staged = f"{staging}/{DRAFT_NAME}", f"{staging}/{STAGED_NAME}"
        if DRAFT_NAME in self._files.names(staging):
            self._files.unlink(draft)
        settle(self._files, staged)
        if digest(self._files, staged) is None:
            return
        if self._is_ours(staged):
            self._files.unlink(staged)
            return
        kept = conflicts.keep(self._files, staged, "MEMORY.md")
        if kept is not None:
            self._log.report(EventDraft("catalog_edit_kept", payload={"path": "MEMORY.md", "kept": kept}))

    def _stage(self, staging: str, wanted: bytes) -> str:
        self._files.make_dir(staging)
        draft, staged = f"{staging}/{DRAFT_NAME}", f"{staging}/{STAGED_NAME}"
        self._log.note_catalog(sha256(wanted))
        # Under the second name there is only ever a whole catalog that the log knows, or what somebody else wrote.
        self._files.write_new(draft, wanted, self._mode())
        self._files.sync_file(draft)
        self._files.rename_noreplace(draft, staged)
        self._files.sync_dir(staging)
        return staged

    def _mode(self) -> int:
        if digest(self._files, CATALOG_PATH) in (None, UNSAFE):
            return FILE_MODE
        return self._files.mode(CATALOG_PATH)

    def _is_ours(self, path: str) -> bool:
        try:
            data = self._files.read(path)
        except UnsafePath:
            return False
        return data is None or self._log.knows_catalog(sha256(data)) or self._source.is_catalog(data)


def is_catalog_name(name: str) -> bool:
    """Whether a name in a staging directory is a catalog's."""
    return name in (DRAFT_NAME, STAGED_NAME, STAGED_NAME + ASIDE)
