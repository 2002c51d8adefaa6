"""Notices that other programs changed the memory files: by the kernel's notifications, and by looking now and then.

Owns: when to look. Must not know what is looked at.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from functools import partial
from pathlib import Path

import anyio
import structlog
import watchfiles

from soong_memoryd.errors import MemorydError
from soong_memoryd.memories.news import News, Place

DEBOUNCE_MS = 100
STEP_MS = 50
"""So long must it be quiet after a change; of changes without end the first is told after ``DEBOUNCE_MS``. The watching thread
wakes as often, so less would cost when nothing happens."""
WAKE_MS = 2500
LOOK_EVERY_SECONDS = 15.0
MANY_CHANGES = 1000
"""So many at once and the kernel may have dropped others: then anything may have changed."""
Look = Callable[[], Awaitable[bool]]
"""Takes up what changed. True when it has to wait for what no change of a file will tell of: git, that is not done."""

_log = structlog.get_logger(__name__)


async def watch(place: Callable[[], Place], look: Look, news: News, *, look_every_seconds: float = LOOK_EVERY_SECONDS) -> None:
    """Call ``look`` after every change below the directory and every ``look_every_seconds``, until cancelled; again soon
    while it has to wait.

    ``place`` is the directory's path and inode; another answer than before means that it was replaced. ``news`` is told of
    everything before ``look`` is called. Where notifications do not work (no such directory, no inotify watches left, a
    network share) only the second holds.
    """
    while True:
        try:
            await _follow(place, look, news, look_every_seconds)
        except Exception as error:  # a missing directory, an exhausted limit; whatever else it is, watching goes on
            _log.info("watch_interrupted", error=type(error).__name__)
            await _try(look)
            await asyncio.sleep(look_every_seconds)


async def _follow(place: Callable[[], Place], look: Look, news: News, look_every_seconds: float) -> None:
    """Watch one directory until it is replaced. The watching thread hears only ``stop``, so that is said before it is
    cancelled: else it, and with it the daemon's end, would wait for its time-out.
    """
    stop = asyncio.Event()
    watching = asyncio.ensure_future(_consume(place, look, news, look_every_seconds, stop))
    try:
        await asyncio.shield(watching)
    finally:
        news.end()
        stop.set()
        with anyio.CancelScope(shield=True):
            await asyncio.wait([watching])


async def _consume(place: Callable[[], Place], look: Look, news: News, look_every_seconds: float, stop: asyncio.Event) -> None:
    watched = place()
    changes = watchfiles.awatch(
        watched[0],
        debounce=DEBOUNCE_MS,
        step=STEP_MS,
        watch_filter=partial(_may_matter, f"{watched[0]}{os.sep}"),
        rust_timeout=min(WAKE_MS, int(look_every_seconds * 1000)),
        yield_on_timeout=True,
        stop_event=stop,
        ignore_permission_denied=True,
    )
    loop = asyncio.get_running_loop()
    looked_at, waits = loop.time(), False
    beginning = loop.call_soon(_begin, news, watched)  # runs when we first wait for changes: the kernel notifies from then on
    try:
        async for changed in changes:
            if changed or loop.time() - looked_at >= look_every_seconds:
                looked_at = loop.time()
                tell(news, watched[0], [path for _, path in changed])
                waits = await _try(look)
            elif waits:
                waits = await _try(look)
            if place() != watched:
                return
    finally:
        beginning.cancel()  # where the kernel refuses to notify we never wait


def _may_matter(root: str, _change: watchfiles.Change, path: str) -> bool:
    """Everything but what git and editors keep hidden. watchfiles' own filter looks at the whole path, and a home may lie
    below a directory of any name; what is not told of counts as unchanged.
    """
    return f"{os.sep}." not in os.sep + path.removeprefix(root)


def _begin(news: News, watched: Place) -> None:
    path, inode = watched
    with suppress(OSError):  # a directory that is not there is not watched
        if path.stat().st_ino == inode:
            news.begin(watched)


def tell(news: News, root: Path, changed: Collection[str]) -> None:
    """Say which of the directory's own directories files changed in; nothing, or too much, changed: it may be any."""
    directories = {_directory_below(f"{root}{os.sep}", path) for path in changed}
    if None in directories or not 0 < len(changed) < MANY_CHANGES:
        directories = {None}
    for directory in directories:
        news.arrive(directory)


def _directory_below(root: str, path: str) -> str | None:
    """The directory right below ``root`` that holds ``path``; None for what lies in ``root`` itself or elsewhere."""
    directory, separator, _ = path.removeprefix(root).partition(os.sep)
    return directory if separator and path.startswith(root) else None


async def _try(look: Look) -> bool:
    try:
        return await look()
    except MemorydError:  # the disk or the database refuse: the next look tries again, `status` says so
        return False
    except Exception as error:  # a fault of ours: logged, and no reason to look never again
        _log.error("look_failed", error=type(error).__name__)
        return False
