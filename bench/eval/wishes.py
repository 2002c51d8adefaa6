"""Explicit wishes: each labelled message ends a run, and the daemon says whether it looks at once.

Owns: the count of hits, misses and false alarms, per language. Must not know how a wish is recognised.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.daemon import NO_MODEL, BenchDaemon
from bench.eval import sets
from bench.report import Report, Target
from bench.wire import Stopwatch

Json = dict[str, Any]
SECTION = "intent"
CONNECTIONS = 8
FILES = ("intent_dev.jsonl", "intent_own.jsonl")


@dataclass(frozen=True, slots=True)
class Heard:
    """One message: whether it wishes something, and whether the daemon took it so."""

    message_id: str
    lang: str
    wanted: bool
    taken: bool


def messages(name: str) -> list[Json]:
    """The labelled messages of a file on which people agree."""
    return [row for row in sets.rows(name) if not row["ambiguous"]]


def measure(report: Report, scratch: Path) -> Json:
    """No model is asked: the decision falls before a job."""
    part: Json = {}
    with BenchDaemon(scratch / "intent", NO_MODEL) as daemon:
        for name in FILES:
            heard = hear_all(daemon, messages(name))
            figures = scores(heard)
            label = name.removesuffix(".jsonl").replace("_", " ")
            for figure in ("precision", "recall"):
                report.add(SECTION, f"{label}: {figure}", figures[figure], f"of {len(heard)}", target=Target(0.93, at="least"))
            part[name] = {
                "messages": len(heard), **figures,
                "by_lang": {lang: scores([h for h in heard if h.lang == lang]) for lang in sorted({h.lang for h in heard})},
                "wrong": [each.message_id for each in heard if each.wanted != each.taken],
            }  # fmt: skip
    return part


def hear_all(daemon: BenchDaemon, rows: Sequence[Json]) -> list[Heard]:
    """All messages over several connections, which share the disk's work."""

    def some(part: Sequence[Json]) -> list[Heard]:
        with daemon.client() as client:
            return [hear(client, row) for row in part]

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        parts = pool.map(some, [rows[at::CONNECTIONS] for at in range(CONNECTIONS)])
        return [heard for part in parts for heard in part]


def hear(client: Stopwatch, row: Json) -> Heard:
    """The decision at the end of a run with one message."""
    session = f"i-{row['id']}"
    client.call("session.open", session_id=session)
    client.call("run.started", session_id=session, run_id="r")
    node = {"node_id": row["id"], "kind": "user_message", "text": row["text"]}
    client.call("context.append", session_id=session, nodes=[node])
    decision = client.call("run.completed", session_id=session, run_id="r", status="completed")["decision"]
    return Heard(row["id"], row["lang"], row["expect_explicit"], bool(decision) and decision["reason"] == "explicit")


def scores(heard: Sequence[Heard]) -> dict[str, float]:
    """Precision and recall; 1 where nothing was taken or wanted."""
    hits = sum(each.wanted and each.taken for each in heard)
    taken, wanted = sum(each.taken for each in heard), sum(each.wanted for each in heard)
    return {"precision": hits / taken if taken else 1.0, "recall": hits / wanted if wanted else 1.0}
