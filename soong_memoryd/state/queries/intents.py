"""Commits of memory files as rows: intents, known catalogs, what is published, versions, forgotten sources. No bodies."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from soong_memoryd.state.queries import events, jobs, sources
from soong_memoryd.state.rows import Effects, EventDraft, JobCompletion, Json, MemorySources

MAX_VERSIONS_PER_MEMORY = 20
MAX_KNOWN_CATALOGS = 200
VERSION_COLUMNS = "version_id, memory_id, path, at, cause, sha256"


class IntentFileRow(NamedTuple):
    """One file of an intent, in the order of the columns."""

    op: str
    path: str
    memory_id: str
    base_sha256: str | None
    new_sha256: str | None
    cause: str


class IntentRow(NamedTuple):
    """An intent with its files in order."""

    txn: str
    state: str
    files: tuple[IntentFileRow, ...]
    effects: Effects


class VersionRow(NamedTuple):
    """A kept version of a memory: the file ``history/<version_id>.md``."""

    version_id: str
    memory_id: str
    path: str
    at: str
    cause: str
    sha256: str


class PublishedRow(NamedTuple):
    """A memory file as the daemon last knew it."""

    path: str
    memory_id: str
    sha256: str


def prepare(connection: sqlite3.Connection, txn: str, files: Iterable[IntentFileRow], effects: Effects, at: str) -> None:
    """Write a prepared intent.

    Raises:
        CommitConflict: the job's cursor or one of its sources moved.
    """
    if effects.completion is not None:
        jobs.check_completion(connection, effects.completion)
    connection.execute("INSERT INTO intents VALUES (?, 'prepared', ?, ?)", (txn, at, _dump_effects(effects)))
    connection.executemany(
        "INSERT INTO intent_files (txn, ord, op, path, memory_id, base_sha256, new_sha256, cause)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(txn, order, *file) for order, file in enumerate(files)],
    )


def begin_abort(connection: sqlite3.Connection, txn: str) -> str:
    """``prepared`` becomes ``aborting``; returns the state that holds now."""
    connection.execute("UPDATE intents SET state = 'aborting' WHERE txn = ? AND state = 'prepared'", (txn,))
    return str(connection.execute("SELECT state FROM intents WHERE txn = ?", (txn,)).fetchone()[0])


def finish(connection: sqlite3.Connection, txn: str, versions: Sequence[VersionRow], at: str) -> None:
    """Everything that a prepared intent makes true, once; does nothing for any other state.

    Raises:
        CommitConflict: the job's cursor or one of its sources moved.
    """
    intent = next((row for row in select(connection) if row.txn == txn), None)
    if intent is None or intent.state != "prepared":
        return
    effects = intent.effects
    apply(connection, effects, at)
    _publish(connection, intent.files)
    connection.executemany("INSERT OR IGNORE INTO versions VALUES (?, ?, ?, ?, ?, ?)", versions)
    for memory_id in dict.fromkeys(file.memory_id for file in intent.files):
        _discard_beyond(connection, memory_id, 0 if effects.purge else MAX_VERSIONS_PER_MEMORY)
    if effects.purge:
        connection.executemany(
            "UPDATE nodes SET text = '', summary = NULL, artifact_refs = '[]', metadata = '{}', pruned = 1"
            " WHERE session_id = ? AND node_id = ?",
            effects.forgotten,
        )
    connection.execute("UPDATE intents SET state = 'done' WHERE txn = ?", (txn,))


def apply(connection: sqlite3.Connection, effects: Effects, at: str) -> None:
    """What becomes true beside the files: event, cursor, forgotten sources.

    Raises:
        CommitConflict: the job's cursor or one of its sources moved.
    """
    if effects.completion is not None:
        jobs.check_completion(connection, effects.completion)
    events.insert(connection, effects.event, at)
    if effects.completion is not None:
        jobs.complete(connection, effects.completion, at)
    sources.record(connection, effects.sources)
    connection.executemany("INSERT OR IGNORE INTO forgotten_sources VALUES (?, ?)", effects.forgotten)


def abort(connection: sqlite3.Connection, txn: str) -> None:
    """Nothing of an aborting intent is left."""
    connection.execute("UPDATE intents SET state = 'aborted' WHERE txn = ? AND state = 'aborting'", (txn,))


def forget(connection: sqlite3.Connection, txn: str) -> None:
    """Drop a finished or aborted intent."""
    connection.execute("DELETE FROM intents WHERE txn = ? AND state IN ('done', 'aborted')", (txn,))


def select(connection: sqlite3.Connection) -> list[IntentRow]:
    """Every intent, oldest first."""
    files: dict[str, list[IntentFileRow]] = {}
    for row in connection.execute(
        "SELECT txn, op, path, memory_id, base_sha256, new_sha256, cause FROM intent_files ORDER BY txn, ord"
    ):
        files.setdefault(row[0], []).append(IntentFileRow(*row[1:]))
    intents = connection.execute("SELECT txn, state, effects FROM intents ORDER BY rowid")
    return [IntentRow(txn, state, tuple(files.get(txn, ())), _load_effects(effects)) for txn, state, effects in intents]


def note_catalog(connection: sqlite3.Connection, sha256: str, at: str) -> None:
    """A rendered catalog is ours; the oldest are forgotten."""
    connection.execute("INSERT OR REPLACE INTO known_catalogs VALUES (?, ?)", (sha256, at))
    connection.execute(
        "DELETE FROM known_catalogs WHERE sha256 IN"
        " (SELECT sha256 FROM known_catalogs ORDER BY at DESC, sha256 = ? DESC LIMIT -1 OFFSET ?)",
        (sha256, MAX_KNOWN_CATALOGS),
    )


def knows_catalog(connection: sqlite3.Connection, sha256: str) -> bool:
    """Whether a catalog was ours."""
    return connection.execute("SELECT 1 FROM known_catalogs WHERE sha256 = ?", (sha256,)).fetchone() is not None


def published(connection: sqlite3.Connection) -> list[PublishedRow]:
    """Every memory file that the daemon knows of, by path."""
    return [PublishedRow(*row) for row in connection.execute("SELECT path, memory_id, sha256 FROM published ORDER BY path")]


def absorb(
    connection: sqlite3.Connection,
    present: Sequence[PublishedRow],
    gone: Sequence[str],
    drafts: Sequence[EventDraft],
    at: str,
) -> None:
    """Take up what was changed outside: files that are there now, paths that are gone, and the events that say so."""
    connection.executemany("INSERT OR REPLACE INTO published VALUES (?, ?, ?)", present)
    connection.executemany("DELETE FROM published WHERE path = ?", [(path,) for path in gone])
    for draft in drafts:
        events.insert(connection, draft, at)


def versions_of(connection: sqlite3.Connection, memory_id: str) -> list[VersionRow]:
    """A memory's kept versions, newest first."""
    rows = connection.execute(
        f"SELECT {VERSION_COLUMNS} FROM versions WHERE memory_id = ? ORDER BY rowid DESC",  # noqa: S608  constants
        (memory_id,),
    )
    return [VersionRow(*row) for row in rows]


def version(connection: sqlite3.Connection, version_id: str) -> VersionRow | None:
    """One kept version."""
    row = connection.execute(
        f"SELECT {VERSION_COLUMNS} FROM versions WHERE version_id = ?",  # noqa: S608  constants
        (version_id,),
    ).fetchone()
    return VersionRow(*row) if row else None


def version_ids(connection: sqlite3.Connection) -> list[str]:
    """The ids of all kept versions."""
    return [row[0] for row in connection.execute("SELECT version_id FROM versions ORDER BY version_id")]


def drop_version(connection: sqlite3.Connection, version_id: str) -> None:
    """Forget a version."""
    connection.execute("DELETE FROM versions WHERE version_id = ?", (version_id,))


def discarded(connection: sqlite3.Connection) -> list[str]:
    """Versions whose files are still to be removed."""
    return [row[0] for row in connection.execute("SELECT version_id FROM discarded_versions ORDER BY version_id")]


def discard_done(connection: sqlite3.Connection, version_ids: Iterable[str]) -> None:
    """The files of these versions are removed."""
    connection.executemany("DELETE FROM discarded_versions WHERE version_id = ?", [(version_id,) for version_id in version_ids])


def forgotten(connection: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """``(session_id, node_id)`` of every node that can never be evidence again."""
    return frozenset((row[0], row[1]) for row in connection.execute("SELECT session_id, node_id FROM forgotten_sources"))


def _publish(connection: sqlite3.Connection, files: Iterable[IntentFileRow]) -> None:
    for file in files:
        if file.new_sha256 is None:
            connection.execute("DELETE FROM published WHERE path = ?", (file.path,))
        else:
            row = (file.path, file.memory_id, file.new_sha256)
            connection.execute("INSERT OR REPLACE INTO published VALUES (?, ?, ?)", row)


def _discard_beyond(connection: sqlite3.Connection, memory_id: str, kept: int) -> None:
    surplus = [(row.version_id,) for row in versions_of(connection, memory_id)[kept:]]
    connection.executemany("INSERT OR IGNORE INTO discarded_versions VALUES (?)", surplus)
    connection.executemany("DELETE FROM versions WHERE version_id = ?", surplus)


def _dump_effects(effects: Effects) -> str:
    event, completion = effects.event, effects.completion
    value: Json = {
        "event": {"type": event.type, "session_id": event.session_id, "job_id": event.job_id, "payload": event.payload},
        "cause": effects.cause,
        "completion": None
        if completion is None
        else {
            "job_id": completion.job_id,
            "session_id": completion.session_id,
            "cursor_from": completion.cursor_from,
            "cursor_to": completion.cursor_to,
            "source_node_ids": completion.source_node_ids,
            "result": completion.result,
        },
        "sources": [[each.memory_id, each.session_id, each.node_ids, each.replaces] for each in effects.sources],
        "forgotten": effects.forgotten,
        "purge": effects.purge,
    }
    return json.dumps(value, ensure_ascii=False)


def _load_effects(text: str) -> Effects:
    value = json.loads(text)
    completion = value["completion"]
    return Effects(
        event=EventDraft(**value["event"]),
        cause=value["cause"],
        completion=None
        if completion is None
        else JobCompletion(**{**completion, "source_node_ids": tuple(completion["source_node_ids"])}),
        sources=tuple(MemorySources(i, session_id, tuple(node_ids), r) for i, session_id, node_ids, r in value["sources"]),
        forgotten=tuple((session_id, node_id) for session_id, node_id in value["forgotten"]),
        purge=value["purge"],
    )
