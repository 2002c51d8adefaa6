"""What a node becomes when it arrives: defaults, content hash, redaction, cutting. Pure.

Owns: the rules of ``Node`` in the wire contract. Must not know SQLite or which agents exist.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

from soong_memoryd.errors import RequestError
from soong_memoryd.protocol.methods import MAX_NODE_TEXT_BYTES
from soong_memoryd.protocol.values import Node

DEFAULT_ORIGIN: Mapping[str, str] = MappingProxyType(
    {
        "user_message": "typed",
        "assistant_message": "generated",
        "compact_summary": "generated",
        "tool_result": "external",
        "memory_context": "synthetic",
        "other": "synthetic",
    }
)
TOOL_EXCERPT_CHARS = 2_000
SUMMARY_CHARS = 8_000
MARGIN_CHARS = 4_000
"""Read beyond a cut: a secret that lies across it is seen, and removed, whole."""
MAX_METADATA_BYTES = 64 * 1024


class Redactor(Protocol):
    """Takes secrets out of text (``text.secrets``)."""

    def redact(self, text: str) -> str:
        """The text with every shaped or contextual secret replaced."""
        ...

    def redact_value(self, value: Any) -> Any:
        """The same for every string in a JSON value."""
        ...


@dataclass(frozen=True, slots=True)
class Reading:
    """How text is read on arrival; the functions are pure."""

    redactor: Redactor
    says_wish: Callable[[str], bool]
    estimate_tokens: Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Arrival:
    """A node as it will be stored, before it has a place: nothing of the raw text is left but its keyed hash."""

    node_id: str
    parent_id: str | None
    agent_id: str | None
    run_id: str | None
    kind: str
    origin: str
    text: str
    summary: str | None
    artifact_refs: tuple[str, ...]
    metadata: Mapping[str, Any]
    created_at: str | None
    content_hash: bytes
    tokens: int
    explicit: bool


def check_size(node: Node, index: int) -> None:
    """Refuse a node that is over the limits, before anything of its call is done.

    Raises:
        RequestError: ``message_too_large`` with the node's index.
    """
    for field, text in (("text", node.text), ("summary", node.summary or "")):
        if len(text) > MAX_NODE_TEXT_BYTES or len(text.encode()) > MAX_NODE_TEXT_BYTES:
            raise RequestError("message_too_large", f"a node's {field} is over 256 KiB", field=field, index=index)
    if len(json.dumps(node.metadata)) > MAX_METADATA_BYTES:
        raise RequestError("message_too_large", "a node's metadata is over 64 KiB", field="metadata", index=index)


def receive(node: Node, key: bytes, reading: Reading) -> Arrival:
    """Apply defaults, hash the content as received, then redact and cut it."""
    origin = node.origin or DEFAULT_ORIGIN[node.kind]
    redact = reading.redactor.redact
    text = "" if node.kind == "memory_context" else _kept(node, redact)
    summary = None if node.summary is None else _beginning(node.summary, SUMMARY_CHARS, redact)
    typed_by_person = node.kind == "user_message" and origin == "typed"
    return Arrival(
        node_id=node.node_id,
        parent_id=node.parent_id,
        agent_id=node.agent_id,
        run_id=node.run_id,
        kind=node.kind,
        origin=origin,
        text=text,
        summary=None if node.kind == "memory_context" else summary,
        artifact_refs=tuple(map(redact, node.artifact_refs)),
        metadata=reading.redactor.redact_value(node.metadata),
        created_at=node.created_at,
        content_hash=content_hash(node, origin, key),
        tokens=reading.estimate_tokens(text) if typed_by_person else 0,
        explicit=typed_by_person and reading.says_wish(text),
    )


def content_hash(node: Node, origin: str, key: bytes) -> bytes:
    """Keyed hash of kind, effective origin, text, summary and artifact_refs as received."""
    content = json.dumps([node.kind, origin, node.text, node.summary, node.artifact_refs], ensure_ascii=False)
    return hashlib.blake2b(content.encode(), key=key, digest_size=32).digest()


def _kept(node: Node, redact: Callable[[str], str]) -> str:
    """The text that may be stored: of a tool's output only a bounded excerpt (a job sees its summary)."""
    if node.kind != "tool_result" or len(node.text) <= TOOL_EXCERPT_CHARS:
        return redact(node.text)
    return _beginning(node.text, TOOL_EXCERPT_CHARS, redact) + "…"


def _beginning(text: str, max_chars: int, redact: Callable[[str], str]) -> str:
    """The first ``max_chars`` of a text, without secrets."""
    if len(text) <= max_chars:
        return redact(text)
    read = redact(text[: max_chars + MARGIN_CHARS])
    unsure_chars = MARGIN_CHARS if len(text) > max_chars + MARGIN_CHARS else 0  # at its end a secret may be cut in two
    return read[: min(max_chars, max(0, len(read) - unsure_chars))]
