"""What the tables hold, as immutable values that every room may read.

Owns: the row types. Must not know: SQL (``state/queries``), or what a row means (``sessions``, ``extraction``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from soong_memoryd.clock import Deadline

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class NodeRow:
    """One context node as stored: text redacted, tool text cut, times RFC 3339."""

    session_id: str
    sequence: int
    node_id: str
    parent_id: str | None
    agent_id: str
    agent_kind: str
    run_id: str | None
    kind: str
    origin: str
    text: str
    summary: str | None
    artifact_refs: tuple[str, ...]
    metadata: Mapping[str, Any]
    created_at: str
    candidate: bool
    abandoned: bool = False
    pruned: bool = False
    tokens: int = 0
    explicit: bool = False


@dataclass(frozen=True, slots=True)
class Scan:
    """What is known of a session when a job begins.

    ``nodes``: every agent's, abandoned ones included and marked. ``limit_sequence``: the last node before the first node
    of a run that is still open (the session's last sequence when none is). ``halvings``: how often the window was halved.
    ``forgotten``: node ids that may never prove anything. ``truncated``: more nodes follow than one scan reads.
    """

    session_id: str
    cursor: int
    limit_sequence: int
    nodes: tuple[NodeRow, ...]
    halvings: int = 0
    forgotten: frozenset[str] = frozenset()
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class JobRow:
    """One extraction job. ``due`` is when a pending one may begin; ``from/to_sequence`` the last fixed window."""

    job_id: str
    session_id: str
    reason: str
    requested_by: str
    status: str
    attempt: int
    due: Deadline
    from_sequence: int | None
    to_sequence: int | None
    created_at: str
    started_at: str | None
    finished_at: str | None
    result: Json | None
    error: Json | None


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event before it has its place in the log; ``payload`` holds no body, user text or provider's text."""

    type: str
    session_id: str | None = None
    job_id: str | None = None
    payload: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JobCompletion:
    """What completing a job changes: the cursor moves from → to, if and only if it still stands at ``cursor_from``."""

    job_id: str
    session_id: str
    cursor_from: int
    cursor_to: int
    source_node_ids: tuple[str, ...]
    result: Json


@dataclass(frozen=True, slots=True)
class MemorySources:
    """What a written memory rests on in one session: beside what is known of it already, or in its place (``replaces``)."""

    memory_id: str
    session_id: str
    node_ids: tuple[str, ...]
    replaces: bool


@dataclass(frozen=True, slots=True)
class Effects:
    """What becomes true in the same transaction that finishes a commit of memory files."""

    event: EventDraft
    cause: str  # create | update | conflict | edit | forget | undo | adopt: what a kept version says displaced it
    completion: JobCompletion | None = None
    sources: tuple[MemorySources, ...] = ()
    forgotten: tuple[tuple[str, str], ...] = ()  # (session_id, node_id) that can never be evidence again
    purge: bool = False  # with forgotten: kept versions and source excerpts go as well
