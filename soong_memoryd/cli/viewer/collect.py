"""Everything that the page shows, asked of the daemon.

Owns: which calls, and the shape of the page's data. Must not know: HTML.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC
from typing import Any

from soong_memoryd.cli.console import PAGE, Console

SCHEMA = 1
MAX_JOBS = 1000
DAY_CHARS = 10
# type of an event -> what the timeline counts in it: the length of that list in its payload, or one
COUNTED = (
    ("memory_extraction_completed", "created", "created"),
    ("memory_extraction_completed", "updated", "updated"),
    ("memory_extraction_completed", "conflicts", "conflict"),
    ("memory_forgotten", None, "forgotten"),
    ("memory_edited", None, "edited"),
    ("memory_edited_outside", None, "edited"),
)


def collect(console: Console, advanced: Callable[[int, int], None]) -> dict[str, Any]:
    """The page's data. ``advanced(done, total)`` is called as memories are read."""
    status = console.call("daemon.status")
    listed = console.all_of("memory.list", "memories")
    memories = []
    for done, entry in enumerate(listed):
        advanced(done, len(listed))
        memories.append(_memory(console, entry))
    advanced(len(listed), len(listed))
    events = _events(console)
    return {
        "schema": SCHEMA,
        "made_at": console.style.now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "home": status["home"],
        "memory": status["memory"],
        "memories": memories,
        "jobs": console.call("extraction.list", limit=MAX_JOBS)["jobs"],
        "days": days(events),
    }


def _memory(console: Console, entry: Mapping[str, Any]) -> dict[str, Any]:
    memory_id = entry["id"]
    read = console.call("memory.get", memory_id=memory_id)
    return {
        **entry,
        "body": read["body"],
        "sources": console.call("memory.why", memory_id=memory_id)["sources"],
        "versions": console.call("memory.history", memory_id=memory_id)["versions"],
    }


def _events(console: Console) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while True:
        page = console.call("events.list", after=found[-1]["sequence"] if found else 0, limit=PAGE)["events"]
        found += page
        if len(page) < PAGE:
            return found


def days(events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Per UTC day with anything in it, oldest first: what changed, and the tokens that it took. Pure."""
    counts: dict[str, Counter[str]] = {}
    for event in events:
        payload = event["payload"]
        day = counts.setdefault(event["at"][:DAY_CHARS], Counter())
        for type_, member, name in COUNTED:
            if event["type"] == type_:
                day[name] += 1 if member is None else len(payload.get(member) or [])
        usage = payload.get("usage")
        for name in ("prompt_tokens", "completion_tokens", "calls") if isinstance(usage, dict) else ():
            day[name] += usage.get(name) or 0
    return [{"day": day, **counted} for day, counted in sorted(counts.items()) if any(counted.values())]
