"""What goes wrong and what it costs: a failing model, kill -9 in the middle, one fact told four times at once.

Owns: these three stories about the daemon. Must not know how other systems fare (``peers``).
"""

from __future__ import annotations

import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

from bench.daemon import BenchDaemon
from bench.keeping import (
    MESSAGES_A_JOB,
    POLL_SECONDS,
    QUIET,
    TURNS_A_RUN,
    WAIT_SECONDS,
    Keeper,
    facts_of,
    nodes,
    prompt_tokens,
    replay,
    tell,
)
from bench.material import turns
from bench.report import Report, Target
from bench.wire import Stopwatch
from tests.support.daemon import remote
from tests.support.model_server import ModelServer

Json = dict[str, Any]
FAULTS, KILLED, AT_ONCE = "what a failing model costs", "kill -9 in the middle", "one fact told four times at once"
KINDS_OF_FAULT = ("", "http_429", "http_500", "bad_json")
TELLERS = 4
SENT_AGAIN = 2
"""Turns that a client sends again after a crash because it may have missed the answer."""


def measure_faults(report: Report, scratch: Path) -> None:
    """One job each; the call that fails and those that it takes until the fact is stored all the same."""
    for fault in KINDS_OF_FAULT:
        with ModelServer(Keeper(facts_of(turns()[:1]))) as server:
            server.queue(fault)
            daemon = BenchDaemon(scratch / f"fault-{fault}", remote(server.base_url, **QUIET))
            with daemon, daemon.client() as client:
                began = time.perf_counter()
                replay(client, turns()[:1])
                seconds = time.perf_counter() - began
                stored = client.call("memory.list", limit=10)["total"]
        name = fault or "no fault"
        report.add(FAULTS, f"{name}: calls until the fact is stored ({stored} of 1)", server.calls, "calls")
        report.add(FAULTS, f"{name}: prompt tokens", prompt_tokens(server.requests), "tokens")
        report.add(FAULTS, f"{name}: time", seconds, "s")


def measure_killed(report: Report, scratch: Path) -> None:
    """Half of the turns, then kill -9 while the model thinks; the rest after a restart, the last turns sent once more."""
    half = MESSAGES_A_JOB
    with ModelServer(Keeper(facts_of(turns()))) as server:
        server.queue(f"hang:{WAIT_SECONDS:.0f}")
        daemon = BenchDaemon(scratch / "killed", remote(server.base_url, **QUIET)).start()
        with daemon.client() as client:
            client.call("session.open", session_id="set")
            for at in range(0, half, TURNS_A_RUN):
                tell(client, turns()[at : at + TURNS_A_RUN], f"r{at}")
            _wait_for_a_call(server)
        daemon.end(signal.SIGKILL)
        server.release()
        with daemon, daemon.client() as client:
            replay(client, turns()[half - SENT_AGAIN :], first=half)
            stored = _summaries(client)
            waiting = client.call("session.open", session_id="set")["unscanned_messages"]
    wanted = {turn["fact"]["summary"] for turn in turns()}
    twice = sum(count - 1 for count in stored.values())
    report.add(KILLED, "facts lost", len(wanted - set(stored)), "of 24", target=Target(0))
    report.add(KILLED, "facts stored twice", twice, "of 24", target=Target(0))
    report.add(KILLED, "messages never looked at", waiting, "of 24", target=Target(0))
    report.add(KILLED, "model calls, the interrupted one included", server.calls, "calls")
    report.add(KILLED, "prompt tokens, the interrupted call included", prompt_tokens(server.requests), "tokens")


def measure_at_once(report: Report, scratch: Path) -> None:
    """Four sessions say the same in the same moment; the model keeps a fact unless it is shown that it is known."""
    turn = turns()[0]
    told = [turn | {"id": f"teller{number}"} for number in range(TELLERS)]
    ready = Barrier(TELLERS)
    with ModelServer(Keeper(facts_of(told))) as server:
        daemon = BenchDaemon(scratch / "at-once", remote(server.base_url, **QUIET))
        with daemon, ThreadPoolExecutor(TELLERS) as pool:
            list(pool.map(lambda one: _tell_one(daemon, one, ready), told))
            with daemon.client() as client:
                stored = _summaries(client)
    report.add(AT_ONCE, "memories left behind", stored.total(), f"of {TELLERS} told", target=Target(1))
    report.add(AT_ONCE, "model calls", server.calls, "calls")
    report.add(AT_ONCE, "prompt tokens", prompt_tokens(server.requests), "tokens")


def _tell_one(daemon: BenchDaemon, turn: Json, ready: Barrier) -> None:
    session = str(turn["id"])
    with daemon.client() as client:
        client.call("session.open", session_id=session)
        client.call("run.started", session_id=session, run_id="r")
        ready.wait(WAIT_SECONDS)
        client.call("context.append", session_id=session, nodes=nodes(turn))
        client.call("run.completed", session_id=session, run_id="r", status="completed")
        client.call("extraction.trigger", session_id=session, wait=True)


def _wait_for_a_call(server: ModelServer) -> None:
    until = time.monotonic() + WAIT_SECONDS
    while not server.calls:
        if time.monotonic() > until:
            raise RuntimeError("the daemon asks no model")
        time.sleep(POLL_SECONDS)


def _summaries(client: Stopwatch) -> Counter[str]:
    return Counter(memory["summary"] for memory in client.call("memory.list", limit=1000)["memories"])
