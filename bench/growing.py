"""How start, catalog, list, search, recall and edits by hand grow with the number of memories.

Owns: one home for each size, looked at in every way before it goes. The edit is a rename, as editors do it.
"""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from bench.daemon import BenchDaemon
from bench.material import QUESTIONS, fill, memory, node
from bench.report import Report, Target, median, percentile
from bench.wire import Stopwatch, line

READS, START, EDIT = "reads", "start to ready", "an edit by hand, from rename to visible"
SIZES = (100, 1_000, 10_000)
LARGEST = SIZES[-1]
SETTLED_WITHIN_SECONDS, SETTLED_MS = 30.0, 100.0


@dataclass(frozen=True, slots=True)
class Read:
    """A method that reads, with the lines to ask and what is to be reached at the largest size."""

    name: str
    lines: tuple[bytes, ...]
    p50_ms: float | None = None
    p99_ms: float | None = None


READING = (
    Read("memory.catalog", (line("memory.catalog"),), p50_ms=1),
    Read("memory.list", (line("memory.list", limit=50),)),
    Read("memory.search", tuple(line("memory.search", query=question) for question in QUESTIONS)),
    Read("memory.recall by words", tuple(line("memory.recall", query=question) for question in QUESTIONS), p99_ms=25),
)


def measure(report: Report, scratch: Path, seconds: float, repeats: int) -> None:
    """``seconds`` for each kind of read at each size; ``repeats`` of starts, and three times as many edits."""
    p50s: dict[str, list[float]] = {read.name: [] for read in READING}
    for size in SIZES:
        home = scratch / f"memories-{size}"
        fill(home, size)
        daemon = BenchDaemon(home)
        _starts(report, daemon, size, repeats)
        daemon.start()
        try:
            with daemon.client() as client:
                _settle(report, client, size)
                for read in READING:
                    p50s[read.name].append(_read(report, client, read, size, seconds))
                _edits(report, client, home, size, 3 * repeats)
        finally:
            daemon.end()
    steps = SIZES[-1] / SIZES[-2]
    for name, (*_, before, last) in p50s.items():
        report.add(READS, f"{name}: growth from {SIZES[-2]:,} to {LARGEST:,}", last / before, "×", target=Target(steps * 1.1))


def _starts(report: Report, daemon: BenchDaemon, size: int, repeats: int) -> None:
    """The first start meets unknown files; then clean starts and starts after kill -9 in the middle of appends, in turns."""
    with daemon:
        report.add(START, f"{size:,} memories, files never seen before", daemon.ready_seconds, "s")
    clean, killed = [], []
    for number in range(repeats):
        with daemon:
            clean.append(daemon.ready_seconds)
            _append(daemon, f"killed-{number}")
            daemon.end(signal.SIGKILL)
        with daemon:
            killed.append(daemon.ready_seconds)
    largest = size == LARGEST
    report.point("start", "clean", size, median(clean))
    report.point("start", "after kill -9", size, median(killed))
    report.add(START, f"{size:,} memories, clean", median(clean), "s", target=Target(2) if largest else None)
    report.add(START, f"{size:,} memories, after kill -9", median(killed), "s", over=median(clean), baseline="clean",
               target=Target(1.2, "ratio") if largest else None)  # fmt: skip


def _append(daemon: BenchDaemon, session: str) -> None:
    with daemon.client() as client:
        client.call("session.open", session_id=session)
        client.call("run.started", session_id=session, run_id="r1")
        client.times_ms([line("context.append", session_id=session, nodes=[node(n, 500)]) for n in range(100)])


def _settle(report: Report, client: Stopwatch, size: int) -> None:
    """The first question after a start, and how long until the bodies are searched as fast as ever."""
    began = time.perf_counter()
    (first,) = client.times_ms([line("memory.recall", query=QUESTIONS[0])])
    quick = 0
    while quick < 3 and time.perf_counter() - began < SETTLED_WITHIN_SECONDS:
        quick = quick + 1 if client.times_ms([line("memory.search", query=QUESTIONS[0])])[0] < SETTLED_MS else 0
        time.sleep(0.1)
    report.add(START, f"{size:,} memories: first recall after the start", first, "ms")
    report.add(START, f"{size:,} memories: every body indexed after", time.perf_counter() - began, "s")


def _read(report: Report, client: Stopwatch, read: Read, size: int, seconds: float) -> float:
    lines = [read.lines[number % len(read.lines)] for number in range(2_000)]
    taken = client.times_ms(lines, seconds)
    largest = size == LARGEST
    p50, p99 = median(taken), percentile(taken, 99)
    report.point("reads", read.name, size, p50)
    report.add(READS, f"{read.name}, {size:,} memories: p50", p50, "ms", target=_limit(read.p50_ms, largest))
    report.add(READS, f"{read.name}, {size:,} memories: p99", p99, "ms", target=_limit(read.p99_ms, largest))
    return p50


def _limit(limit: float | None, largest: bool) -> Target | None:
    return Target(limit) if largest and limit is not None else None


def _edits(report: Report, client: Stopwatch, home: Path, size: int, count: int) -> None:
    taken = []
    for number in range(count):
        path, data = memory(number * 7 % size)
        word = f"zyx{number}wvut"
        draft = home / "memory" / f".{word}.swp"
        draft.write_bytes(data.replace(b" it holds until", f" {word} it holds until".encode()))
        draft.chmod(0o600)
        time.sleep(0.3)  # an editor's last change is long ago when its next one comes
        began = time.perf_counter()
        os.rename(draft, home / "memory" / path)
        while word not in str(client.call("memory.recall", query=word)):
            time.sleep(0.001)
        taken.append((time.perf_counter() - began) * 1000)
    report.point("edit", "from rename to visible", size, median(taken))
    report.add(EDIT, f"{size:,} memories: median of {count}", median(taken), "ms")
    report.add(EDIT, f"{size:,} memories: slowest of {count}", max(taken), "ms", target=Target(200))
