"""What a node, an agent and a run of soong-agent are on the wire. Pure.

Owns: the tables from its words to ours, and what of a node's content blocks is text. Must not know: how anything is sent or
stored. A node is a mapping of its fields, or an object with ``model_dump``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from soong_memory_client.nodes import build_node

Node = Mapping[str, Any]

MESSAGE = "message"
MEMORY_CONTEXT = "memory_context"
CURSOR_KEY = "memory_scan_node_seq"

MESSAGE_KINDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "user": ("user_message", "synthetic"),  # typed only by the root agent's person, see ``node_of``
        "assistant": ("assistant_message", "generated"),
        "tool": ("tool_result", "external"),
    }
)
"""Role of a ``message`` → kind and origin."""

NODE_KINDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "compaction": ("compact_summary", "generated"),
        "child_result": ("tool_result", "external"),  # what a sub agent did, as it became visible to its parent
        "plan_instruction": ("other", "synthetic"),
        "task_instruction": ("other", "synthetic"),
        "task_board": ("other", "synthetic"),
        "skill_context": ("other", "synthetic"),
        "hook_context": ("other", "synthetic"),
        "system_note": ("other", "synthetic"),
    }
)
"""Every other node type → kind and origin; an unknown one is ``other``."""

NOT_TYPED = frozenset({"json", "tool_result"})
"""Blocks with words that no person typed, also in a message of the user: it explains then, and is no source."""

AGENT_KINDS: Mapping[str, str] = MappingProxyType({"sub": "sub", "fork": "fork", "worker": "worker", "compact": "compact"})
"""Purpose, else type of an agent below the root → kind; an unknown one is ``sub``."""

RUN_STATUSES: Mapping[str, str] = MappingProxyType(
    {"completed": "completed", "failed": "failed", "aborted": "cancelled", "cancelled": "cancelled"}
)
"""Status of a run → status; one that had not ended when its core did is ``cancelled``."""

MAX_SUMMARY_CHARS = 200
MAX_METADATA_BYTES = 32 * 1024
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)")


def fields_of(node: Any) -> Node:
    """The fields of a node: a mapping as it is, a model as JSON values."""
    if isinstance(node, Mapping):
        return node
    dumped: Node = node.model_dump(mode="json")
    return dumped


def node_of(node: Node, node_seq: int, root_agent_id: str, scanned_seq: int) -> dict[str, Any] | None:
    """The node as it is sent; None for a ``memory_context``, which the daemon has from its own recall.

    ``typed`` is what soong-agent takes as a source: ``role=user``, ``node_type=message``, ``agent_id=root_agent_id`` and
    ``node_seq`` after the cursor. What the cursor has passed can explain and is never a source again.
    """
    if node["node_type"] == MEMORY_CONTEXT:
        return None
    if node["node_type"] == MESSAGE:
        kind, origin = MESSAGE_KINDS.get(node["role"], ("other", "synthetic"))
    else:
        kind, origin = NODE_KINDS.get(node["node_type"], ("other", "synthetic"))
    metadata = {"node_seq": node_seq, "role": node["role"], "node_type": node["node_type"]}
    blocks = node.get("content") or []
    nobody_typed = any(block["type"] in NOT_TYPED for block in blocks)
    if kind == "user_message" and node["agent_id"] == root_agent_id and not nobody_typed:
        if node_seq > scanned_seq:
            origin = "typed"
        else:
            metadata["scanned_by"] = "soong-agent"
    text = "\n".join(_texts(blocks))
    created_at = str(node.get("created_at") or "").replace(" ", "T", 1)
    return build_node(
        node["node_id"],
        kind,
        text,
        parent_id=node.get("parent_id"),
        agent_id=node["agent_id"],
        run_id=node.get("run_id"),
        origin=origin,
        summary=_summary(blocks, text) if kind == "tool_result" else None,
        artifact_refs=list(dict.fromkeys(_artifacts(blocks))),
        metadata=_metadata(node) | metadata,
        created_at=created_at if _TIMESTAMP.fullmatch(created_at) else None,
    )


def agent_kind(agent_type: str, purpose: str | None = None) -> str:
    """The kind of an agent that is not the root; its purpose says more than its type."""
    return AGENT_KINDS.get(purpose or "") or AGENT_KINDS.get(agent_type, "sub")


def run_status(status: str) -> str:
    """How a run ended."""
    return RUN_STATUSES.get(status, "cancelled")


def recall_answer(query: str, recalled: Mapping[str, Any]) -> dict[str, Any]:
    """What soong-agent's ``recall_memory`` returns, from the result of ``memory.recall``; no body is given twice."""
    message, node = recalled["message"], recalled["node"]
    metadata = dict(node["metadata"]) if node else {"recalled_memory_ids": recalled["already_recalled"], "query": query}
    return {
        "node_type": MEMORY_CONTEXT,
        "query": query,
        "matches": recalled["recalled"],
        "selected_by_model": recalled["selected_by"] == "model",
        "already_recalled": recalled["status"] == "already_recalled",
        "content": message["content"] if message else "",
        "metadata": metadata,
    }


def _texts(blocks: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """What of the content is said: text, small JSON, what a tool returned. Calls and references are not."""
    for block in blocks:
        match block["type"]:
            case "text":
                yield block["text"]
            case "json" if block.get("data") is not None:
                yield json.dumps(block["data"], ensure_ascii=False)
            case "tool_result":
                yield from _texts(block.get("content") or [])
                error = block.get("error") or {}
                if error.get("message"):
                    yield str(error["message"])


def _summary(blocks: Iterable[Mapping[str, Any]], text: str) -> str:
    """What an extraction job sees of a tool's result: the artifacts' own summaries, else its first words."""
    found = list(_summaries(blocks)) or [" ".join(text.split())]
    return " ".join(found)[:MAX_SUMMARY_CHARS]


def _summaries(blocks: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for block in blocks:
        if block["type"] in ("json", "artifact_ref") and block.get("summary"):
            yield str(block["summary"])
        yield from _summaries(block.get("content") or [])


def _artifacts(blocks: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for block in blocks:
        if block.get("artifact_id"):
            yield str(block["artifact_id"])
        yield from _artifacts(block.get("content") or [])


def _metadata(node: Node) -> dict[str, Any]:
    """The node's own metadata, unless it is large."""
    own = dict(node.get("metadata") or {})
    if node.get("token_count") is not None:
        own["token_count"] = node["token_count"]
    return own if len(json.dumps(own)) <= MAX_METADATA_BYTES else {"metadata_cut": True}
