"""The values of the wire: nodes, jobs, events, memories, and the types their fields are made of.

Owns: shapes and limits. Must not know methods, sockets or storage. Everything is strict: no coercion, no unknown field.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

NodeKind = Literal["user_message", "assistant_message", "tool_result", "compact_summary", "memory_context", "other"]
Origin = Literal["typed", "generated", "synthetic", "external"]
AgentKind = Literal["main", "sub", "fork", "worker", "compact"]
RegisteredKind = Literal["sub", "fork", "worker", "compact"]
RunStatus = Literal["completed", "failed", "cancelled"]
Category = Literal["user", "feedback", "reference"]
Reason = Literal["explicit", "message_backlog", "token_backlog", "idle"]
JobStatus = Literal["pending", "running", "completed", "failed", "parked", "cancelled"]
RequestedBy = Literal["schedule", "operator"]
Json = dict[str, Any]

MAX_NODES = 256


def _printable(value: str) -> str:
    if not value.isprintable():
        raise ValueError("only printable characters")
    return value


Identifier = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_printable)]
Query = Annotated[str, StringConstraints(min_length=1, max_length=8_000)]
Timestamp = Annotated[
    str,
    StringConstraints(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$"
    ),
]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Limit = Annotated[int, Field(ge=1, le=1000)]
Offset = Annotated[int, Field(ge=0, le=2**53)]


class Value(BaseModel):
    """A value that somebody sends: strict, unknown fields refused, null means left out."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _null_is_left_out(cls, data: Any) -> Any:
        if isinstance(data, dict) and None in data.values():
            return {key: value for key, value in data.items() if value is not None}
        return data


class Answer(BaseModel):
    """A value that the daemon sends."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Node(Value):
    """One context node. ``origin`` left out: by kind; ``agent_id``: the main agent; ``run_id``: the open root run."""

    node_id: Identifier
    parent_id: Identifier | None = None
    agent_id: Identifier | None = None
    run_id: Identifier | None = None
    kind: NodeKind
    text: str = ""
    origin: Origin | None = None
    summary: str | None = None
    artifact_refs: Annotated[list[Annotated[str, StringConstraints(max_length=2000)]], Field(max_length=100)] = []
    metadata: Json = {}
    created_at: Timestamp | None = None


class Job(Answer):
    """One extraction job. ``due_at`` is when it may begin; after a failed attempt it is pending again with ``error``."""

    job_id: str
    session_id: str
    reason: Reason
    requested_by: RequestedBy
    status: JobStatus
    attempt: int
    due_at: str
    from_sequence: int | None
    to_sequence: int | None
    created_at: str
    started_at: str | None
    finished_at: str | None
    result: Json | None
    error: Json | None


class Event(Answer):
    """One entry of the event log, in the order of ``sequence``."""

    sequence: int
    type: str
    session_id: str | None
    job_id: str | None
    at: str
    payload: Json


class Decision(Answer):
    """What the end of a root run decided: why, and when the job may begin."""

    reason: Reason
    due_at: str
    job_id: str | None


class EvidenceRef(Answer):
    """A node that a confirmed reference rests on."""

    node_id: str
    kind: str


class MemoryEntry(Answer):
    """The frontmatter of a memory with its place and the hash of the file's raw bytes."""

    id: str
    category: Category
    summary: str
    tags: list[str]
    created_at: str
    updated_at: str
    source_session_id: str | None
    source_node_ids: list[str]
    confirmed_by_node_id: str | None = None
    evidence: list[EvidenceRef] | None = None
    path: str
    sha256: str
