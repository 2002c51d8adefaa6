"""``extraction.*``, ``events.*``, ``daemon.*`` and ``config.*``: how the daemon works and is."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from soong_memoryd.protocol.values import Answer, Event, Identifier, Job, JobStatus, Json, Limit, Offset, Value


class ExtractionTrigger(Value):
    """Params of ``extraction.trigger``."""

    session_id: Identifier | None = None
    wait: bool = False


class JobsResult(Answer):
    """Jobs."""

    jobs: list[Job]


class ExtractionList(Value):
    """Params of ``extraction.list``."""

    session_id: Identifier | None = None
    status: JobStatus | None = None
    limit: Limit = 50


class OfJob(Value):
    """Params of ``extraction.get``."""

    job_id: Identifier


class ExtractionSkipResult(Answer):
    """Result of ``extraction.skip``: the root user messages that will never be extracted."""

    skipped_node_ids: list[str]


class EventsList(Value):
    """Params of ``events.list``."""

    after: Offset = 0
    session_id: Identifier | None = None
    type: Annotated[str, StringConstraints(max_length=100)] | None = None
    limit: Limit = 100


class EventsListResult(Answer):
    """Result of ``events.list``; ``last`` is the newest sequence there is."""

    events: list[Event]
    last: int


class EventsSubscribe(Value):
    """Params of ``events.subscribe``; left out, only what happens from now on."""

    after: Offset | None = None


class EventsSubscribeResult(Answer):
    """Result of ``events.subscribe``; then notifications ``event`` follow on this connection."""

    last: int


class StatusResult(Answer):
    """Result of ``daemon.status``."""

    version: str
    protocol_version: int
    pid: int
    started_at: str
    home: str
    socket: str
    state: Literal["ready", "degraded", "draining"]
    memory: Json
    models: list[Json]
    sessions: Json
    jobs: Json
    tokens_today: Json
    counters: Json


class ProblemsResult(Answer):
    """Result of ``daemon.verify`` and ``daemon.repair``: ``[{code, path?, memory_id?, text, fix, safe, mended?}]``."""

    problems: list[dict[str, Any]]


class DaemonRepair(Value):
    """Params of ``daemon.repair``."""

    codes: Annotated[list[Annotated[str, StringConstraints(max_length=100)]], Field(min_length=1, max_length=100)]


class ConfigCheckResult(Answer):
    """Result of ``config.check``: ``[{use, provider, name, rung, key_source, state, error}]``."""

    profiles: list[Json]
