"""Versioned migrations of ``state.db``: ``migrations/NNNN_name.sql``, applied in order, one transaction each.

Owns: the schema version (``PRAGMA user_version``). Must not know what the tables mean.
"""

from __future__ import annotations

import secrets
import sqlite3
from importlib import resources

from soong_memoryd.errors import StorageError


def scripts() -> list[tuple[int, str]]:
    """The migrations that this version ships: ``[(number, sql)]`` in order."""
    folder = resources.files("soong_memoryd.state") / "migrations"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [(int(name[:4]), (folder / name).read_text(encoding="utf-8")) for name in names]


def refuse_newer(connection: sqlite3.Connection) -> int:
    """The schema version found; a database of a newer daemon is refused before a byte of it changes, never guessed at."""
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if found > scripts()[-1][0]:
        raise StorageError(
            "state.db was written by a newer soong-memoryd",
            code="state_newer",
            hint="Start that version again, or move memoryd/state.db away (memories stay; scan cursors begin anew).",
        )
    return found


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the database to this version's schema."""
    found = refuse_newer(connection)
    for number, sql in scripts():
        if number > found:
            connection.executescript(f"BEGIN IMMEDIATE;\n{sql}\nPRAGMA user_version = {number};\nCOMMIT;")
    connection.execute("INSERT OR IGNORE INTO meta (key, value) VALUES ('hash_key', ?)", (secrets.token_bytes(32),))
    if connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
        raise sqlite3.DatabaseError("quick_check")
