"""One extraction job without the model's own time: 32 messages, 1,000 memories, a scripted server that answers at once."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from bench.daemon import BenchDaemon
from bench.material import fill, turns
from bench.report import Report, Target, median
from bench.wire import Stopwatch
from tests.support.daemon import remote
from tests.support.model_server import ModelServer, calls

SECTION = "one job without the model's time"
MEMORIES, MESSAGES = 1_000, 32
Json = dict[str, Any]


class TimedAnswers:
    """A model that keeps one fact a job, and knows when it was asked and had answered."""

    def __init__(self) -> None:
        self.node_id, self.quote = "", ""
        self.seconds = 0.0

    def __call__(self, request: Json) -> Json:
        began = time.perf_counter()
        evidence = [{"node_id": self.node_id, "quote": self.quote}]
        fact = {"category": "user", "name": "a-fact", "summary": f"Said in {self.node_id}", "tags": ["bench"],
                "body": self.quote, "confirmed_by_node_id": None, "evidence": evidence}  # fmt: skip
        message = calls(("create_memory", fact), ("finish", {"ignored": [], "duplicates": []}))(request)
        self.seconds += time.perf_counter() - began
        return message


def measure(report: Report, scratch: Path, jobs: int) -> None:
    """The first job of a daemon loads the model's client and is shown apart."""
    home = scratch / "job"
    fill(home, MEMORIES)
    model = TimedAnswers()
    with ModelServer(model) as server:
        daemon = BenchDaemon(home, remote(server.base_url, idle_seconds=3600))
        with daemon, daemon.client() as client:
            taken = [_job(client, model, number) for number in range(jobs + 1)]
    first, *rest = taken
    report.add(SECTION, "the first job (loads the model's client)", first, "ms")
    report.add(SECTION, f"a later job, median of {jobs}", median(rest), "ms", target=Target(150))


def _job(client: Stopwatch, model: TimedAnswers, number: int) -> float:
    session = f"job-{number}"
    client.call("session.open", session_id=session)
    client.call("run.started", session_id=session, run_id="r1")
    said = [turns()[at % len(turns())] for at in range(MESSAGES)]
    for at, turn in enumerate(said):
        nodes = [{"node_id": f"{session}-u{at}", "kind": "user_message", "text": turn["user"]},
                 {"node_id": f"{session}-a{at}", "kind": "assistant_message", "text": turn["assistant"]}]  # fmt: skip
        client.call("context.append", session_id=session, nodes=nodes)
    model.node_id, model.quote, model.seconds = f"{session}-u0", said[0]["fact"]["quote"], 0.0
    began = time.perf_counter()
    client.call("run.completed", session_id=session, run_id="r1", status="completed")
    while not _finished(client, session):
        time.sleep(0.001)
    return (time.perf_counter() - began - model.seconds) * 1000


def _finished(client: Stopwatch, session: str) -> bool:
    jobs = client.call("extraction.list", session_id=session)["jobs"]
    if any(job["error"] for job in jobs):
        raise RuntimeError(f"the job failed: {jobs}")
    return bool(jobs) and all(job["status"] == "completed" for job in jobs)
