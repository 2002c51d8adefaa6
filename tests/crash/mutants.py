"""The commit with one thing taken out at a time. The explorer must notice each, or its survival must have a reason.

``python -m tests.crash.mutants`` tries them all.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from unittest import mock

from soong_memoryd.memories import publication
from soong_memoryd.memories.catalog_file import CatalogFile
from soong_memoryd.memories.cleaning import Cleaner
from soong_memoryd.memories.commit import Committer
from soong_memoryd.memories.ports import Intent, IntentFile, State, digest
from soong_memoryd.state.rows import EventDraft
from tests.crash.disk import ModelFiles
from tests.crash.explore import WithoutExchange, first_violation
from tests.crash.journal import ModelLog
from tests.crash.world import TXN, Protocol

STAGING = f"staging/{TXN}"


def _without_sync_of_file(*paths: str) -> type[ModelFiles]:
    class Files(ModelFiles):
        def sync_file(self, path: str) -> None:
            if path not in paths:
                super().sync_file(path)

    return Files


def _without_sync_of_directory(
    is_skipped: Callable[[ModelFiles, str], bool], base: type[ModelFiles] = ModelFiles
) -> type[ModelFiles]:
    class Files(base):  # type: ignore[misc, valid-type]
        def sync_dir(self, directory: str) -> None:
            if not is_skipped(self, directory):
                super().sync_dir(directory)

    return Files


def _is_published(files: ModelFiles) -> bool:
    return files.peek("memory/reference/c.md") is not None


class _EventAtPrepare(ModelLog):
    def prepare(self, txn, files, effects):  # type: ignore[no-untyped-def]
        intent = super().prepare(txn, files, effects)
        self.finish(intent)
        return intent


class _NoIntents(ModelLog):
    def intents(self) -> list[Intent]:
        return []


class _FinishTwice(ModelLog):
    def finish(self, intent: Intent) -> None:
        super().finish(intent)
        self.events.append(intent.effects.event)


class _CatalogsForgotten(ModelLog):
    def knows_catalog(self, sha256: str) -> bool:
        return False


class _AbortNotNoted(ModelLog):
    def begin_abort(self, txn: str) -> State:
        return self.rows[txn].state


class _NeverForgotten(ModelLog):
    def forget(self, txn: str) -> None:
        return


class _NoCheck(Committer):
    def _check(self, files: object) -> None:
        return


class _NoHealing(Committer):
    def heal_catalog(self) -> bool:
        return False


class _SyncErrorsIgnored(Committer):
    def _sync(self, intent: Intent) -> None:
        with contextlib.suppress(Exception):
            super()._sync(intent)


class _FilesSyncedTwice(ModelFiles):
    def sync_file(self, path: str) -> None:
        try:
            super().sync_file(path)
        except OSError:
            super().sync_file(path)


class _RetriesAfterSyncError(Committer):
    def _sync(self, intent: Intent) -> None:
        try:
            super()._sync(intent)
        except Exception:
            super()._sync(intent)


class _DiscardIgnoresErrors(Committer):
    def _leave_open(self, *causes: Exception):  # type: ignore[no-untyped-def]
        raise causes[-1]


def _publish_update_blindly(files: ModelFiles, staged: str, file: IntentFile) -> None:
    if digest(files, file.target) != file.new_sha256:
        files.replace(staged, file.target)


def _publish_update_trusting(files: ModelFiles, staged: str, file: IntentFile) -> None:
    if digest(files, file.target) == file.new_sha256:  # without asking what was displaced before the crash
        return
    _PUBLISH_UPDATE(files, staged, file)


def _publish_delete_blindly(files: ModelFiles, staged: str, file: IntentFile) -> None:
    if digest(files, file.target) is not None:
        files.rename_noreplace(file.target, staged)


def _publish_create_blindly(files: ModelFiles, staged: str, file: IntentFile) -> None:
    files.make_dir(file.directory)
    if digest(files, staged) is not None:
        files.replace(staged, file.target)


def _withdraw_update_blindly(files: ModelFiles, staged: str, file: IntentFile) -> bool:
    if digest(files, staged) is not None and digest(files, file.target) is not None:
        files.exchange(staged, file.target)
    return True


def _withdraw_create_blindly(files: ModelFiles, staged: str, file: IntentFile) -> bool:
    if digest(files, file.target) is not None:
        files.unlink(file.target)
    return True


def _swap_without_sync(files: ModelFiles, staged: str, target: str) -> None:
    files.link(target, staged + publication.ASIDE)
    files.replace(staged, target)
    files.rename_noreplace(staged + publication.ASIDE, staged)


_PUBLISH_UPDATE = publication._publish_update


def _publishing(op: str, function: object) -> mock._patch_dict:
    return mock.patch.dict(publication.__dict__, _PUBLISH={**publication._PUBLISH, op: function})


def _withdrawing(op: str, function: object) -> mock._patch_dict:
    return mock.patch.dict(publication.__dict__, _WITHDRAW={**publication._WITHDRAW, op: function})


def _never(*_: object, **__: object) -> None:
    return None


def mutants() -> list[tuple[str, Protocol]]:
    """Every mutant that must be noticed, with the exploration that notices it."""
    return [
        ("crash", Protocol("staged files are not synced", files=_without_sync_of_file(f"{STAGING}/0", f"{STAGING}/1"))),
        ("crash", Protocol("the new catalog is not synced", files=_without_sync_of_file(f"{STAGING}/catalog.draft"))),
        (
            "crash",
            Protocol(
                "the staging directory is not synced before the commit point",
                files=_without_sync_of_directory(lambda files, path: path == STAGING and not _is_published(files)),
            ),
        ),
        (
            "crash",
            Protocol(
                "the name of the staging directory is not synced before the commit point",
                files=_without_sync_of_directory(lambda files, path: path == "staging" and not _is_published(files)),
            ),
        ),
        (
            "crash",
            Protocol(
                "category directories are not synced before finishing",
                files=_without_sync_of_directory(lambda _, path: path.startswith("memory/")),
            ),
        ),
        (
            "crash",
            Protocol(
                "a new category is not synced before finishing",
                files=_without_sync_of_directory(lambda _, path: path == "memory"),
            ),
        ),
        ("edit", Protocol("the event is written at the commit point", log=_EventAtPrepare)),
        (
            "edit",
            Protocol(
                "the displaced catalog goes before the swap is durable",
                files=_without_sync_of_directory(
                    lambda files, path: path in ("memory", STAGING) and b"A-base" in (files.peek(f"{STAGING}/catalog") or b"")
                ),
            ),
        ),
        ("crash", Protocol("recovery ignores intents", log=_NoIntents)),
        ("edit", Protocol("finishing is not once only", log=_FinishTwice)),
        ("crash", Protocol("rendered catalogs are not remembered", log=_CatalogsForgotten)),
        ("crash", Protocol("intents are never forgotten", log=_NeverForgotten)),
        ("edit", Protocol("recovery does not heal the catalog", committer=_NoHealing)),
        ("errno", Protocol("a failed sync is ignored", committer=_SyncErrorsIgnored)),
        ("errno", Protocol("the failed sync of a file is tried again", files=_FilesSyncedTwice)),
        ("errno", Protocol("a failed undo is reported as an ordinary failure", committer=_DiscardIgnoresErrors)),
        ("edit", Protocol("updates overwrite", patch=_publishing("update", _publish_update_blindly))),
        ("edit", Protocol("creates overwrite", patch=_publishing("create", _publish_create_blindly))),
        ("edit", Protocol("deletes do not look at what they took", patch=_publishing("delete", _publish_delete_blindly))),
        (
            "edit",
            Protocol(
                "updates do not look at what they displaced", patch=mock.patch.object(publication, "verify_displaced", _never)
            ),
        ),
        (
            "edit",
            Protocol("recovery does not look at what was displaced", patch=_publishing("update", _publish_update_trusting)),
        ),
        (
            "edit",
            Protocol("undoing an update does not look at the file", patch=_withdrawing("update", _withdraw_update_blindly)),
        ),
        (
            "edit",
            Protocol("undoing a create does not look at the file", patch=_withdrawing("create", _withdraw_create_blindly)),
        ),
        ("edit", Protocol("a delete is not undone", patch=_withdrawing("delete", lambda *_: False))),
        (
            "edit",
            Protocol("late edits are thrown away", patch=mock.patch.object(Cleaner, "_keep_late_edit", _unlink_late_edit)),
        ),
        (
            "crash",
            Protocol("displaced versions are thrown away", patch=mock.patch.object(Cleaner, "_keep_version", _unlink_version)),
        ),
        (
            "edit",
            Protocol(
                "hand edits of the catalog are thrown away", patch=mock.patch.object(CatalogFile, "_is_ours", lambda *_: True)
            ),
        ),
        (
            "crash",
            Protocol(
                "three-step swaps are not settled",
                files=WithoutExchange,
                patch=mock.patch.object(publication, "settle", _never),
            ),
        ),
        (
            "crash",
            Protocol(
                "three-step swaps do not sync",
                files=WithoutExchange,
                patch=mock.patch.object(publication, "swap", _swap_without_sync),
            ),
        ),
    ]


SURVIVORS = {
    "targets are not checked before staging": (
        Protocol("", committer=_NoCheck),
        "the same hashes are compared again when the file is published; the early look only saves the work of undoing",
    ),
    "conflicts/ is not synced": (
        Protocol("", files=_without_sync_of_directory(lambda _, path: path == "conflicts")),
        "a kept file gets there by one rename, as a version does",
    ),
    "history/ is not synced": (
        Protocol("", files=_without_sync_of_directory(lambda _, path: path == "history")),
        "a version gets there by one rename, which is durable as a whole once staging/ is synced; kept for file systems"
        " that keep the two ends apart",
    ),
    "aborting is not noted": (
        Protocol("", log=_AbortNotNoted),
        "until an undo is complete nobody was told anything, so going forward after all is as atomic as going back",
    ),
    "the failed sync of a directory is tried again": (
        Protocol("", committer=_RetriesAfterSyncError),
        "the model's second sync of a directory is honest, as a journal's is: one that fails makes the file system read-only",
    ),
}
"""Mutants that the explorer does not notice, with the reason why that is no hole in the commit."""


def is_survivor(mutant: Protocol) -> bool:
    """Whether no exploration at all notices a mutant."""
    return first_violation(mutant) is None


def report() -> bool:
    """Print what was noticed; returns whether everything that should be was."""
    missed = 0
    for exploration, mutant in mutants():
        found = first_violation(mutant, (exploration,))
        missed += found is None
        print(f"{'noticed' if found else 'MISSED '} {mutant.name}: {found}")
    for name, (mutant, reason) in SURVIVORS.items():
        print(f"{'survives' if is_survivor(mutant) else 'NOTICED after all'} {name}: {reason}")
    return missed == 0


def _unlink_late_edit(self: Cleaner, intent: Intent, order: int, file: IntentFile, path: str) -> None:
    self._files.unlink(path)
    self._log.report(EventDraft("memory_edited_outside"))


def _unlink_version(self: Cleaner, path: str, version_id: str) -> None:
    self._files.unlink(path)


if __name__ == "__main__":
    sys.exit(0 if report() else 1)
