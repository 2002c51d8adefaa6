"""Every change to files below ``memory/`` and in the working areas: the real ``FilePort``.

Owns: the operations of a commit on a real disk. Must not know what the bytes mean or in which order a commit writes.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from soong_memoryd import kernel
from soong_memoryd.memories.pinned import read_at_most
from soong_memoryd.memories.tree import DIRECTORY_MODE, WORK_AREAS, PinnedTree

MAX_MEMORY_FILE_BYTES = 64 * 1024
MAX_OTHER_FILE_BYTES = 8 * 1024 * 1024
FILE_MODE = 0o600
NEW_FILE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
PROBES = ("staging/probe-1", "staging/probe-2")


class MemoryDirectory:
    """``FilePort`` on disk. Open with ``MemoryDirectory.at``; used by one thread at a time."""

    def __init__(self, tree: PinnedTree, *, can_exchange: bool | None = None) -> None:
        self.tree = tree
        for area in WORK_AREAS:
            self.make_dir(area)
        self._can_exchange = self._probe_exchange() if can_exchange is None else can_exchange

    @classmethod
    def at(cls, memory_dir: Path, state_dir: Path) -> MemoryDirectory:
        """Pin both directories, make what is missing, and find out what the file system can do.

        Raises:
            ConfigError: the two are on different file systems.
            OSError: one of them cannot be made or opened.
        """
        return cls(PinnedTree.at(memory_dir, state_dir))

    def probe(self) -> None:
        """Find out whether files can be written.

        Raises:
            OSError: they cannot.
        """
        self._remove_probes()
        self.write_new(PROBES[0], b"", FILE_MODE)
        self.unlink(PROBES[0])

    @property
    def can_exchange(self) -> bool:
        """See ``FilePort``."""
        return self._can_exchange

    def names(self, directory: str) -> list[str]:
        """See ``FilePort``."""
        try:
            with self.tree.pinned(directory) as fd:
                return sorted(os.listdir(fd))
        except FileNotFoundError:
            return []

    def read(self, path: str) -> bytes | None:
        """See ``FilePort``."""
        is_memory = path.startswith("memory/") and path.count("/") == 2
        try:
            with self.tree.regular(path) as fd:
                return read_at_most(fd, MAX_MEMORY_FILE_BYTES if is_memory else MAX_OTHER_FILE_BYTES)
        except FileNotFoundError:
            return None

    def mode(self, path: str) -> int:
        """See ``FilePort``."""
        with self.tree.parent(path) as (parent_fd, name):
            return os.stat(name, dir_fd=parent_fd, follow_symlinks=False).st_mode & 0o777

    def make_dir(self, directory: str) -> None:
        """See ``FilePort``."""
        with self.tree.parent(directory) as (parent_fd, name):
            try:
                os.mkdir(name, DIRECTORY_MODE, dir_fd=parent_fd)
            except FileExistsError:
                return

    def remove_dir(self, directory: str) -> None:
        """See ``FilePort``."""
        with self.tree.parent(directory) as (parent_fd, name):
            os.rmdir(name, dir_fd=parent_fd)

    def write_new(self, path: str, data: bytes, mode: int) -> None:
        """See ``FilePort``."""
        with self.tree.parent(path) as (parent_fd, name):
            fd = os.open(name, NEW_FILE_FLAGS, FILE_MODE, dir_fd=parent_fd)
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(fd, rest) :]
            os.fchmod(fd, mode)
        finally:
            os.close(fd)

    def protect(self, path: str) -> None:
        """See ``FilePort``."""
        with self.tree.regular(path) as fd:
            os.fchmod(fd, FILE_MODE)

    def sync_file(self, path: str) -> None:
        """See ``FilePort``."""
        with self.tree.regular(path) as fd:
            os.fsync(fd)

    def sync_dir(self, directory: str) -> None:
        """See ``FilePort``."""
        with self.tree.pinned(directory) as fd:
            os.fsync(fd)

    def link(self, source: str, target: str) -> None:
        """See ``FilePort``."""
        with self.tree.parent(source) as (source_fd, source_name), self.tree.parent(target) as (target_fd, target_name):
            os.link(source_name, target_name, src_dir_fd=source_fd, dst_dir_fd=target_fd, follow_symlinks=False)

    def unlink(self, path: str) -> None:
        """See ``FilePort``."""
        with self.tree.parent(path) as (parent_fd, name):
            os.unlink(name, dir_fd=parent_fd)

    def exchange(self, first: str, second: str) -> None:
        """See ``FilePort``."""
        with self.tree.parent(first) as (first_fd, first_name), self.tree.parent(second) as (second_fd, second_name):
            kernel.exchange(first_fd, first_name, second_fd, second_name)

    def replace(self, source: str, target: str) -> None:
        """See ``FilePort``."""
        with self.tree.parent(source) as (source_fd, source_name), self.tree.parent(target) as (target_fd, target_name):
            os.replace(source_name, target_name, src_dir_fd=source_fd, dst_dir_fd=target_fd)

    def rename_noreplace(self, source: str, target: str) -> None:
        """See ``FilePort``. Where the file system cannot, a link and an unlink: both names exist for a moment."""
        with self.tree.parent(source) as (source_fd, source_name), self.tree.parent(target) as (target_fd, target_name):
            try:
                kernel.rename_noreplace(source_fd, source_name, target_fd, target_name)
            except OSError as error:
                if error.errno not in kernel.UNSUPPORTED:
                    raise
                os.link(source_name, target_name, src_dir_fd=source_fd, dst_dir_fd=target_fd, follow_symlinks=False)
                os.unlink(source_name, dir_fd=source_fd)

    def sync_in_progress(self) -> bool:
        """See ``FilePort``."""
        return self.tree.git_at_work()

    def _probe_exchange(self) -> bool:
        try:
            self._remove_probes()
            for path in PROBES:
                self.write_new(path, b"", FILE_MODE)
            self.exchange(*PROBES)
        except OSError as error:  # a read-only file system does not answer the question, and need not
            return error.errno not in kernel.UNSUPPORTED
        finally:
            with contextlib.suppress(OSError):
                self._remove_probes()
        return True

    def _remove_probes(self) -> None:
        present = self.names("staging")
        for path in PROBES:
            if path.rpartition("/")[2] in present:
                self.unlink(path)
