"""Notices that other programs changed the memory files: by the kernel's notifications, and by looking now and then.

Owns: when to look. Must not know what is looked at.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import watchfiles

from soong_memoryd.errors import MemorydError

DEBOUNCE_MS = 100
LOOK_EVERY_SECONDS = 5.0
Look = Callable[[], Awaitable[None]]


async def watch(place: Callable[[], tuple[Path, int]], look: Look, *, look_every_seconds: float = LOOK_EVERY_SECONDS) -> None:
    """Call ``look`` after every change below the directory and every ``look_every_seconds``, until cancelled.

    ``place`` is the directory's path and inode; another answer than before means that it was replaced. Where notifications
    do not work (no such directory, no inotify watches left, a network share) only the second holds.
    """
    while True:
        try:
            await _follow(place, look, look_every_seconds)
        except (OSError, RuntimeError):  # watchfiles raises both, for a missing directory and for an exhausted limit
            await _try(look)
            await asyncio.sleep(look_every_seconds)


async def _follow(place: Callable[[], tuple[Path, int]], look: Look, look_every_seconds: float) -> None:
    """Watch one directory until it is replaced. The watching thread hears only ``stop``, so that is said before it is
    cancelled: else it, and with it the daemon's end, would wait for its time-out.
    """
    stop = asyncio.Event()
    watching = asyncio.ensure_future(_consume(place, look, look_every_seconds, stop))
    try:
        await asyncio.shield(watching)
    finally:
        stop.set()
        with anyio.CancelScope(shield=True):
            await asyncio.wait([watching])


async def _consume(place: Callable[[], tuple[Path, int]], look: Look, look_every_seconds: float, stop: asyncio.Event) -> None:
    watched = place()
    changes = watchfiles.awatch(
        watched[0],
        debounce=DEBOUNCE_MS,
        rust_timeout=int(look_every_seconds * 1000),
        yield_on_timeout=True,
        stop_event=stop,
        ignore_permission_denied=True,
    )
    async for _ in changes:
        await _try(look)
        if place() != watched:
            return


async def _try(look: Look) -> None:
    try:
        await look()
    except MemorydError:  # the disk or the database refuse: the next look tries again, `status` says so
        return
