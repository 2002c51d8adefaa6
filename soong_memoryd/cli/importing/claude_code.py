"""Claude Code: its own memory files, and what the user typed in its transcripts.

Owns: which of its memories are about the user, and which records are a person's words. Must not know: the daemon.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from soong_memoryd.cli.importing import markdown
from soong_memoryd.cli.importing.items import Item, files_below, json_lines, name_of, read_text

INDEX = "MEMORY.md"
OF_A_PROJECT = "project"


def read(path: Path) -> Iterator[Item]:
    """Memories (``.md``) and transcripts (``.jsonl``) of a file or of everything below a directory."""
    files = files_below(path, ".md", ".jsonl")
    has_topics = sum(file.suffix == ".md" for file in files) > 1
    for file in files:
        if "subagents" in file.parts:
            continue
        source = name_of(file, path)
        yield from _typed(file, source) if file.suffix == ".jsonl" else _memory(file, source, has_topics)


def _memory(file: Path, source: str, has_topics: bool) -> Iterator[Item]:
    text = read_text(file)
    if file.name == INDEX and has_topics:
        yield Item(text, source, skipped="only lists the others")
        return
    page = markdown.parse(text)
    if not page.front:
        yield from markdown.items_of(text, source)
        return
    of_project = page.front.get("type") == OF_A_PROJECT
    about = page.front.get("description", "")
    body = page.body.strip()
    said = body if not about or about in body else f"{about}\n\n{body}"
    yield Item(said, source, skipped="about one project" if of_project else None)


def _typed(file: Path, source: str) -> Iterator[Item]:
    from soong_claude_transcript import Transcript  # what is a person's words is decided there

    nodes: list[dict[str, Any]] = []
    transcript = Transcript()
    for record in json_lines(file):
        for call in transcript.feed(record):
            if call.method == "context.append":
                nodes += call.params["nodes"]
            elif call.method == "context.rewind":
                kept = [place for place, node in enumerate(nodes) if node["node_id"] == call.params["node_id"]]
                del nodes[kept[-1] + 1 if kept else 0 :]
    for node in nodes:
        if node["kind"] == "user_message" and node.get("origin") == "typed":
            yield Item(node["text"], source, node.get("created_at"))
