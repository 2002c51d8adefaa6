"""Codex: its memory files, and what the user typed in its rollouts.

Owns: which events of a rollout are a person's words. Must not know: the daemon.
A rollout line is ``{timestamp, type, payload}``. Of the two places where a prompt stands, ``event_msg`` has it as it was
typed; ``response_item`` also holds instructions and the environment.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from soong_memoryd.cli.importing import markdown
from soong_memoryd.cli.importing.items import Item, files_below, json_lines, name_of, read_text

SUMMARIES = frozenset({"memory_summary.md", "raw_memories.md"})  # say again, or before, what MEMORY.md says
ROLLOUT_SUMMARIES = "rollout_summaries"


def read(path: Path) -> Iterator[Item]:
    """Memories (``.md``) and rollouts (``.jsonl``) of a file or of everything below a directory."""
    for file in files_below(path, ".md", ".jsonl"):
        source = name_of(file, path)
        if file.suffix == ".jsonl":
            yield from _typed(file, source)
        elif file != path and (file.name in SUMMARIES or ROLLOUT_SUMMARIES in file.parts):
            yield Item(read_text(file), source, skipped="a summary")
        else:
            yield from markdown.items_of(read_text(file), source)


def _typed(file: Path, source: str) -> Iterator[Item]:
    for line in json_lines(file):
        payload = line.get("payload")
        if line.get("type") != "event_msg" or not isinstance(payload, dict) or payload.get("type") != "user_message":
            continue
        at = line.get("timestamp")
        yield Item(str(payload.get("message") or ""), source, at if isinstance(at, str) else None)
