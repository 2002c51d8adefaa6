"""What was acknowledged, held against what is there: the checker behind every kill, cut and fault.

Owns: the statements of the promise as checks on a home that no daemon is working on. Must not know what was done to it.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from soong_memoryd.memories import catalog
from soong_memoryd.memories.document import parse
from soong_memoryd.memories.index import FileStamp, index_files
from soong_memoryd.memories.schema import CATEGORIES
from soong_memoryd.state.queries.intents import MAX_VERSIONS_PER_MEMORY

ENDS = ("memory_extraction_completed", "memory_extraction_failed")
CATALOG_TOKENS = 4000


@dataclass
class Acknowledged:
    """What clients were told is on disk: ``(session_id, node_id)`` → text, and the highest durable sequence by session."""

    nodes: dict[tuple[str, str], str] = field(default_factory=dict)
    durable: dict[str, int] = field(default_factory=dict)

    def note(self, session_id: str, node_id: str, text: str, durable_sequence: int) -> None:
        self.nodes[session_id, node_id] = text
        self.durable[session_id] = max(durable_sequence, self.durable.get(session_id, 0))

    def copy(self) -> Acknowledged:
        return Acknowledged(dict(self.nodes), dict(self.durable))


def violations(home: Path, acknowledged: Acknowledged, *, settled: bool = False) -> list[str]:
    """What does not hold on a recovered home. ``settled``: nothing is left to scan, so that every wish must be kept."""
    with closing(sqlite3.connect(f"file:{home / 'memoryd' / 'state.db'}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        rows = {
            table: [dict(row) for row in connection.execute(f"SELECT * FROM {table}")]
            for table in ("nodes", "sessions", "jobs", "events", "intents", "published", "versions")
        }
        found = [] if connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok" else ["the database is damaged"]
    events = [{**row, "payload": json.loads(row["payload"])} for row in rows["events"]]
    found += _nodes(rows["nodes"], acknowledged)
    found += _windows(rows["sessions"], events)
    found += _ends(rows["jobs"], events)
    found += _files(home, rows["published"], rows["versions"], events)
    found += _tidy(home, rows["intents"])
    if settled:
        found += _wishes(home, rows["nodes"], rows["sessions"])
    return found


def _nodes(rows: list[dict[str, Any]], acknowledged: Acknowledged) -> Iterator[str]:
    count = Counter((row["session_id"], row["node_id"]) for row in rows)
    text = {(row["session_id"], row["node_id"]): row["text"] for row in rows}
    for key, said in acknowledged.nodes.items():
        if count[key] != 1:
            yield f"an acknowledged node is there {count[key]} times: {key}"
        elif text[key] != said:
            yield f"an acknowledged node has another text: {key}"
    sequences: dict[str, list[int]] = {}
    for row in rows:
        sequences.setdefault(row["session_id"], []).append(row["sequence"])
    for session_id, found in sequences.items():
        if sorted(found) != list(range(1, len(found) + 1)):
            yield f"the sequence of {session_id} has a gap or a double"
    for session_id, durable in acknowledged.durable.items():
        if durable > len(sequences.get(session_id, [])):
            yield f"{session_id} was told {durable} durable nodes and has fewer"


def _windows(sessions: list[dict[str, Any]], events: list[dict[str, Any]]) -> Iterator[str]:
    for session in sessions:
        reached = 0
        for event in events:
            if event["type"] == ENDS[0] and event["session_id"] == session["session_id"]:
                if event["payload"]["from_sequence"] <= reached:
                    yield f"a window of {session['session_id']} was scanned twice"
                reached = event["payload"]["to_sequence"]
        if session["cursor"] != reached:
            yield f"the cursor of {session['session_id']} is at {session['cursor']}, its events say {reached}"


def _ends(jobs: list[dict[str, Any]], events: list[dict[str, Any]]) -> Iterator[str]:
    running: set[str] = set()
    for event in events:
        job = event["job_id"]
        if event["type"] == "memory_extraction_started":
            if job in running:
                yield f"{job} started twice without an end"
            running.add(job)
        elif event["type"] in ENDS:
            if job not in running:
                yield f"{job} ended without a start"
            running.discard(job)
    if running:
        yield f"{len(running)} attempts have no end"
    if any(job["status"] == "running" for job in jobs):
        yield "a job is still running"


def memory_files(home: Path) -> dict[str, bytes]:
    """Every memory file by path."""
    return {
        f"{category}/{path.name}": path.read_bytes()
        for category in CATEGORIES
        for path in (home / "memory" / category).glob("*.md")
    }


def _files(
    home: Path, published: list[dict[str, Any]], versions: list[dict[str, Any]], events: list[dict[str, Any]]
) -> Iterator[str]:
    files = memory_files(home)
    there = {}
    for path, data in files.items():
        try:
            there[parse(data).frontmatter.id] = path
        except Exception as error:
            yield f"{path} cannot be read: {error}"
    told = {row["path"]: row["sha256"] for row in published}
    if told != {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}:
        yield "the files are not what the log says was published"
    completed = [event["payload"] for event in events if event["type"] == ENDS[0]]
    created = [memory_id for payload in completed for memory_id in payload["created"]]
    gone = {event["payload"]["memory_id"] for event in events if event["type"] == "memory_forgotten"}
    by_hand = {event["payload"].get("memory_id") for event in events if event["type"] == "memory_edited_outside"}
    if len(created) != len(set(created)):
        yield "a memory was created twice"
    if missing := set(created) - there.keys() - gone - by_hand:
        yield f"{len(missing)} completed creations have no file"
    if strange := there.keys() - set(created) - by_hand:
        yield f"{len(strange)} files have no completed event"
    updates = Counter(memory_id for payload in completed for memory_id in payload["updated"])
    kept = Counter(row["memory_id"] for row in versions if row["cause"] in ("update", "conflict"))
    if {memory_id: min(count, MAX_VERSIONS_PER_MEMORY) for memory_id, count in updates.items()} != kept:
        yield "updates and kept versions differ"
    for row in versions:
        path = home / "memoryd" / "history" / f"{row['version_id']}.md"
        if not path.exists() or hashlib.sha256(path.read_bytes()).hexdigest() != row["sha256"]:
            yield "a kept version is not what it was"
    stamp = FileStamp(0, 0, 0, 0)
    rendered = index_files([(path, data, stamp) for path, data in files.items()], CATALOG_TOKENS).catalog.text
    path = home / "memory" / "MEMORY.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if text != rendered:
        yield "MEMORY.md is not what the files say"
    if not catalog.is_catalog(text):
        yield "MEMORY.md is no catalog"


def _tidy(home: Path, intents: list[dict[str, Any]]) -> Iterator[str]:
    if intents:
        yield f"{len(intents)} intents are left"
    if left := list((home / "memoryd" / "staging").iterdir()):
        yield f"staging holds {len(left)} leftovers"
    strange = {path.name for path in (home / "memory").iterdir()} - {"MEMORY.md", *CATEGORIES}
    if strange:
        yield f"something strange lies in memory/: {sorted(strange)}"


def _wishes(home: Path, nodes: list[dict[str, Any]], sessions: list[dict[str, Any]]) -> Iterator[str]:
    """Every topic that was wished for is in exactly one file, with a value that somebody gave it."""
    wished: dict[str, set[str]] = {}
    cursor = {session["session_id"]: session["cursor"] for session in sessions}
    for node in nodes:
        if node["candidate"] and node["sequence"] > cursor[node["session_id"]]:
            yield f"{node['node_id']} was never scanned"
        for topic, value in re.findall(r"(topic-\d+) is (value-\S+),", node["text"]):
            wished.setdefault(topic, set()).add(value)
    kept: dict[str, list[str]] = {}
    for data in memory_files(home).values():
        for topic, value in re.findall(r"(topic-\d+) is (value-\S+)\.\n", data.decode()):
            kept.setdefault(topic, []).append(value)
    for topic, values in wished.items():
        if len(kept.get(topic, [])) != 1:
            yield f"{topic} is in {len(kept.get(topic, []))} files"
        elif kept[topic][0] not in values:
            yield f"{topic} has a value that nobody gave it"
