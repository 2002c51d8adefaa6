"""Every command: what a person sees, what a script gets, and how it fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from soong_memory_client import MemoryClient
from soong_memory_client.testing import FakeDaemon, refusal
from soong_memoryd.cli.exits import Exit
from tests.cli.scene import EVENTS, LEDGER, MEMORIES, SHA, UV, VERSION, run

GOLDEN = Path(__file__).with_name("golden")
# name of the golden file -> command line, exit code
CASES: dict[str, tuple[list[str], Exit]] = {
    "status": (["status"], Exit.OK),
    "sessions": (["sessions"], Exit.OK),
    "sessions-waiting": (["sessions", "--waiting"], Exit.OK),
    "trigger": (["trigger"], Exit.OK),
    "jobs": (["jobs"], Exit.OK),
    "jobs-one": (["jobs", "job_805"], Exit.OK),
    "jobs-done": (["jobs", "job_811"], Exit.OK),
    "retry": (["retry", "codex:0199"], Exit.OK),
    "skip": (["skip", "codex:0199", "--yes"], Exit.OK),
    "events": (["events"], Exit.OK),
    "list": (["list"], Exit.OK),
    "list-more": (["list", "--limit", "1"], Exit.OK),
    "show": (["show", "k3f2"], Exit.OK),
    "search": (["search", "uv", "pip"], Exit.OK),
    "why": (["why", "k3f2"], Exit.OK),
    "recall": (["recall", "python", "依赖"], Exit.OK),
    "forget": (["forget", "k3f2", "--yes"], Exit.OK),
    "history": (["history", "k3f2"], Exit.OK),
    "undo": (["undo", VERSION], Exit.OK),
    "verify": (["verify"], Exit.PROBLEMS_FOUND),
    "verify-fix": (["verify", "--fix"], Exit.PROBLEMS_FOUND),
    "config": (["config", "check"], Exit.PROBLEMS_FOUND),
    "reload": (["reload"], Exit.OK),
    "stop": (["stop"], Exit.OK),
}


@pytest.mark.rule("cli.human-output")
@pytest.mark.parametrize("name", CASES)
def test_a_person_sees_exactly_this(daemon: FakeDaemon, name: str) -> None:
    argv, code = CASES[name]
    ran = run(daemon, *argv)
    assert ran.out == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert (ran.code, ran.err) == (code, "")


@pytest.mark.rule("cli.json-output")
@pytest.mark.parametrize("name", CASES)
def test_a_script_gets_one_json_object_with_the_data_as_it_is(daemon: FakeDaemon, name: str) -> None:
    argv, code = CASES[name]
    ran = run(daemon, *argv, "--json")
    assert ran.out.count("\n") == 1
    assert json.loads(ran.out) == json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    assert (ran.code, ran.err) == (code, "")


def test_every_golden_file_has_its_case() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(CASES)


@pytest.mark.parametrize("typed", ["k3f2", UV, "mem_20261128091502_gone2gone"])
def test_undo_of_a_memory_puts_its_newest_version_back_even_of_a_forgotten_one(daemon: FakeDaemon, typed: str) -> None:
    assert run(daemon, "undo", typed).code == Exit.OK
    *_, asked, undone = daemon.received
    assert asked["method"] == "memory.history" and asked["params"]["memory_id"] in (UV, typed)
    assert undone["params"]["version_id"] == VERSION
    daemon.answers["memory.history"] = {"versions": []}
    none_kept = run(daemon, "undo", typed)
    assert none_kept.code == Exit.NOT_FOUND and "no earlier version of it is kept" in none_kept.err


@pytest.mark.rule("cli.status-one-screen")
def test_the_status_fits_one_screen_and_shows_no_title(daemon: FakeDaemon) -> None:
    out = run(daemon, "status").out
    assert out.count("\n") <= 24
    assert "修复导出" not in out


@pytest.mark.rule("cli.status-one-screen")
def test_the_status_counts_what_waits_in_the_outboxes(daemon: FakeDaemon) -> None:
    outbox = daemon.home / "memoryd" / "outbox"
    outbox.mkdir()
    (outbox / "claude-code.jsonl").write_text('{"jsonrpc":"2.0","id":"1","method":"session.open","params":{}}\n' * 2)
    daemon.answers["daemon.status"] = {**daemon.answers["daemon.status"], "home": str(daemon.home)}
    assert "outbox    claude-code 2 calls waiting\n" in run(daemon, "status").out


@pytest.mark.rule("cli.status-one-screen")
def test_without_a_daemon_the_status_still_counts_what_waits_for_one(daemon: FakeDaemon) -> None:
    daemon.stop()
    with MemoryClient("my-agent", home=daemon.home) as client:
        client.session_open("s")
    ran = run(daemon, "status")
    assert ran.code == Exit.NOT_RUNNING
    assert "waiting for the daemon: my-agent 1 call waiting" in ran.err


@pytest.mark.rule("cli.status-one-screen")
def test_the_status_says_what_waits_for_a_model(daemon: FakeDaemon) -> None:
    missing = [
        {"use": use, "provider": None, "name": None, "state": "missing", "since": None, "error": None}
        for use in ("extract", "recall")
    ]
    daemon.answers["daemon.status"] = {**daemon.answers["daemon.status"], "models": missing}
    out = run(daemon, "status").out
    assert "extract: not configured, extraction waits, 5 messages kept" in out
    assert "recall: not configured, recall is lexical" in out


# command line, the method that fails, with what, the exit code, the step that must be named
FAILURES: list[tuple[list[str], str, str, Exit, str]] = [
    (["status"], "daemon.status", "internal", Exit.FAILED, "soong-memoryctl service logs"),
    (["sessions"], "session.list", "busy", Exit.FAILED, "the same command"),
    (["trigger"], "extraction.trigger", "model_unconfigured", Exit.REFUSED, "config check"),
    (["jobs"], "extraction.list", "shutting_down", Exit.NOT_RUNNING, "status"),
    (["retry", "codex:0199"], "extraction.retry", "memory_disabled", Exit.REFUSED, "memory.enabled"),
    (["skip", "codex:0199", "--yes"], "extraction.skip", "not_found", Exit.NOT_FOUND, "sessions"),
    (["events"], "events.list", "invalid_params", Exit.USAGE, "--help"),
    (["list"], "memory.list", "method_not_found", Exit.PROTOCOL, "restart"),
    (["show", "k3f2"], "memory.get", "not_found", Exit.NOT_FOUND, "list"),
    (["search", "x"], "memory.search", "internal", Exit.FAILED, "service logs"),
    (["why", "k3f2"], "memory.why", "not_found", Exit.NOT_FOUND, "list"),
    (["recall", "x"], "memory.recall", "role_denied", Exit.REFUSED, "sessions"),
    (["forget", "k3f2", "--yes"], "memory.forget", "memory_changed", Exit.CONFLICT, "show"),
    (["history", "k3f2"], "memory.history", "not_found", Exit.NOT_FOUND, "list"),
    (["undo", VERSION], "memory.undo", "not_found", Exit.NOT_FOUND, "history"),
    (["verify"], "daemon.verify", "storage_full", Exit.FAILED, "verify"),
    (["config", "check"], "config.check", "protocol_version", Exit.PROTOCOL, "restart"),
    (["reload"], "daemon.reload", "invalid_params", Exit.USAGE, "--help"),
    (["stop"], "daemon.stop", "shutting_down", Exit.NOT_RUNNING, "status"),
]


@pytest.mark.rule("cli.errors-help")
@pytest.mark.parametrize(("argv", "method", "code", "exit_code", "step"), FAILURES, ids=[case[0][0] for case in FAILURES])
def test_a_refusal_has_its_exit_code_and_ends_with_the_command_that_helps(
    daemon: FakeDaemon, argv: list[str], method: str, code: str, exit_code: Exit, step: str
) -> None:
    daemon.answers[method] = refusal(code, "it did not work")
    ran = run(daemon, *argv)
    assert (ran.code, ran.out) == (exit_code, "")
    sentence, helps = ran.err.splitlines()
    assert sentence == f"soong-memoryctl: it did not work ({code})"
    assert helps.startswith("  try: ")
    assert step in helps


@pytest.mark.rule("cli.errors-help")
@pytest.mark.parametrize("argv", [argv for argv, _ in CASES.values()], ids=list(CASES))
def test_without_a_daemon_every_command_says_how_to_start_one(daemon: FakeDaemon, argv: list[str]) -> None:
    daemon.stop()
    ran = run(daemon, *argv)
    assert (ran.code, ran.out) == (Exit.NOT_RUNNING, "")
    assert "not running" in ran.err
    assert "soong-memoryd serve" in ran.err


@pytest.mark.rule("cli.errors-help")
def test_an_error_is_json_too_when_json_is_asked_for(daemon: FakeDaemon) -> None:
    daemon.stop()
    error = json.loads(run(daemon, "list", "--json").err)
    assert (error["schema"], error["error"]["code"]) == (1, "not_running")
    assert "soong-memoryd serve" in error["error"]["next"]


@pytest.mark.rule("cli.id-prefixes")
@pytest.mark.parametrize("typed", [UV, UV[:20], "k3f2", "k"])
def test_a_memory_is_named_by_any_unique_beginning_of_its_id_or_its_last_part(daemon: FakeDaemon, typed: str) -> None:
    assert json.loads(run(daemon, "show", typed, "--json").out)["data"]["frontmatter"]["id"] == UV


@pytest.mark.rule("cli.id-prefixes")
@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["show", "mem_2026"], Exit.USAGE, f"2 memories begin like that: {LEDGER}, {UV}"),
        (["show", "zzz"], Exit.NOT_FOUND, "none of the memories has an id that begins like that"),
        (["show", ""], Exit.NOT_FOUND, "none of the memories has an id that begins like that"),
        (["trigger", "codex:"], Exit.USAGE, "codex:0199, codex:0200"),
        (["trigger", "gemini"], Exit.NOT_FOUND, "soong-memoryctl sessions"),
        (["jobs", "job_8"], Exit.USAGE, "3 jobs begin like that"),
    ],
)
def test_a_beginning_that_names_none_or_several_is_refused(daemon: FakeDaemon, argv: list[str], code: Exit, said: str) -> None:
    ran = run(daemon, *argv)
    assert ran.code == code
    assert said in ran.err


@pytest.mark.rule("cli.id-prefixes")
def test_a_session_is_named_by_a_unique_beginning(daemon: FakeDaemon) -> None:
    run(daemon, "trigger", "claude", "--wait")
    assert daemon.received[-1]["params"] == {"session_id": "claude-code:7f3a", "wait": True}


def test_a_trigger_that_ends_in_a_failed_attempt_fails(daemon: FakeDaemon) -> None:
    failed = {**daemon.answers["extraction.trigger"]["jobs"][0], "error": {"code": "timeout", "text": "too slow"}}
    daemon.answers["extraction.trigger"] = {"jobs": [failed]}
    ran = run(daemon, "trigger", "--wait")
    assert ran.code == Exit.FAILED
    assert "too slow" in ran.out
    daemon.answers["extraction.trigger"] = {"jobs": []}
    assert run(daemon, "trigger").out == "nothing unscanned: no job is needed\n"


@pytest.mark.rule("cli.forget-asks")
@pytest.mark.parametrize(("typed", "forgotten"), [("y\n", True), ("YES\n", True), ("n\n", False), ("\n", False), ("", False)])
def test_forgetting_asks_first_and_only_yes_is_yes(daemon: FakeDaemon, typed: str, forgotten: bool) -> None:
    ran = run(daemon, "forget", "k3f2", typed=typed)
    assert 'Forget "用 uv 而不是 pip 管理 Python 依赖"?' in ran.err
    assert ("memory.forget" in daemon.methods()) is forgotten
    assert ran.code == (Exit.OK if forgotten else Exit.INTERRUPTED)


@pytest.mark.rule("cli.forget-asks")
def test_forgetting_without_a_terminal_needs_yes_said_on_the_command_line(daemon: FakeDaemon) -> None:
    ran = run(daemon, "forget", "k3f2")
    assert ran.code == Exit.USAGE
    assert "--yes" in ran.err
    assert "memory.forget" not in daemon.methods()


@pytest.mark.rule("cli.forget-asks")
def test_what_is_forgotten_is_what_was_looked_at(daemon: FakeDaemon) -> None:
    run(daemon, "forget", "k3f2", "--yes", "--purge")
    assert daemon.received[-1]["params"] == {"memory_id": UV, "sha256": SHA, "purge": True}


def test_a_forgotten_memorys_history_is_found_by_its_whole_id(daemon: FakeDaemon) -> None:
    daemon.answers["memory.list"] = {"memories": [], "total": 0}
    assert run(daemon, "history", UV).code == Exit.OK


@pytest.mark.rule("cli.verify-fix")
def test_fixing_mends_what_is_safe_and_what_was_named(daemon: FakeDaemon) -> None:
    run(daemon, "verify", "--fix")
    assert daemon.received[-1]["params"] == {"codes": ["catalog_stale"]}
    run(daemon, "verify", "--accept", "memory_dir_suspect")
    assert daemon.received[-1]["params"] == {"codes": ["memory_dir_suspect"]}
    daemon.answers["daemon.verify"] = {"problems": []}
    ran = run(daemon, "verify", "--fix")
    assert (ran.code, ran.out) == (Exit.OK, "no problems\n")


@pytest.mark.rule("cli.verify-fix")
def test_a_memory_written_by_hand_is_a_remark_and_no_problem(daemon: FakeDaemon) -> None:
    text = "the memory names no source: somebody wrote it by hand"
    remark = {"code": "missing_sources", "path": "user/x.md", "text": text, "fix": "Nothing needs to be done.", "safe": False}
    daemon.answers["daemon.verify"] = {"problems": [remark]}
    ran = run(daemon, "verify")
    assert (ran.code, ran.out.splitlines()[0]) == (Exit.OK, "note   missing_sources  user/x.md")


@pytest.mark.rule("cli.events-follow")
def test_following_prints_events_as_they_come_one_json_value_a_line_until_the_daemon_ends(daemon: FakeDaemon) -> None:
    ran = follow(daemon, "events", "--follow", "--after", "0", "--json")
    assert [json.loads(line)["data"]["sequence"] for line in ran.out.splitlines()] == [1, 2, 3]
    assert ran.code == Exit.NOT_RUNNING


@pytest.mark.rule("cli.events-follow")
def test_following_can_be_narrowed_to_a_session_and_a_type(daemon: FakeDaemon) -> None:
    ran = follow(daemon, "events", "-f", "--session", "codex:0199", "--type", "memory_extraction_failed")
    assert (
        ran.out == "13:40:00  memory_extraction_failed  codex:0199  reason=token_backlog  code=unreadable_answer  attempt=6\n"
    )


def follow(daemon: FakeDaemon, *argv: str) -> Any:
    daemon.hang_up_after_events = True
    return run(daemon, *argv)


def test_the_newest_events_are_shown_however_many_there_are(daemon: FakeDaemon) -> None:
    many = [{**EVENTS[2], "sequence": number} for number in range(1, 2301)]
    daemon.answers["events.list"] = lambda params: {
        "events": [event for event in many if event["sequence"] > params["after"]][: params["limit"]],
        "last": 2300,
    }
    shown = json.loads(run(daemon, "events", "--limit", "2", "--json").out)["data"]["events"]
    assert [event["sequence"] for event in shown] == [2299, 2300]
    listed = json.loads(run(daemon, "events", "--after", "5", "--limit", "1", "--json").out)["data"]["events"]
    assert [event["sequence"] for event in listed] == [6]


def test_listing_says_when_nothing_is_there(daemon: FakeDaemon) -> None:
    assert run(daemon, "list", "--category", "user").out == "nothing is remembered yet\n"
    daemon.answers["session.list"] = {"sessions": [], "total": 0}
    assert run(daemon, "sessions").out == "no sessions: no agent has talked to this daemon yet\n"


def test_a_listing_is_fetched_page_by_page(daemon: FakeDaemon) -> None:
    daemon.answers["memory.list"] = lambda params: {"memories": MEMORIES[params["offset"] :][:1], "total": 2}
    assert run(daemon, "show", "k3f2").code == Exit.OK
    assert daemon.methods() == ["memory.list", "memory.list", "memory.get"]


def test_the_raw_body_is_shown_alone(daemon: FakeDaemon) -> None:
    assert run(daemon, "show", "k3f2", "--raw").out == "Use uv, never pip.\n用 uv。\n"
