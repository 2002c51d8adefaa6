"""What Python's standard library does not offer of the kernel, by ctypes: atomic exchange and no-clobber rename.

Owns: every foreign call of the daemon. Must not know what the files are.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
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
