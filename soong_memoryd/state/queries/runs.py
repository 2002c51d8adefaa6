"""Runs as rows: begun, ended, last seen alive."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from soong_memoryd.clock import Deadline


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run. ``root``: of the main agent. ``silent_since``: the last sign of life, as a moment of the boot clock."""

    session_id: str
    run_id: str
    agent_id: str
    root: bool
    started_at: str | None
    started_sequence: int
    completed_at: str | None
    status: str | None
    silent_since: Deadline


def get(connection: sqlite3.Connection, session_id: str, run_id: str) -> RunRow | None:
    """One run."""
    row = connection.execute("SELECT * FROM runs WHERE session_id = ? AND run_id = ?", (session_id, run_id)).fetchone()
    return _row(row) if row else None


def insert(connection: sqlite3.Connection, run: RunRow) -> None:
    """A run that was not known."""
    connection.execute(
        "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            run.session_id,
            run.run_id,
            run.agent_id,
            run.root,
            run.started_at,
            run.started_sequence,
            run.completed_at,
            run.status,
            run.silent_since.boot_id,
            run.silent_since.boot_seconds,
            run.silent_since.wall_seconds,
        ),
    )


def end(connection: sqlite3.Connection, session_id: str, run_id: str, status: str, at: str) -> None:
    """A run is over: ``completed | failed | cancelled | abandoned``."""
    connection.execute(
        "UPDATE runs SET completed_at = ?, status = ? WHERE session_id = ? AND run_id = ?", (at, status, session_id, run_id)
    )


def set_started(connection: sqlite3.Connection, session_id: str, run_id: str, at: str) -> None:
    """The start of a run that was known before only by its nodes or its end."""
    connection.execute("UPDATE runs SET started_at = ? WHERE session_id = ? AND run_id = ?", (at, session_id, run_id))


def touch(connection: sqlite3.Connection, session_id: str, now: Deadline) -> None:
    """Something was heard in the session: its open runs are alive."""
    connection.execute(
        "UPDATE runs SET active_boot_id = ?, active_boot = ?, active_wall = ? WHERE session_id = ? AND completed_at IS NULL",
        (now.boot_id, now.boot_seconds, now.wall_seconds, session_id),
    )


def set_silent_since(connection: sqlite3.Connection, session_id: str, run_id: str, since: Deadline) -> None:
    """When a run was last heard of, in the words of this boot's clock."""
    connection.execute(
        "UPDATE runs SET active_boot_id = ?, active_boot = ?, active_wall = ? WHERE session_id = ? AND run_id = ?",
        (since.boot_id, since.boot_seconds, since.wall_seconds, session_id, run_id),
    )


def open_of(connection: sqlite3.Connection, session_id: str, *, root: bool) -> list[RunRow]:
    """The session's open runs of the main agent (``root``) or of the others."""
    rows = connection.execute(
        "SELECT * FROM runs WHERE session_id = ? AND completed_at IS NULL AND root = ?", (session_id, root)
    )
    return [_row(row) for row in rows]


def open_everywhere(connection: sqlite3.Connection) -> list[RunRow]:
    """Every open run."""
    return [_row(row) for row in connection.execute("SELECT * FROM runs WHERE completed_at IS NULL")]


def _row(row: sqlite3.Row) -> RunRow:
    values = dict(row)
    since = Deadline(values.pop("active_boot_id"), values.pop("active_boot"), values.pop("active_wall"))
    return RunRow(silent_since=since, **(values | {"root": bool(values["root"])}))
