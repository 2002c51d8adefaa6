"""``soong-memoryctl mcp`` is the server and nothing else: these lines come in, those go out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from soong_memory_client.testing import FakeDaemon
from tests.clients.mcp.sessions import ANSWERS
from tests.durability.namespaces import environment

GOLDEN = Path(__file__).with_name("golden") / "command.jsonl"
ASKED = [
    {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {}}},
    {"id": 2, "method": "tools/list"},
    {"id": 3, "method": "resources/read", "params": {"uri": "memory://catalog"}},
    {"id": 4, "method": "no/such"},
]


@pytest.mark.rule("cli.human-output", "cli.json-output")
def test_the_command_speaks_mcp_alone_whether_json_is_asked_for_or_not() -> None:
    lines = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in ASKED)
    with FakeDaemon(answers=ANSWERS) as daemon:
        for options in ([], ["--json"]):
            done = subprocess.run(
                [sys.executable, "-m", "soong_memoryd.cli.ctl", "mcp", "--home", str(daemon.home), *options],
                input=lines, env=environment(), capture_output=True, text=True, timeout=20, check=False,
            )  # fmt: skip
            assert (done.returncode, done.stderr) == (0, "")
            assert done.stdout == GOLDEN.read_text(encoding="utf-8")
