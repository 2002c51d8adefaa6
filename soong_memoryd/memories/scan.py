"""The files below ``memory/`` as they are now: listed where something may have changed, read only where something did.

Owns: the decision whether a file must be read again, and which files are not read at all. Must not know what a header means.
"""

from __future__ import annotations

import errno
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from soong_memoryd.errors import UnsafePath
from soong_memoryd.memories.catalog import as_it_is
from soong_memoryd.memories.directory import MAX_MEMORY_FILE_BYTES, MemoryDirectory
from soong_memoryd.memories.index import Entry, FileStamp, Invalid, Snapshot, read_entry, take_snapshot
from soong_memoryd.memories.naming import printable
from soong_memoryd.memories.news import News
from soong_memoryd.memories.pinned import open_regular, read_at_most
from soong_memoryd.memories.schema import CATEGORIES

SETTLED_NS = 100_000_000
"""A file that changed this shortly before it was read may change again within the same tick of the file system's clock."""

_REMEMBERED_SUMMARIES = 1_000  # as many as a catalog lists, and more
_CONFLICT = re.compile(rb"^<{7} .*^={7}\r?$.*^>{7} ", re.MULTILINE | re.DOTALL)

UNREADABLE = {
    "unsafe_file": "the file is a link, not a regular file, too large, or another user's",
    "hard_link": "the file has a second name (hard link) somewhere",
    "unsafe_directory": "the directory is a link, another user's, writable by others, or on another file system",
    "conflict_markers": "the file holds git's conflict markers",
    "unreadable": "the file cannot be read",
}
"""Codes of ``Invalid`` that come from here, in words for the person who keeps the files."""


_TELLING = frozenset({errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENOTDIR})
"""Errors that say something about a file or directory. Any other (a disk that fails, no descriptor left) says nothing: what
was known stays, and the next look tries again. Else a job would learn anew what it cannot see for a moment."""


@dataclass(frozen=True, slots=True)
class _Listing:
    """A category's directory as it was listed. ``settled``: any later change of its names shows in ``stamp``."""

    stamp: FileStamp
    settled: bool
    strangers: Sequence[str]


_NOTHING = _Listing(FileStamp(0, 0, 0, 0), False, ())


class Scan:
    """What was read last, by path. Used by one thread at a time.

    A directory is listed again when its own stamp changed, or when ``news`` cannot vouch for the files in it.
    """

    def __init__(self, directory: MemoryDirectory, catalog_max_tokens: int, redact: Callable[[str], str] = as_it_is) -> None:
        self._directory = directory
        self._redact = redact
        self._redacted = lru_cache(_REMEMBERED_SUMMARIES)(redact)
        self._catalog_max_tokens = catalog_max_tokens
        self._known: dict[str, tuple[FileStamp, Entry | Invalid]] = {}
        self._listings: dict[str, _Listing] = dict.fromkeys(CATEGORIES, _NOTHING)
        self._unsettled: set[str] = set()
        self._unsafe: list[Invalid] = []
        self._snapshot: Snapshot | None = None
        self._last_news: Mapping[str, int | None] = dict.fromkeys(CATEGORIES)
        self.news = News()
        self.foreign: tuple[str, ...] = ()
        """What lies in the tree and is neither a memory, nor a category, nor the catalog, nor hidden."""

    @property
    def last(self) -> Snapshot | None:
        """What the last refresh found."""
        return self._snapshot

    def refresh(self, *, names_only: bool = False) -> Snapshot:
        """The files as they are now; the same object as before when nothing changed.

        ``names_only`` leaves what may have been edited in place to the next look.
        """
        tree = self._directory.tree
        is_there = tree.follow()
        place = tree.memory_place
        news = {category: self.news.latest(place, category) for category in CATEGORIES}  # first: what comes later is for later
        unsafe: list[Invalid] = []
        foreign: list[str] = []
        changed = False
        if is_there:
            foreign += self._top_level_strangers()
        for category in CATEGORIES:
            quiet = names_only or (news[category] is not None and news[category] == self._last_news[category])
            try:
                differs = self._look(category, quiet) if is_there else self._forget(category)
            except FileNotFoundError:
                differs = self._forget(category)
            except (UnsafePath, OSError) as error:
                if isinstance(error, OSError) and error.errno not in _TELLING:
                    differs = self._not_now(category)
                else:
                    unsafe.append(Invalid(category, error.code if isinstance(error, UnsafePath) else "unreadable"))
                    differs = self._forget(category)
            foreign += self._listings[category].strangers
            changed = differs or changed
        self.foreign = tuple(foreign)
        self._last_news = self._last_news if names_only else news
        if self._snapshot is None or changed or unsafe != self._unsafe:
            self._unsafe = unsafe
            found = [*(item for _, item in self._known.values()), *unsafe]
            self._snapshot = take_snapshot(found, self._catalog_max_tokens, self._redacted)
        return self._snapshot

    def limit_catalog(self, max_tokens: int) -> None:
        """Render the catalog within another number of estimated tokens, and under the rules for secrets, from now on."""
        self._catalog_max_tokens = max_tokens
        self._redacted = lru_cache(_REMEMBERED_SUMMARIES)(self._redact)
        self._snapshot = None

    def read(self, path: str) -> bytes | None:
        """The bytes of a memory file (``<category>/<file>``); None when it does not exist.

        Raises:
            UnsafePath: it is not a regular file of ours with one name and at most 64 KiB.
        """
        category, _, name = path.partition("/")
        try:
            with self._directory.tree.pinned(f"memory/{category}") as directory_fd:
                return self._read_in(directory_fd, name)
        except FileNotFoundError:
            return None

    def _read_in(self, directory_fd: int, name: str) -> bytes | None:
        fd = open_regular(directory_fd, name)
        if fd is None:
            return None
        try:
            found = os.fstat(fd)
            if found.st_nlink > 1 and not self._is_being_committed(found.st_ino):
                raise UnsafePath("a memory file has a second name", code="hard_link")
            return read_at_most(fd, MAX_MEMORY_FILE_BYTES)
        finally:
            os.close(fd)

    def _look(self, category: str, quiet: bool) -> bool:
        """List the directory where it may hold other files than before and read what is new; whether anything is."""
        before = self._listings[category]
        with self._directory.tree.pinned(f"memory/{category}") as fd:
            stamp = _stamp(os.fstat(fd))
            if quiet and before.settled and stamp == before.stamp and not self._has_unsettled(category):
                return False
            files, strangers = _list(category, fd)
            changed = self._drop_gone(category, files)
            changed = self._read_changed(fd, files) or changed
        self._listings[category] = _Listing(stamp, not _is_recent(stamp), strangers)
        return changed

    def _not_now(self, category: str) -> bool:
        """The directory cannot be looked at now: what was known of it stays until it can."""
        self._listings[category] = replace(self._listings[category], settled=False)
        return False

    def _forget(self, category: str) -> bool:
        """There is no such directory, or none that may be read; whether anything was known of it."""
        self._listings[category] = _NOTHING
        return self._drop_gone(category, {})

    def _has_unsettled(self, category: str) -> bool:
        return any(path.startswith(f"{category}/") for path in self._unsettled)

    def _top_level_strangers(self) -> list[str]:
        expected = {"MEMORY.md", *CATEGORIES}
        try:
            names = self._directory.names("memory")
        except UnsafePath:
            return []
        return [printable(name) for name in names if name not in expected and not name.startswith(".")]

    def _drop_gone(self, category: str, found: Mapping[str, FileStamp]) -> bool:
        gone = [path for path in self._known if path not in found and path.startswith(f"{category}/")]
        for path in gone:
            del self._known[path]
            self._unsettled.discard(path)
        return bool(gone)

    def _read_changed(self, directory_fd: int, found: Mapping[str, FileStamp]) -> bool:
        changed = False
        for path, stamp in found.items():
            known = self._known.get(path)
            if known is not None and known[0] == stamp and path not in self._unsettled:
                continue
            item = self._read_item(directory_fd, path, stamp)
            if item is None:
                changed = self._known.pop(path, None) is not None or changed
                continue
            changed = changed or known is None or _content(known[1]) != _content(item)
            self._known[path] = (stamp, item)
        return changed

    def _read_item(self, directory_fd: int, path: str, stamp: FileStamp) -> Entry | Invalid | None:
        if _is_recent(stamp):
            self._unsettled.add(path)
        else:
            self._unsettled.discard(path)
        try:
            data = self._read_in(directory_fd, path.rpartition("/")[2])
        except UnsafePath as error:
            return Invalid(path, error.code)
        except OSError as error:
            if error.errno not in _TELLING:
                self._unsettled.add(path)
                if path in self._known:
                    return self._known[path][1]
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


def _list(category: str, fd: int) -> tuple[dict[str, FileStamp], list[str]]:
    stamps: dict[str, FileStamp] = {}
    strangers: list[str] = []
    with os.scandir(fd) as entries:
        for entry in entries:
            name = printable(entry.name)
            path = f"{category}/{name}"
            if name.startswith("."):
                continue
            if name != entry.name or not name.endswith(".md"):  # a name that is no UTF-8 can be nobody's path
                strangers.append(path)
                continue
            try:
                stamps[path] = _stamp(entry.stat(follow_symlinks=False))
            except FileNotFoundError:  # deleted since it was listed
                continue
    return stamps, sorted(strangers)


def _is_recent(stamp: FileStamp) -> bool:
    # File times come from the kernel's clock, so they are compared with it and not with the daemon's clock.
    return abs(time.time_ns() - stamp.ctime_ns) < SETTLED_NS


def _stamp(found: os.stat_result) -> FileStamp:
    return FileStamp(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def _content(item: Entry | Invalid) -> tuple[str, str]:
    return ("entry", item.sha256) if isinstance(item, Entry) else ("invalid", item.code)
