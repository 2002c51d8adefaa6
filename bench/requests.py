"""The cost of one request that does nothing, against a bare asyncio server that sends lines back."""

from __future__ import annotations

from pathlib import Path

from bench.baseline import echo_server
from bench.daemon import BenchDaemon
from bench.report import Report, Target, median, percentile
from bench.wire import INITIALIZE, Stopwatch, line

SECTION = "request overhead"


def measure(report: Report, scratch: Path, rounds: int) -> None:
    """Both servers in turns, so that a busy moment hits both."""
    request = line("initialize", **INITIALIZE)
    echo, own = [], []
    path = scratch / "echo.sock"
    with echo_server(path), BenchDaemon(scratch / "requests") as daemon, Stopwatch(path) as bare, daemon.client() as client:
        answer = client.exchange(request)
        for _ in range(rounds):
            echo += bare.times_ms([answer] * 200)  # as many bytes as the daemon's answer
            own += client.times_ms([request] * 200)
    report.add(SECTION, "echo round trip, p50", median(echo), "ms")
    report.add(SECTION, "initialize, p50", median(own), "ms", over=median(echo), baseline="echo", target=Target(3, "ratio"))
    report.add(SECTION, "initialize, p99", percentile(own, 99), "ms", over=percentile(echo, 99), baseline="echo")
