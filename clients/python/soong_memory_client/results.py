"""The shapes of the results of the agent-facing calls, for type checkers and readers.

Owns: the typed dictionaries. Must not know: how they are fetched. Never imported at run time by the client itself.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

NodeKind = Literal["user_message", "assistant_message", "tool_result", "compact_summary", "memory_context", "other"]
Origin = Literal["typed", "generated", "synthetic", "external"]
AgentKind = Literal["sub", "fork", "worker", "compact"]
RunStatus = Literal["completed", "failed", "cancelled"]


class Node(TypedDict):
    """One context node as it is sent."""

    node_id: str
    kind: NodeKind
    text: NotRequired[str]
    parent_id: NotRequired[str | None]
    agent_id: NotRequired[str | None]
    run_id: NotRequired[str | None]
    origin: NotRequired[Origin | None]
    summary: NotRequired[str | None]
    artifact_refs: NotRequired[list[str]]
    metadata: NotRequired[dict[str, Any]]
    created_at: NotRequired[str | None]


class SessionOpened(TypedDict):
    """Result of ``session.open``."""

    session_id: str
    created: bool
    durable_sequence: int
    unscanned_messages: int


class AgentRegistered(TypedDict):
    """Result of ``agent.register``."""

    agent_id: str
    kind: str


class Appended(TypedDict):
    """Result of ``context.append``."""

    durable_sequence: int
    appended: int
    duplicates: list[str]


class Rewound(TypedDict):
    """Result of ``context.rewind``."""

    abandoned: int


class RunStarted(TypedDict):
    """Result of ``run.started``."""

    cancelled_idle: bool


class Decision(TypedDict):
    """When the daemon will look at a session, and why."""

    reason: str
    due_at: str
    job_id: str | None


class RunCompleted(TypedDict):
    """Result of ``run.completed``."""

    decision: Decision | None


class Catalog(TypedDict):
    """Result of ``memory.catalog``."""

    text: str
    entries: int
    truncated: bool
    revision: str


class Recalled(TypedDict):
    """Result of ``memory.recall``; ``message`` goes to the model as it is."""

    status: Literal["recalled", "already_recalled", "no_match"]
    message: dict[str, str] | None
    node: dict[str, Any] | None
    recalled: list[dict[str, str]]
    already_recalled: list[str]
    omitted: list[dict[str, str]]
    selected_by: Literal["model", "lexical"]
    degraded: str | None
