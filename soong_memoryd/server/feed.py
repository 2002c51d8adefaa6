"""Events as they happen, for the connections that asked.

Owns: who is subscribed and how far each has been told. Must not know what events mean. The log is the truth: after each
commit the news is read from it, so a subscriber gets every event once, in order, also those from before it subscribed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import anyio

from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import events

PAGE = 200

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Feed:
    """Wakes subscribers when something was committed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._news: set[asyncio.Event] = set()

    def commit_happened(self) -> None:
        """Something may have been appended."""
        for news in self._news:
            news.set()

    async def last(self) -> int:
        """The newest sequence."""
        return await self._database.run(events.last_sequence)

    async def follow(self, after: int, send: Send) -> None:
        """Send every event after a sequence, and then each new one, until cancelled."""
        news = asyncio.Event()
        self._news.add(news)
        try:
            while True:
                news.clear()
                found = await self._database.run(lambda c, after=after: events.after(c, after, limit=PAGE))  # type: ignore[misc]
                for event in found:
                    await send({"jsonrpc": "2.0", "method": "event", "params": event})
                    after = event["sequence"]
                if len(found) < PAGE:
                    await news.wait()
                await anyio.lowlevel.checkpoint()
        finally:
            self._news.discard(news)
