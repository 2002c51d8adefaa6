"""``initialize``, ``session.*``, ``agent.*``, ``context.*`` and ``run.*``: what agents say."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from soong_memoryd.protocol.values import (
    MAX_NODES,
    AgentKind,
    Answer,
    Decision,
    Identifier,
    Node,
    RegisteredKind,
    RunStatus,
    Value,
)


class ClientInfo(Value):
    """Who is calling, for the log."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    version: Annotated[str, StringConstraints(max_length=100)] = ""


class ServerInfo(Answer):
    """Who is answering."""

    name: str
    version: str


class Limits(Answer):
    """What one connection may send."""

    max_message_bytes: int
    max_batch: int
    max_in_flight: int
    max_nodes: int


class Initialize(Value):
    """Params of ``initialize``."""

    protocol_version: int
    client: ClientInfo


class InitializeResult(Answer):
    """Result of ``initialize``."""

    protocol_version: int
    server: ServerInfo
    limits: Limits
    memory_enabled: bool


class SessionOpen(Value):
    """Params of ``session.open``."""

    session_id: Identifier
    agent_id: Identifier = "main"
    title: Annotated[str, StringConstraints(max_length=500)] | None = None


class SessionOpenResult(Answer):
    """Result of ``session.open``: ``durable_sequence`` is the last node on disk."""

    session_id: str
    created: bool
    durable_sequence: int
    unscanned_messages: int


class SessionState(Answer):
    """One session in a listing."""

    session_id: str
    title: str | None
    unscanned_messages: int
    cursor: int
    last_sequence: int
    next_due_at: str | None
    state: Literal["idle", "running", "waiting", "parked"]


class SessionListResult(Answer):
    """Result of ``session.list``."""

    sessions: list[SessionState]
    total: int


class AgentRegister(Value):
    """Params of ``agent.register``."""

    session_id: Identifier
    agent_id: Identifier
    kind: RegisteredKind
    parent_agent_id: Identifier


class AgentRegisterResult(Answer):
    """Result of ``agent.register``."""

    agent_id: str
    kind: AgentKind


class ContextAppend(Value):
    """Params of ``context.append``: all nodes or none."""

    session_id: Identifier
    nodes: Annotated[list[Node], Field(min_length=1, max_length=MAX_NODES)]


class ContextAppendResult(Answer):
    """Result of ``context.append``, sent when the nodes are on disk."""

    durable_sequence: int
    appended: int
    duplicates: list[str]


class ContextRewind(Value):
    """Params of ``context.rewind``."""

    session_id: Identifier
    node_id: Identifier


class ContextRewindResult(Answer):
    """Result of ``context.rewind``: how many nodes left the path."""

    abandoned: int


class RunStarted(Value):
    """Params of ``run.started``."""

    session_id: Identifier
    run_id: Identifier
    agent_id: Identifier | None = None


class RunStartedResult(Answer):
    """Result of ``run.started``."""

    cancelled_idle: bool


class RunCompleted(Value):
    """Params of ``run.completed``."""

    session_id: Identifier
    run_id: Identifier
    agent_id: Identifier | None = None
    status: RunStatus


class RunCompletedResult(Answer):
    """Result of ``run.completed``."""

    decision: Decision | None
