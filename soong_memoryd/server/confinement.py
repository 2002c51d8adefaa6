"""What the process may still change once it serves: its own directories, by a rule of the kernel.

Owns: which directories these are, and noticing that ``memory/`` is none of them any more. Must not know how a kernel does
it (``kernel.py``), or what is written. The checks of ``memories`` do not rely on it: it stands behind them.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from soong_memoryd import kernel
from soong_memoryd.home import Home

OWN_MODE = 0o700
Inode = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Confinement:
    """The rule that is in force; ``problem`` says why there is none (an errno's name, or ``unsupported``)."""

    directories: frozenset[Inode] = frozenset()
    problem: str | None = None

    def covers(self, directory: Path) -> bool:
        """Whether a directory may be written to, or is not there. The kernel's rule stays with what it was given: another
        directory in the same place is not covered."""
        if self.problem is not None:
            return True
        try:
            return not self.directories.isdisjoint(_and_above(directory))
        except FileNotFoundError:
            return True


def confine(home: Home, *, is_supervised: bool) -> Confinement:
    """Let this process and its threads-to-be change files below ``memory/`` and ``memoryd/`` only, links resolved; where the
    socket lies elsewhere, it may be bound there. Makes these directories. Call it before any thread is started.

    Without a supervisor that would start the daemon again, all of the home stays writable: there ``memory/`` may be removed
    and made anew while the daemon runs (git, a backup), which the narrow rule would not cover.

    Raises:
        OSError: one of the directories cannot be made.
    """
    for directory in (home.memory_dir, home.state_dir, home.socket.parent):
        os.makedirs(os.path.realpath(directory), mode=OWN_MODE, exist_ok=True)
    if kernel.landlock_abi() < kernel.LANDLOCK_MIN_ABI:
        return Confinement(problem="unsupported")
    own = [home.memory_dir, home.state_dir, *([] if is_supervised else [home.root])]
    try:
        kernel.confine_writes(own, [home.socket.parent])
    except OSError as error:
        return Confinement(problem=errno.errorcode.get(error.errno or 0, "unknown"))
    return Confinement(frozenset(map(_inode, own)))


def _and_above(directory: Path) -> Iterator[Inode]:
    real = Path(os.path.realpath(directory))
    yield from map(_inode, (real, *real.parents))


def _inode(directory: Path) -> Inode:
    found = directory.stat()
    return found.st_dev, found.st_ino
