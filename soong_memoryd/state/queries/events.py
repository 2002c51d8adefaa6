"""The event log: append-only, in order, never holding a body, user text or a provider's text."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from soong_memoryd.state.rows import EventDraft, Json

COLUMNS = "sequence, type, session_id, job_id, at, payload"


def insert(connection: sqlite3.Connection, draft: EventDraft, at: str) -> int:
    """Append one event; returns its sequence."""
    cursor = connection.execute(
        "INSERT INTO events (type, session_id, job_id, at, payload) VALUES (?, ?, ?, ?, ?)",
        (draft.type, draft.session_id, draft.job_id, at, json.dumps(draft.payload, ensure_ascii=False)),
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def after(
    connection: sqlite3.Connection,
    sequence: int,
    *,
    session_id: str | None = None,
    type_: str | None = None,
    limit: int = 100,
) -> list[Json]:
    """Events with a later sequence, oldest first, in the shape of the wire."""
    wheres, values = ["sequence > ?"], [sequence]
    filters: list[tuple[str, Any]] = [("session_id = ?", session_id), ("type = ?", type_)]
    wheres += [where for where, value in filters if value is not None]
    arguments = [*values, *(value for _, value in filters if value is not None), limit]
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM events WHERE {' AND '.join(wheres)} ORDER BY sequence LIMIT ?",  # noqa: S608  constants
        arguments,
    )
    return [_event(row) for row in rows]


def about_memory(connection: sqlite3.Connection, memory_id: str, limit: int = 50) -> list[Json]:
    """Events that name a memory in their payload, oldest first."""
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM events WHERE instr(payload, ?) ORDER BY sequence DESC LIMIT ?",  # noqa: S608  constants
        (json.dumps(memory_id), limit),
    )
    return [_event(row) for row in rows][::-1]


def last_sequence(connection: sqlite3.Connection) -> int:
    """The sequence of the newest event, 0 when there is none."""
    return int(connection.execute("SELECT coalesce(max(sequence), 0) FROM events").fetchone()[0])


def last_of(connection: sqlite3.Connection, type_: str) -> Json | None:
    """The newest event of a type."""
    row = connection.execute(
        f"SELECT {COLUMNS} FROM events WHERE type = ? ORDER BY sequence DESC LIMIT 1",  # noqa: S608  constants
        (type_,),
    ).fetchone()
    return _event(row) if row else None


def _event(row: sqlite3.Row) -> Json:
    return {**dict(row), "payload": json.loads(row["payload"])}
