"""The files below ``memory/`` as they are now: listed at every look, read only where something changed.

Owns: the decision whether a file must be read again, and which files are not read at all. Must not know what a header means.
"""

from __future__ import annotations

import os
import re
import time

from soong_memoryd.errors import UnsafePath
from soong_memoryd.memories.directory import MAX_MEMORY_FILE_BYTES, MemoryDirectory
from soong_memoryd.memories.index import Entry, FileStamp, Invalid, Snapshot, read_entry, take_snapshot
from soong_memoryd.memories.pinned import open_regular, read_at_most
from soong_memoryd.memories.schema import CATEGORIES

SETTLED_NS = 100_000_000
"""A file that changed this shortly before it was read may change again within the same tick of the file system's clock."""

_CONFLICT = re.compile(rb"^<{7} .*^={7}\r?$.*^>{7} ", re.MULTILINE | re.DOTALL)

UNREADABLE = {
    "unsafe_file": "the file is a link, not a regular file, too large, or another user's",
    "hard_link": "the file has a second name (hard link) somewhere",
    "unsafe_directory": "the directory is a link, another user's, writable by others, or on another file system",
    "conflict_markers": "the file holds git's conflict markers",
    "unreadable": "the file cannot be read",
}
"""Codes of ``Invalid`` that come from here, in words for the person who keeps the files."""


class Scan:
    """What was read last, by path. Used by one thread at a time."""

    def __init__(self, directory: MemoryDirectory, catalog_max_tokens: int) -> None:
        self._directory = directory
        self._catalog_max_tokens = catalog_max_tokens
        self._known: dict[str, tuple[FileStamp, Entry | Invalid]] = {}
        self._unsettled: set[str] = set()
        self._unsafe: list[Invalid] = []
        self._snapshot: Snapshot | None = None
        self.foreign: tuple[str, ...] = ()
        """What lies in the tree and is neither a memory, nor a category, nor the catalog, nor hidden."""

    @property
    def last(self) -> Snapshot | None:
        """What the last refresh found."""
        return self._snapshot

    def refresh(self) -> Snapshot:
        """The files as they are now; the same object as before when nothing changed."""
        found: dict[str, FileStamp] = {}
        unsafe: list[Invalid] = []
        foreign: list[str] = []
        if self._directory.tree.follow():
            foreign += self._top_level_strangers()
            for category in CATEGORIES:
                try:
                    stamps, strangers = self._list(category)
                except FileNotFoundError:
                    continue
                except (UnsafePath, OSError) as error:
                    unsafe.append(Invalid(category, error.code if isinstance(error, UnsafePath) else "unreadable"))
                    continue
                found |= stamps
                foreign += strangers
        self.foreign = tuple(foreign)
        changed = self._read_changed(found)
        if self._snapshot is None or changed or unsafe != self._unsafe:
            self._unsafe = unsafe
            self._snapshot = take_snapshot([*(item for _, item in self._known.values()), *unsafe], self._catalog_max_tokens)
        return self._snapshot

    def limit_catalog(self, max_tokens: int) -> None:
        """Render the catalog within another number of estimated tokens from now on."""
        self._catalog_max_tokens = max_tokens
        self._snapshot = None

    def read(self, path: str) -> bytes | None:
        """The bytes of a memory file (``<category>/<file>``); None when it does not exist.

        Raises:
            UnsafePath: it is not a regular file of ours with one name and at most 64 KiB.
        """
        category, _, name = path.partition("/")
        try:
            with self._directory.tree.pinned(f"memory/{category}") as parent_fd:
                fd = open_regular(parent_fd, name)
        except FileNotFoundError:
            return None
        if fd is None:
            return None
        try:
            found = os.fstat(fd)
            if found.st_nlink > 1 and not self._is_being_committed(found.st_ino):
                raise UnsafePath("a memory file has a second name", code="hard_link")
            return read_at_most(fd, MAX_MEMORY_FILE_BYTES)
        finally:
            os.close(fd)

    def _list(self, category: str) -> tuple[dict[str, FileStamp], list[str]]:
        stamps: dict[str, FileStamp] = {}
        strangers: list[str] = []
        with self._directory.tree.pinned(f"memory/{category}") as fd, os.scandir(fd) as entries:
            for entry in entries:
                path = f"{category}/{entry.name}"
                if entry.name.startswith("."):
                    continue
                if not entry.name.endswith(".md"):
                    strangers.append(path)
                    continue
                try:
                    stamps[path] = _stamp(entry.stat(follow_symlinks=False))
                except FileNotFoundError:  # deleted since it was listed
                    continue
        return stamps, sorted(strangers)

    def _top_level_strangers(self) -> list[str]:
        expected = {"MEMORY.md", *CATEGORIES}
        try:
            names = self._directory.names("memory")
        except UnsafePath:
            return []
        return [name for name in names if name not in expected and not name.startswith(".")]

    def _read_changed(self, found: dict[str, FileStamp]) -> bool:
        changed = False
        for path in self._known.keys() - found.keys():
            del self._known[path]
            self._unsettled.discard(path)
            changed = True
        for path, stamp in found.items():
            known = self._known.get(path)
            if known is not None and known[0] == stamp and path not in self._unsettled:
                continue
            item = self._read_item(path, stamp)
            if item is None:
                changed = self._known.pop(path, None) is not None or changed
                continue
            changed = changed or known is None or _content(known[1]) != _content(item)
            self._known[path] = (stamp, item)
        return changed

    def _read_item(self, path: str, stamp: FileStamp) -> Entry | Invalid | None:
        # File times come from the kernel's clock, so they are compared with it and not with the daemon's clock.
        if abs(time.time_ns() - stamp.ctime_ns) < SETTLED_NS:
            self._unsettled.add(path)
        else:
            self._unsettled.discard(path)
        try:
            data = self.read(path)
        except UnsafePath as error:
            return Invalid(path, error.code)
        except OSError:
            return Invalid(path, "unreadable")
        if data is None:
            return None
        if _CONFLICT.search(data):
            return Invalid(path, "conflict_markers")
        return read_entry(path, data, stamp)

    def _is_being_committed(self, inode: int) -> bool:
        """Whether the second name is one that a commit left in ``staging/`` because it could not clean."""
        for txn in self._directory.names("staging"):
            with self._directory.tree.pinned(f"staging/{txn}") as fd, os.scandir(fd) as entries:
                if any(entry.inode() == inode for entry in entries):
                    return True
        return False


def _stamp(found: os.stat_result) -> FileStamp:
    return FileStamp(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def _content(item: Entry | Invalid) -> tuple[str, str]:
    return ("entry", item.sha256) if isinstance(item, Entry) else ("invalid", item.code)
