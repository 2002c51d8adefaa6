"""The two directory trees that the daemon touches, ``memory/`` and the working areas of ``memoryd/``, held by descriptors.

Owns: what a path may look like, and the checked way from a path to a descriptor. Must not know what is done with it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from soong_memoryd.errors import ConfigError, UnsafePath
from soong_memoryd.memories import gitstate
from soong_memoryd.memories.pinned import (
    DIRECTORY_FLAGS,
    PinnedDirectory,
    check_directory,
    open_directory,
    open_regular,
)

WORK_AREAS = ("staging", "conflicts", "history", "edits")
DIRECTORY_MODE = 0o700


class PinnedTree:
    """Both roots. Open with ``PinnedTree.at``; used by one thread at a time.

    A path is ``<area>``, ``<area>/<name>`` or ``<area>/<directory>/<name>``; the areas are ``memory`` and ``WORK_AREAS``.
    """

    def __init__(self, memory: PinnedDirectory, work: PinnedDirectory) -> None:
        self._memory = memory
        self._work = work

    @classmethod
    def at(cls, memory_dir: Path, state_dir: Path) -> PinnedTree:
        """Pin both directories, making what is missing (0700).

        Raises:
            ConfigError: the two are on different file systems.
            OSError: one of them cannot be made or opened.
        """
        for directory in (memory_dir, state_dir):
            if not directory.exists():
                os.makedirs(os.path.realpath(directory), mode=DIRECTORY_MODE)
        tree = cls(PinnedDirectory(memory_dir), PinnedDirectory(state_dir))
        if os.fstat(tree._memory.fd).st_dev != os.fstat(tree._work.fd).st_dev:
            tree.close()
            raise ConfigError(
                "memory/ and memoryd/ are on different file systems; a commit needs both on one",
                hint="Move SOONG_AGENT_HOME, or let memory/ point to a directory on the same file system.",
            )
        return tree

    def close(self) -> None:
        """Let go of both."""
        self._memory.close()
        self._work.close()

    @property
    def memory_place(self) -> tuple[Path, int]:
        """Where the memory directory really is, links resolved, and the inode that is held: another pair once it was
        replaced.
        """
        return self._memory.path, os.fstat(self._memory.fd).st_ino

    def follow(self) -> bool:
        """Hold on to what the memory path leads to now; False when nothing is there."""
        if self._memory.is_current():
            return True
        try:
            self._memory.reopen()
        except OSError:
            return False
        return True

    def restore_root(self) -> None:
        """Make the memory directory again after it was removed, and hold on to it.

        Raises:
            OSError: it cannot be made.
        """
        self._memory.remake(DIRECTORY_MODE)

    def git_at_work(self) -> bool:
        """Whether git is at work in the memory directory, or in a repository that holds it."""
        return gitstate.at_work(self._memory.path) or gitstate.at_work(self._memory.path.parent)

    def directory_mode(self, category: str) -> int | None:
        """The permission bits of a category's directory (of the memory directory itself for ``""``); None without one."""
        try:
            fd = os.open(category or ".", DIRECTORY_FLAGS, dir_fd=self._memory.fd)
        except OSError:
            return None
        try:
            return os.fstat(fd).st_mode & 0o777
        finally:
            os.close(fd)

    def protect_directory(self, category: str) -> None:
        """Set the mode of a category's directory (of the memory directory itself for ``""``) to 0700."""
        fd = os.open(category or ".", DIRECTORY_FLAGS, dir_fd=self._memory.fd)
        try:
            os.fchmod(fd, DIRECTORY_MODE)
        finally:
            os.close(fd)

    @contextmanager
    def pinned(self, directory: str) -> Iterator[int]:
        """A descriptor of a directory of the tree, checked; closed on leaving.

        Raises:
            UnsafePath: a component is not ours. FileNotFoundError: it does not exist.
        """
        area, *components = directory.split("/")
        if not _is_plain(directory) or len(components) > 1 or area not in ("memory", *WORK_AREAS):
            raise UnsafePath("a path outside the memory directory")
        if area == "memory":
            check_directory(self._memory.fd)
            fd = os.dup(self._memory.fd)
        else:
            fd = open_directory(self._work.fd, area)
        try:
            for component in components:
                child = open_directory(fd, component)
                os.close(fd)
                fd = child
            yield fd
        finally:
            os.close(fd)

    @contextmanager
    def parent(self, path: str) -> Iterator[tuple[int, str]]:
        """A descriptor of the directory that a path is in, and the last component."""
        directory, _, name = path.rpartition("/")
        if not _is_plain(path) or not (directory or path in WORK_AREAS):
            raise UnsafePath("a path outside the memory directory")
        if not directory:
            yield self._work.fd, name
            return
        with self.pinned(directory) as fd:
            yield fd, name

    @contextmanager
    def regular(self, path: str) -> Iterator[int]:
        """A descriptor of a regular file of ours, for reading.

        Raises:
            UnsafePath: it is something else. FileNotFoundError: it does not exist.
        """
        with self.parent(path) as (parent_fd, name):
            fd = open_regular(parent_fd, name)
        if fd is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        try:
            yield fd
        finally:
            os.close(fd)


def _is_plain(path: str) -> bool:
    return all(component not in ("", ".", "..") and "\0" not in component for component in path.split("/"))
