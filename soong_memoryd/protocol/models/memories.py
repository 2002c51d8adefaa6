"""``memory.*``: what is kept, recalled and changed by a person."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from soong_memoryd.protocol.models.common import Page
from soong_memoryd.protocol.values import Answer, Category, Event, Identifier, Json, Limit, MemoryEntry, Query, Sha256, Value


class MemoryCatalog(Value):
    """Params of ``memory.catalog``."""

    session_id: Identifier | None = None
    agent_id: Identifier | None = None
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None


class MemoryCatalogResult(Answer):
    """Result of ``memory.catalog``: MEMORY.md as it goes into the system prompt."""

    text: str
    entries: int
    truncated: bool
    revision: str


class MemoryRecall(Value):
    """Params of ``memory.recall``."""

    session_id: Identifier | None = None
    agent_id: Identifier | None = None
    run_id: Identifier | None = None
    query: Query
    user_request: Annotated[str, StringConstraints(max_length=64_000)] | None = None
    path_summary: Annotated[str, StringConstraints(max_length=64_000)] | None = None
    top_k: Annotated[int, Field(ge=1, le=1000)] | None = None
    token_budget: Annotated[int, Field(ge=1, le=1_000_000)] | None = None


class RecalledMemory(Answer):
    """A memory whose text is in the message."""

    id: str
    category: Category
    summary: str
    path: str
    sha256: str


class Omitted(Answer):
    """A chosen memory that is not in the message, and why."""

    id: str
    reason: str


class ContextMessage(Answer):
    """The recalled text, ready for the model."""

    role: Literal["user"]
    content: str


class MemoryRecallResult(Answer):
    """Result of ``memory.recall``; ``message`` and ``node`` are null unless ``recalled``."""

    status: Literal["recalled", "already_recalled", "no_match"]
    message: ContextMessage | None
    node: Json | None
    recalled: list[RecalledMemory]
    already_recalled: list[str]
    omitted: list[Omitted]
    selected_by: Literal["model", "lexical"]
    degraded: str | None


class MemoryList(Page):
    """Params of ``memory.list``."""

    category: Category | None = None
    tag: str | None = None


class MemoryListResult(Answer):
    """Result of ``memory.list``, newest first."""

    memories: list[MemoryEntry]
    total: int


class OfMemory(Value):
    """Params of the methods that name a memory and nothing else."""

    memory_id: Identifier


class MemoryGetResult(Answer):
    """Result of ``memory.get``; ``sha256`` is of the file's raw bytes."""

    frontmatter: Json
    body: str
    path: str
    sha256: str


class MemorySearch(Value):
    """Params of ``memory.search``."""

    query: Query
    limit: Limit = 10


class Match(Answer):
    """One hit of a search."""

    id: str
    summary: str
    score: float
    path: str


class MemorySearchResult(Answer):
    """Result of ``memory.search``, best first."""

    matches: list[Match]


class Source(Answer):
    """A node that a memory rests on; ``excerpt`` is null when its text was pruned."""

    session_id: str
    node_id: str
    kind: str | None
    excerpt: str | None
    created_at: str | None


class MemoryWhyResult(Answer):
    """Result of ``memory.why``."""

    sources: list[Source]
    events: list[Event]


class MemoryForget(Value):
    """Params of ``memory.forget``."""

    memory_id: Identifier
    sha256: Sha256 | None = None
    purge: bool = False


class MemoryForgetResult(Answer):
    """Result of ``memory.forget``."""

    memory_id: str
    path: str


class Version(Answer):
    """What a change displaced, and can be put back by ``memory.undo``."""

    version_id: str
    at: str
    cause: str
    sha256: str


class MemoryHistoryResult(Answer):
    """Result of ``memory.history``, newest first."""

    versions: list[Version]


class MemoryUndo(Value):
    """Params of ``memory.undo``."""

    version_id: Identifier


class MemoryAdopt(Value):
    """Params of ``memory.adopt``."""

    edit_id: Identifier
    sha256: Sha256 | None = None


class MemoryWritten(Answer):
    """Result of ``memory.undo`` and ``memory.adopt``."""

    memory_id: str
    path: str
    sha256: str
