"""What memories rest on, over all sessions: ids only."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from soong_memoryd.state.rows import MemorySources


def record(connection: sqlite3.Connection, changed: Iterable[MemorySources]) -> None:
    """Note the sources of written memories: added to what is known, or in its place."""
    for sources in changed:
        if sources.replaces:
            connection.execute("DELETE FROM memory_sources WHERE memory_id = ?", (sources.memory_id,))
        connection.executemany(
            "INSERT OR IGNORE INTO memory_sources VALUES (?, ?, ?)",
            [(sources.memory_id, sources.session_id, node_id) for node_id in sources.node_ids],
        )


def of_memory(connection: sqlite3.Connection, memory_id: str) -> list[tuple[str, str]]:
    """``(session_id, node_id)`` of everything that a memory rests on."""
    rows = connection.execute("SELECT session_id, node_id FROM memory_sources WHERE memory_id = ?", (memory_id,))
    return [(row[0], row[1]) for row in rows]
