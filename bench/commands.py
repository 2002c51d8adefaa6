"""What a person's and a hook's command take as whole processes, against an interpreter that does nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bench.baseline import process_times_ms
from bench.daemon import BenchDaemon, environment
from bench.report import Report, Target, median
from tests.support.daemon import ROOT

SECTION = "commands, whole process"
HOOK = ROOT / "clients" / "hooks" / "soong_memory_hook.py"
MCP = ROOT / "clients" / "mcp" / "soong_memory_mcp.py"


def measure(report: Report, scratch: Path, rounds: int) -> None:
    """In turns, so that a busy moment hits all of them."""
    prompt = {"hook_event_name": "UserPromptSubmit", "session_id": "bench", "prompt": "please fix the test"}
    prompt |= {"cwd": str(scratch), "transcript_path": str(scratch / "none.jsonl"), "permission_mode": "default"}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}
    commands = {
        "python3 -c pass": ([sys.executable, "-c", "pass"], b""),
        "soong-memoryctl status": ([str(Path(sys.executable).with_name("soong-memoryctl")), "status"], b""),
        "the hook": ([sys.executable, "-I", "-S", str(HOOK), "claude-code"], json.dumps(prompt).encode()),
        "the MCP server": ([sys.executable, "-I", "-S", str(MCP)], json.dumps(hello).encode() + b"\n"),
    }
    limits = {"soong-memoryctl status": 5, "the hook": 3, "the MCP server": 4}
    taken: dict[str, list[float]] = {name: [] for name in commands}
    with BenchDaemon(scratch / "commands") as daemon:
        env = environment(daemon.home)
        for _ in range(rounds):
            for name, (command, stdin) in commands.items():
                taken[name] += process_times_ms(command, 3, env, stdin)
    pass_ms = median(taken["python3 -c pass"])
    report.add(SECTION, "python3 -c pass, median", pass_ms, "ms")
    for name, limit in limits.items():
        target = Target(limit, "ratio")
        report.add(SECTION, f"{name}, median", median(taken[name]), "ms", over=pass_ms, baseline="pass", target=target)
