"""The two ports that a commit of memory files stands on, and the values that go through them.

Owns: ``FilePort``, ``IntentLog``, ``CatalogSource`` and their values. Must not know disks or SQL.

A path is ``area/…``: ``memory/MEMORY.md``, ``memory/<category>/<file>``, ``staging/<txn>/<name>``, ``conflicts/<name>``,
``history/<name>``, ``edits/<name>``. No component is ever resolved through a link.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from soong_memoryd.errors import UnsafePath
from soong_memoryd.memories.change import Operation
from soong_memoryd.state.rows import Effects, EventDraft

CATALOG_PATH = "memory/MEMORY.md"
UNSAFE = "unsafe"
"""The digest of what may not be read: equal to no hash, so it counts as somebody else's."""

State = Literal["prepared", "aborting", "done", "aborted"]


class FilePort(Protocol):
    """The file operations of a commit. Each raises ``OSError`` as the kernel does, ``UnsafePath`` for what is not ours."""

    def names(self, directory: str) -> list[str]:
        """The names in a directory, sorted; none when it does not exist."""
        ...

    def read(self, path: str) -> bytes | None:
        """The bytes of a regular file of ours, None when there is none."""
        ...

    def mode(self, path: str) -> int:
        """The permission bits of a file."""
        ...

    def make_dir(self, directory: str) -> None:
        """Make a directory (0700) unless it exists."""
        ...

    def remove_dir(self, directory: str) -> None:
        """Remove an empty directory."""
        ...

    def write_new(self, path: str, data: bytes, mode: int) -> None:
        """Write a file that must not exist."""
        ...

    def protect(self, path: str) -> None:
        """Set a file's mode to 0600."""
        ...

    def sync_file(self, path: str) -> None:
        """Make a file's bytes durable."""
        ...

    def sync_dir(self, directory: str) -> None:
        """Make the names in a directory durable."""
        ...

    def link(self, source: str, target: str) -> None:
        """Give a file a second name; ``EEXIST`` when it is taken."""
        ...

    def unlink(self, path: str) -> None:
        """Remove a name."""
        ...

    @property
    def can_exchange(self) -> bool:
        """Whether ``exchange`` works here."""
        ...

    def exchange(self, first: str, second: str) -> None:
        """Swap two names in one step."""
        ...

    def replace(self, source: str, target: str) -> None:
        """Rename over whatever is there. Used only where ``exchange`` does not work."""
        ...

    def rename_noreplace(self, source: str, target: str) -> None:
        """Rename; ``EEXIST`` when the target is taken."""
        ...

    def sync_in_progress(self) -> bool:
        """Whether git is in the middle of a merge, rebase or checkout of the memory directory."""
        ...


@dataclass(frozen=True, slots=True)
class IntentFile:
    """One file of an intent. ``path`` is relative to ``memory/``; hashes are SHA-256, None where there is no file."""

    op: Operation
    path: str
    memory_id: str
    base_sha256: str | None
    new_sha256: str | None
    cause: str  # what a version that this file displaces says of itself

    @property
    def target(self) -> str:
        """The file's path for the port."""
        return f"memory/{self.path}"

    @property
    def directory(self) -> str:
        """The target's directory for the port."""
        return self.target.rpartition("/")[0]


@dataclass(frozen=True, slots=True)
class Intent:
    """A commit as the log knows it."""

    txn: str
    state: State
    files: tuple[IntentFile, ...]
    effects: Effects

    @property
    def staging(self) -> str:
        """The commit's directory for the port."""
        return f"staging/{self.txn}"

    def staged(self, order: int) -> str:
        """Where the bytes of the file at ``order`` wait, and later what they displaced."""
        return f"staging/{self.txn}/{order}"

    def version_id(self, order: int) -> str:
        """The id of the version that the file at ``order`` displaces: the same however often recovery repeats it."""
        return version_id(self.txn, order)


class IntentLog(Protocol):
    """The durable side of a commit. Each call is one transaction: when it returns, its effect survives a power cut."""

    def prepare(self, txn: str, files: Sequence[IntentFile], effects: Effects) -> Intent:
        """The commit point. Raises ``CommitConflict`` when the job's cursor or sources moved."""
        ...

    def begin_abort(self, txn: str) -> State:
        """``prepared`` becomes ``aborting``; returns the state that holds now (``done`` when it had finished after all)."""
        ...

    def finish(self, intent: Intent) -> None:
        """Everything the commit makes true beside the files, once. Raises ``CommitConflict`` as ``prepare`` does."""
        ...

    def abort(self, txn: str) -> None:
        """Nothing of the commit is left in ``memory/``."""
        ...

    def forget(self, txn: str) -> None:
        """The commit left no trace in ``staging/``: drop its rows."""
        ...

    def intents(self) -> list[Intent]:
        """Every intent that was not forgotten, oldest first."""
        ...

    def drop_version(self, version_id: str) -> None:
        """A version turned out not to exist."""
        ...

    def discarded_versions(self) -> list[str]:
        """Versions whose files are still to be removed."""
        ...

    def discard_done(self, version_ids: Sequence[str]) -> None:
        """Their files are gone."""
        ...

    def note_catalog(self, sha256: str) -> None:
        """This catalog is ours."""
        ...

    def knows_catalog(self, sha256: str) -> bool:
        """Whether a catalog with this hash was ours."""
        ...

    def report(self, event: EventDraft) -> None:
        """Append an event."""
        ...


class CatalogSource(Protocol):
    """Where the text of ``MEMORY.md`` comes from."""

    def render(self) -> bytes | None:
        """The catalog of the files as they are now; None when it must be left as it is."""
        ...

    def is_catalog(self, data: bytes) -> bool:
        """Whether these bytes hold nothing but catalog lines (as git leaves it): then there is nothing to keep."""
        ...


def sha256(data: bytes) -> str:
    """SHA-256, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def digest(files: FilePort, path: str) -> str | None:
    """The hash of a file, None when there is none, ``UNSAFE`` when it may not be read."""
    try:
        data = files.read(path)
    except UnsafePath:
        return UNSAFE
    return None if data is None else sha256(data)


def version_id(txn: str, order: int) -> str:
    """The id of the version displaced by the file at ``order`` of a commit."""
    return f"{txn}-{order}"
