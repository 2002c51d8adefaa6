"""A recall over memories in memory: the store and the path as small real implementations of their ports."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from soong_memoryd.errors import InvalidDocument
from soong_memoryd.llm.conversation import Answer, Conversation, Model, ToolCall, Usage
from soong_memoryd.memories.document import serialise
from soong_memoryd.memories.index import Entry, FileStamp, Snapshot, take_snapshot
from soong_memoryd.memories.schema import Document, Frontmatter
from soong_memoryd.recall.answer import PathContext
from soong_memoryd.recall.recall import Recall, RecallSettings

CASES = Path(__file__).parents[1] / "cases"


def load(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines() if line.strip()]


def document(
    summary: str, body: str = "", number: int = 1, category: str = "feedback", tags: Iterable[str] = (), name: str = ""
) -> Document:
    moment = f"2026-03-{number % 28 + 1:02d}T09:00:00Z"
    memory_id = f"mem_202603{number % 28 + 1:02d}090000_{number:04d}"
    return Document(Frontmatter(memory_id, category, summary, tuple(tags), moment, moment, "s", ("n1",)), body)


def stored(case: dict[str, Any]) -> tuple[Document, str]:
    head = Frontmatter(
        case["id"],
        case["category"],
        case["summary"],
        tuple(case["tags"]),
        case["created_at"],
        case["updated_at"],
        case["source_session_id"],
        tuple(case["source_node_ids"]),
    )
    return Document(head, case["body"]), case["path"]


@dataclass
class MemoryShelf:
    """Documents by path; reading counts, and breaks for the ids in ``broken``."""

    files: dict[str, Document] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    reads: list[str] = field(default_factory=list)
    _snapshot: Snapshot | None = None

    def put(self, document: Document, path: str = "") -> str:
        head = document.frontmatter
        self.files[path or f"{head.category}/note-{head.created_at[:10].replace('-', '')}-{head.id}.md"] = document
        self._snapshot = None
        return head.id

    async def snapshot(self) -> Snapshot:
        if self._snapshot is None:
            entries = [Entry(d.frontmatter, path, sha256_of(d), FileStamp(1, 1, 1, 1)) for path, d in self.files.items()]
            self._snapshot = take_snapshot(entries, 4000)
        return self._snapshot

    async def read(self, memory_id: str) -> tuple[Document, str, str]:
        self.reads.append(memory_id)
        if memory_id in self.broken:
            raise InvalidDocument("cannot be read", code="header")
        path = next(path for path, d in self.files.items() if d.frontmatter.id == memory_id)
        return self.files[path], sha256_of(self.files[path]), path


def sha256_of(document: Document) -> str:
    return hashlib.sha256(serialise(document)).hexdigest()


@dataclass
class OnePath:
    """One session's path: what was stored on it."""

    context_: PathContext = field(default_factory=PathContext)
    nodes: list[dict[str, Any]] = field(default_factory=list)

    async def context(self, session_id: str, agent_id: str | None, run_id: str | None) -> PathContext:
        shown = dict(self.context_.shown)
        for node in self.nodes:
            shown |= dict(zip(node["metadata"]["recalled_memory_ids"], node["metadata"]["file_hashes"], strict=True))
        return PathContext(shown, self.context_.user_request, self.context_.path_summary)

    async def remember_shown(
        self, session_id: str, agent_id: str | None, run_id: str | None, metadata: dict[str, Any]
    ) -> dict[str, Any]:
        node = {"node_id": f"m{len(self.nodes)}", "kind": "memory_context", "text": "", "metadata": metadata}
        self.nodes.append(node)
        return node

    async def forget_shown(self, session_id: str, node_id: str) -> None:
        self.nodes = [node for node in self.nodes if node["node_id"] != node_id]


@dataclass
class ScriptedSelector:
    """A model that answers what it is told to; ``asked`` holds every conversation."""

    answer: Callable[[Conversation], Answer]
    label: str = "test/selector"
    context_tokens: int = 100_000
    asked: list[Conversation] = field(default_factory=list)

    async def ask(self, conversation: Conversation) -> Answer:
        self.asked.append(conversation)
        return self.answer(conversation)


def selecting(*ids: str) -> ScriptedSelector:
    return ScriptedSelector(lambda _: Answer((ToolCall("select_memories", {"ids": list(ids)}),), Usage(1, 100, 10), "tools"))


def recall_over(
    shelf: MemoryShelf,
    path: OnePath | None = None,
    model: Model | None = None,
    settings: RecallSettings | None = None,
    redact: Callable[[str], str] = lambda text: text,
) -> Recall:
    chosen = settings or RecallSettings()
    return Recall(shelf, path or OnePath(), redact, lambda: model, lambda: chosen, time.monotonic)
