"""Extraction jobs as rows: what was asked for, when it is due, how it ended."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from soong_memoryd.clock import Deadline
from soong_memoryd.errors import CommitConflict
from soong_memoryd.state.queries import counters
from soong_memoryd.state.rows import JobCompletion, JobRow, Json

COLUMNS = (
    "job_id, session_id, reason, requested_by, status, attempt, due_boot_id, due_boot, due_wall, from_sequence, to_sequence,"
    " created_at, started_at, finished_at, result, error"
)


def insert(connection: sqlite3.Connection, job: JobRow) -> None:
    """Store a new job."""
    connection.execute(
        f"INSERT INTO jobs ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608  constants
        (
            job.job_id,
            job.session_id,
            job.reason,
            job.requested_by,
            job.status,
            job.attempt,
            job.due.boot_id,
            job.due.boot_seconds,
            job.due.wall_seconds,
            job.from_sequence,
            job.to_sequence,
            job.created_at,
            job.started_at,
            job.finished_at,
            _dump(job.result),
            _dump(job.error),
        ),
    )


def update(connection: sqlite3.Connection, job_id: str, **changes: Any) -> None:
    """Change columns of a job. ``due`` is a ``Deadline``; ``result`` and ``error`` are JSON values."""
    due = changes.pop("due", None)
    if due is not None:
        changes |= {"due_boot_id": due.boot_id, "due_boot": due.boot_seconds, "due_wall": due.wall_seconds}
    for key in ("result", "error"):
        if key in changes:
            changes[key] = _dump(changes[key])
    assignments = ", ".join(f"{column} = ?" for column in changes)
    connection.execute(f"UPDATE jobs SET {assignments} WHERE job_id = ?", (*changes.values(), job_id))  # noqa: S608  our names


def get(connection: sqlite3.Connection, job_id: str) -> JobRow | None:
    """One job."""
    row = connection.execute(f"SELECT {COLUMNS} FROM jobs WHERE job_id = ?", (job_id,)).fetchone()  # noqa: S608  constants
    return _row(row) if row else None


def pending_of(connection: sqlite3.Connection, session_id: str) -> JobRow | None:
    """The session's one pending job."""
    return _first(connection, "status = 'pending' AND session_id = ?", session_id)


def running(connection: sqlite3.Connection) -> list[JobRow]:
    """Jobs in the state running (at most one while a daemon lives; leftovers at start)."""
    return with_status(connection, "running")


def pending(connection: sqlite3.Connection) -> list[JobRow]:
    """Every pending job, oldest first."""
    return with_status(connection, "pending")


def with_status(connection: sqlite3.Connection, status: str) -> list[JobRow]:
    """Every job in a state, oldest first."""
    rows = connection.execute(f"SELECT {COLUMNS} FROM jobs WHERE status = ? ORDER BY rowid", (status,))  # noqa: S608  constants
    return [_row(row) for row in rows]


def select(
    connection: sqlite3.Connection, *, session_id: str | None = None, status: str | None = None, limit: int = 50
) -> list[JobRow]:
    """Jobs, newest first."""
    filters = [(f"{name} = ?", value) for name, value in (("session_id", session_id), ("status", status)) if value is not None]
    where = " AND ".join(condition for condition, _ in filters) or "1"
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM jobs WHERE {where} ORDER BY rowid DESC LIMIT ?",  # noqa: S608  constants
        (*(value for _, value in filters), limit),
    )
    return [_row(row) for row in rows]


def count_by_status(connection: sqlite3.Connection) -> dict[str, int]:
    """How many jobs there are in each state."""
    return {row[0]: row[1] for row in connection.execute("SELECT status, count(*) FROM jobs GROUP BY status")}


def check_completion(connection: sqlite3.Connection, completion: JobCompletion) -> None:
    """Refuse a completion whose ground moved: the cursor, or a source that was rewound or forgotten meanwhile.

    Raises:
        CommitConflict: ``source_changed``; the job runs again on what is there.
    """
    session = connection.execute("SELECT cursor FROM sessions WHERE session_id = ?", (completion.session_id,)).fetchone()
    if session is None or session["cursor"] != completion.cursor_from:
        raise CommitConflict("the scan cursor moved meanwhile", code="source_changed")
    for node_id in completion.source_node_ids:
        node = connection.execute(
            "SELECT abandoned FROM nodes WHERE session_id = ? AND node_id = ?", (completion.session_id, node_id)
        ).fetchone()
        gone = connection.execute(
            "SELECT 1 FROM forgotten_sources WHERE session_id = ? AND node_id = ?", (completion.session_id, node_id)
        ).fetchone()
        if node is None or node["abandoned"] or gone:
            raise CommitConflict("a source was rewound or forgotten meanwhile", code="source_changed")


def complete(connection: sqlite3.Connection, completion: JobCompletion, at: str) -> None:
    """End a job and move its session's cursor; what held the session back is forgiven."""
    moved = connection.execute(
        "UPDATE sessions SET cursor = ?, window_failures = 0, window_halvings = 0, parked_at = NULL, parked_wall = NULL"
        " WHERE session_id = ? AND cursor = ?",
        (completion.cursor_to, completion.session_id, completion.cursor_from),
    ).rowcount
    if moved != 1:
        raise CommitConflict("the scan cursor moved meanwhile", code="source_changed")
    update(
        connection,
        completion.job_id,
        status="completed",
        finished_at=at,
        from_sequence=completion.cursor_from + 1,
        to_sequence=completion.cursor_to,
        result=completion.result,
        error=None,
    )
    counters.add(connection, "jobs_completed")


def _first(connection: sqlite3.Connection, where: str, *values: Any) -> JobRow | None:
    row = connection.execute(f"SELECT {COLUMNS} FROM jobs WHERE {where} LIMIT 1", values).fetchone()  # noqa: S608  constants
    return _row(row) if row else None


def _dump(value: Json | None) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _row(row: sqlite3.Row) -> JobRow:
    values = dict(row)
    due = Deadline(values.pop("due_boot_id"), values.pop("due_boot"), values.pop("due_wall"))
    for key in ("result", "error"):
        values[key] = None if values[key] is None else json.loads(values[key])
    return JobRow(due=due, **values)
