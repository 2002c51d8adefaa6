"""What a memory is: its fields, limits and the ways in which a file can fail to be one.

Owns: the values, the limits and the table of problems. Must not know: YAML, files, the model that wrote the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

from soong_memoryd.memories.naming import is_memory_id

CATEGORIES = ("user", "feedback", "reference")

MAX_SUMMARY_CHARS = 200
MAX_TAGS = 8
MAX_TAG_CHARS = 32
MAX_BODY_BYTES = 8 * 1024
MAX_HEADER_BYTES = 16 * 1024
MAX_FILE_BYTES = 64 * 1024
MAX_CALLER_ID_CHARS = 200

MANUAL = "manual"
"""Shown as ``source_session_id`` of a memory that names no session: somebody wrote it by hand."""

PROBLEMS: Mapping[str, str] = MappingProxyType(
    {
        "file_long": f"the file is larger than {MAX_FILE_BYTES // 1024} KiB",
        "encoding": "the file is not UTF-8 text",
        "nul": "the file holds a NUL character",
        "no_header": "the file does not begin with a frontmatter header between two --- lines",
        "header_open": "the frontmatter header is not closed by a --- line",
        "header_long": f"the frontmatter header is larger than {MAX_HEADER_BYTES // 1024} KiB",
        "yaml": "the frontmatter header is not valid YAML; put values with special characters in quotes",
        "mapping": "the frontmatter header is not a list of `key: value` lines",
        "alias": "the frontmatter header uses a YAML anchor or alias",
        "tag": "the frontmatter header uses a YAML tag",
        "nesting": "a value of the frontmatter header is nested too deeply or has the wrong shape",
        "duplicate_key": "a key stands twice in the frontmatter header",
        "unknown_key": "the frontmatter header has a key that memories do not have",
        "id": "`id` is missing or is not of the form mem_<YYYYMMDDHHMMSS>_<4 to 32 of a-z0-9>",
        "category": "`category` is missing or is not one of user, feedback, reference",
        "summary": "`summary` is missing, empty, or not a single line of plain text",
        "summary_long": f"`summary` has more than {MAX_SUMMARY_CHARS} characters",
        "tags": f"`tags` is not a list of at most {MAX_TAGS} single-line texts of at most {MAX_TAG_CHARS} characters",
        "time": "`created_at` or `updated_at` is not an RFC 3339 time",
        "sources": "`source_session_id`, `source_node_ids` or `confirmed_by_node_id` is not of the right form",
        "evidence": "`evidence` is not a list of {node_id, kind}",
        "body": "the body holds characters that cannot be stored",
        "body_long": f"the body is larger than {MAX_BODY_BYTES // 1024} KiB",
        "file_name": "the file name is not a plain name that ends in .md",
        "file_id": "the id in the file name is not the id in the frontmatter header",
        "folder": "the category is not the folder that the file lies in",
        "duplicate_id": "another file has the same id",
        "unstable": "the memory does not read back as it was written",
    }
)
"""Problem code → what is wrong, in words for the person who keeps the files."""


@dataclass(frozen=True, slots=True)
class EvidenceRef:
    """One node that a confirmed reference rests on; ``kind`` is the node's kind (``tool_result``, ``user_message`` …)."""

    node_id: str
    kind: str


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """The header of a memory. Times are RFC 3339 UTC with ``Z``; ``source_session_id`` None means written by hand."""

    id: str
    category: str
    summary: str
    tags: tuple[str, ...]
    created_at: str
    updated_at: str
    source_session_id: str | None = None
    source_node_ids: tuple[str, ...] = ()
    confirmed_by_node_id: str | None = None
    evidence: tuple[EvidenceRef, ...] = ()

    def shown(self) -> dict[str, object]:
        """The fields in file order as JSON values, for people and the wire; a memory written by hand names ``manual``."""
        fields: dict[str, object] = {
            "id": self.id,
            "category": self.category,
            "summary": self.summary,
            "tags": list(self.tags),
            "created_at": self.created_at,
            "updated_at": self.updated_at,
            "source_session_id": self.source_session_id or MANUAL,
            "source_node_ids": list(self.source_node_ids),
        }
        if self.confirmed_by_node_id is not None:
            fields["confirmed_by_node_id"] = self.confirmed_by_node_id
        if self.evidence:
            fields["evidence"] = [{"node_id": ref.node_id, "kind": ref.kind} for ref in self.evidence]
        return fields


@dataclass(frozen=True, slots=True)
class Document:
    """One memory: header, and the body without the blank line after the header and the final newline."""

    frontmatter: Frontmatter
    body: str


def is_one_line(text: str) -> bool:
    """Whether a text is not blank, and free of line breaks of any script, control characters and lone surrogates."""
    if not text.strip():
        return False
    return text.isprintable() or not any(unicodedata.category(char) in _BREAKING for char in text)


def check_summary(summary: str) -> str | None:
    """The problem code of a summary, or None."""
    if not is_one_line(summary):
        return "summary"
    return "summary_long" if len(summary) > MAX_SUMMARY_CHARS else None


def check_tags(tags: Iterable[str]) -> str | None:
    """The problem code of a list of tags, or None."""
    listed = list(tags)
    fits = len(listed) <= MAX_TAGS and all(is_one_line(tag) and len(tag) <= MAX_TAG_CHARS for tag in listed)
    return None if fits else "tags"


def check_body(body: str) -> str | None:
    """The problem code of a body, or None; the limit counts UTF-8 bytes."""
    try:
        size_bytes = len(body.encode("utf-8"))
    except UnicodeEncodeError:
        return "body"
    if "\0" in body:
        return "body"
    return "body_long" if size_bytes > MAX_BODY_BYTES else None


def check_document(document: Document) -> str | None:
    """The first problem code of a memory that is about to be written or was just read, or None."""
    head = document.frontmatter
    if not is_memory_id(head.id):
        return "id"
    if head.category not in CATEGORIES:
        return "category"
    if read_time(head.created_at) != head.created_at or read_time(head.updated_at) != head.updated_at:
        return "time"
    optional = [name for name in (head.source_session_id, head.confirmed_by_node_id) if name is not None]
    if not all(_is_caller_id(name) for name in [*optional, *head.source_node_ids]):
        return "sources"
    if not all(_is_caller_id(ref.node_id) and _is_caller_id(ref.kind) for ref in head.evidence):
        return "evidence"
    return check_summary(head.summary) or check_tags(head.tags) or check_body(document.body)


def read_time(text: str) -> str | None:
    """RFC 3339 UTC with ``Z`` for what a person may have written (``2026-12-01``, an offset, a space), else None.

    A time that is in that form already comes back as it is, its fraction included.
    """
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    try:
        moment = datetime.fromisoformat(f"{found['date']}T{found['clock'] or '00:00:00'}{found['zone'] or 'Z'}")
        moment = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    if found["clock"] and found["zone"] == "Z" and text[10] == "T":
        return text
    return f"{moment.strftime('%Y').zfill(4)}{moment.strftime('-%m-%dT%H:%M:%S')}{found['fraction'] or ''}Z"


def time_order(time: str) -> str:
    """A text that sorts as the time does; ``time`` is RFC 3339 UTC with ``Z`` (of which a fraction sorts before ``Z``)."""
    return time.removesuffix("Z")


def _is_caller_id(text: str) -> bool:
    return is_one_line(text) and len(text) <= MAX_CALLER_ID_CHARS


_BREAKING = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TIME = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[Tt ](?P<clock>[0-9]{2}:[0-9]{2}:[0-9]{2})(?P<fraction>\.[0-9]{1,9})?(?P<zone>[Zz]|[+-][0-9]{2}:[0-9]{2})?)?"
)
