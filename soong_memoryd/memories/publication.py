"""One file of a commit goes live, or is taken back: what each of the two does in every state a crash or an editor leaves.

Owns: ``publish``, ``withdraw`` and the rule behind both. Must not know the log, the catalog, or other files of the commit.

The rule: compare *after* the swap. A hash that was checked before it may be stale by the time of the swap, but what came
back into ``staging/`` cannot change its name any more: if it is not the base, somebody edited meanwhile, and it goes back.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from types import MappingProxyType

from soong_memoryd.errors import CommitConflict
from soong_memoryd.memories.ports import FilePort, IntentFile, digest

ASIDE = ".aside"
UNDO = ".undo"


def publish(files: FilePort, staged: str, file: IntentFile) -> None:
    """Make one staged change live; does nothing when it is already.

    Raises:
        CommitConflict: the file is not what the commit was planned on. An edit that was displaced is back in its place.
        OSError: the file system refused.
    """
    settle(files, staged)
    _PUBLISH[file.op](files, staged, file)


def withdraw(files: FilePort, staged: str, file: IntentFile) -> bool:
    """Take one published change back, unless the file is no longer what the commit made it: then it is the user's.

    Returns whether anything was moved.
    """
    settle(files, staged)
    return _WITHDRAW[file.op](files, staged, file)


def swap(files: FilePort, staged: str, target: str) -> None:
    """Exchange the staged file with the live one; in three steps where the file system has no exchange.

    The three steps leave a window of microseconds in which an editor's rename is lost (``docs/durability.md``);
    a crash between them is put right by ``settle``.
    """
    if files.can_exchange:
        files.exchange(staged, target)
        return
    directory = staged.rpartition("/")[0]
    files.link(target, staged + ASIDE)
    files.sync_dir(directory)  # the old bytes must have their second name before the first one is overwritten
    files.replace(staged, target)
    files.rename_noreplace(staged + ASIDE, staged)


def settle(files: FilePort, staged: str) -> None:
    """Finish or undo a three-step swap that a crash cut short."""
    directory, _, name = staged.rpartition("/")
    names = files.names(directory)
    if name + ASIDE not in names:
        return
    if name in names:
        files.unlink(staged + ASIDE)
    else:
        files.rename_noreplace(staged + ASIDE, staged)


def _publish_create(files: FilePort, staged: str, file: IntentFile) -> None:
    live = digest(files, file.target)
    if live == file.new_sha256:
        return
    if live is not None or digest(files, staged) != file.new_sha256:
        raise _changed()
    files.make_dir(file.directory)
    try:
        files.link(staged, file.target)
    except FileExistsError:
        raise _changed() from None


def _publish_update(files: FilePort, staged: str, file: IntentFile) -> None:
    live, held = digest(files, file.target), digest(files, staged)
    if live == file.new_sha256:
        if held in (file.base_sha256, file.new_sha256, None):
            return
        _swap_back(files, staged, file)  # the crash came between the swap and the look at what it displaced
        raise _changed()
    if live != file.base_sha256 or held != file.new_sha256:
        raise _changed()
    try:
        swap(files, staged, file.target)
    except FileNotFoundError:
        raise _changed() from None
    verify_displaced(files, staged, file)


def verify_displaced(files: FilePort, staged: str, file: IntentFile) -> None:
    """What an update displaced must be its base; an edit that slipped in goes back to its place.

    Raises:
        CommitConflict: it was an edit.
    """
    if digest(files, staged) != file.base_sha256:
        _swap_back(files, staged, file)
        raise _changed()


def _publish_delete(files: FilePort, staged: str, file: IntentFile) -> None:
    live, held = digest(files, file.target), digest(files, staged)
    if live is None and held in (file.base_sha256, None):
        return
    if live is None:
        _put_back(files, staged, file)  # the crash came between the rename and the look at what it took
        raise _changed()
    if live != file.base_sha256 or held is not None:
        raise _changed()
    try:
        files.rename_noreplace(file.target, staged)
    except FileNotFoundError:
        return
    if digest(files, staged) != file.base_sha256:
        _put_back(files, staged, file)
        raise _changed()


def _withdraw_create(files: FilePort, staged: str, file: IntentFile) -> bool:
    if digest(files, file.target) != file.new_sha256:
        return False
    undo = staged + UNDO
    if digest(files, undo) is not None:
        files.unlink(undo)
    files.rename_noreplace(file.target, undo)
    if digest(files, undo) != file.new_sha256:  # edited between the look and the rename: it is the user's file now
        _put_back(files, undo, file)
    return True


def _withdraw_update(files: FilePort, staged: str, file: IntentFile) -> bool:
    held = digest(files, staged)
    if digest(files, file.target) != file.new_sha256 or held in (file.new_sha256, None):
        return False
    _swap_back(files, staged, file)
    if digest(files, staged) not in (file.new_sha256, held):  # edited between the look and the swap: the user's file now
        _swap_back(files, staged, file)
    return True


def _withdraw_delete(files: FilePort, staged: str, file: IntentFile) -> bool:
    if digest(files, file.target) is not None or digest(files, staged) is None:
        return False
    _put_back(files, staged, file)
    return True


def _swap_back(files: FilePort, staged: str, file: IntentFile) -> None:
    with contextlib.suppress(FileNotFoundError):  # deleted meanwhile: stays deleted, cleaning keeps what is staged
        swap(files, staged, file.target)


def _put_back(files: FilePort, staged: str, file: IntentFile) -> None:
    files.make_dir(file.directory)
    with contextlib.suppress(FileExistsError):  # something newer took the name: cleaning keeps what is staged
        files.rename_noreplace(staged, file.target)


def _changed() -> CommitConflict:
    return CommitConflict("a memory file changed since it was read")


_PUBLISH: Mapping[str, Callable[[FilePort, str, IntentFile], None]] = MappingProxyType(
    {"create": _publish_create, "update": _publish_update, "delete": _publish_delete}
)
_WITHDRAW: Mapping[str, Callable[[FilePort, str, IntentFile], bool]] = MappingProxyType(
    {"create": _withdraw_create, "update": _withdraw_update, "delete": _withdraw_delete}
)
