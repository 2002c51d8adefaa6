"""What Python's standard library does not offer of the kernel, by ctypes: atomic exchange, no-clobber rename, Landlock.

Owns: every foreign call of the daemon. Must not know what the files are.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

UNSUPPORTED = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP})
"""What a file system (or kernel) answers that cannot rename in the way that was asked for."""


@dataclass(frozen=True, slots=True)
class _RenameCall:
    symbol: str
    exchange: int
    noreplace: int


_RENAME_CALLS: Mapping[str, _RenameCall] = MappingProxyType(
    {
        "linux": _RenameCall("renameat2", exchange=2, noreplace=1),  # linux/fs.h RENAME_EXCHANGE, RENAME_NOREPLACE
        "darwin": _RenameCall("renameatx_np", exchange=2, noreplace=4),  # sys/stdio.h RENAME_SWAP, RENAME_EXCL
    }
)


def exchange(first_dir_fd: int, first: str, second_dir_fd: int, second: str) -> None:
    """Swap two directory entries in one step; both must exist.

    Raises:
        OSError: ``ENOENT`` when one is missing, a member of ``UNSUPPORTED`` where it cannot be done.
    """
    _rename(first_dir_fd, first, second_dir_fd, second, _call().exchange)


def rename_noreplace(source_dir_fd: int, source: str, target_dir_fd: int, target: str) -> None:
    """Rename unless the target exists.

    Raises:
        OSError: ``EEXIST`` when the target exists, a member of ``UNSUPPORTED`` where it cannot be done.
    """
    _rename(source_dir_fd, source, target_dir_fd, target, _call().noreplace)


def _call() -> _RenameCall:
    call = _RENAME_CALLS.get(sys.platform)
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    return call


@cache
def _function(symbol: str) -> Any:
    function = getattr(ctypes.CDLL(None, use_errno=True), symbol, None)
    if function is None:  # an old C library has no wrapper: the same as a kernel without the call
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    function.restype = ctypes.c_int
    return function


def _rename(source_dir_fd: int, source: str, target_dir_fd: int, target: str, flags: int) -> None:
    function = _function(_call().symbol)
    if function(source_dir_fd, os.fsencode(source), target_dir_fd, os.fsencode(target), flags) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


LANDLOCK_MIN_ABI = 2
"""Before it a confined process could not move a file from one directory to another, which is how a commit publishes."""

# linux/landlock.h: the rights that change a file system, as bits.
_WRITE_FILE, _REMOVE_DIR, _REMOVE_FILE, _MAKE_CHAR, _MAKE_DIR, _MAKE_REG = 1 << 1, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8
_MAKE_SOCK, _MAKE_FIFO, _MAKE_BLOCK, _MAKE_SYM, _REFER, _TRUNCATE = 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14
_DEVICES = _MAKE_CHAR | _MAKE_BLOCK
_CHANGES = (
    _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _MAKE_SOCK | _MAKE_FIFO | _MAKE_SYM | _REFER | _DEVICES
)
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # asm-generic/unistd.h: one number on all but Alpha
_CREATE_RULESET_VERSION, _RULE_PATH_BENEATH, _PR_SET_NO_NEW_PRIVS = 1, 1, 38
_TRUNCATE_ABI = 3


def landlock_abi() -> int:
    """The version of Landlock that the kernel offers to this process; 0 where there is none, or it may not be used."""
    if sys.platform != "linux":
        return 0
    try:
        return _syscall(_CREATE_RULESET, None, 0, _CREATE_RULESET_VERSION)
    except OSError:
        return 0


def confine_writes(directories: Iterable[Path], socket_directories: Iterable[Path] = ()) -> None:
    """From now on change nothing outside ``directories``; in ``socket_directories`` only bind sockets and remove files.

    Reading, the network and what is open already stay as they are. It holds for the calling thread and all that it starts,
    for good: call it while there is no other thread. A rule is about the directory that is there now, wherever it is
    renamed to, not about another one that takes its place. See the kernel's userspace-api/landlock.

    Raises:
        OSError: the kernel cannot (``landlock_abi`` is below ``LANDLOCK_MIN_ABI``), or a directory cannot be opened.
    """
    abi = landlock_abi()
    if abi < LANDLOCK_MIN_ABI:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    handled = _CHANGES | (_TRUNCATE if abi >= _TRUNCATE_ABI else 0)
    ruleset_fd = _syscall(_CREATE_RULESET, struct.pack("=Q", handled), struct.calcsize("=Q"), 0)
    try:
        for directory in directories:
            _allow(ruleset_fd, directory, handled & ~_DEVICES)
        for directory in socket_directories:
            _allow(ruleset_fd, directory, _MAKE_SOCK | _REMOVE_FILE)
        if _libc().prctl(_PR_SET_NO_NEW_PRIVS, *map(ctypes.c_ulong, (1, 0, 0, 0))) != 0:
            raise _last_error()
        _syscall(_RESTRICT_SELF, ruleset_fd, 0)
    finally:
        os.close(ruleset_fd)


def _allow(ruleset_fd: int, directory: Path, rights: int) -> None:
    directory_fd = os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _syscall(_ADD_RULE, ruleset_fd, _RULE_PATH_BENEATH, struct.pack("=Qi", rights, directory_fd), 0)
    finally:
        os.close(directory_fd)


def _syscall(number: int, *arguments: int | bytes | None) -> int:
    wide = (ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments)
    result: int = _libc().syscall(ctypes.c_long(number), *wide)
    if result < 0:
        raise _last_error()
    return result


@cache
def _libc() -> Any:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    return libc


def _last_error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
