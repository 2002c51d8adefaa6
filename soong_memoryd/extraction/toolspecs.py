"""The tools that an extracting model is offered, as flat JSON schemas.

Owns: names, descriptions and shapes. Must not know: how a call is checked or applied.
Limits are said in words and checked by the Memory Writer: several providers refuse patterns and lengths in a schema.
"""

from __future__ import annotations

from typing import Any

from soong_memoryd.extraction.rules import IGNORE_REASONS
from soong_memoryd.llm.conversation import ToolSpec

READ, CREATE, UPDATE, FINISH = "read_memory", "create_memory", "update_memory", "finish"

_TEXT: dict[str, Any] = {"type": "string"}
_TEXTS: dict[str, Any] = {"type": "array", "items": _TEXT}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _list(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": _object(**properties)}


def _one_of(*words: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(words)}


_WRITTEN: dict[str, dict[str, Any]] = {
    "summary": _TEXT,
    "tags": _TEXTS,
    "body": _TEXT,
    "evidence": _list(node_id=_TEXT, quote=_TEXT),
    "confirmed_by": {"type": ["string", "null"]},
}

TOOLS = (
    ToolSpec(READ, "Read the body of a known memory before merging into it.", _object(id=_TEXT)),
    ToolSpec(
        CREATE,
        "Store one new fact.",
        _object(category=_one_of("user", "feedback", "reference"), name=_TEXT, **_WRITTEN),
    ),
    ToolSpec(
        UPDATE,
        "Rewrite a known memory: update merges, conflict replaces.",
        _object(id=_TEXT, relation=_one_of("update", "conflict"), **_WRITTEN),
    ),
    ToolSpec(
        FINISH,
        "End the job: what was dropped, and what is known already.",
        _object(
            ignored=_list(reason=_one_of(*IGNORE_REASONS), source_node_ids=_TEXTS),
            duplicates=_list(memory_id=_TEXT, source_node_ids=_TEXTS),
        ),
    ),
)
