"""Directories held open, so that no path is ever resolved twice: one component at a time, links never followed.

Owns: opening directories and files below a pinned root, and what makes them safe. Must not know what is in them.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from soong_memoryd.errors import UnsafePath

DIRECTORY_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # without O_NONBLOCK a FIFO would hang the daemon
GROUP_OR_WORLD_WRITE = 0o022
READ_CHUNK_BYTES = 1 << 20


class PinnedDirectory:
    """A root directory: a link in its own path is resolved once, then the directory itself is held."""

    def __init__(self, path: Path) -> None:
        self.path = Path(os.path.realpath(path))
        self._named = path
        self.fd = os.open(self.path, DIRECTORY_FLAGS)

    def is_current(self) -> bool:
        """Whether the path still leads to the directory that is held."""
        try:
            found = os.stat(self._named)
        except OSError:
            return False
        held = os.fstat(self.fd)
        return (found.st_dev, found.st_ino) == (held.st_dev, held.st_ino)

    def reopen(self) -> None:
        """Hold what the path leads to now.

        Raises:
            OSError: nothing is there, or it is no directory.
        """
        path = Path(os.path.realpath(self._named))
        fd = os.open(path, DIRECTORY_FLAGS)
        os.close(self.fd)  # only now: a failure keeps what was held
        self.path, self.fd = path, fd

    def remake(self, mode: int) -> None:
        """Make the directory where the path leads, and hold it.

        Raises:
            OSError: it cannot be made.
        """
        os.makedirs(os.path.realpath(self._named), mode=mode, exist_ok=True)
        self.reopen()

    def close(self) -> None:
        """Let go of it."""
        os.close(self.fd)


def open_directory(parent_fd: int, name: str) -> int:
    """Open one directory component and check that it is ours; the caller closes it.

    Raises:
        UnsafePath: a link, not a directory, another owner's, writable by others, on another file system.
        FileNotFoundError: it does not exist.
    """
    try:
        fd = os.open(name, DIRECTORY_FLAGS, dir_fd=parent_fd)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise UnsafePath("a directory of the memory tree is a link or not a directory", code="unsafe_directory") from None
        raise
    try:
        check_directory(fd)
        _check_file_system(fd, parent_fd)
    except BaseException:
        os.close(fd)
        raise
    return fd


def check_directory(fd: int) -> None:
    """Refuse a directory that others own or may write to."""
    found = os.fstat(fd)
    if found.st_uid != os.geteuid():
        raise UnsafePath("a directory of the memory tree belongs to another user", code="unsafe_directory")
    if found.st_mode & GROUP_OR_WORLD_WRITE:
        raise UnsafePath("a directory of the memory tree is writable by others", code="unsafe_directory")


def open_regular(parent_fd: int, name: str) -> int | None:
    """Open a regular file of ours for reading; None when there is none. The caller closes it.

    Raises:
        UnsafePath: a link, a directory, a device, another owner's.
    """
    try:
        fd = os.open(name, READ_FLAGS, dir_fd=parent_fd)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK):
            raise UnsafePath("a memory file is a symbolic link", code="unsafe_file") from None
        if error.errno in (errno.ENXIO, errno.ENODEV):
            raise UnsafePath("a memory file is not a regular file", code="unsafe_file") from None
        raise
    try:
        _check_regular(fd)
    except BaseException:
        os.close(fd)
        raise
    return fd


def read_at_most(fd: int, max_bytes: int) -> bytes:
    """The whole of an open file.

    Raises:
        UnsafePath: it is longer than ``max_bytes``.
    """
    chunks: list[bytes] = []
    total = 0
    while chunk := os.read(fd, min(READ_CHUNK_BYTES, max_bytes + 1 - total)):
        chunks.append(chunk)
        total += len(chunk)
        if total > max_bytes:
            raise UnsafePath("a file is larger than it may be", code="unsafe_file")
    return b"".join(chunks)


def _check_file_system(fd: int, parent_fd: int) -> None:
    if os.fstat(fd).st_dev != os.fstat(parent_fd).st_dev:
        raise UnsafePath("a directory of the memory tree is on another file system", code="unsafe_directory")


def _check_regular(fd: int) -> None:
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode):
        raise UnsafePath("a memory file is not a regular file", code="unsafe_file")
    if found.st_uid != os.geteuid():
        raise UnsafePath("a memory file belongs to another user", code="unsafe_file")
