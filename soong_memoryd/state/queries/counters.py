"""Running totals, the day's spending, and small values that belong to no other table."""

from __future__ import annotations

import sqlite3

NAMES = ("nodes", "runs_completed", "jobs_completed", "jobs_failed")


def add(connection: sqlite3.Connection, name: str, count: int = 1) -> None:
    """Raise a counter of ``NAMES``."""
    connection.execute(
        "INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value",
        (name, count),
    )


def read(connection: sqlite3.Connection) -> dict[str, int]:
    """Every counter of ``NAMES``, 0 where nothing was counted yet."""
    stored = {row[0]: row[1] for row in connection.execute("SELECT name, value FROM counters")}
    return {name: stored.get(name, 0) for name in NAMES}


def spend(connection: sqlite3.Connection, day: str, calls: int, prompt_tokens: int, completion_tokens: int) -> None:
    """Add to what a day (``YYYY-MM-DD``, UTC) cost."""
    connection.execute(
        "INSERT INTO spending (day, calls, prompt_tokens, completion_tokens) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (day) DO UPDATE SET calls = calls + excluded.calls,"
        " prompt_tokens = prompt_tokens + excluded.prompt_tokens,"
        " completion_tokens = completion_tokens + excluded.completion_tokens",
        (day, calls, prompt_tokens, completion_tokens),
    )


def spent(connection: sqlite3.Connection, day: str) -> dict[str, int]:
    """What a day cost: ``calls``, ``prompt_tokens``, ``completion_tokens``."""
    row = connection.execute("SELECT calls, prompt_tokens, completion_tokens FROM spending WHERE day = ?", (day,)).fetchone()
    return dict(row) if row else {"calls": 0, "prompt_tokens": 0, "completion_tokens": 0}


def hash_key(connection: sqlite3.Connection) -> bytes:
    """The key of the content hashes: so that a hash in the database tells nothing about a short text."""
    return bytes(connection.execute("SELECT value FROM meta WHERE key = 'hash_key'").fetchone()[0])


def get_value(connection: sqlite3.Connection, key: str) -> str | None:
    """A small value of ``meta``."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else bytes(row[0]).decode()


def set_value(connection: sqlite3.Connection, key: str, value: str) -> None:
    """Keep a small value in ``meta``."""
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value.encode()))


def drop_value(connection: sqlite3.Connection, key: str) -> None:
    """Forget a small value."""
    connection.execute("DELETE FROM meta WHERE key = ?", (key,))
