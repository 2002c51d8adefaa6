"""An import is shown first, and then said to the daemon as the user's own words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from soong_memory_client.testing import FakeDaemon, refusal
from soong_memoryd.cli.commands import imports
from soong_memoryd.cli.exits import Exit
from soong_memoryd.cli.progress import bar
from tests.cli.scene import STATUS, run
from tests.cli.system_scene import import_session

NOTES = "- Use uv.\n- 用中文回答。\n- Short commits.\n"


@pytest.fixture
def notes(daemon: FakeDaemon, tmp_path: Path) -> str:
    daemon.answers |= import_session()
    (tmp_path / "notes.md").write_text(NOTES, encoding="utf-8")
    return str(tmp_path / "notes.md")


def appended(daemon: FakeDaemon) -> list[dict[str, object]]:
    calls = [message["params"] for message in daemon.received if message["method"] == "context.append"]
    return [node for params in calls for node in params["nodes"]]


def opened(daemon: FakeDaemon) -> dict[str, str]:
    return next(message["params"] for message in daemon.received if message["method"] == "session.open")


@pytest.mark.rule("cli.import-provenance")
def test_what_is_imported_are_typed_messages_of_a_session_of_their_own(daemon: FakeDaemon, notes: str) -> None:
    assert run(daemon, "import", "markdown", notes, "--yes").code == Exit.OK
    assert daemon.methods() == [
        "daemon.status",
        "session.open",
        "context.append",
        "extraction.trigger",
        "session.list",
        "session.close",
        "extraction.list",
    ]
    first, *_ = appended(daemon)
    assert (first["kind"], first["origin"], first["text"]) == ("user_message", "typed", "Use uv.")
    assert first["metadata"] == {"imported_from": "markdown", "source": "notes.md:1"}
    assert "agent_id" not in first, "the session's main agent"
    assert opened(daemon)["session_id"].startswith("import:markdown:")


@pytest.mark.rule("cli.import-provenance")
def test_importing_again_says_the_same_words_with_the_same_ids(daemon: FakeDaemon, notes: str) -> None:
    run(daemon, "import", "markdown", notes, "--yes")
    before, session = appended(daemon), opened(daemon)
    daemon.received.clear()
    run(daemon, "import", "markdown", notes, "--yes")
    assert (appended(daemon), opened(daemon)) == (before, session)


@pytest.mark.rule("cli.import-asks")
def test_builtin_is_said_to_keep_only_wishes_and_a_model_may_look_at_the_same_again(daemon: FakeDaemon, notes: str) -> None:
    with_model = run(daemon, "import", "markdown", notes, "--yes")
    before, session = appended(daemon), opened(daemon)
    daemon.received.clear()
    builtin = [{"use": "extract", "provider": "builtin", "name": None, "state": "ok"}]
    daemon.answers["daemon.status"] = {**STATUS, "models": builtin}
    with_builtin = run(daemon, "import", "markdown", notes, "--yes")
    assert "builtin keeps only" in with_builtin.err and "builtin" not in with_model.err
    assert appended(daemon) == before and opened(daemon)["session_id"] != session["session_id"]


@pytest.mark.rule("cli.import-asks")
@pytest.mark.parametrize(
    ("typed", "taken"),
    [
        ("y\n", ["Use uv.", "用中文回答。", "Short commits."]),
        ("2-3\n", ["用中文回答。", "Short commits."]),
        ("3, 1\n", ["Use uv.", "Short commits."]),
        ("n\n", []),
        ("9\n", []),
        ("all\n", []),
        ("", []),
    ],
)
def test_a_person_sees_the_items_and_takes_all_some_or_none(
    daemon: FakeDaemon, notes: str, typed: str, taken: list[str]
) -> None:
    ran = run(daemon, "import", "markdown", notes, typed=typed)
    assert "   2  用中文回答。  notes.md:2" in ran.err
    assert [node["text"] for node in appended(daemon)] == taken
    assert ran.code == (Exit.OK if taken else Exit.INTERRUPTED)


@pytest.mark.rule("cli.import-asks")
def test_a_dry_run_says_nothing_to_the_daemon(daemon: FakeDaemon, notes: str) -> None:
    assert run(daemon, "import", "markdown", notes, "--dry-run").out.endswith("would import 3 items\n")
    assert daemon.received == []
    Path(notes).write_text("# nothing\n", encoding="utf-8")
    assert run(daemon, "import", "markdown", notes, "--yes").out == "there is nothing to import\n"


@pytest.mark.rule("cli.import-progress")
def test_progress_is_followed_until_nothing_is_left(daemon: FakeDaemon, notes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "LOOK_EVERY_SECONDS", 0.0)
    left = [3, 2, 0]
    open_before = daemon.answers["session.open"]
    sessions: list[str] = []

    def open_session(params: dict[str, str]) -> object:
        sessions.append(params["session_id"])
        return open_before(params)

    daemon.answers["session.open"] = open_session
    daemon.answers["session.list"] = lambda params: {
        "sessions": [{"session_id": sessions[0], "unscanned_messages": left.pop(0), "state": "running"}],
        "total": 1,
    }
    assert run(daemon, "import", "markdown", notes, "--yes").code == Exit.OK
    assert left == []
    assert bar(1, 4) == "[######------------------]" and bar(0, 0) == "[########################]"


@pytest.mark.rule("cli.import-progress")
def test_an_import_ends_with_the_failure_of_its_extraction(daemon: FakeDaemon, notes: str) -> None:
    daemon.answers |= import_session(unscanned=3, error={"code": "timeout", "text": "the model was too slow"})
    ran = run(daemon, "import", "markdown", notes, "--yes")
    assert ran.code == Exit.FAILED
    assert "the last attempt failed: the model was too slow" in ran.out
    daemon.answers["extraction.trigger"] = refusal("model_unconfigured", "no model")
    ran = run(daemon, "import", "markdown", notes, "--yes")
    assert ran.code == Exit.REFUSED and "config check" in ran.err


def test_a_long_text_is_cut_as_every_node_is(daemon: FakeDaemon, tmp_path: Path) -> None:
    daemon.answers |= import_session()
    (tmp_path / "a.json").write_text(json.dumps([{"memory": "x" * 300_000}]), encoding="utf-8")
    assert run(daemon, "import", "mem0", str(tmp_path), "--yes").code == Exit.OK
    assert appended(daemon)[0]["metadata"]["cut"] is True  # type: ignore[index]


def test_the_bar_is_for_terminals(daemon: FakeDaemon, notes: str) -> None:
    assert "\r" not in run(daemon, "import", "markdown", notes, "--yes").err
