"""A start that waits for its disk: what is full or read-only now need not be so in a minute.

Owns: which refusals a start waits for, how often it tries again, that it says so once a minute, and that nothing piles up
meanwhile. Must not know what is opened.
"""

from __future__ import annotations

import errno
import gc
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TypeVar

import anyio

from soong_memoryd.errors import MemorydError
from soong_memoryd.log import SAY_EVERY_SECONDS
from soong_memoryd.memories.storage_errors import PASSING, storage_error

T = TypeVar("T")
Say = Callable[[str], None]

RETRY_SECONDS = 2.0
PASSING_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})
"""Not EACCES: a home that belongs to somebody else is a mistake to be told, not a state to be waited for."""


def reason_to_wait(error: BaseException) -> str | None:
    """What a start waits for after this error, None when it shall end."""
    if isinstance(error, OSError):
        return storage_error(error).text if error.errno in PASSING_ERRNOS else None
    return error.text if isinstance(error, MemorydError) and error.code in PASSING else None


def when_disk_allows(work: Callable[[], T], say: Say) -> T:
    """Do ``work``, again and again while the disk is the reason why it fails; ``say`` is told once a minute.

    Raises:
        MemorydError | OSError: whatever ``work`` raises that waiting does not mend.
    """
    waiting = _Waiting(say)
    while True:
        try:
            return work()
        except (MemorydError, OSError) as error:
            waiting.note(error)
        time.sleep(RETRY_SECONDS)


async def opened(stack: AsyncExitStack, work: Callable[[AsyncExitStack], Awaitable[T]], say: Say) -> T:
    """The same for ``work`` that opens things one after the other and leaves their closing to the stack it is handed.

    What a failed attempt had opened is closed before the next one; what the last one opened is closed with ``stack``.

    Raises:
        MemorydError | OSError: as ``when_disk_allows``.
    """
    waiting = _Waiting(say)
    while True:
        try:
            async with AsyncExitStack() as attempt:
                result = await work(attempt)
                await stack.enter_async_context(attempt.pop_all())
                return result
        except (MemorydError, OSError) as error:
            waiting.note(error)
        await anyio.sleep(RETRY_SECONDS)


class _Waiting:
    def __init__(self, say: Say) -> None:
        self._say = say
        self._next = 0.0

    def note(self, error: MemorydError | OSError) -> None:
        reason = reason_to_wait(error)
        if reason is None:
            raise error
        gc.enable()  # a start is made without (cli/daemon.py); one that waits makes garbage again and again
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + SAY_EVERY_SECONDS
            self._say(reason)
