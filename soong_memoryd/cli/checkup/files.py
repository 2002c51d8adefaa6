"""Checks of the home: the socket, the lock, and who may read and write what.

Owns: the modes that files should have. Must not know: what is in the files.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from soong_memoryd.cli.checkup.facts import Facts, Finding

# path below the home -> bits that must not be set
FORBIDDEN_BITS = {
    ".": 0o022,
    "memoryd.toml": 0o077,
    "memory": 0o022,
    "memory/MEMORY.md": 0o022,
    "memoryd": 0o077,
    "memoryd/state.db": 0o077,
    "memoryd/env": 0o077,
    "memoryd/outbox": 0o077,
    "memoryd/history": 0o077,
}


def socket(facts: Facts) -> Iterator[Finding]:
    """The socket is one, and only its owner may use it."""
    try:
        found = facts.socket.lstat()
    except FileNotFoundError:
        if facts.status is not None:
            yield Finding("socket", "fail", "the daemon's socket is gone", "soong-memoryctl service start")
        return
    except OSError as error:
        yield Finding("socket", "fail", f"{facts.socket}: {error.strerror}", f"ls -ld {facts.socket.parent}")
        return
    if not stat.S_ISSOCK(found.st_mode):
        yield Finding("socket", "fail", "there is something at the socket's path that is not a socket", f"ls -l {facts.socket}")
    elif found.st_uid != os.geteuid() or found.st_mode & 0o077:
        yield Finding("socket", "fail", f"others may use it: {_mode(found)}", f"chmod 600 {facts.socket}")
    elif facts.status is None:
        yield Finding("socket", "note", "it is there, but nobody listens", "soong-memoryctl service start")
    else:
        yield Finding("socket", "ok", f"{facts.socket} {_mode(found)}")


def lock(facts: Facts) -> Iterator[Finding]:
    """Whoever holds the home is whoever answers. Asked of /proc/locks: taking the lock to try would disturb a start."""
    path = facts.state_dir / "lock"
    try:
        inode = path.stat().st_ino
        written = path.read_text(encoding="ascii", errors="replace").strip()
        held = any(f":{inode} " in line for line in (facts.proc / "locks").read_text(encoding="ascii").splitlines())
    except OSError:
        return
    if facts.status is None and held:
        yield Finding("lock", "fail", f"process {written} holds the home, but does not answer", f"kill {written}")
    elif facts.status is not None and written != str(facts.status["pid"]):
        yield Finding("lock", "fail", f"the lock names process {written}, process {facts.status['pid']} answers", _KILL_STEP)
    elif facts.status is not None:
        yield Finding("lock", "ok", f"held by process {written}")


def permissions(facts: Facts) -> Iterator[Finding]:
    """Nobody else reads or writes what is the user's."""
    if not facts.home.exists():
        return
    wrong = list(_open_to_others(facts.home))
    yield from wrong
    if not wrong:
        yield Finding("permissions", "ok", f"{facts.home} is yours alone to write")


def _open_to_others(home: Path) -> Iterator[Finding]:
    for name, bits in FORBIDDEN_BITS.items():
        path = home / name
        try:
            found = path.stat()
        except OSError:
            continue
        if found.st_uid != os.geteuid():
            yield Finding("permissions", "fail", f"{path} belongs to user {found.st_uid}", f"ls -ld {path}")
        elif found.st_mode & bits:
            minus = f"go-{'rwx' if bits == 0o077 else 'w'}"
            yield Finding("permissions", "fail", f"others may use {path}: {_mode(found)}", f"chmod {minus} {path}")


def _mode(found: os.stat_result) -> str:
    return f"{stat.S_IMODE(found.st_mode):04o}"


_KILL_STEP = "soong-memoryctl stop, then start it again"
