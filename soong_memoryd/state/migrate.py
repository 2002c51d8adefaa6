"""Versioned migrations of ``state.db``: ``migrations/NNNN_name.sql``, applied in order, one transaction each.

Owns: the schema version (``PRAGMA user_version``) and the copy of the old one. Must not know what the tables mean.
"""

from __future__ import annotations

import secrets
import sqlite3
from importlib import resources
from pathlib import Path

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
    """Bring the database to this version's schema. The old one stays beside it, for a way back, until the next start."""
    found = refuse_newer(connection)
    newest = scripts()[-1][0]
    if 0 < found < newest:
        _copy_aside(connection, found)
    elif found == newest:
        _remove_copies(connection)
    for number, sql in scripts():
        if number > found:
            connection.executescript(f"BEGIN IMMEDIATE;\n{sql}\nPRAGMA user_version = {number};\nCOMMIT;")
    connection.execute("INSERT OR IGNORE INTO meta (key, value) VALUES ('hash_key', ?)", (secrets.token_bytes(32),))
    if connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
        raise sqlite3.DatabaseError("quick_check")


def _copy_aside(connection: sqlite3.Connection, version: int) -> None:
    path = _path(connection)
    if path is not None:
        copy = path.with_name(f"{path.name}.schema-{version}")
        copy.unlink(missing_ok=True)  # of a start that was cut short
        connection.execute("VACUUM INTO ?", (str(copy),))


def _remove_copies(connection: sqlite3.Connection) -> None:
    """A copy holds text that retention and ``forget`` no longer reach, so it may not stay."""
    path = _path(connection)
    for copy in [] if path is None else path.parent.glob(f"{path.name}.schema-*"):
        copy.unlink(missing_ok=True)


def _path(connection: sqlite3.Connection) -> Path | None:
    """The database's file, None for one in memory."""
    name = connection.execute("PRAGMA database_list").fetchone()[2]
    return Path(name) if name else None
