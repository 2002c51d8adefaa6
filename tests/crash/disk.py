"""A disk in memory that loses, reorders and tears writes: the worst that a real one may do.

After a power cut any subset of the name changes that were not synced may be lost, each whole or not at all; the bytes of a
file that was not synced may be there, missing or half there. A failed sync makes nothing durable, and the bytes of a file whose
sync failed never are, although the next sync says yes: kernels mark such pages clean. Every operation can crash
the process, fail with an errno (before or after it took effect), and be preceded by an editor's write.
"""

from __future__ import annotations

import errno
import random
from collections.abc import Callable, Iterator, Sequence

from tests.crash.trace import Trace

CATEGORIES = ("user", "feedback", "reference")
Entry = tuple[str, str, int | None]  # directory, name, inode or None when the name goes


class ModelFiles:
    """The disk."""

    can_exchange = True

    def __init__(self) -> None:
        self.trace = Trace()
        self.data: dict[int, bytes] = {}
        self.dirs: dict[str, dict[str, int]] = {}
        self.durable_data: dict[int, bytes] = {}
        self.durable_dirs: dict[str, dict[str, int]] = {}  # also what is in directories whose own names are not durable yet
        self.durable_made: set[str] = set()
        self.pending: list[tuple[str, tuple[Entry, ...]]] = []
        self.unsynced: set[int] = set()
        self.dropped: set[int] = set()
        self.next_inode = 1

    # what the explorer looks at, without counting
    def peek(self, path: str) -> bytes | None:
        inode = self._inode(path)
        return None if inode is None else self.data[inode]

    def inode(self, path: str) -> int | None:
        return self._inode(path)

    def listing(self, directory: str) -> list[str]:
        prefix = directory + "/"
        children = [name[len(prefix) :] for name in self.dirs if name.startswith(prefix) and "/" not in name[len(prefix) :]]
        return sorted([*self.dirs.get(directory, ()), *children])

    # the port
    def names(self, directory: str) -> list[str]:
        self.trace.enter(changes=False)
        return self.listing(directory)

    def read(self, path: str) -> bytes | None:
        self.trace.enter(changes=False)
        return self.peek(path)

    def mode(self, path: str) -> int:
        self.trace.enter(changes=False)
        self._need(path)
        return 0o600

    def make_dir(self, directory: str) -> None:
        def apply() -> None:
            if directory not in self.dirs:
                self.dirs[directory] = {}
                self.pending.append(("mkdir", ((directory, "", None),)))

        self._change(apply)

    def remove_dir(self, directory: str) -> None:
        def apply() -> None:
            if self.listing(directory):
                raise OSError(errno.ENOTEMPTY, directory)
            if self.dirs.pop(directory, None) is None:
                raise FileNotFoundError(errno.ENOENT, directory)
            self.pending.append(("rmdir", ((directory, "", None),)))

        self._change(apply)

    def write_new(self, path: str, data: bytes, mode: int) -> None:
        def apply() -> None:
            self._need_absent(path)
            inode = self._new_inode(data)
            self.unsynced.add(inode)
            self._rename((*_split(path), inode))

        self._change(apply)

    def protect(self, path: str) -> None:
        self._change(lambda: self._need(path))

    def sync_file(self, path: str) -> None:
        def apply() -> None:
            inode = self._need(path)
            if inode not in self.dropped:
                self.durable_data[inode] = self.data[inode]
                self.unsynced.discard(inode)

        try:
            self._change(apply, sync=True)
        except OSError:
            self.dropped.add(self._need(path))
            raise

    def sync_dir(self, directory: str) -> None:
        def apply() -> None:
            if directory not in self.dirs:
                raise FileNotFoundError(errno.ENOENT, directory)
            self._make_durable(directory)

        self._change(apply, sync=True)

    def link(self, source: str, target: str) -> None:
        def apply() -> None:
            inode = self._need(source)
            self._need_absent(target)
            self._rename((*_split(target), inode))

        self._change(apply)

    def unlink(self, path: str) -> None:
        def apply() -> None:
            self._need(path)
            self._rename((*_split(path), None))

        self._change(apply)

    def exchange(self, first: str, second: str) -> None:
        def apply() -> None:
            one, two = self._need(first), self._need(second)
            self._rename((*_split(first), two), (*_split(second), one))

        self._change(apply)

    def replace(self, source: str, target: str) -> None:
        def apply() -> None:
            self._rename((*_split(target), self._need(source)), (*_split(source), None))

        self._change(apply)

    def rename_noreplace(self, source: str, target: str) -> None:
        def apply() -> None:
            inode = self._need(source)
            self._need_absent(target)
            self._rename((*_split(target), inode), (*_split(source), None))

        self._change(apply)

    def sync_in_progress(self) -> bool:
        self.trace.enter(changes=False)
        return False

    # other people's programs
    def edit(self, path: str, data: bytes | None, *, in_place: bool) -> None:
        """An editor writes a path: into the file, by a new file renamed over it, or deletes it. Durable at once."""
        inode = self._inode(path)
        directory, name = _split(path)
        if data is None:
            if inode is not None:
                self._rename((directory, name, None))
        elif in_place and inode is not None:
            self.write_inode(inode, data)
            return
        elif directory in self.dirs:
            inode = self._new_inode(data)
            self.durable_data[inode] = data
            self._rename((directory, name, inode))
        self._make_durable(directory)
        self._make_durable(_split(directory)[0])

    def write_inode(self, inode: int, data: bytes) -> None:
        """An editor writes through a descriptor that it opened long ago."""
        self.data[inode] = data
        self.durable_data[inode] = data

    # what is left after a crash
    def killed(self) -> ModelFiles:
        """The process is gone, the kernel is not."""
        copy = type(self)()
        copy.next_inode = self.next_inode
        copy.data, copy.durable_data = dict(self.data), dict(self.durable_data)
        copy.dirs = {name: dict(entries) for name, entries in self.dirs.items()}
        copy.durable_dirs = {name: dict(entries) for name, entries in self.durable_dirs.items()}
        copy.durable_made = set(self.durable_made)
        copy.pending, copy.unsynced, copy.dropped = list(self.pending), set(self.unsynced), set(self.dropped)
        return copy

    def power_cuts(self, limit: int, rng: random.Random) -> Iterator[ModelFiles]:
        """The disks that a power cut may leave: all of them, or ``limit`` of them and the most telling ones."""
        count = len(self.pending)
        if 2**count <= limit:
            masks = list(range(2**count))
        else:
            prefixes = {2**k - 1 for k in range(count + 1)}
            masks = sorted(prefixes | {rng.randrange(2**count) for _ in range(limit)})
        tears: Sequence[Callable[[bytes], bytes]] = (_whole, _empty, _torn) if self.unsynced else (_whole,)
        for mask in masks:
            dirs = {name: dict(entries) for name, entries in self.durable_dirs.items()}
            made = set(self.durable_made)
            for k, (kind, entries) in enumerate(self.pending):
                if mask >> k & 1:
                    _apply(dirs, made, kind, entries)
            for tear in tears:
                disk = type(self)()
                disk.next_inode = self.next_inode
                disk.dirs = {name: dict(entries) for name, entries in dirs.items() if name in made}
                disk.data = {
                    inode: tear(data) if inode in self.unsynced else self.durable_data.get(inode, data)
                    for inode, data in self.data.items()
                }
                disk.settle()
                yield disk

    def settle(self) -> None:
        """Everything is on the disk."""
        self.durable_data = dict(self.data)
        self.durable_dirs = {name: dict(entries) for name, entries in self.dirs.items()}
        self.durable_made = set(self.dirs)
        self.pending, self.unsynced = [], set()

    def _make_durable(self, directory: str) -> None:
        kept = []
        for kind, entries in self.pending:
            if any(_touches(kind, entry, directory) for entry in entries):
                _apply(self.durable_dirs, self.durable_made, kind, entries)
            else:
                kept.append((kind, entries))
        self.pending = kept

    def _change(self, apply: Callable[[], object], *, sync: bool = False) -> None:
        late = self.trace.enter(changes=True)
        if late and sync:  # a sync that failed has promised nothing
            self.trace.fail_late()
        apply()
        if late:
            self.trace.fail_late()

    def _rename(self, *entries: Entry) -> None:
        for directory, _, _ in entries:
            if directory not in self.dirs:
                raise FileNotFoundError(errno.ENOENT, directory)
        self.pending.append(("entries", entries))
        _apply(self.dirs, set(), "entries", entries)

    def _new_inode(self, data: bytes) -> int:
        self.next_inode += 1
        self.data[self.next_inode] = data
        return self.next_inode

    def _inode(self, path: str) -> int | None:
        directory, name = _split(path)
        return self.dirs.get(directory, {}).get(name)

    def _need(self, path: str) -> int:
        inode = self._inode(path)
        if inode is None:
            raise FileNotFoundError(errno.ENOENT, path)
        return inode

    def _need_absent(self, path: str) -> None:
        if self._inode(path) is not None:
            raise FileExistsError(errno.EEXIST, path)
        if _split(path)[0] not in self.dirs:
            raise FileNotFoundError(errno.ENOENT, path)


def _split(path: str) -> tuple[str, str]:
    directory, _, name = path.rpartition("/")
    return directory, name


def _touches(kind: str, entry: Entry, directory: str) -> bool:
    """A directory's own name is durable with its parent, as POSIX has it, not with itself."""
    return directory == (entry[0] if kind == "entries" else _split(entry[0])[0])


def _apply(dirs: dict[str, dict[str, int]], made: set[str], kind: str, entries: tuple[Entry, ...]) -> None:
    for directory, name, inode in entries:
        if kind == "mkdir":
            made.add(directory)
            dirs.setdefault(directory, {})
        elif kind == "rmdir":
            made.discard(directory)
            dirs.pop(directory, None)
        elif inode is None:
            dirs.setdefault(directory, {}).pop(name, None)
        else:
            dirs.setdefault(directory, {})[name] = inode


def _whole(data: bytes) -> bytes:
    return data


def _empty(data: bytes) -> bytes:
    return data[:0]


def _torn(data: bytes) -> bytes:
    return data[: len(data) // 2]
