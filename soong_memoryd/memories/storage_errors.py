"""What the kernel's refusals mean to a caller.

Owns: the table errno → stable code, and which codes tell of a state that ends by itself. Must not know what was being written.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from types import MappingProxyType

from soong_memoryd.errors import DiskFault, MemorydError, StorageError

CODES: Mapping[int, tuple[str, str]] = MappingProxyType(
    {
        errno.ENOSPC: ("storage_full", "the disk is full"),
        errno.EDQUOT: ("storage_full", "the disk quota is used up"),
        errno.EROFS: ("read_only", "the file system is read-only"),
        errno.EACCES: ("read_only", "the memory directory may not be written"),
        errno.EPERM: ("read_only", "the memory directory may not be written"),
    }
)

PASSING = frozenset({"storage_full", "read_only", "busy"})
"""What a person or time mends while the process goes on. Anything else may be a disk that drops what it was given."""


def storage_error(error: OSError) -> StorageError:
    """The error of ours for one of the kernel's; its text never names a path."""
    number = error.errno or errno.EIO
    code, text = CODES.get(number, ("storage", f"the file system failed ({errno.errorcode.get(number, number)})"))
    return StorageError(text, code=code)


def passes_by_itself(error: MemorydError | OSError) -> bool:
    """Whether the same thing may be tried again in this process once the disk takes writes again."""
    if isinstance(error, DiskFault):
        return False
    return (storage_error(error) if isinstance(error, OSError) else error).code in PASSING
