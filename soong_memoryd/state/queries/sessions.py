"""Sessions and their agents as rows."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session. ``cursor`` is the scan cursor; ``parked_at`` is set while extraction has given up on it."""

    session_id: str
    title: str | None
    main_agent_id: str
    opened_at: str
    closed_at: str | None
    last_sequence: int
    cursor: int
    window_failures: int
    window_halvings: int
    parked_at: str | None
    parked_wall: float | None


def get(connection: sqlite3.Connection, session_id: str) -> SessionRow | None:
    """One session."""
    row = connection.execute("SELECT * FROM sessions WHERE session_id = ?", (session_id,)).fetchone()
    return SessionRow(**dict(row)) if row else None


def insert(connection: sqlite3.Connection, session_id: str, main_agent_id: str, title: str | None, at: str) -> None:
    """A new session with its main agent."""
    connection.execute(
        "INSERT INTO sessions (session_id, title, main_agent_id, opened_at) VALUES (?, ?, ?, ?)",
        (session_id, title, main_agent_id, at),
    )
    insert_agent(connection, session_id, main_agent_id, "main", None)


def reopen(connection: sqlite3.Connection, session_id: str, title: str | None) -> None:
    """The session goes on; a new title replaces the old one."""
    connection.execute(
        "UPDATE sessions SET closed_at = NULL, title = coalesce(?, title) WHERE session_id = ?", (title, session_id)
    )


def close(connection: sqlite3.Connection, session_id: str, at: str) -> None:
    """Note that the session was closed."""
    connection.execute("UPDATE sessions SET closed_at = ? WHERE session_id = ?", (at, session_id))


def set_last_sequence(connection: sqlite3.Connection, session_id: str, sequence: int) -> None:
    """The highest sequence given out."""
    connection.execute("UPDATE sessions SET last_sequence = ? WHERE session_id = ?", (sequence, session_id))


def set_failures(connection: sqlite3.Connection, session_id: str, failures: int, halvings: int) -> None:
    """Count what went wrong with the session's window."""
    connection.execute(
        "UPDATE sessions SET window_failures = ?, window_halvings = ? WHERE session_id = ?", (failures, halvings, session_id)
    )


def set_parked(connection: sqlite3.Connection, session_id: str, at: str | None, wall_seconds: float | None) -> None:
    """Park a session, or (``None``) take it out again."""
    connection.execute(
        "UPDATE sessions SET parked_at = ?, parked_wall = ? WHERE session_id = ?", (at, wall_seconds, session_id)
    )


def cap_parked(connection: sqlite3.Connection, wall_seconds: float) -> None:
    """No session was parked in the future: the date was set back since."""
    connection.execute("UPDATE sessions SET parked_wall = min(parked_wall, ?) WHERE parked_at IS NOT NULL", (wall_seconds,))


def page(connection: sqlite3.Connection, limit: int, offset: int) -> list[SessionRow]:
    """Sessions, the most recently opened first."""
    rows = connection.execute("SELECT * FROM sessions ORDER BY rowid DESC LIMIT ? OFFSET ?", (limit, offset))
    return [SessionRow(**dict(row)) for row in rows]


def parked(connection: sqlite3.Connection) -> list[SessionRow]:
    """Every parked session."""
    return [SessionRow(**dict(row)) for row in connection.execute("SELECT * FROM sessions WHERE parked_at IS NOT NULL")]


def count(connection: sqlite3.Connection) -> tuple[int, int]:
    """How many sessions there are, and how many of them are open."""
    row = connection.execute("SELECT count(*), coalesce(sum(closed_at IS NULL), 0) FROM sessions").fetchone()
    return row[0], row[1]


def insert_agent(
    connection: sqlite3.Connection, session_id: str, agent_id: str, kind: str, parent_agent_id: str | None
) -> None:
    """Register an agent; its kind never changes."""
    connection.execute(
        "INSERT INTO agents (session_id, agent_id, kind, parent_agent_id) VALUES (?, ?, ?, ?)",
        (session_id, agent_id, kind, parent_agent_id),
    )


def agent_kind(connection: sqlite3.Connection, session_id: str, agent_id: str) -> str | None:
    """The kind of a registered agent."""
    row = connection.execute("SELECT kind FROM agents WHERE session_id = ? AND agent_id = ?", (session_id, agent_id)).fetchone()
    return row[0] if row else None
