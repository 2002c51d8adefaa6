"""Other memory systems on the same turns, each in a virtual environment of its own, against the same kind of server.

Owns: how they are installed and called, what the scripted model answers them, and what was measured of them before.
Must not know the daemon. Nothing here is a dependency of the project: what does not install is said to be skipped.
The model keeps the fact of the turn that was added last unless the request shows that it is known, as it does for the daemon.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.material import turns
from bench.report import Report, median
from tests.support.model_server import ModelServer, size_chars

INSTALL_SECONDS, RUN_SECONDS = 600, 240
FAULTS = ("http_429", "http_500", "bad_json")
TELLERS = 4
_TOLD_CHARS = 60
"""So much of a turn's beginning tells it from the others, in whatever form a prompt holds it."""
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Measured:
    """Chat calls and prompt tokens (characters / 4) for 24 turns of this length, added turn by turn."""

    name: str
    calls: int
    prompt_tokens: int
    at: str = "2026-12-01"


MEASURED_BEFORE = (
    Measured("mem0 2.2.1", 24, 235_234),
    Measured("LangMem 0.0.30", 24, 50_947),
    Measured("Graphiti 0.31.2", 96, 212_871),
    Measured("Hindsight 1.1.0", 34, 143_038),
)


@dataclass(frozen=True, slots=True)
class Peer:
    """What to install, a program, and how the model says a fact to it.

    The program's argument is the server's address; its input is JSON: the turns, and how many tell all of them at once.
    It prints JSON: how many memories there are, the time of each turn in ms, and the errors that the caller got.
    """

    name: str
    packages: tuple[str, ...]
    program: str
    say: Callable[[Json, Json | None], Json]
    killed: str


COMMON = """
import json, sys, threading, time
job, times, failed = json.load(sys.stdin), [], []
def told(add):
    def tell():
        for turn in job["turns"]:
            began = time.perf_counter()
            try:
                add([{"role": role, "content": turn[role]} for role in ("user", "assistant")])
            except Exception as error:
                failed.append(type(error).__name__)
            times.append((time.perf_counter() - began) * 1000)
    tellers = [threading.Thread(target=tell) for _ in range(job["tellers"])]
    for teller in tellers: teller.start()
    for teller in tellers: teller.join()
def done(stored):
    print(json.dumps({"stored": stored, "times_ms": times, "failed": failed}))
"""
LANGMEM = (
    COMMON
    + """
from langchain_openai import ChatOpenAI
from langgraph.store.memory import InMemoryStore
from langmem import create_memory_store_manager
store = InMemoryStore()
manager = create_memory_store_manager(ChatOpenAI(model="scripted", base_url=sys.argv[1], api_key="none"),
                                      namespace=("u",), store=store)
told(lambda messages: manager.invoke({"messages": messages}, config={"configurable": {"max_steps": 1}}))
done(len(store.search(("u",), limit=1000)))
"""
)
MEM0 = (
    COMMON
    + """
import tempfile
from mem0 import Memory
place = tempfile.mkdtemp()
chat = {"provider": "openai", "config": {"model": "scripted", "openai_base_url": sys.argv[1], "api_key": "none"}}
embed = {"provider": "openai", "config": {"openai_base_url": sys.argv[1], "api_key": "none", "embedding_dims": 64}}
kept = {"provider": "qdrant", "config": {"path": place + "/q", "embedding_model_dims": 64}}
memory = Memory.from_config({"llm": chat, "embedder": embed, "vector_store": kept, "history_db_path": place + "/h.db"})
told(lambda messages: memory.add(messages, user_id="u"))
done(len(memory.get_all(filters={"user_id": "u"}, top_k=1000)["results"]))
"""
)


def _say_to_mem0(_: Json, fact: Json | None) -> Json:
    kept = [] if fact is None else [{"id": "0", "text": fact["summary"], "attributed_to": "user"}]
    return {"content": json.dumps({"memory": kept})}


def _say_to_langmem(request: Json, fact: Json | None) -> Json:
    names = [tool["function"]["name"] for tool in request.get("tools", ())]
    if fact is None or "Memory" not in names:
        return {"content": "Nothing to keep."}
    made = {"name": "Memory", "arguments": json.dumps({"content": fact["summary"]})}
    return {"tool_calls": [{"id": "call_1", "type": "function", "function": made}]}


PEERS = (
    Peer("LangMem", ("langmem", "langchain-openai"), LANGMEM, _say_to_langmem,
         "it runs in the caller's process and stores where the caller says: what kill -9 loses is the caller's choice"),
    Peer("mem0", ("mem0ai", "qdrant-client"), MEM0, _say_to_mem0,
         "add() answers after the model did: a turn killed in between is lost unless the caller says it again"),
)  # fmt: skip


class Listener:
    """The scripted model in the words of one peer."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    def __call__(self, request: Json) -> Json:
        prompt = json.dumps(request["messages"], ensure_ascii=False)
        where = {prompt.rfind(turn["user"][:_TOLD_CHARS]): turn["fact"] for turn in turns()}
        last = max(where)
        fact = where[last] if last >= 0 else None
        return self._peer.say(request, None if fact is None or fact["summary"] in prompt else fact)


def measure(report: Report, scratch: Path) -> None:
    """Run each peer that installs; a line says which step failed for one that does not take part."""
    for peer in PEERS:
        step = "installing"
        try:
            python = _install(peer, scratch / f"venv-{peer.name}")
            step = "running"
            compare(report, peer, python)
        except (subprocess.SubprocessError, OSError, ValueError) as error:
            report.note(f"{peer.name} skipped: {step} it failed: {_reason(error)}")


def compare(report: Report, peer: Peer, python: Path) -> None:
    """The rows that can be taken like for like, and why there is none for the others."""
    section = f"{peer.name} {_version(peer, python)}: the same turns and server"
    said, requests = _run(peer, python, len(turns()))
    report.add(section, "facts stored", said["stored"], "of 24")
    report.add(section, "model calls", len(requests), "calls")
    report.add(section, "prompt tokens", _tokens(requests), "tokens")
    report.add(section, "added to the caller of a turn, p50", median(said["times_ms"]), "ms")
    for fault in FAULTS:
        said, requests = _run(peer, python, 1, fault=fault)
        raised = f", raised {said['failed'][0]}" if said["failed"] else ""
        report.add(section, f"{fault}: calls ({said['stored']} of 1 stored{raised})", len(requests), "calls")
        report.add(section, f"{fault}: prompt tokens", _tokens(requests), "tokens")
    said, requests = _run(peer, python, 1, tellers=TELLERS)
    raised = f", {len(said['failed'])} raised" if said["failed"] else ""
    report.add(section, f"one fact told four times at once leaves{raised}", said["stored"], f"of {TELLERS}")
    report.note(f"{peer.name}: no row for kill -9: {peer.killed}")
    report.note(f"{peer.name}: no row for the long life: it asks once a message, so tokens a message stay at least as above")


def _tokens(requests: list[Json]) -> int:
    return sum(size_chars(request) // 4 for request in requests)


def _version(peer: Peer, python: Path) -> str:
    program = f"from importlib.metadata import version; print(version({peer.packages[0]!r}))"
    return subprocess.run([str(python), "-c", program], check=True, timeout=60, capture_output=True).stdout.decode().strip()


def _reason(error: Exception) -> str:
    """The last line that the process left, or what kind of error it was."""
    lines = (getattr(error, "stderr", None) or b"").decode(errors="replace").strip().splitlines()
    return lines[-1][:200] if lines else type(error).__name__


def _install(peer: Peer, place: Path) -> Path:
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True, timeout=60)
    python = place / "bin" / "python"
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *peer.packages]
    subprocess.run(command, check=True, timeout=INSTALL_SECONDS, capture_output=True)
    return python


def _run(peer: Peer, python: Path, count: int, *, fault: str = "", tellers: int = 1) -> tuple[Json, list[Json]]:
    """What the program said at its end, and the chat requests that it made."""
    with ModelServer(Listener(peer)) as server:
        server.queue(*([fault] if fault else ()))
        said = {
            "turns": [{"user": turn["user"], "assistant": turn["assistant"]} for turn in turns()[:count]],
            "tellers": tellers,
        }
        quiet = {**os.environ, "MEM0_TELEMETRY": "False", "LANGSMITH_TRACING": "false"}  # a benchmark tells nobody
        done = subprocess.run([str(python), "-c", peer.program, server.base_url], input=json.dumps(said).encode(), env=quiet,
                              check=True, timeout=RUN_SECONDS, capture_output=True)  # fmt: skip
        answer: Json = json.loads(done.stdout.splitlines()[-1])
        return answer, list(server.requests)
