"""``daemon.status``: everything that fits one screen, gathered in one place.

Owns: the composition. Must not know how any part works.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from dataclasses import dataclass
from typing import Any

from soong_memoryd.clock import timestamp
from soong_memoryd.memories.document import CATEGORIES
from soong_memoryd.memories.index import Snapshot
from soong_memoryd.state.queries import counters, events, jobs, nodes, sessions
from soong_memoryd.text.tokens import estimate_tokens


@dataclass(frozen=True, slots=True)
class Stored:
    """What the state database knows of the daemon's work."""

    sessions: dict[str, Any]
    jobs: dict[str, Any]
    tokens_today: dict[str, int]
    counters: dict[str, int]


def read_stored(connection: sqlite3.Connection, today: str) -> Stored:
    """Counts and deadlines, in one transaction."""
    unscanned = nodes.sessions_with_unscanned(connection)
    by_status = jobs.count_by_status(connection)
    pending = jobs.pending(connection)
    failure = events.last_of(connection, "memory_extraction_failed")
    return Stored(
        sessions={
            "open": sessions.count(connection)[1],
            "unscanned_messages": sum(unscanned.values()),
            "next_due_at": min((timestamp(job.due.wall_seconds) for job in pending), default=None),
        },
        jobs={
            **{status: by_status.get(status, 0) for status in ("pending", "running", "parked")},
            "last_failure": None if failure is None else _failure(failure),
        },
        tokens_today=counters.spent(connection, today),
        counters=counters.read(connection),
    )


def memory_part(snapshot: Snapshot, *, enabled: bool) -> dict[str, Any]:
    """The memories by category, and the size of the catalog."""
    found = Counter(entry.frontmatter.category for entry in snapshot.entries)
    return {
        "enabled": enabled,
        "total": len(snapshot.entries),
        "by_category": {category: found[category] for category in CATEGORIES},
        "invalid": len(snapshot.invalid),
        "catalog_tokens": estimate_tokens(snapshot.catalog.text),
        "revision": snapshot.catalog.revision,
    }


def _failure(event: dict[str, Any]) -> dict[str, Any]:
    error = event["payload"]["error"]
    return {"at": event["at"], "session_id": event["session_id"], "job_id": event["job_id"], **error}
