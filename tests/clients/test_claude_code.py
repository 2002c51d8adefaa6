"""The hook command, and replaying and following transcript files."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import soong_claude_code
from soong_claude_code import main, replay, run_hook, tail
from soong_claude_hooks import hook_calls
from soong_memory_client import MemoryClient
from soong_memory_client.testing import FakeDaemon
from tests.clients.transcripts import SESSION, assistant, user

SESSION_ID = f"claude-code:{SESSION}"
HOOK_FILE = soong_claude_code.__file__
CATALOG = {"text": "# MEMORY\n- `mem_1` [user] 用 uv", "entries": 1, "truncated": False, "revision": "0" * 64}


@pytest.fixture
def daemon() -> Iterator[FakeDaemon]:
    with FakeDaemon() as running:
        yield running


@pytest.fixture
def client(daemon: FakeDaemon) -> Iterator[MemoryClient]:
    with MemoryClient("claude-code", home=daemon.home, timeout_seconds=3.0) as opened:
        yield opened


def event(name: str, **fields: Any) -> bytes:
    base = {"hook_event_name": name, "session_id": SESSION, "transcript_path": "/t.jsonl", "cwd": "/w", "prompt_id": "p1"}
    return json.dumps({**base, **fields}).encode()


@pytest.mark.rule("client.hook_turn")
def test_a_prompt_and_its_answer_are_one_run(daemon: FakeDaemon, client: MemoryClient) -> None:
    assert run_hook(event("UserPromptSubmit", prompt="以后都用 uv", source="user"), client) == ""
    assert run_hook(event("Stop", last_assistant_message="好的", stop_hook_active=False), client) == ""
    assert daemon.methods() == [
        *("session.open", "run.started", "context.append"),
        *("session.open", "context.append", "run.completed"),
    ]
    asked, answered = daemon.nodes(SESSION_ID)
    assert (asked["node_id"], asked["run_id"], asked["origin"], asked["text"]) == ("p1:u", "p1", "typed", "以后都用 uv")
    assert (answered["kind"], answered["run_id"]) == ("assistant_message", "p1")
    assert daemon.sessions[SESSION_ID].runs == {"p1": "completed"}


@pytest.mark.rule("client.hook_turn")
def test_the_same_hook_twice_changes_nothing_and_other_words_are_another_answer(
    daemon: FakeDaemon, client: MemoryClient
) -> None:
    for _ in range(2):
        run_hook(event("UserPromptSubmit", prompt="go"), client)
        run_hook(event("Stop", last_assistant_message="one"), client)
    run_hook(event("Stop", last_assistant_message="two"), client)
    assert [node["text"] for node in daemon.nodes(SESSION_ID)] == ["go", "one", "two"]
    assert client.outbox is not None
    assert client.outbox.backlog().rejected == 0


@pytest.mark.rule("client.hook_origin")
@pytest.mark.parametrize(
    ("source", "origin"),
    [(None, "typed"), ("user", "typed"), ("sdk", "synthetic"), ("system", "synthetic"), ("loop_wakeup", "synthetic")],
)
def test_only_what_a_person_submitted_is_typed(source: str | None, origin: str) -> None:
    made = hook_calls(json.loads(event("UserPromptSubmit", prompt="go", source=source)))
    assert made[2].params["nodes"][0]["origin"] == origin


@pytest.mark.rule("client.hook_origin")
@pytest.mark.parametrize("name", ["UserPromptSubmit", "Stop", "SessionStart", "SessionEnd"])
def test_a_sub_agents_events_are_not_sent(name: str) -> None:
    assert hook_calls(json.loads(event(name, prompt="go", agent_id="a1", last_assistant_message="x"))) == []


@pytest.mark.rule("client.hook_events")
def test_failure_compaction_and_end_are_said(daemon: FakeDaemon, client: MemoryClient) -> None:
    run_hook(event("UserPromptSubmit", prompt="go"), client)
    run_hook(event("StopFailure", error="overloaded"), client)
    run_hook(event("PostCompact", trigger="auto", compact_summary="We fixed it."), client)
    run_hook(event("SessionEnd", reason="logout"), client)
    assert daemon.sessions[SESSION_ID].runs == {"p1": "failed"}
    assert daemon.nodes(SESSION_ID)[-1]["kind"] == "compact_summary"
    assert daemon.sessions[SESSION_ID].closed is True


@pytest.mark.rule("client.hook_events")
@pytest.mark.parametrize("data", [event("PreToolUse"), event("SubagentStop"), b"{}", event("Stop", session_id=None)])
def test_an_event_that_means_nothing_here_makes_no_call(daemon: FakeDaemon, client: MemoryClient, data: bytes) -> None:
    assert run_hook(data, client) == ""
    assert daemon.received == []


@pytest.mark.rule("client.hook_turn")
def test_without_a_prompt_id_the_run_is_left_to_the_daemon_to_end() -> None:
    asked = hook_calls(json.loads(event("UserPromptSubmit", prompt="go", prompt_id=None)))
    stopped = hook_calls(json.loads(event("Stop", last_assistant_message="ok", prompt_id=None)))
    assert [call.method for call in asked] == ["session.open", "run.started", "context.append"]
    assert [call.method for call in stopped] == ["session.open", "context.append"]
    assert "run_id" not in stopped[1].params["nodes"][0]


@pytest.mark.rule("client.hook_catalog")
@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_a_session_starts_with_the_catalog(daemon: FakeDaemon, client: MemoryClient, source: str) -> None:
    daemon.answers["memory.catalog"] = CATALOG
    output = json.loads(run_hook(event("SessionStart", source=source), client))
    assert output == {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": CATALOG["text"]}}


@pytest.mark.rule("client.hook_catalog")
@pytest.mark.parametrize(
    ("source", "catalog"),
    [("fork", CATALOG), ("startup", {**CATALOG, "entries": 0}), ("startup", {**CATALOG, "text": "x" * 9000})],
)
def test_nothing_is_printed_when_there_is_nothing_to_add(
    daemon: FakeDaemon, client: MemoryClient, source: str, catalog: dict[str, Any]
) -> None:
    daemon.answers["memory.catalog"] = catalog
    assert run_hook(event("SessionStart", source=source), client) == ""


def run_command(home: Path, data: bytes, **env: str) -> tuple[subprocess.CompletedProcess[bytes], float]:
    command = [sys.executable, "-I", "-S", HOOK_FILE, "hook", "--home", str(home)]
    begun = time.monotonic()
    done = subprocess.run(command, input=data, capture_output=True, check=False, env=env)
    return done, time.monotonic() - begun


@pytest.mark.rule("client.hook_fails_open")
def test_with_no_daemon_the_hook_is_silent_and_the_words_wait_in_the_outbox(daemon: FakeDaemon, client: MemoryClient) -> None:
    daemon.stop()
    done, _ = run_command(daemon.home, event("UserPromptSubmit", prompt="以后都用 uv"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    daemon.start()
    assert client.flush() is True
    assert daemon.nodes(SESSION_ID)[0]["text"] == "以后都用 uv"


@pytest.mark.rule("client.hook_fails_open")
@pytest.mark.parametrize("data", [b"", b"junk", b"[]", b"\xff", event("Stop", last_assistant_message={"odd": 1})])
def test_whatever_comes_in_the_hook_ends_well_and_says_nothing(tmp_path: Path, data: bytes) -> None:
    done, _ = run_command(tmp_path, data)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.rule("client.hook_fails_open")
def test_a_daemon_that_hangs_does_not_hold_the_user_up(daemon: FakeDaemon) -> None:
    with daemon.paused():
        done, took_seconds = run_command(daemon.home, event("UserPromptSubmit", prompt="go"))
    assert (done.returncode, done.stdout) == (0, b"")
    assert took_seconds < 2.0, "its own limit is a fifth of a second; the rest is a busy machine's"


@pytest.mark.rule("client.hook_fails_open")
def test_an_input_that_never_ends_does_not_hold_the_user_up(tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-S", HOOK_FILE, "hook", "--home", str(tmp_path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.wait(10) == 0
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.read() == b""
    process.stdin.close()
    process.stdout.close()


@pytest.mark.rule("client.hook_fails_open")
def test_the_hook_prints_the_catalog_and_nothing_else(daemon: FakeDaemon) -> None:
    daemon.answers["memory.catalog"] = CATALOG
    done, _ = run_command(daemon.home, event("SessionStart", source="startup"))
    assert done.stderr == b""
    assert json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] == CATALOG["text"]


def test_a_run_that_a_program_started_can_switch_the_hook_off(daemon: FakeDaemon) -> None:
    run_command(daemon.home, event("UserPromptSubmit", prompt="go"), SOONG_MEMORYD_HOOK="off")
    assert daemon.received == []
    assert not (daemon.home / "memoryd" / "outbox").exists()


def write_transcript(path: Path, *items: dict[str, Any]) -> Path:
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(item, ensure_ascii=False) + "\n" for item in items)
    return path


TURN = (user("u1", None, "one"), assistant("a1", "u1", "1"))
ABANDONED = (user("u2", "a1", "two"), assistant("a2", "u2", "2"))
AFTER = (user("u3", "a1", "three"), assistant("a3", "u3", "3"))


@pytest.mark.rule("client.replay_idempotent")
def test_replaying_a_transcript_twice_leaves_every_node_once(daemon: FakeDaemon, client: MemoryClient, tmp_path: Path) -> None:
    path = write_transcript(tmp_path / f"{SESSION}.jsonl", *TURN, *ABANDONED, *AFTER)
    assert replay(path, client)[1:] == (4, 0, ())
    replay(path, client)
    assert [node["node_id"] for node in daemon.nodes(SESSION_ID)] == ["u1", "a1", "u3", "a3"]
    assert daemon.sessions[SESSION_ID].abandoned == set()


@pytest.mark.rule("client.replay_idempotent")
def test_a_refused_call_is_reported_and_stops_nothing(daemon: FakeDaemon, client: MemoryClient, tmp_path: Path) -> None:
    client.session_open(SESSION_ID)
    client.append(SESSION_ID, [{"node_id": "u1", "kind": "user_message", "text": "something else"}])
    done = replay(write_transcript(tmp_path / "t.jsonl", *TURN, *ABANDONED), client)
    assert done.refused == ("node_conflict",)
    assert [node["node_id"] for node in daemon.nodes(SESSION_ID)] == ["u1", "u2", "a2"]


def test_lines_that_cannot_be_read_are_left_out(client: MemoryClient, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"type":\n\xff\n[1]\n\n' + b"[" * 100_000 + b"\n")
    assert replay(write_transcript(path, *TURN), client).nodes == 2


@pytest.mark.rule("client.tail")
def test_following_a_transcript_sends_what_is_added_and_rewinds_when_the_user_goes_back(
    daemon: FakeDaemon, client: MemoryClient, tmp_path: Path
) -> None:
    path = write_transcript(tmp_path / f"{SESSION}.jsonl", *TURN)
    half = json.dumps(AFTER[0])
    added = ["".join(json.dumps(item) + "\n" for item in ABANDONED), half[:40], half[40:] + "\n"]

    def pause() -> bool:
        if not added:
            return False
        path.write_text(path.read_text(encoding="utf-8") + added.pop(0), encoding="utf-8")
        return True

    tail(path, client, pause)
    assert [node["node_id"] for node in daemon.nodes(SESSION_ID)] == ["u1", "a1", "u2", "a2", "u3"]
    assert daemon.sessions[SESSION_ID].abandoned == {"u2", "a2"}


@pytest.mark.parametrize("argv", [[], ["hook", "x"], ["replay"], ["watch", "f"], ["tail", "a", "b"]])
def test_a_wrong_command_line_says_how_it_is_used(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    assert "usage:" in capsys.readouterr().err


def test_a_replay_says_what_it_did(daemon: FakeDaemon, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_transcript(tmp_path / "t.jsonl", *TURN)
    assert main(["replay", str(path), "--home", str(daemon.home)]) == 0
    assert capsys.readouterr().out == "2 nodes in 4 calls\n"
    daemon.stop()
    assert main(["replay", str(path), "--home", str(daemon.home)]) == 0
    assert "4 wait in the outbox" in capsys.readouterr().out
    assert main(["replay", str(tmp_path / "absent"), "--home", str(daemon.home)]) == 1
