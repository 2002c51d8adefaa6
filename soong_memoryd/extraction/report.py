"""What an attempt tells the world: the payloads of its events.

Owns: their shape, and that nothing in them is anybody's text. Must not know: how the attempt went about it. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from soong_memoryd.extraction.proposals import POLICY
from soong_memoryd.extraction.tools import Workbench
from soong_memoryd.extraction.window import Window
from soong_memoryd.llm.conversation import Usage
from soong_memoryd.memories.change import Change
from soong_memoryd.memories.writer import Outcome
from soong_memoryd.state.rows import JobRow, Json, MemorySources

CATALOG_FILE = "MEMORY.md"


def started(job: JobRow, window: Window, model: str) -> Json:
    """The payload of ``memory_extraction_started``."""
    return {
        "reason": job.reason,
        "requested_by": job.requested_by,
        "from_sequence": window.from_sequence,
        "to_sequence": window.to_sequence,
        "model": model,
    }


def completed(begun: Json, written: Outcome, bench: Workbench, usage: Usage, duration_ms: int) -> Json:
    """The payload of ``memory_extraction_completed``; ``begun`` is what ``started`` said."""
    refused = [(f"refused_{r.code}", sorted(r.proposal.node_ids)) for r in bench.standing if r.kind == POLICY]
    return {
        **begun,
        "created": list(written.created),
        "updated": list(written.updated),
        "ignored": [_entry("reason", *entry) for entry in (*bench.ignored, *refused)],
        "duplicates": [_entry("memory_id", *entry) for entry in bench.duplicates],
        "conflicts": [_entry("memory_id", *entry) for entry in written.conflicts],
        "source_node_ids": list(sources(written, bench)),
        "files_changed": [*written.files_changed, *([CATALOG_FILE] if written.files_changed else [])],
        "usage": asdict(usage),
        "duration_ms": duration_ms,
    }


def sources(written: Outcome, bench: Workbench) -> tuple[str, ...]:
    """The nodes on which the outcome rests: if one of them goes before the commit, the job runs again."""
    known_already = [node_id for _, node_ids in bench.duplicates for node_id in node_ids]
    return tuple(dict.fromkeys((*written.source_node_ids, *known_already)))


def memory_sources(changes: Iterable[Change], session_id: str) -> tuple[MemorySources, ...]:
    """What each written memory rests on from now on: a merge adds to what it grew from, anything else replaces it."""
    return tuple(
        MemorySources(change.memory_id, session_id, change.source_node_ids, replaces=change.relation != "update")
        for change in changes
    )


def cause(changes: Iterable[Change]) -> str:
    """What a kept version says displaced it: the strongest of what the commit does."""
    relations = {change.relation for change in changes}
    return next((relation for relation in ("conflict", "update") if relation in relations), "create")


def _entry(name: str, value: str, node_ids: Iterable[str]) -> Json:
    return {name: value, "source_node_ids": list(node_ids)}
