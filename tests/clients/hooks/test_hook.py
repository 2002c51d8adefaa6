"""What the hook makes of an event, and that nothing it meets is the user's problem."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from soong_memory_client import MemoryClient
from soong_memory_client.notes import Notes
from soong_memory_client.testing import FakeDaemon
from soong_memory_hook_events import DIALECTS, read_event, run_hook
from tests.clients.hooks.sessions import CATALOG, HOOK_FILE, run_file
from tests.clients.transcripts import SESSION

CLAUDE = DIALECTS["claude-code"]
SESSION_ID = f"claude-code:{SESSION}"


@pytest.fixture
def daemon() -> Iterator[FakeDaemon]:
    with FakeDaemon() as running:
        yield running


class Hook:
    """The hook in this process, against a daemon."""

    def __init__(self, daemon: FakeDaemon, dialect: str) -> None:
        self.dialect = DIALECTS[dialect]
        self.client = MemoryClient(self.dialect.client, home=daemon.home, timeout_seconds=3.0)
        self.notes = Notes(daemon.home, self.dialect.client)

    def __call__(self, name: str, **fields: Any) -> str:
        return run_hook(self.dialect, event(name, **fields), self.client, self.notes)


@pytest.fixture
def claude(daemon: FakeDaemon) -> Iterator[Hook]:
    hook = Hook(daemon, "claude-code")
    with hook.client:
        yield hook


def event(name: str, **fields: Any) -> dict[str, Any]:
    base = {"hook_event_name": name, "session_id": SESSION, "transcript_path": "/t.jsonl", "cwd": "/w", "prompt_id": "p1"}
    return {**base, **fields}


@pytest.mark.rule("client.hook-turn")
def test_a_prompt_and_its_answer_are_one_run(daemon: FakeDaemon, claude: Hook) -> None:
    assert claude("UserPromptSubmit", prompt="以后都用 uv", source="user") == ""
    assert claude("Stop", last_assistant_message="好的", stop_hook_active=False) == ""
    asked, answered = daemon.nodes(SESSION_ID)
    assert (asked["node_id"], asked["run_id"], asked["origin"], asked["text"]) == ("p1:u", "p1", "typed", "以后都用 uv")
    assert (answered["kind"], answered["run_id"]) == ("assistant_message", "p1")
    assert daemon.sessions[SESSION_ID].runs == {"p1": "completed"}


@pytest.mark.rule("client.hook-turn")
def test_the_same_hook_twice_changes_nothing_and_other_words_are_another_answer(daemon: FakeDaemon, claude: Hook) -> None:
    for _ in range(2):
        claude("UserPromptSubmit", prompt="go")
        claude("Stop", last_assistant_message="one")
    claude("Stop", last_assistant_message="two")
    assert [node["text"] for node in daemon.nodes(SESSION_ID)] == ["go", "one", "two"]
    assert claude.client.outbox is not None
    assert claude.client.outbox.backlog().rejected == 0


@pytest.mark.rule("client.hook-turn")
def test_without_a_prompt_id_the_answer_still_belongs_to_the_prompt_before_it(daemon: FakeDaemon, claude: Hook) -> None:
    for prompt in ("one", "two"):
        claude("UserPromptSubmit", prompt=prompt, prompt_id=None)
        claude("Stop", last_assistant_message=f"{prompt} done", prompt_id=None)
    nodes = daemon.nodes(SESSION_ID)
    assert [node["text"] for node in nodes] == ["one", "one done", "two", "two done"]
    assert nodes[0]["run_id"] == nodes[1]["run_id"] != nodes[2]["run_id"] == nodes[3]["run_id"]
    assert set(daemon.sessions[SESSION_ID].runs.values()) == {"completed"}


@pytest.mark.rule("client.hook-turn")
def test_the_same_words_twice_are_two_turns_of_gemini(daemon: FakeDaemon) -> None:
    gemini = Hook(daemon, "gemini")
    with gemini.client:
        for minute in ("01", "02"):
            gemini("BeforeAgent", prompt="继续", timestamp=f"2026-12-01T10:{minute}:00.000Z")
            gemini("AfterAgent", prompt="继续", prompt_response="…", timestamp=f"2026-12-01T10:{minute}:30.000Z")
    assert [node["text"] for node in daemon.nodes(f"gemini:{SESSION}")] == ["继续", "…", "继续", "…"]
    assert list(daemon.sessions[f"gemini:{SESSION}"].runs.values()) == ["completed", "completed"]


@pytest.mark.rule("client.hook-origin")
@pytest.mark.parametrize(
    ("source", "origin"),
    [(None, "typed"), ("user", "typed"), *((source, "synthetic") for source in ("sdk", "system", "loop_wakeup", "poll_event"))],
)
def test_only_what_a_person_submitted_is_typed(daemon: FakeDaemon, claude: Hook, source: str | None, origin: str) -> None:
    claude("UserPromptSubmit", prompt="go", source=source)
    assert daemon.nodes(SESSION_ID)[0]["origin"] == origin


@pytest.mark.rule("client.hook-origin")
@pytest.mark.parametrize("name", ["UserPromptSubmit", "Stop", "SessionStart", "SessionEnd"])
def test_a_sub_agents_events_are_not_sent(name: str) -> None:
    assert read_event(CLAUDE, event(name, prompt="go", agent_id="a1", last_assistant_message="x")) is None


STRANGE = [7, 0, True, {"id": "a1"}, {}, ["a1"], [], [7]]


@pytest.mark.rule("client.hook-origin")
@pytest.mark.parametrize("value", STRANGE, ids=repr)
def test_what_cannot_be_read_where_it_says_whose_words_these_are_is_no_person(daemon: FakeDaemon, value: object) -> None:
    assert read_event(CLAUDE, event("UserPromptSubmit", prompt="go", agent_id=value)) is None
    for dialect in ("claude-code", "codex-notify"):
        row = DIALECTS[dialect]
        payload = {row.event: next(native for native, moment in row.moments.items() if moment in ("prompt", "turn"))}
        payload |= {row.names["session"]: "s", row.names["prompt"]: "go", row.names["source"]: value}
        with MemoryClient(row.client, home=daemon.home, timeout_seconds=3.0) as client:
            run_hook(row, payload, client, Notes(daemon.home, row.client))
        assert [node["origin"] for node in daemon.nodes(f"{row.client}:s")] == ["synthetic"]


@pytest.mark.rule("client.hook-turn")
def test_a_byte_that_is_no_utf_8_spoils_its_character_and_not_the_message(daemon: FakeDaemon) -> None:
    data = json.dumps(event("UserPromptSubmit", prompt="以后?都用 uv"), ensure_ascii=False).encode()
    assert run_file("claude-code", daemon.home, data.replace(b"?", b"\xff")).returncode == 0
    assert daemon.nodes(SESSION_ID)[0]["text"] == "以后\ufffd都用 uv"


@pytest.mark.rule("client.hook-events")
def test_failure_compaction_and_end_are_said(daemon: FakeDaemon, claude: Hook) -> None:
    claude("UserPromptSubmit", prompt="go")
    claude("StopFailure", error="overloaded")
    claude("PostCompact", trigger="auto", compact_summary="We fixed it.")
    claude("SessionEnd", reason="logout")
    assert daemon.sessions[SESSION_ID].runs == {"p1": "failed"}
    assert daemon.nodes(SESSION_ID)[-1]["kind"] == "compact_summary"
    assert daemon.sessions[SESSION_ID].closed is True


@pytest.mark.rule("client.hook-events")
@pytest.mark.parametrize("payload", [event("PreToolUse"), event("SubagentStop"), {}, event("Stop", session_id=None), [], None])
def test_an_event_that_means_nothing_here_is_none(payload: object) -> None:
    assert read_event(CLAUDE, payload) is None


@pytest.mark.rule("client.hook-catalog", "recall.catalog-resident")
@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_a_session_starts_with_the_catalog(daemon: FakeDaemon, claude: Hook, source: str) -> None:
    daemon.answers["memory.catalog"] = CATALOG
    output = json.loads(claude("SessionStart", source=source))
    assert output == {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": CATALOG["text"]}}


@pytest.mark.rule("client.hook-catalog")
def test_a_resumed_session_is_given_the_catalog_only_when_it_changed(daemon: FakeDaemon, claude: Hook) -> None:
    daemon.answers["memory.catalog"] = CATALOG
    assert claude("SessionStart", source="startup") != ""
    assert claude("SessionStart", source="resume") == ""
    daemon.answers["memory.catalog"] = {**CATALOG, "revision": "1" * 64}
    assert claude("SessionStart", source="resume") != ""
    assert claude("SessionStart", source="compact") != "", "what was in the context is gone"


@pytest.mark.rule("client.hook-catalog")
@pytest.mark.parametrize(
    ("source", "catalog"),
    [("fork", CATALOG), ("startup", {**CATALOG, "entries": 0}), ("startup", {**CATALOG, "text": "x" * 9000})],
)
def test_nothing_is_printed_when_there_is_nothing_to_add(
    daemon: FakeDaemon, claude: Hook, source: str, catalog: dict[str, Any]
) -> None:
    daemon.answers["memory.catalog"] = catalog
    assert claude("SessionStart", source=source) == ""


@pytest.mark.rule("client.hook-fails-open")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_with_no_daemon_the_hook_is_silent_and_the_words_wait_in_the_outbox(daemon: FakeDaemon, dialect: str) -> None:
    daemon.stop()
    row = DIALECTS[dialect]
    native = next(name for name, moment in row.moments.items() if moment in ("prompt", "turn"))
    payload = {row.event: native, row.names["session"]: "s", row.names["prompt"]: "以后都用 uv"}
    done = run_file(dialect, daemon.home, json.dumps(payload).encode())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    daemon.start()
    with MemoryClient(row.client, home=daemon.home) as client:
        assert client.flush() is True
    assert daemon.nodes(f"{row.client}:s")[0]["text"] == "以后都用 uv"


@pytest.mark.rule("client.hook-fails-open")
@pytest.mark.parametrize("data", [b"", b"junk", b"[]", b"\xff", json.dumps(event("Stop", last_assistant_message={})).encode()])
def test_whatever_comes_in_the_hook_ends_well_and_says_nothing(tmp_path: Path, data: bytes) -> None:
    done = run_file("claude-code", tmp_path, data, patient=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.rule("client.hook-fails-open")
@pytest.mark.parametrize("argv", [[], ["cursor"], ["claude-code", "--home"], ["codex-notify"], ["codex-notify", "{"]])
def test_a_wrong_command_line_is_not_the_users_problem(argv: list[str]) -> None:
    done = subprocess.run([sys.executable, "-I", "-S", str(HOOK_FILE), *argv], input=b"{}", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.rule("client.hook-fails-open")
def test_a_home_that_cannot_be_written_is_not_the_users_problem(tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("")
    done = run_file("claude-code", blocked, json.dumps(event("UserPromptSubmit", prompt="go")).encode(), patient=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.rule("client.hook-fails-open")
def test_a_daemon_that_hangs_does_not_hold_the_user_up(daemon: FakeDaemon) -> None:
    with daemon.paused():
        done = run_file("claude-code", daemon.home, json.dumps(event("UserPromptSubmit", prompt="go")).encode(), patient=False)
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.rule("client.hook-fails-open")
def test_an_input_that_never_ends_does_not_hold_the_user_up(tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-S", str(HOOK_FILE), "claude-code", "--home", str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.wait(10) == 0
        assert process.stdout is not None
        assert process.stdout.read() == b""


@pytest.mark.rule("client.hook-starts-nothing")
def test_a_hook_without_a_daemon_leaves_an_outbox_and_a_note_and_no_process(tmp_path: Path) -> None:
    run_file("claude-code", tmp_path, json.dumps(event("UserPromptSubmit", prompt="go")).encode())
    left = {str(path.relative_to(tmp_path / "memoryd")) for path in (tmp_path / "memoryd").rglob("*") if path.is_file()}
    assert {os.path.dirname(path) for path in left} == {"outbox", "hooks/claude-code"}
    assert not (tmp_path / "memoryd" / "memoryd.sock").exists()


@pytest.mark.rule("client.hook-fails-open")
def test_a_run_that_a_program_started_can_switch_the_hook_off(daemon: FakeDaemon) -> None:
    run_file("claude-code", daemon.home, json.dumps(event("UserPromptSubmit", prompt="go")).encode(), SOONG_MEMORYD_HOOK="off")
    assert daemon.received == []
    assert not (daemon.home / "memoryd" / "outbox").exists()


@pytest.mark.rule("client.hook-fails-open")
def test_the_real_file_prints_the_catalog_and_nothing_else(daemon: FakeDaemon) -> None:
    daemon.answers["memory.catalog"] = CATALOG
    for _ in range(20):  # a busy machine may take longer than the hook has; then it is silent, and that is as it should be
        done = run_file("claude-code", daemon.home, json.dumps(event("SessionStart", source="startup")).encode(), patient=False)
        assert (done.returncode, done.stderr) == (0, b"")
        if done.stdout:
            break
    assert json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] == CATALOG["text"]
