"""What waits for the writer, in order: within a lane strictly, between lanes as far as nothing waits for its text.

Owns: the order, and the threads for work on text. Must not know SQLite or what a transaction is.

Work on text comes before some transactions and takes seconds for a large one. What waits for its text holds up its own lane
alone. A lane is any key; who serves a connection sets ``current_lane`` to one of its own, so that what one client sends keeps
its order and nobody waits for another one's long text. None is the lane of everything else.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Hashable
from contextvars import ContextVar
from typing import Generic, Protocol, TypeVar

import anyio
import anyio.to_thread

current_lane: ContextVar[Hashable] = ContextVar("current_lane", default=None)
"""The lane of whatever is submitted from here; tasks inherit it."""

LANES_AT_ONCE = 4
"""In so many lanes texts are worked on at the same time: one client's long text must not keep the others' short ones."""

Prepare = Callable[[], None]


class Waiting(Protocol):
    """What waits. ``ready`` is set once its text is done, ``error`` when that failed."""

    lane: Hashable
    ready: bool
    error: BaseException | None


W = TypeVar("W", bound=Waiting)


class Lanes(Generic[W]):
    """The queue. ``wake`` is called in the event loop when something may be taken."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._waiting: deque[W] = deque()
        self._texts: dict[Hashable, deque[tuple[W, Prepare]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._threads = anyio.CapacityLimiter(LANES_AT_ONCE)

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, item: W, prepare: Prepare | None) -> None:
        """Put an item at the end; it is ready once ``prepare`` has returned in a thread, at once when there is none."""
        self._waiting.append(item)
        if prepare is None:
            item.ready = True
            self._wake()
            return
        texts = self._texts.setdefault(item.lane, deque())
        texts.append((item, prepare))
        if len(texts) == 1:
            task = asyncio.get_running_loop().create_task(self._work_on(item.lane), name="state-texts")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def take(self, at_most: int) -> list[W]:
        """What is next, in order; what is not ready stays, and with it what is behind it in its lane."""
        taken: list[W] = []
        left: list[W] = []
        held: set[Hashable] = set()
        while self._waiting and len(taken) < at_most:
            item = self._waiting.popleft()
            if item.ready and item.lane not in held:
                taken.append(item)
            else:
                held.add(item.lane)
                left.append(item)
        self._waiting.extendleft(reversed(left))
        return taken

    async def _work_on(self, lane: Hashable) -> None:
        texts = self._texts[lane]
        while texts:
            item, prepare = texts[0]
            try:
                await anyio.to_thread.run_sync(prepare, limiter=self._threads)
            except Exception as error:  # the item's own failure, delivered to whoever submitted it
                item.error = error
            texts.popleft()
            item.ready = True
            self._wake()
        del self._texts[lane]
