"""A model that says what a test scripted, a memory store without disk, and a ledger without SQLite."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from soong_memoryd.clock import Clock
from soong_memoryd.errors import CommitConflict, MemorydError, RequestError
from soong_memoryd.extraction.artifacts import ArtifactWriter
from soong_memoryd.extraction.briefing import Memories
from soong_memoryd.extraction.job import AttemptLog, Checks, ExtractionJob
from soong_memoryd.llm.conversation import Answer, Conversation, Model, ToolCall, Usage
from soong_memoryd.memories.change import Change
from soong_memoryd.memories.document import Document, parse, serialise
from soong_memoryd.memories.index import FileStamp, Snapshot, index_files
from soong_memoryd.memories.schema import Frontmatter
from soong_memoryd.state.rows import Effects, EventDraft, JobCompletion, Json, Scan
from soong_memoryd.text.secrets.finder import SecretFinder
from tests.support.clock import ManualClock

Reply = Callable[[Conversation], Sequence[ToolCall]] | Sequence[ToolCall] | Exception
USAGE = Usage(1, 1_000, 100)


def call(tool: str, /, **arguments: Any) -> ToolCall:
    """One readable call."""
    return ToolCall(tool, arguments)


def create(node_id: str, quote: str, **changes: Any) -> ToolCall:
    """A well-formed ``create_memory`` whose evidence is one quote."""
    fields = {"category": "user", "name": "a-fact", "summary": f"The user said: {quote}", "tags": ["fact"], "body": quote}
    return call("create_memory", **{**fields, "evidence": [{"node_id": node_id, "quote": quote}], **changes})


def update(memory_id: str, node_id: str, quote: str, relation: str = "update", **changes: Any) -> ToolCall:
    """A well-formed ``update_memory`` whose evidence is one quote."""
    fields = {"id": memory_id, "relation": relation, "summary": f"The user said: {quote}", "tags": [], "body": quote}
    return call("update_memory", **{**fields, "evidence": [{"node_id": node_id, "quote": quote}], **changes})


def finish(ignored: Sequence[Json] = (), duplicates: Sequence[Json] = ()) -> ToolCall:
    """The call that ends a job."""
    return call("finish", ignored=list(ignored), duplicates=list(duplicates))


class ScriptedModel:
    """Answers with one reply after the other and keeps what it was asked."""

    label = "scripted/model"

    def __init__(self, *replies: Reply, context_tokens: int = 100_000) -> None:
        self._replies = list(replies)
        self.context_tokens = context_tokens
        self.asked: list[Conversation] = []

    async def ask(self, conversation: Conversation) -> Answer:
        self.asked.append(conversation)
        reply = self._replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        calls = tuple(reply(conversation) if callable(reply) else reply)
        return Answer(calls, USAGE, "tools", None if calls else "no call")


class MemoryFiles:
    """Memory files by path. ``commits`` holds what was committed; ``fails`` is raised by the next commit."""

    def __init__(self, memories: Iterable[Json] = ()) -> None:
        self.files: dict[str, bytes] = {}
        self.commits: list[tuple[tuple[Change, ...], Effects]] = []
        self.reads: list[str] = []
        self.fails: MemorydError | None = None
        self.cursor: dict[str, int] = {}
        for memory in memories:
            self.add(memory)

    def add(self, memory: Json) -> None:
        fields = {key: memory[key] for key in ("id", "category", "summary", "created_at", "updated_at", "source_session_id")}
        head = Frontmatter(**fields, tags=tuple(memory["tags"]), source_node_ids=tuple(memory["source_node_ids"]))
        self.files[memory["path"]] = serialise(Document(head, memory["body"]))

    async def snapshot(self) -> Snapshot:
        stamps = (FileStamp(len(data), 0, 0, 0) for data in self.files.values())
        return index_files([(path, data, stamp) for (path, data), stamp in zip(self.files.items(), stamps, strict=True)], 4_000)

    async def read(self, memory_id: str) -> tuple[Document, str, str]:
        self.reads.append(memory_id)
        entry = (await self.snapshot()).by_id.get(memory_id)
        if entry is None:
            raise RequestError("not_found", "no such memory")
        data = self.files[entry.path]
        return parse(data), hashlib.sha256(data).hexdigest(), entry.path

    async def commit(self, changes: Sequence[Change], effects: Effects) -> None:
        if self.fails is not None:
            raise self.fails
        for change in changes:
            old = self.files.get(change.path)
            if (hashlib.sha256(old).hexdigest() if old else None) != change.base_sha256:
                raise CommitConflict("changed meanwhile")
        for change in changes:
            assert change.data is not None
            self.files[change.path] = change.data
        self.commits.append((tuple(changes), effects))

    def memories(self) -> dict[str, Document]:
        """Every memory by id."""
        parsed = (parse(data) for data in self.files.values())
        return {document.frontmatter.id: document for document in parsed}


class AttemptNotes:
    """Notes what an attempt tells the ledger, in order."""

    def __init__(self, source: Scan) -> None:
        self.source = source
        self.notes: list[tuple[str, Any]] = []
        self.fails: MemorydError | None = None

    async def read_source(self, session_id: str) -> Scan:
        assert session_id == self.source.session_id
        return self.source

    async def begin(self, job_id: str, from_sequence: int, to_sequence: int, payload: Json) -> None:
        self.notes.append(("begin", (job_id, from_sequence, to_sequence, payload)))

    async def complete_without_files(self, completion: JobCompletion, event: EventDraft) -> None:
        if self.fails is not None:
            raise self.fails
        self.notes.append(("complete", (completion, event)))


def extraction(
    model: Model,
    memories: Memories,
    log: AttemptLog,
    *,
    artifacts: ArtifactWriter | None = None,
    clock: Clock | None = None,
) -> ExtractionJob:
    """A job with the real secret finder, the real writer and ids that count."""
    finder, numbers = SecretFinder(), itertools.count(1)
    checks = Checks(finder.refusal, finder.redact, lambda _: f"mem_20261201000000_{next(numbers):08d}")
    return ExtractionJob(model, memories, log, clock or ManualClock(), checks, artifacts)
