"""What the kernel's refusals mean to a caller.

Owns: the table errno → stable code. Must not know what was being written.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from types import MappingProxyType

from soong_memoryd.errors import StorageError

CODES: Mapping[int, tuple[str, str]] = MappingProxyType(
    {
        errno.ENOSPC: ("storage_full", "the disk is full"),
        errno.EDQUOT: ("storage_full", "the disk quota is used up"),
        errno.EROFS: ("read_only", "the file system is read-only"),
        errno.EACCES: ("read_only", "the memory directory may not be written"),
        errno.EPERM: ("read_only", "the memory directory may not be written"),
    }
)


def storage_error(error: OSError) -> StorageError:
    """The error of ours for one of the kernel's; its text never names a path."""
    number = error.errno or errno.EIO
    code, text = CODES.get(number, ("storage", f"the file system failed ({errno.errorcode.get(number, number)})"))
    return StorageError(text, code=code)
