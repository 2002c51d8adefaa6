"""Private files that several processes append to and rewrite, each access under ``flock``.

Owns: opening, locking, reading and writing them. Must not know: what is in them.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_POLL_SECONDS = 0.005


@contextmanager
def locked(path: Path) -> Iterator[int]:
    """A descriptor of ``path`` (made if absent), locked, and still the file that the path names: rewriting replaces it."""
    while True:
        fd = open_private(path)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            if _still_named(fd, path):
                yield fd
                return
        finally:
            os.close(fd)


def take(fd: int, wait_seconds: float) -> bool:
    """Lock ``fd`` for this process within ``wait_seconds``; False when someone else keeps it."""
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_SECONDS)
        else:
            return True


def open_private(path: Path) -> int:
    """Open for reading and appending, 0600 if made, never through a symbolic link."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)


def make_private(directory: Path) -> None:
    """Make ``directory`` and its missing parents, for this user alone."""
    for missing in reversed([path for path in (directory, *directory.parents) if not path.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)


def write_all(fd: int, data: bytes) -> None:
    """Write all of ``data`` where the descriptor stands."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def read_all(fd: int) -> bytes:
    """Everything in the file, wherever the descriptor stands."""
    chunks: list[bytes] = []
    offset = 0
    while chunk := os.pread(fd, 1 << 20, offset):
        chunks.append(chunk)
        offset += len(chunk)
    return b"".join(chunks)


def read_unlocked(path: Path) -> bytes:
    """The file's bytes at this moment; none when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def replace_content(path: Path, fd: int, data: bytes) -> None:
    """Give the locked file ``fd`` at ``path`` other content: whole or not at all, also over a power cut."""
    if not data:  # needs no room, so it works on a full disk too
        os.ftruncate(fd, 0)
        os.fsync(fd)
        return
    temporary = path.with_suffix(".rewrite")
    temporary.unlink(missing_ok=True)
    new = open_private(temporary)
    try:
        write_all(new, data)
        os.fsync(new)
    finally:
        os.close(new)
    os.replace(temporary, path)
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _still_named(fd: int, path: Path) -> bool:
    mine = os.fstat(fd)
    try:
        there = os.stat(path, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino)
