"""The demo: its transcript, and one whole run against a real daemon."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from soong_claude_transcript import Transcript
from soong_memoryd.cli.demo import files_holding, run
from soong_memoryd.cli.demo.stage import BUILTIN_CONFIG
from soong_memoryd.cli.demo.story import PLACEHOLDER, made_up_token, read_story
from soong_memoryd.text.secrets.finder import SecretFinder

TRANSCRIPT = Path(__file__).parents[2] / "soong_memoryd" / "cli" / "demo" / "transcript.jsonl"


@pytest.mark.rule("cli.demo_secret")
def test_the_secret_is_made_when_the_demo_runs_and_looks_like_one() -> None:
    text = TRANSCRIPT.read_text(encoding="utf-8")
    assert text.count(PLACEHOLDER) == 1
    assert SecretFinder().find(text) == []
    token = made_up_token()
    assert token != made_up_token()
    assert [finding.level for finding in SecretFinder().find(f"the API token is {token}.")] == ["shaped"]


@pytest.mark.rule("cli.demo_story")
def test_the_story_has_what_a_day_of_work_has() -> None:
    transcript = Transcript()
    story = list(read_story("token"))
    made = [call for record in story for call in transcript.feed(record.content)]
    nodes = [node for call in made if call.method == "context.append" for node in call.params["nodes"]]
    kinds = {node["kind"] for node in nodes}
    assert kinds == {"user_message", "assistant_message", "tool_result", "compact_summary", "other"}
    assert sum(call.method == "run.started" for call in made) == sum(call.method == "run.completed" for call in made) == 13
    assert [call.params["kind"] for call in made if call.method == "agent.register"] == ["sub"]
    assert "context.rewind" not in [call.method for call in made]
    assert sum(record.needs_model for record in story) == 2
    assert all(set(record.content) >= {"type"} and "demo" not in record.content for record in story)


@pytest.fixture
def homes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where throw-away homes are made: a short path, because a socket's path has to be short."""
    with tempfile.TemporaryDirectory(prefix="d-") as directory:
        monkeypatch.setattr(tempfile, "tempdir", directory)
        yield Path(directory)


@pytest.mark.rule("cli.demo_works")
def test_the_demo_turns_wishes_into_memories_keeps_the_secret_out_and_leaves_nothing_behind(
    homes: Path,
) -> None:
    out = io.StringIO()
    assert run({**os.environ, "SOONG_MEMORYD_SOCKET": "/nowhere"}, out) == 0, out.getvalue()
    shown = out.getvalue()
    assert "→ explicit: 1 created" in shown
    assert "+ memory/feedback/" in shown
    assert "MEMORY.md" in shown
    assert "<memory ids=" in shown
    assert "in 0 files under the home" in shown
    assert list(homes.iterdir()) == []


@pytest.mark.rule("cli.demo_works")
def test_a_demo_that_cannot_start_says_why_and_fails(tmp_path: Path, homes: Path) -> None:
    config = tmp_path / "memoryd.toml"
    config.write_text('[model]\nprovider = "bultin"\n', encoding="utf-8")
    out = io.StringIO()
    assert run({**os.environ, "SOONG_DEMO_CONFIG": str(config)}, out) == 1
    assert "demo failed: the daemon ended with" in out.getvalue()
    out = io.StringIO()
    assert run({**os.environ, "SOONG_DEMO_CONFIG": str(tmp_path / "absent")}, out) == 1
    assert "demo failed" in out.getvalue()
    assert list(homes.iterdir()) == []


@pytest.mark.rule("cli.demo_works")
def test_a_demo_in_which_no_wish_became_a_memory_fails(homes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("soong_memoryd.cli.demo.BUILTIN_CONFIG", BUILTIN_CONFIG + "enabled = false\n")
    out = io.StringIO()
    assert run(os.environ, out) == 1
    assert "demo failed: no wish became a memory" in out.getvalue()


def test_files_that_hold_something_are_found_wherever_they_lie(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "state.db").write_bytes(b"\x00needle\x00")
    (tmp_path / "c").write_bytes(b"hay")
    assert files_holding(tmp_path, b"needle") == ["a/b/state.db"]
