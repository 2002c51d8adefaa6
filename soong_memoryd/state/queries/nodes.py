"""Context nodes as rows: arrival, unscanned counts, the nodes a window or a recall is made of, pruning."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from soong_memoryd.state.rows import Json, NodeRow

COLUMNS = (
    "session_id, sequence, node_id, parent_id, agent_id, agent_kind, run_id, kind, origin, text, summary, artifact_refs,"
    " metadata, created_at, candidate, abandoned, pruned, tokens, explicit"
)
_UNSCANNED = (
    "FROM nodes JOIN sessions USING (session_id)"
    " WHERE nodes.candidate = 1 AND nodes.abandoned = 0 AND nodes.sequence > sessions.cursor"
)


class Unscanned(NamedTuple):
    """Root user messages after the scan cursor: how many, and their estimated tokens."""

    messages: int
    tokens: int


def known_hash(connection: sqlite3.Connection, session_id: str, node_id: str) -> bytes | None:
    """The content hash under which a session knows a node."""
    row = connection.execute(
        "SELECT content_hash FROM nodes WHERE session_id = ? AND node_id = ?", (session_id, node_id)
    ).fetchone()
    return bytes(row[0]) if row else None


def known_elsewhere(connection: sqlite3.Connection, session_id: str, node_id: str, content_hash: bytes) -> bool:
    """Whether another session holds the same node with the same content (a resumed transcript)."""
    return (
        connection.execute(
            "SELECT 1 FROM nodes WHERE node_id = ? AND content_hash = ? AND session_id <> ? LIMIT 1",
            (node_id, content_hash, session_id),
        ).fetchone()
        is not None
    )


def insert(connection: sqlite3.Connection, node: NodeRow, content_hash: bytes, received_at: str) -> None:
    """Store one node."""
    connection.execute(
        f"INSERT INTO nodes ({COLUMNS}, content_hash, received_at)"  # noqa: S608  constants
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            node.session_id,
            node.sequence,
            node.node_id,
            node.parent_id,
            node.agent_id,
            node.agent_kind,
            node.run_id,
            node.kind,
            node.origin,
            node.text,
            node.summary,
            json.dumps(node.artifact_refs, ensure_ascii=False),
            json.dumps(node.metadata, ensure_ascii=False),
            node.created_at,
            node.candidate,
            node.abandoned,
            node.pruned,
            node.tokens,
            node.explicit,
            content_hash,
            received_at,
        ),
    )


def get(connection: sqlite3.Connection, session_id: str, node_id: str) -> NodeRow | None:
    """One node of a session."""
    return next(iter(_select(connection, "session_id = ? AND node_id = ?", (session_id, node_id))), None)


def abandon_after(connection: sqlite3.Connection, session_id: str, sequence: int) -> int:
    """Take every later node off the path; returns how many left it."""
    return connection.execute(
        "UPDATE nodes SET abandoned = 1 WHERE session_id = ? AND sequence > ? AND abandoned = 0", (session_id, sequence)
    ).rowcount


def abandon(connection: sqlite3.Connection, session_id: str, node_id: str) -> None:
    """Take one node off the path."""
    connection.execute("UPDATE nodes SET abandoned = 1 WHERE session_id = ? AND node_id = ?", (session_id, node_id))


def unscanned(connection: sqlite3.Connection, session_id: str) -> Unscanned:
    """What the triggers count."""
    row = connection.execute(
        f"SELECT count(*), coalesce(sum(nodes.tokens), 0) {_UNSCANNED} AND session_id = ?",
        (session_id,),
    ).fetchone()
    return Unscanned(row[0], row[1])


def sessions_with_unscanned(connection: sqlite3.Connection) -> dict[str, int]:
    """Every session that has unscanned root user messages, with their number."""
    rows = connection.execute(f"SELECT session_id, count(*) {_UNSCANNED} GROUP BY session_id")
    return {row[0]: row[1] for row in rows}


def says_explicitly(connection: sqlite3.Connection, session_id: str, run_id: str) -> bool:
    """Whether an unscanned root user message of the run asks to keep something."""
    return (
        connection.execute(
            f"SELECT 1 {_UNSCANNED} AND session_id = ? AND nodes.explicit = 1 AND nodes.run_id = ? LIMIT 1",
            (session_id, run_id),
        ).fetchone()
        is not None
    )


def first_sequence_of_run(connection: sqlite3.Connection, session_id: str, run_id: str) -> int | None:
    """Where a run's nodes begin."""
    row = connection.execute(
        "SELECT min(sequence) FROM nodes WHERE session_id = ? AND run_id = ?", (session_id, run_id)
    ).fetchone()
    return None if row is None else row[0]


def around_cursor(
    connection: sqlite3.Connection, session_id: str, cursor: int, limit_sequence: int, before: int, after: int
) -> list[NodeRow]:
    """The main agent's nodes for a scan window, in order.

    Up to ``before`` ones before the first unscanned root user message (scanned ones explain it, and however long the agent
    worked alone before, the message is reached), and up to ``after`` ones from there on.
    """
    row = connection.execute(
        f"SELECT min(nodes.sequence) {_UNSCANNED} AND session_id = ?",
        (session_id,),
    ).fetchone()
    first = cursor + 1 if row[0] is None else int(row[0])
    older = _select(
        connection,
        "session_id = ? AND sequence < ? AND agent_kind = 'main' ORDER BY sequence DESC LIMIT ?",
        (session_id, first, before),
    )
    newer = _select(
        connection,
        "session_id = ? AND sequence >= ? AND sequence <= ? AND agent_kind = 'main' ORDER BY sequence LIMIT ?",
        (session_id, first, limit_sequence, after),
    )
    return [*reversed(older), *newer]


def latest_summary(connection: sqlite3.Connection, session_id: str, up_to_sequence: int) -> NodeRow | None:
    """The main agent's current compact summary."""
    where = (
        "session_id = ? AND sequence <= ? AND kind = 'compact_summary' AND agent_kind = 'main' AND abandoned = 0"
        " ORDER BY sequence DESC LIMIT 1"
    )
    return next(iter(_select(connection, where, (session_id, up_to_sequence))), None)


def active_path(connection: sqlite3.Connection, session_id: str, last: int) -> list[NodeRow]:
    """The last nodes of the active path, oldest first: main agent, not abandoned, from the latest compact summary on."""
    summary = latest_summary(connection, session_id, 2**62)
    rows = _select(
        connection,
        "session_id = ? AND sequence >= ? AND agent_kind = 'main' AND abandoned = 0 ORDER BY sequence DESC LIMIT ?",
        (session_id, summary.sequence if summary else 0, last),
    )
    return rows[::-1]


def shown_on_path(connection: sqlite3.Connection, session_id: str) -> list[Json]:
    """Metadata of the memory contexts on the active path, oldest first."""
    summary = latest_summary(connection, session_id, 2**62)
    rows = connection.execute(
        "SELECT metadata FROM nodes WHERE session_id = ? AND sequence >= ? AND kind = 'memory_context'"
        " AND agent_kind = 'main' AND abandoned = 0 ORDER BY sequence",
        (session_id, summary.sequence if summary else 0),
    )
    return [json.loads(row[0]) for row in rows]


def never_extract(connection: sqlite3.Connection, session_id: str, from_sequence: int, to_sequence: int) -> list[str]:
    """Root user messages of a stretch are candidates no more; returns their ids."""
    where = "session_id = ? AND sequence BETWEEN ? AND ? AND candidate = 1"
    found = connection.execute(
        f"SELECT node_id FROM nodes WHERE {where}",  # noqa: S608  constants
        (session_id, from_sequence, to_sequence),
    ).fetchall()
    connection.execute(f"UPDATE nodes SET candidate = 0 WHERE {where}", (session_id, from_sequence, to_sequence))  # noqa: S608
    return [row[0] for row in found]


def prune(connection: sqlite3.Connection, received_before: str, kept: Iterable[tuple[str, str]], limit: int) -> int:
    """Remove the text of old nodes that no job will read any more, except ``kept`` (session_id, node_id); returns how many.

    Those are the scanned ones, and those before which nothing waits to be scanned (memory was off, nobody typed).

    Id, sequence and hash stay: a node that is sent again is still a duplicate.
    """
    connection.execute(
        "CREATE TEMP TABLE IF NOT EXISTS kept (session_id TEXT, node_id TEXT, PRIMARY KEY (session_id, node_id))"
    )
    connection.execute("DELETE FROM kept")
    connection.executemany("INSERT OR IGNORE INTO kept VALUES (?, ?)", kept)
    return connection.execute(
        "UPDATE nodes SET text = '', summary = NULL, artifact_refs = '[]', metadata = '{}', pruned = 1"
        " WHERE (session_id, sequence) IN (SELECT n.session_id, n.sequence FROM nodes n JOIN sessions s USING (session_id)"
        " WHERE n.pruned = 0 AND n.received_at < ? AND (n.sequence <= s.cursor OR NOT EXISTS (SELECT 1 FROM nodes c"
        " WHERE c.session_id = n.session_id AND c.candidate = 1 AND c.abandoned = 0 AND c.sequence > s.cursor))"
        " AND NOT EXISTS (SELECT 1 FROM memory_sources m WHERE m.session_id = n.session_id AND m.node_id = n.node_id)"
        " AND NOT EXISTS (SELECT 1 FROM kept k WHERE k.session_id = n.session_id AND k.node_id = n.node_id) LIMIT ?)",
        (received_before, limit),
    ).rowcount


def _select(connection: sqlite3.Connection, where: str, values: tuple[object, ...]) -> list[NodeRow]:
    rows = connection.execute(f"SELECT {COLUMNS} FROM nodes WHERE {where}", values)  # noqa: S608  constants
    return [_row(row) for row in rows]


def _row(row: sqlite3.Row) -> NodeRow:
    values = dict(row)
    values["artifact_refs"] = tuple(json.loads(values["artifact_refs"]))
    values["metadata"] = json.loads(values["metadata"])
    for flag in ("candidate", "abandoned", "pruned", "explicit"):
        values[flag] = bool(values[flag])
    return NodeRow(**values)
