"""``make bench-cost``: what learning costs in model calls and tokens, by a scripted model that keeps one fact a message.

    python -m bench.cost [--quick] [--peers] [--json FILE]

Owns: the replayed conversations and the counting. Must not know how a prompt is made.
Tokens are characters / 4 of what is sent and answered, as the scripted server counts them: figures of one run compare.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench import mishaps, peers
from bench.daemon import BenchDaemon
from bench.keeping import QUIET, Keeper, facts_of, nodes, prompt_tokens, replay
from bench.material import fill, turns
from bench.report import Report, Target, median
from bench.wire import Stopwatch
from tests.support.daemon import remote
from tests.support.model_server import ModelServer

RESULTS = Path(__file__).parent / "results"
SET, LIFE = "24 turns, one lasting fact in each", "a long life"
SESSIONS, MESSAGES_A_SESSION, MEMORIES, PART = 100, 20, 1_500, 10
Json = dict[str, Any]


def measure_set(report: Report, scratch: Path) -> None:
    """The 24 turns as 8 runs of one session; jobs begin as the configured backlog says."""
    with ModelServer(Keeper(facts_of(turns()))) as server:
        daemon = BenchDaemon(scratch / "set", remote(server.base_url, **QUIET))
        with daemon, daemon.client() as client:
            appended_ms = replay(client, turns())
            stored = client.call("memory.list", limit=1000)["total"]
            usage = [job["result"]["usage"] for job in client.call("extraction.list")["jobs"] if job["result"]]
    requests = server.requests
    tokens = prompt_tokens(requests)
    bare = sum(len(turn["user"]) + len(turn["assistant"]) for turn in turns()) // 4
    report.add(SET, "facts stored", stored, "of 24", target=Target(24, at="least"))
    report.add(SET, "model calls", len(requests), "calls", target=Target(4))
    report.add(SET, "prompt tokens", tokens, "tokens", over=bare, baseline="the bare text", target=Target(25_000))
    report.add(SET, "completion tokens", sum(each["completion_tokens"] for each in usage), "tokens")
    report.add(SET, "added to the caller of a turn, p50", median(appended_ms), "ms")
    shared = [_shared(*pair) for pair in pairwise(requests)]
    report.add(SET, "prompt that one job shares with the job before", 100 * median(shared), "%")
    for peer in peers.MEASURED_BEFORE:
        report.add(SET, f"{peer.name} ({peer.at}): prompt tokens", peer.prompt_tokens, "tokens", over=tokens, baseline="ours")
        report.add(SET, f"{peer.name} ({peer.at}): chat calls", peer.calls, "calls", over=len(requests), baseline="ours")


def _shared(first: Json, second: Json) -> float:
    """The part of the second request that begins as the first did: what a provider's prompt cache need not read again."""
    texts = [json.dumps([request.get("tools"), request["messages"]], ensure_ascii=False) for request in (first, second)]
    same = (at for at, (one, other) in enumerate(zip(*texts, strict=False)) if one != other)
    return next(same, min(map(len, texts))) / len(texts[1])


def measure_life(report: Report, scratch: Path, sessions: int) -> None:
    """Many sessions beside many memories: what a message costs must not grow with either."""
    home = scratch / "life"
    fill(home, MEMORIES)
    facts: dict[str, Json] = {}
    with ModelServer(Keeper(facts)) as server:
        daemon = BenchDaemon(home, remote(server.base_url, idle_seconds=86_400))
        with daemon, daemon.client() as client:
            spent = [_live_once(client, server, facts, number) for number in range(sessions)]
            stored = client.call("memory.list", limit=1)["total"]
    part = max(1, sessions // PART)
    for at in range(0, sessions, part):
        some = spent[at : at + part]
        messages = len(some) * MESSAGES_A_SESSION
        report.point("life", "prompt tokens a message", at * MESSAGES_A_SESSION + messages, sum(some) / messages)
    first, last = (sum(some) / len(some) / MESSAGES_A_SESSION for some in (spent[:part], spent[-part:]))
    report.add(LIFE, f"{sessions} sessions of {MESSAGES_A_SESSION} messages: memories at the end", stored, "memories")
    report.add(LIFE, f"prompt tokens a message, first {part} sessions", first, "tokens")
    report.add(LIFE, f"prompt tokens a message, last {part} sessions", last, "tokens", over=first, baseline="first",
               target=Target(1.1, "ratio"))  # fmt: skip
    report.add(LIFE, "calls a session", server.calls / sessions, "calls")


def _live_once(client: Stopwatch, server: ModelServer, facts: dict[str, Json], number: int) -> int:
    """One session with one new fact; returns the prompt tokens it took."""
    session, before = f"life-{number}", len(server.requests)
    facts[f"{session}-0"] = turns()[number % 24]["fact"] | {"summary": f"{turns()[number % 24]['fact']['summary']} ({number})"}
    client.call("session.open", session_id=session)
    client.call("run.started", session_id=session, run_id="r")
    for at in range(MESSAGES_A_SESSION):
        turn = turns()[(number + at) % 24]
        client.call("context.append", session_id=session, nodes=[node | {"node_id": f"{session}-{at}{suffix}"}
                    for node, suffix in zip(nodes(turn), ("", "-answer"), strict=True)])  # fmt: skip
    client.call("run.completed", session_id=session, run_id="r", status="completed")
    client.call("extraction.trigger", session_id=session, wait=True)
    return prompt_tokens(server.requests[before:])


def main() -> None:
    parser = argparse.ArgumentParser("python -m bench.cost", description="Count what learning costs.")
    parser.add_argument("--quick", action="store_true", help="a shorter life")
    parser.add_argument("--peers", action="store_true", help="run mem0 and LangMem on the same turns, in a venv of their own")
    parser.add_argument("--json", type=Path, default=RESULTS / "cost.json", help="where the figures go")
    options = parser.parse_args()
    report, began = Report(), time.perf_counter()
    scratch = Path(tempfile.mkdtemp(prefix="soong-cost-"))
    try:
        measure_set(report, scratch)
        if options.peers:
            peers.measure(report, scratch)
        mishaps.measure_faults(report, scratch)
        mishaps.measure_killed(report, scratch)
        mishaps.measure_at_once(report, scratch)
        measure_life(report, scratch, SESSIONS // 5 if options.quick else SESSIONS)
    finally:
        shutil.rmtree(scratch)
    report.close(options.json, time.perf_counter() - began)


if __name__ == "__main__":
    main()
