"""Effects that must not be torn by a cancellation.

Owns: waiting for one effect to its end whatever arrives meanwhile. Must not know what the effect does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import anyio

T = TypeVar("T")


async def to_the_end(effect: Coroutine[Any, Any, T]) -> T:
    """Run ``effect`` to its end; a cancellation that arrives meanwhile is raised only then.

    A cancel scope's shield alone does not keep out ``Task.cancel``: the effect has a task of its own, and whoever waits for
    it goes on waiting.
    """
    task = asyncio.ensure_future(effect)
    cancelled: asyncio.CancelledError | None = None
    with anyio.CancelScope(shield=True):
        while not task.done():
            try:
                await asyncio.wait({task})
            except asyncio.CancelledError as error:
                cancelled = error
    if cancelled is not None:
        if not task.cancelled():
            task.exception()  # whoever would hear of it is being cancelled
        raise cancelled
    return task.result()
