"""What a commit leaves in ``staging/``: old bytes become versions, a late edit is kept, the rest goes.

Owns: the emptying of ``staging/`` and the removal of versions that are no longer kept. Must not know how commits are decided.
"""

from __future__ import annotations

import contextlib

from soong_memoryd.errors import MemorydError
from soong_memoryd.memories import conflicts
from soong_memoryd.memories.catalog_file import CatalogFile, is_catalog_name
from soong_memoryd.memories.ports import UNSAFE, FilePort, Intent, IntentFile, IntentLog, State, digest
from soong_memoryd.memories.publication import settle
from soong_memoryd.state.rows import EventDraft


class Cleaner:
    """Empties staging directories. Everything here may be repeated after a crash, and failing costs only space."""

    def __init__(self, files: FilePort, log: IntentLog, catalog: CatalogFile) -> None:
        self._files = files
        self._log = log
        self._catalog = catalog
        self.leftovers = False
        """Set when something could not be cleaned; the next ``sweep`` tries again."""

    def clean_quietly(self, intent: Intent, state: State) -> None:
        """``clean``, or a note to try again later."""
        try:
            self.clean(intent, state)
        except (MemorydError, OSError):
            self.leftovers = True

    def discard_quietly(self, staging: str) -> None:
        """Remove a staging directory that never reached its commit point, or a note to try again later."""
        try:
            self.discard(staging)
        except (MemorydError, OSError):
            self.leftovers = True

    def sweep(self) -> None:
        """Clean every finished or aborted intent and every orphan.

        Raises:
            OSError: the file system refused.
        """
        for intent in self._log.intents():
            if intent.state in ("done", "aborted"):
                self.clean(intent, intent.state)
        self.remove_orphans()
        self.leftovers = False

    def clean(self, intent: Intent, state: State) -> None:
        """S7 for an intent that is ``done`` or ``aborted``; its rows go last.

        Raises:
            OSError: the file system refused.
        """
        for order, file in enumerate(intent.files):
            settle(self._files, intent.staged(order))
            for staged in (name for name in self._files.names(intent.staging) if name.partition(".")[0] == str(order)):
                self._clear(intent, order, file, f"{intent.staging}/{staged}", kept=state == "done")
        self._catalog.clear(intent.staging)
        self._files.sync_dir("history")
        self._remove_directory(intent.staging)
        self._remove_discarded()
        self._log.forget(intent.txn)

    def remove_orphans(self) -> None:
        """Remove staging directories that belong to no intent.

        Raises:
            OSError: the file system refused.
        """
        known = {intent.txn for intent in self._log.intents()}
        for name in self._files.names("staging"):
            if name not in known:
                self.discard(f"staging/{name}")
        self._remove_discarded()

    def _clear(self, intent: Intent, order: int, file: IntentFile, path: str, *, kept: bool) -> None:
        found = digest(self._files, path)
        held_elsewhere = (file.base_sha256, file.new_sha256, digest(self._files, file.target))
        if found == UNSAFE or found not in held_elsewhere:
            self._keep_late_edit(intent, order, file, path)
        elif kept and found == file.base_sha256 and file.op != "create" and not intent.effects.purge:
            self._keep_version(path, intent.version_id(order))
        else:
            self._files.unlink(path)

    def _keep_late_edit(self, intent: Intent, order: int, file: IntentFile, path: str) -> None:
        """Somebody held the displaced file open and wrote into it after it had lost its name."""
        name = file.path.rpartition("/")[2]
        kept = conflicts.keep(self._files, path, name)
        self._log.drop_version(intent.version_id(order))
        if kept is not None:
            payload = {"memory_id": file.memory_id, "path": file.path, "change": "late_edit", "kept": kept}
            self._log.report(EventDraft("memory_edited_outside", payload=payload))

    def _keep_version(self, path: str, version_id: str) -> None:
        self._files.protect(path)
        try:
            self._files.rename_noreplace(path, f"history/{version_id}.md")
        except FileExistsError:
            self._files.unlink(path)

    def _remove_discarded(self) -> None:
        discarded = self._log.discarded_versions()
        if not discarded:
            return
        present = set(self._files.names("history"))
        for name in (f"{version_id}.md" for version_id in discarded):
            if name in present:
                self._files.unlink(f"history/{name}")
        self._files.sync_dir("history")
        self._log.discard_done(discarded)

    def discard(self, staging: str) -> None:
        """``discard_quietly``, loudly.

        Raises:
            OSError: the file system refused.
        """
        self._catalog.clear(staging)
        for name in self._files.names(staging):
            if not is_catalog_name(name):
                self._files.unlink(f"{staging}/{name}")
        self._remove_directory(staging)

    def _remove_directory(self, staging: str) -> None:
        if staging.rpartition("/")[2] not in self._files.names("staging"):
            return
        self._files.sync_dir(staging)
        with contextlib.suppress(FileNotFoundError):
            self._files.remove_dir(staging)
        self._files.sync_dir("staging")
