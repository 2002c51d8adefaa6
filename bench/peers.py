"""Other memory systems on the same 24 turns, each in a virtual environment of its own, against the same kind of server.

Owns: how they are installed and called, and what was measured of them before. Must not know the daemon.
Nothing here is a dependency of the project: what does not install is said to be skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.material import turns
from bench.report import Report
from tests.support.model_server import ModelServer, size_chars

INSTALL_SECONDS, RUN_SECONDS = 240, 120
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
    """What to install, and a program that reads turns as JSON from its input and the server's address from its argument."""

    name: str
    packages: tuple[str, ...]
    program: str


LANGMEM = """
import json, sys
from langchain_openai import ChatOpenAI
from langmem import create_memory_manager
model = ChatOpenAI(model="scripted", base_url=sys.argv[1], api_key="none")
manager, known = create_memory_manager(model), []
for turn in json.load(sys.stdin):
    messages = [{"role": role, "content": turn[role]} for role in ("user", "assistant")]
    known = manager.invoke({"messages": messages, "existing": known}, config={"configurable": {"max_steps": 1}})
"""
MEM0 = """
import json, sys, tempfile
from mem0 import Memory
chat = {"provider": "openai", "config": {"model": "scripted", "openai_base_url": sys.argv[1], "api_key": "none"}}
embed = {"provider": "openai", "config": {"openai_base_url": sys.argv[1], "api_key": "none", "embedding_dims": 8}}
store = {"provider": "qdrant", "config": {"path": tempfile.mkdtemp(), "embedding_model_dims": 8}}
memory = Memory.from_config({"llm": chat, "embedder": embed, "vector_store": store})
for turn in json.load(sys.stdin):
    memory.add([{"role": role, "content": turn[role]} for role in ("user", "assistant")], user_id="u")
"""
PEERS = (
    Peer("LangMem", ("langmem", "langchain-openai"), LANGMEM),
    Peer("mem0", ("mem0ai", "qdrant-client"), MEM0),
)


def measure(report: Report, section: str, scratch: Path) -> None:
    """Run each peer that installs; a line says which step failed for one that does not take part.

    The server answers a peer that there is nothing to keep, so its store stays empty and its prompts stay short: a lower bound
    of what it needs, not a comparison with a run that keeps every fact.
    """
    for peer in PEERS:
        step = "installing"
        try:
            python = _install(peer, scratch / f"venv-{peer.name}")
            step = "running"
            requests = _run(peer, python)
        except (subprocess.SubprocessError, OSError) as error:
            report.note(f"{peer.name} skipped: {step} it failed: {_reason(error)}")
            continue
        tokens = sum(size_chars(request) // 4 for request in requests)
        report.add(section, f"{peer.name}, this run, keeps nothing: calls", len(requests), "calls")
        report.add(section, f"{peer.name}, this run, keeps nothing: prompt", tokens, "tokens")


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


def _run(peer: Peer, python: Path) -> list[Json]:
    """The chat requests that the turns made; the model answers that there is nothing to keep."""
    with ModelServer(lambda _: {"content": json.dumps({"facts": [], "memory": []})}) as server:
        command = [str(python), "-c", peer.program, server.base_url]
        said = json.dumps([{"user": turn["user"], "assistant": turn["assistant"]} for turn in turns()])
        quiet = {**os.environ, "MEM0_TELEMETRY": "False", "LANGSMITH_TRACING": "false"}  # a benchmark tells nobody
        subprocess.run(command, input=said.encode(), env=quiet, check=True, timeout=RUN_SECONDS, capture_output=True)
        return list(server.requests)
