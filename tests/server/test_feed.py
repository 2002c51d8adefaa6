"""Events for subscribers: each once, in order, and nothing is done while nothing happens."""

from __future__ import annotations

import sqlite3
from typing import Any

import anyio
import anyio.lowlevel

from soong_memoryd.server.feed import Feed
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import events
from soong_memoryd.state.rows import EventDraft


def append(connection: sqlite3.Connection) -> None:
    events.insert(connection, EventDraft("daemon_started", None, None, {}), "2026-12-01T00:00:00Z")


async def turns(database: Database) -> None:
    """Time for whoever wants to read as well."""
    for _ in range(20):
        await database.run(lambda c: None)
        await anyio.lowlevel.checkpoint()


def test_an_idle_subscriber_causes_no_transaction(tmp_path):
    async def main() -> None:
        database = await Database.open(tmp_path / "state.db")
        feed, looks, told = Feed(database), [], anyio.Event()
        database.on_commit(feed.commit_happened)

        async def send(_: dict[str, Any]) -> None:
            told.set()

        def trace(sql: str) -> None:
            if "FROM events" in sql:
                looks.append(sql)

        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(feed.follow, 0, send)
                await database.run(append)
                with anyio.fail_after(10):
                    await told.wait()
                await turns(database)
                await database.run(lambda c: c.set_trace_callback(trace))
                await turns(database)
                await database.run(lambda c: c.set_trace_callback(None))
                tasks.cancel_scope.cancel()
        finally:
            await database.close()
        assert looks == []

    anyio.run(main)
