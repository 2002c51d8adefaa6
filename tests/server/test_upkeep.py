"""Chores never end the daemon; an outbox brings in only what a connection would have taken."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
import structlog

from soong_memoryd.protocol.envelope import Call
from soong_memoryd.server import upkeep
from soong_memoryd.server.dispatch import Served
from soong_memoryd.server.upkeep import Chore, keep_up

OPEN = {"jsonrpc": "2.0", "id": "1", "method": "session.open", "params": {"session_id": "s"}}


def test_a_chore_that_raises_anything_is_logged_and_comes_again():
    async def main() -> None:
        done = anyio.Event()
        turns: list[int] = []

        async def work() -> None:
            turns.append(1)
            if len(turns) == 3:
                done.set()
            raise sqlite3.OperationalError("the words of somebody else")

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(keep_up, [Chore("test", 0.001, work)])
            with anyio.fail_after(10):
                await done.wait()
            tasks.cancel_scope.cancel()

    with structlog.testing.capture_logs() as logged:
        anyio.run(main)
    assert logged[0] == {"event": "chore_failed", "chore": "test", "code": "OperationalError", "log_level": "warning"}


def drained(
    directory: Path, lines: list[bytes], failing: type[Exception] | None = None
) -> tuple[list[str], list[dict[str, Any]]]:
    """Which methods were called, and what was kept aside, when this waited in an outbox."""
    path = directory / "hook.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    path.chmod(0o600)
    called: list[str] = []

    async def begin(call: Call) -> Served:
        called.append(call.method)
        if failing is not None:
            raise failing("the words of somebody else")
        return Served({})

    async def main() -> int:
        return await anyio.to_thread.run_sync(upkeep.drain_outboxes, directory, begin)

    assert anyio.run(main) == len(lines)
    assert path.read_bytes() == b""
    rejected = directory / "rejected" / "hook.jsonl"
    kept = rejected.read_text(encoding="utf-8").splitlines() if rejected.exists() else []
    return called, [json.loads(line) for line in kept]


BAD_LINES = {
    "a lone surrogate": b'{"jsonrpc":"2.0","id":"1","method":"session.open","params":{"session_id":"\\ud800"}}',
    "a key twice": b'{"jsonrpc":"2.0","id":"1","method":"session.open","params":{"session_id":"a","session_id":"b"}}',
    "no number": b'{"jsonrpc":"2.0","id":NaN,"method":"session.open","params":{"session_id":"s"}}',
    "too deep": b'{"jsonrpc":"2.0","id":"1","method":"session.open","params":{"a":' + b"[" * 80 + b"]" * 80 + b"}}",
}


@pytest.mark.parametrize("line", BAD_LINES.values(), ids=BAD_LINES)
def test_a_line_that_no_connection_would_take_is_kept_aside_and_blocks_nobody(tmp_path, line):
    called, kept = drained(tmp_path, [line, json.dumps(OPEN).encode()])
    assert called == ["session.open"]
    assert [(row["code"], row["request"]) for row in kept] == [("parse_error", line.decode())]


@pytest.mark.parametrize("method", ["daemon.stop", "daemon.status", "extraction.trigger"])
def test_an_outbox_brings_in_nothing_but_what_agents_tell(tmp_path, method):
    called, kept = drained(tmp_path, [json.dumps({"jsonrpc": "2.0", "id": "1", "method": method, "params": {}}).encode()])
    assert called == []
    assert [row["code"] for row in kept] == ["invalid_request"]


def test_a_line_on_which_the_daemon_itself_fails_is_kept_aside_as_internal(tmp_path):
    with structlog.testing.capture_logs() as logged:
        called, kept = drained(tmp_path, [json.dumps(OPEN).encode()], failing=ValueError)
    assert called == ["session.open"]
    assert [row["code"] for row in kept] == ["internal"]
    assert "somebody else" not in str(logged)
