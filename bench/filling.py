"""How an append and a run's end grow with what the ledger already holds: nodes of one session, and sessions.

Owns: one home that fills up step by step, measured after each step.
"""

from __future__ import annotations

from pathlib import Path

from bench.daemon import BenchDaemon
from bench.idling import CONFIG, open_sessions
from bench.material import node
from bench.report import Report, Target, median
from bench.wire import Stopwatch, line

SECTION = "a fuller ledger"
NODES = (1_000, 10_000, 50_000)
SESSIONS = (10, 100, 1_000)
NODES_A_CALL, NODE_CHARS = 100, 200


def measure(report: Report, scratch: Path, rounds: int, share: float) -> None:
    """``rounds`` of appends at each step; ``share`` of the steps' sizes (1: all)."""
    with BenchDaemon(scratch / "ledger", CONFIG) as daemon, daemon.client() as client:
        client.call("session.open", session_id="long")
        client.call("run.started", session_id="long", run_id="r1")
        _grow(report, client, "nodes", [int(size * share) for size in NODES], rounds)
        _grow(report, client, "sessions", [max(4, int(size * share)) for size in SESSIONS], rounds)


def _grow(report: Report, client: Stopwatch, what: str, steps: list[int], rounds: int) -> None:
    there, taken = 0, []
    for step in steps:
        if what == "nodes":
            _fill(client, there, step)
        else:
            open_sessions(client, there, step)
        there = step
        taken.append(_appends(client, f"{what}-{step}", rounds))
        report.point(f"append by {what}", "one node, one connection", step, taken[-1])
        report.add(SECTION, f"append with {step:,} {what} there: p50", taken[-1], "ms")
    report.add(SECTION, f"growth of an append over {steps[0]:,} to {steps[-1]:,} {what}", taken[-1] / taken[0], "×",
               target=Target(2))  # fmt: skip


def _fill(client: Stopwatch, first: int, last: int) -> None:
    for at in range(first, last, NODES_A_CALL):
        nodes = [node(number, NODE_CHARS, "long-") for number in range(at, min(at + NODES_A_CALL, last))]
        client.call("context.append", session_id="long", nodes=nodes)


def _appends(client: Stopwatch, prefix: str, rounds: int) -> float:
    lines = [
        line("context.append", session_id="long", nodes=[node(number, NODE_CHARS, f"{prefix}-")]) for number in range(rounds)
    ]
    return median(client.times_ms(lines))
