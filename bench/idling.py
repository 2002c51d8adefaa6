"""What a daemon costs that has nothing to do: 1,000 open sessions with their timers, 1,000 memories."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from bench.daemon import BenchDaemon
from bench.material import fill, node
from bench.report import Report, Target
from bench.wire import Stopwatch

SECTION = "idle with 1,000 open sessions and 1,000 memories"
SESSIONS, MEMORIES, SESSIONS_A_BATCH = 1_000, 1_000, 4
SETTLE_SECONDS = 3.0
CONFIG = "[memory]\nidle_seconds = 86400\n"


def measure(report: Report, scratch: Path, seconds: float) -> None:
    """One sample of ``seconds``; the limits are those of a whole day."""
    home = scratch / "idle"
    fill(home, MEMORIES)
    with BenchDaemon(home, CONFIG) as daemon:
        with daemon.client() as client:
            open_sessions(client, 0, SESSIONS)
        time.sleep(SETTLE_SECONDS)
        began, used = time.perf_counter(), daemon.cpu_seconds()
        time.sleep(seconds)
        share = (daemon.cpu_seconds() - used) / (time.perf_counter() - began) * 100
        report.add(SECTION, f"CPU over {seconds:.0f} s", share, "% core", target=Target(0.2))
        report.add(SECTION, "resident memory", daemon.rss_megabytes(), "MB", target=Target(90))


def open_sessions(client: Stopwatch, first: int, last: int) -> None:
    """Sessions numbered so, each with a run that has ended and a timer that runs."""
    for at in range(first, last, SESSIONS_A_BATCH):
        _live(client, range(at, min(at + SESSIONS_A_BATCH, last)))


def _live(client: Stopwatch, numbers: range) -> None:
    """One run in each of some sessions, all in one batch."""
    made: list[tuple[str, dict[str, Any]]] = []
    for session in (f"idle-{number}" for number in numbers):
        made.append(("session.open", {"session_id": session}))
        made.append(("run.started", {"session_id": session, "run_id": "r1"}))
        made.append(("context.append", {"session_id": session, "nodes": [node(0, 200), node(1, 200)]}))
        made.append(("run.completed", {"session_id": session, "run_id": "r1", "status": "completed"}))
    batch = [{"jsonrpc": "2.0", "id": id_, "method": method, "params": params} for id_, (method, params) in enumerate(made)]
    answers = json.loads(client.exchange(json.dumps(batch).encode() + b"\n"))
    if any("error" in answer for answer in answers):
        raise RuntimeError(f"{answers}")
