"""Durable append: from the first byte of a call to the answer that says it is on the disk."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from bench.baseline import fsync_times_ms
from bench.daemon import BenchDaemon
from bench.material import node
from bench.report import Report, Target, median, percentile
from bench.wire import crowd_ms, line
from soong_memoryd.protocol.values import Node
from soong_memoryd.sessions.arrival import Reading, receive
from soong_memoryd.text.intent.match import explicit_wish
from soong_memoryd.text.secrets.finder import SecretFinder
from soong_memoryd.text.tokens import estimate_tokens

SECTION = "durable append (acknowledged after the commit)"
CONNECTIONS = (1, 10, 100)
SIZES = (200, 2_000, 20_000)
NODES_A_CALL = 16


@dataclass(frozen=True, slots=True)
class Load:
    """So many connections that send nodes of this size, so many in a call."""

    connections: int
    size: int
    nodes: int = 1

    @property
    def people(self) -> str:
        return "1 connection" if self.connections == 1 else f"{self.connections} connections"

    @property
    def name(self) -> str:
        several = "" if self.nodes == 1 else f", {self.nodes} a call"
        return f"{self.people}, nodes of {self.size / 1000:g} KB{several}"


def measure(report: Report, scratch: Path, seconds: float) -> None:
    """``seconds`` for each load."""
    with BenchDaemon(scratch / "append") as daemon:
        _warm_up(daemon)
        fsync_ms = median(fsync_times_ms(scratch))
        report.add(SECTION, "write and fsync one page, p50", fsync_ms, "ms")
        for size in SIZES:
            for connections in CONNECTIONS:
                _one(report, daemon, Load(connections, size), seconds, fsync_ms)
        _one(report, daemon, Load(100, 200, NODES_A_CALL), seconds * 2, fsync_ms)
    for size in SIZES:
        _share_of_reading(report, size)


def _one(report: Report, daemon: BenchDaemon, load: Load, seconds: float, fsync_ms: float) -> None:
    lines = _lines(load, calls=max(20, int(6000 * seconds / load.connections / (1 + load.size / 2000))))
    with daemon.client() as client:
        for connection in range(load.connections):
            session = _session(load, connection)
            client.call("session.open", session_id=session)
            client.call("run.started", session_id=session, run_id="r1")
        began = time.perf_counter()
        if load.connections == 1:
            taken = client.times_ms(lines[0], seconds)
            spent = time.perf_counter() - began
        else:
            taken, spent = crowd_ms(daemon.socket, lines, seconds)
    p50, p99 = median(taken), percentile(taken, 99)
    if load.nodes == 1:
        report.point("append by size", load.people, load.size / 1000, p50)
    target = Target(6, "ratio") if load == Load(1, 200) else None
    report.add(SECTION, f"{load.name}: p50", p50, "ms", over=fsync_ms, baseline="fsync", target=target)
    report.add(SECTION, f"{load.name}: p99", p99, "ms", over=p50, baseline="p50", target=Target(20, "ratio"))
    rate = len(taken) * load.nodes / spent
    target = Target(5_000, at="least") if load.nodes > 1 else None
    report.add(SECTION, f"{load.name}: rate", rate, "nodes/s", target=target)


def _warm_up(daemon: BenchDaemon) -> None:
    """Patterns are compiled when first used: that is a matter of the start."""
    with daemon.client() as client:
        client.call("session.open", session_id="warm")
        client.times_ms([line("context.append", session_id="warm", nodes=[node(n, 2_000)]) for n in range(100)], 5.0)


def _lines(load: Load, calls: int) -> list[list[bytes]]:
    made = []
    for connection in range(load.connections):
        nodes = [node(number, load.size) for number in range(calls * load.nodes)]
        parts = (nodes[at : at + load.nodes] for at in range(0, len(nodes), load.nodes))
        made.append([line("context.append", session_id=_session(load, connection), nodes=part) for part in parts])
    return made


def _session(load: Load, connection: int) -> str:
    return f"s-{load.connections}-{load.size}-{load.nodes}-{connection}"


def _share_of_reading(report: Report, size: int) -> None:
    """What of a node's time is spent on its text, whatever the disk does: secrets, wishes, tokens, hashes."""
    nodes = [Node.model_validate(node(number, size)) for number in range(40)]
    finder = SecretFinder()
    full = Reading(_Redactor(finder), explicit_wish, estimate_tokens)
    for each in nodes:  # patterns are compiled when first used
        receive(each, b"k", full)
    whole = _per_node_ms(nodes, full)
    wishes = whole - _per_node_ms(nodes, Reading(_Redactor(finder), lambda _: False, estimate_tokens))
    began = time.perf_counter()
    for each in nodes:
        finder.redact(each.text)
    redaction = (time.perf_counter() - began) * 1000 / len(nodes)
    name = f"reading the text of a node of {size / 1000:g} KB"
    report.add(SECTION, f"{name}: secrets", redaction, "ms", over=whole, baseline="all reading")
    report.add(SECTION, f"{name}: wishes", max(0.0, wishes), "ms", over=whole, baseline="all reading")


def _per_node_ms(nodes: list[Node], reading: Reading) -> float:
    began = time.perf_counter()
    for each in nodes:
        receive(each, b"k", reading)
    return (time.perf_counter() - began) * 1000 / len(nodes)


class _Redactor:
    """The port that arrivals are read with."""

    def __init__(self, finder: SecretFinder) -> None:
        self.redact = finder.redact

    def redact_value(self, value: object) -> object:
        return value
