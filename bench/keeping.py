"""Turns with one lasting fact each, told to a daemon, and a scripted model that keeps every fact it is shown.

Owns: the replay and the model. Must not know what is counted.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bench.wire import Stopwatch
from tests.support.model_server import calls, size_chars

Json = dict[str, Any]
TURNS_A_RUN, MESSAGES_A_JOB = 3, 12
QUIET = {"idle_seconds": 86_400, "extract_every_messages": MESSAGES_A_JOB}
_NEW = re.compile(r'<node id="([^"]+)"[^>]* use="new"')
WAIT_SECONDS, POLL_SECONDS = 30.0, 0.01


class Keeper:
    """Keeps the fact of each message that it is to examine, unless it is shown a memory that says the same."""

    def __init__(self, facts: Mapping[str, Json]) -> None:
        """``facts`` by node id; may grow while the server runs."""
        self._facts = facts

    def __call__(self, request: Json) -> Json:
        prompt = request["messages"][1]["content"]
        shown = [(node_id, self._facts[node_id]) for node_id in _NEW.findall(prompt) if node_id in self._facts]
        made = [_create(node_id, fact) for node_id, fact in shown if fact["summary"] not in prompt]
        return calls(*made, ("finish", {"ignored": [], "duplicates": []}))(request)


def _create(node_id: str, fact: Json) -> tuple[str, Json]:
    evidence = [{"node_id": node_id, "quote": fact["quote"]}]
    known = {name: value for name, value in fact.items() if name != "quote"}
    return "create_memory", known | {"confirmed_by": None, "evidence": evidence}


def prompt_tokens(requests: Iterable[Json]) -> int:
    """Characters / 4 of what was sent."""
    return sum(size_chars(request) // 4 for request in requests)


def facts_of(said: Iterable[Json]) -> dict[str, Json]:
    """The fact of each turn by the node that says it."""
    return {f"{turn['id']}-user": turn["fact"] for turn in said}


def nodes(turn: Json) -> list[Json]:
    """A turn's two nodes."""
    return [
        {"node_id": f"{turn['id']}-user", "kind": "user_message", "text": turn["user"]},
        {"node_id": f"{turn['id']}-assistant", "kind": "assistant_message", "text": turn["assistant"]},
    ]


def replay(client: Stopwatch, said: Sequence[Json], *, first: int = 0) -> list[float]:
    """Turn by turn, waiting for each job as a person's pace would; returns the time of each append in ms."""
    taken: list[float] = []
    client.call("session.open", session_id="set")
    for at in range(0, len(said), TURNS_A_RUN):
        taken += tell(client, said[at : at + TURNS_A_RUN], f"r{first + at}")
        wait_for_due_jobs(client)
    client.call("extraction.trigger", session_id="set", wait=True)
    return taken


def tell(client: Stopwatch, said: Iterable[Json], run: str) -> list[float]:
    """One run of these turns; returns the time of each append in ms."""
    taken = []
    client.call("run.started", session_id="set", run_id=run)
    for turn in said:
        began = time.perf_counter()
        client.call("context.append", session_id="set", nodes=nodes(turn))
        taken.append((time.perf_counter() - began) * 1000)
    client.call("run.completed", session_id="set", run_id=run, status="completed")
    return taken


def wait_for_due_jobs(client: Stopwatch) -> None:
    """Until no job but the idle one waits or runs."""
    until = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < until:
        jobs = client.call("extraction.list")["jobs"]
        if not any(job["status"] == "running" or (job["status"] == "pending" and job["reason"] != "idle") for job in jobs):
            return
        time.sleep(POLL_SECONDS)
    raise RuntimeError("a job does not end")
