"""A memory as bytes: reads what people and tools leave in a file, writes one canonical form.

Owns: the file format. Must not know: where files lie, which of them exist, or who wrote them.
The body keeps its bytes; only the blank line after the header and the final newline are framing.
"""

from __future__ import annotations

import re

from frontmatter.default_handlers import YAMLHandler

from soong_memoryd.memories import header
from soong_memoryd.memories.header import Value, reject
from soong_memoryd.memories.naming import id_time, is_memory_id
from soong_memoryd.memories.schema import (
    CATEGORIES,
    MAX_FILE_BYTES,
    MAX_HEADER_BYTES,
    PROBLEMS,
    Document,
    EvidenceRef,
    Frontmatter,
    check_document,
    read_time,
)

__all__ = ["CATEGORIES", "PROBLEMS", "Document", "EvidenceRef", "Frontmatter", "parse", "serialise"]

_KEYS = frozenset(Frontmatter.__dataclass_fields__)
_ONE_LINE_WIDTH = 1_000_000  # the emitter folds longer lines, which makes diffs of summaries unreadable


def parse(data: bytes) -> Document:
    """The memory in the bytes of a file; a byte order mark and CRLF line ends are understood.

    Missing times are taken from the id, missing tags and sources are empty.

    Raises:
        InvalidDocument: with a code of ``PROBLEMS``.
    """
    head_text, body = _split(_decode(data))
    head = _read_header(_HANDLER.load(head_text))
    document = Document(head, body)
    _reject_if(check_document(document))
    return document


def serialise(document: Document) -> bytes:
    """The canonical bytes of a memory, proven to read back as the same memory.

    Raises:
        InvalidDocument: a field breaks a limit, with a code of ``PROBLEMS``.
    """
    _reject_if(check_document(document))
    fields = document.frontmatter.shown()
    if document.frontmatter.source_session_id is None:
        del fields["source_session_id"]
        if not document.frontmatter.source_node_ids:
            del fields["source_node_ids"]
    head_text = _HANDLER.export(
        fields, sort_keys=False, width=_ONE_LINE_WIDTH, default_flow_style=None, allow_unicode=True, line_break="\n"
    )
    data = f"---\n{head_text}\n---\n\n{document.body}\n".encode()
    if parse(data) != document:
        reject("unstable")
    return data


class _StringsOnly(YAMLHandler):
    """Frontmatter's YAML handler with a boundary that swallows no blank lines and a loader that guesses no types."""

    FM_BOUNDARY = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)

    def load(self, fm: str, **_kwargs: object) -> dict[str, Value]:
        """The header's keys with values of strings, lists and mappings of strings."""
        return header.load(fm)


_HANDLER = _StringsOnly()


def _decode(data: bytes) -> str:
    if len(data) > MAX_FILE_BYTES:
        reject("file_long")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        reject("encoding")
    if "\0" in text:
        reject("nul")
    return text


def _split(text: str) -> tuple[str, str]:
    if not _HANDLER.detect(text):
        reject("no_header")
    try:
        head_text, rest = _HANDLER.split(text)
    except ValueError:
        reject("header_open")
    if len(head_text.encode("utf-8")) > MAX_HEADER_BYTES:
        reject("header_long")
    # Only a file whose header has CRLF is framed by CRLF: a body may begin or end with a carriage return of its own.
    newline = "\r\n" if "\r\n" in head_text else "\n"
    body = rest.removeprefix("\n").removeprefix(newline).removesuffix(newline)
    return head_text.replace("\r\n", "\n"), body


def _read_header(fields: dict[str, Value]) -> Frontmatter:
    if not fields.keys() <= _KEYS:
        reject("unknown_key")
    memory_id = _text(fields, "id", "id")
    if memory_id is None or not is_memory_id(memory_id):
        reject("id")
    created_at = _time(fields, "created_at") or id_time(memory_id)
    return Frontmatter(
        id=memory_id,
        category=_text(fields, "category", "category") or "",
        summary=_text(fields, "summary", "summary") or "",
        tags=_texts(fields, "tags", "tags"),
        created_at=created_at,
        updated_at=_time(fields, "updated_at") or created_at,
        source_session_id=_text(fields, "source_session_id", "sources"),
        source_node_ids=_texts(fields, "source_node_ids", "sources"),
        confirmed_by_node_id=_text(fields, "confirmed_by_node_id", "sources"),
        evidence=_evidence(fields.get("evidence")),
    )


def _text(fields: dict[str, Value], key: str, code: str) -> str | None:
    """A text; None when the key is missing or has nothing after it."""
    value = fields.get(key, "")
    if not isinstance(value, str):
        reject(code)
    return value or None


def _texts(fields: dict[str, Value], key: str, code: str) -> tuple[str, ...]:
    value = fields.get(key) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        reject(code)
    return tuple(value)


def _time(fields: dict[str, Value], key: str) -> str | None:
    text = _text(fields, key, "time")
    if text is None:
        return None
    time = read_time(text)
    if time is None:
        reject("time")
    return time


def _evidence(value: Value | None) -> tuple[EvidenceRef, ...]:
    refs = []
    if value and not isinstance(value, list):
        reject("evidence")
    for item in value or []:
        if not isinstance(item, dict) or set(item) != {"node_id", "kind"}:
            reject("evidence")
        if not all(isinstance(part, str) for part in item.values()):
            reject("evidence")
        refs.append(EvidenceRef(item["node_id"], item["kind"]))
    return tuple(refs)


def _reject_if(code: str | None) -> None:
    if code is not None:
        reject(code)
