"""One daemon a home: an ``flock`` that is held for life and never unlinked.

Owns: the lock file. Must not know the socket; whoever holds this lock may take the socket's path.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from soong_memoryd.errors import MemorydError


class AlreadyRunningError(MemorydError):
    """Raised when another daemon holds the home; ``pid`` is what it wrote into the lock, for people."""

    code = "already_running"


class HomeLock:
    """Holds the lock from ``take`` on; the kernel lets go when the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def take(self) -> None:
        """Take it now.

        Raises:
            AlreadyRunningError: another process holds it.
        """
        while True:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                holder = os.read(descriptor, 32).decode("ascii", "replace").strip() or "unknown"
                os.close(descriptor)
                raise AlreadyRunningError(
                    f"soong-memoryd is already running for this home (pid {holder})", hint="See: soong-memoryctl status"
                ) from None
            if same_file(self._path, os.fstat(descriptor)):
                break
            os.close(descriptor)  # somebody replaced the file between open and flock
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        self._descriptor = descriptor

    def release(self) -> None:
        """Let go (tests; a daemon simply ends)."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def keeps_others_out(self) -> bool:
        """Whether what we hold is still what another daemon would try to take: somebody may have removed the file."""
        return self._descriptor is not None and same_file(self._path, os.fstat(self._descriptor))


def same_file(path: Path, known: os.stat_result) -> bool:
    """Whether ``path`` still leads to the file that was looked at before."""
    try:
        there = os.stat(path, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return (there.st_dev, there.st_ino) == (known.st_dev, known.st_ino)
