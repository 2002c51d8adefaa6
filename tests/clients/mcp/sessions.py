"""The MCP server as a harness starts it, and a client that speaks its lines and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

import soong_memory_mcp

MCP_FILE = Path(soong_memory_mcp.__file__)
UV = "mem_20261128091502_k3f2ab9x"
RECALLED: dict[str, Any] = {
    "status": "recalled",
    "message": {"role": "user", "content": f'<memory ids="{UV}" categories="feedback">\n用 uv。\n</memory>'},
    "node": None,
    "recalled": [],
    "already_recalled": [],
    "omitted": [],
    "selected_by": "lexical",
    "degraded": None,
}
CATALOG = {"text": f"- `{UV}` [feedback] 用 uv (feedback/uv.md)\n", "entries": 1, "truncated": False, "revision": "0" * 64}
MEMORY = {"frontmatter": {"id": UV}, "body": "用 uv 而不是 pip。", "path": "feedback/uv.md", "sha256": "0" * 64}
ANSWERS: dict[str, Any] = {"memory.recall": RECALLED, "memory.catalog": CATALOG, "memory.get": MEMORY}


def server_command(home: Path) -> list[str]:
    return [sys.executable, "-I", "-S", str(MCP_FILE), "--home", str(home)]


class LineClient:
    """One connection over pipes; ``call`` returns the whole reply."""

    def __init__(self, home: Path, *, version: str = "2025-06-18", **env: str) -> None:
        self._process = subprocess.Popen(server_command(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        self._number = 0
        self.hello = self.call("initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "t", "version": "0"})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, method: str, /, **params: Any) -> dict[str, Any]:
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        reply = self.read()
        assert reply["id"] == self._number
        return reply

    def send(self, message: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write((message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n")
        self._process.stdin.flush()

    def read(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def recall(self, query: str, **arguments: Any) -> dict[str, Any]:
        result: dict[str, Any] = self.call("tools/call", name="recall_memory", arguments={"query": query, **arguments})[
            "result"
        ]
        return result

    def __enter__(self) -> LineClient:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.communicate(timeout=10)
        assert self._process.returncode == 0
