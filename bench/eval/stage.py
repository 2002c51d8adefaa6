"""A daemon on a home with memories in it, and conversations played to it over the wire.

Owns: files put there before the start, nodes, waiting for jobs, reading the store back. Must not know what is right.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.daemon import BenchDaemon
from bench.wire import Stopwatch
from soong_memoryd.memories.document import serialise
from soong_memoryd.memories.schema import Document, Frontmatter

Json = dict[str, Any]
KINDS = {"user": "user_message", "assistant": "assistant_message", "tool": "tool_result", "memory": "memory_context"}
PAGE = 200
POLL_SECONDS = 0.01
ANSWER_SECONDS = 600.0
"""How long a job of a real model may take, repair round and retries included."""


@dataclass(slots=True)
class Spent:
    """What the jobs of a session took, by the provider's count; ``failures`` are the codes of failed attempts.

    ``reason``: why the daemon meant to look when the run had ended (explicit, idle …).
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    failures: list[str] = field(default_factory=list)
    reason: str = ""


def write_memory(home: Path, memory: Json) -> None:
    """Put one memory of a case file below a home, as a person or a sync tool would have."""
    head = Frontmatter(memory["id"], memory["category"], memory["summary"], tuple(memory["tags"]), memory["created_at"],
                       memory["updated_at"], memory["source_session_id"], tuple(memory["source_node_ids"]))  # fmt: skip
    file = home / "memory" / memory["path"]
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.parent.parent.chmod(0o700)
    file.write_bytes(serialise(Document(head, memory["body"])))
    file.chmod(0o600)


@contextmanager
def running(home: Path, config: str, memories: Iterable[Json] = ()) -> Iterator[Stopwatch]:
    """A client of a fresh daemon whose home holds ``memories``."""
    for memory in memories:
        write_memory(home, memory)
    with BenchDaemon(home, config) as daemon, daemon.client(ANSWER_SECONDS) as client:
        yield client


def nodes(case: Json) -> list[Json]:
    """A case's nodes as they go over the wire: each agent's chain, a sub agent's hanging on the main one."""
    last: dict[str, str] = {}
    made = []
    for each in case["nodes"]:
        agent = each["agent"].removeprefix("sub:")
        node = {"node_id": each["id"], "agent_id": agent, "kind": KINDS[each["role"]], "text": each["text"]}
        node |= {"parent_id": parent} if (parent := last.get(agent, last.get("main"))) else {}
        node |= {"run_id": "run-1"} if agent == "main" else {}
        node |= {"origin": each["origin"]} if "origin" in each else {}
        node |= {"summary": each["text"]} if each["role"] == "tool" else {}
        last[agent] = each["id"]
        made.append(node)
    return made


def play(client: Stopwatch, session: str, said: list[Json], agents: Iterable[str] = ()) -> Spent:
    """One run of a session, then its job; returns what the job took."""
    client.call("session.open", session_id=session, agent_id="main")
    for agent in agents:
        client.call("agent.register", session_id=session, agent_id=agent, kind="sub", parent_agent_id="main")
    client.call("run.started", session_id=session, run_id="run-1")
    for at in range(0, len(said), PAGE):
        client.call("context.append", session_id=session, nodes=said[at : at + PAGE])
    decision = client.call("run.completed", session_id=session, run_id="run-1", status="completed")["decision"]
    spent = examine(client, session)
    spent.reason = decision["reason"] if decision else ""
    return spent


def examine(client: Stopwatch, session: str) -> Spent:
    """Wait until everything said in a session has been looked at, or an attempt failed."""
    client.call("extraction.trigger", session_id=session, wait=True)
    until = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < until:
        jobs = client.call("extraction.list", session_id=session)["jobs"]
        failed = [job["error"]["code"] for job in jobs if job["error"]]
        waiting = client.call("session.open", session_id=session)["unscanned_messages"]
        if failed or not waiting:
            return _spent(jobs, failed)
        time.sleep(POLL_SECONDS)
    raise TimeoutError(f"{session}: no finished extraction in {ANSWER_SECONDS:.0f} s")


def _spent(jobs: list[Json], failed: list[str]) -> Spent:
    used = [job["result"]["usage"] for job in jobs if job["result"]]
    return Spent(*(sum(each[name] for each in used) for name in ("calls", "prompt_tokens", "completion_tokens")), failed)


def store(client: Stopwatch) -> dict[str, Json]:
    """Every memory by id: frontmatter, body and path."""
    found: dict[str, Json] = {}
    while True:
        page = client.call("memory.list", limit=PAGE, offset=len(found))
        for entry in page["memories"]:
            got = client.call("memory.get", memory_id=entry["id"])
            found[entry["id"]] = {**got["frontmatter"], "body": got["body"], "path": got["path"], "sha256": got["sha256"]}
        if not page["memories"] or len(found) >= page["total"]:
            return found
