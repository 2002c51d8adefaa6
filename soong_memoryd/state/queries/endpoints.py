"""The table ``endpoints``: which rung and which mended parameters an endpoint and model turned out to need.

Owns: its SQL. Must not know what rungs are.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EndpointRow:
    """What was learnt about one model at one base_url."""

    endpoint: str
    model: str
    rung: str
    quirks: tuple[str, ...]


def find(connection: sqlite3.Connection, endpoint: str, model: str) -> EndpointRow | None:
    """The row of a model at a base_url, or None."""
    found = connection.execute("SELECT rung, quirks FROM endpoints WHERE endpoint = ? AND model = ?", (endpoint, model))
    row = found.fetchone()
    return None if row is None else EndpointRow(endpoint, model, row["rung"], tuple(json.loads(row["quirks"])))


def put(connection: sqlite3.Connection, row: EndpointRow, at: str) -> None:
    """Remember a row, over what was known before; ``at`` is RFC 3339."""
    connection.execute(
        "INSERT INTO endpoints (endpoint, model, rung, quirks, at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (endpoint, model) DO UPDATE SET rung = excluded.rung, quirks = excluded.quirks, at = excluded.at",
        (row.endpoint, row.model, row.rung, json.dumps(sorted(row.quirks)), at),
    )
