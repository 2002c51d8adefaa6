"""Memories, index entries and window nodes for tests, each with what a test does not care about filled in."""

from __future__ import annotations

from dataclasses import replace

from soong_memoryd.memories.document import Document, Frontmatter, serialise
from soong_memoryd.memories.evidence import SourceNode
from soong_memoryd.memories.index import Entry, FileStamp, Invalid, read_entry
from soong_memoryd.memories.naming import file_name

STAMP = FileStamp(size_bytes=1, mtime_ns=1, ctime_ns=1, inode=1)
HEAD = Frontmatter(
    id="mem_20260502080000_a1b2",
    category="feedback",
    summary="Use npm for JavaScript projects",
    tags=("javascript",),
    created_at="2026-05-02T08:00:00Z",
    updated_at="2026-05-02T08:00:00Z",
    source_session_id="sess-old",
    source_node_ids=("old-1",),
)


def head(**fields: object) -> Frontmatter:
    """A valid header; its id, created_at and updated_at agree when only ``id`` is given."""
    return replace(HEAD, **fields)


def entry(frontmatter: Frontmatter = HEAD, body: str = "The user wants npm.", name: str = "package-manager") -> Entry:
    """The index entry of a memory as the daemon would have written it."""
    path = f"{frontmatter.category}/{file_name(name, frontmatter.created_at, frontmatter.id)}"
    read = read_entry(path, serialise(Document(frontmatter, body)), STAMP)
    assert not isinstance(read, Invalid), read
    return read


def user(node_id: str, text: str, sequence: int, **fields: object) -> SourceNode:
    """A root user message after the cursor."""
    return replace(
        SourceNode(node_id, "user_message", "typed", "main", text, sequence, candidate=True, after_cursor=True), **fields
    )


def scanned(node_id: str, text: str, sequence: int) -> SourceNode:
    """A root user message before the cursor."""
    return user(node_id, text, sequence, after_cursor=False)


def tool(node_id: str, text: str, sequence: int, **fields: object) -> SourceNode:
    """A tool result of the main agent."""
    return user(node_id, text, sequence, **{"kind": "tool_result", "origin": "external", "candidate": False, **fields})


def assistant(node_id: str, text: str, sequence: int, **fields: object) -> SourceNode:
    """An answer of the main agent."""
    return user(node_id, text, sequence, **{"kind": "assistant_message", "origin": "generated", "candidate": False, **fields})


def by_id(*nodes: SourceNode) -> dict[str, SourceNode]:
    """Nodes as the gate and the writer take them."""
    return {node.node_id: node for node in nodes}
