"""Every dialect's golden session through the real hook file, as its harness runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from soong_memory_client.testing import FakeDaemon
from soong_memory_hook_events import DIALECTS
from tests.clients.hooks.sessions import CATALOG, HERE, cases, run_file

# all that a codex hook may print: its schema refuses any other member
CODEX_MEMBERS = {"continue", "stopReason", "suppressOutput", "systemMessage", "hookSpecificOutput"}
CODEX_CONTEXT_MEMBERS = {"hookEventName", "additionalContext", "env"}


def heard(daemon: FakeDaemon) -> list[dict[str, Any]]:
    """The calls that arrived, without what differs from run to run."""
    calls = [{"method": message["method"], "params": message["params"]} for message in daemon.received]
    daemon.received.clear()
    return calls


@pytest.mark.rule("client.hook-golden")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_event_of_a_session_says_exactly_this_and_prints_exactly_that(dialect: str) -> None:
    with FakeDaemon(answers={"memory.catalog": CATALOG}) as daemon:
        for case in cases(dialect):
            done = run_file(dialect, daemon.home, json.dumps(case.stdin).encode())
            assert (done.returncode, done.stderr) == (0, b""), case.path.name
            printed = json.loads(done.stdout) if done.stdout else None
            assert printed == case.stdout, case.path.name
            assert heard(daemon) == case.calls, case.path.name


@pytest.mark.rule("client.hook-golden")
def test_every_dialect_has_a_golden_session_and_there_is_no_other() -> None:
    assert {path.name for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__"} == set(DIALECTS)


@pytest.mark.rule("client.hook-golden")
def test_every_moment_of_a_dialect_is_in_its_golden_session() -> None:
    for name, dialect in DIALECTS.items():
        shown = {case.stdin[dialect.event] for case in cases(name)}
        assert set(dialect.moments) <= shown | {"StopFailure"}, name  # codex has no fixture of it: few versions send it


@pytest.mark.rule("client.hook-prints-nothing-else")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_is_printed_is_one_json_object_with_no_member_that_a_harness_refuses(dialect: str) -> None:
    for case in cases(dialect):
        if case.stdout is not None:
            assert set(case.stdout) <= CODEX_MEMBERS
            assert set(case.stdout["hookSpecificOutput"]) <= CODEX_CONTEXT_MEMBERS
            assert case.stdout["hookSpecificOutput"]["hookEventName"] == case.stdin["hook_event_name"]


@pytest.mark.rule("client.hook-turn")
def test_codex_hooks_and_codex_notify_together_tell_a_turn_once(tmp_path: Path) -> None:
    base = {"session_id": "s", "transcript_path": None, "cwd": "/w", "model": "m", "permission_mode": "default", "turn_id": "t"}
    events = [
        ("codex", {**base, "hook_event_name": "UserPromptSubmit", "prompt": "[Image #1] go"}),
        ("codex", {**base, "hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": "gone"}),
        (
            "codex-notify",
            {
                "type": "agent-turn-complete",
                "thread-id": "s",
                "turn-id": "t",
                "input-messages": ["go"],
                "last-assistant-message": "gone",
            },
        ),
    ]
    with FakeDaemon() as daemon:
        for dialect, payload in events:
            run_file(dialect, daemon.home, json.dumps(payload).encode())
        assert [node["text"] for node in daemon.nodes("codex:s")] == ["[Image #1] go", "gone"]
        assert not (daemon.home / "memoryd" / "outbox" / "rejected").exists()
