from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from soong_memoryd.extraction.artifacts import MAX_ARTIFACTS, DebugDirectory, Exchange, artifact_name, render
from soong_memoryd.llm.conversation import Answer, Conversation, Round, ToolCall, Usage


def test_a_name_sorts_by_time_and_holds_nothing_but_plain_characters() -> None:
    assert artifact_name("2026-12-01T14:39:00Z", "job_7", 2) == "20261201T143900Z-job_7-2"
    assert artifact_name("2026-12-01T14:39:00Z", "../秘密", 1) == "20261201T143900Z--1"


@pytest.mark.rule("extraction.debug-redacted")
def test_every_text_of_an_exchange_is_redacted() -> None:
    call = ToolCall("create_memory", {"body": "hush"})
    conversation = Conversation("hush", "hush", (), (Round((call,), ("refused: hush",), "go on"),))
    exchanges = [Exchange(conversation, Answer((call,), Usage(), "tools")), Exchange(conversation, None, "model_timeout")]
    text = render(exchanges, lambda said: said.replace("hush", "[gone]"))
    assert "hush" not in text
    assert text.count("[gone]") == 7
    assert json.loads(text)[1]["response"] == {"error": "model_timeout"}


@pytest.mark.rule("extraction.debug-few-and-private")
def test_files_are_owner_only_and_the_latest_twenty_stay(tmp_path: Path) -> None:
    directory = tmp_path / "debug"
    kept = DebugDirectory(directory)
    for number in range(MAX_ARTIFACTS + 5):
        kept.keep(f"2026{number:04d}-job-1", "{}")
    names = sorted(path.name for path in directory.iterdir())
    assert names[0] == "20260005-job-1.json"
    assert len(names) == MAX_ARTIFACTS
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()} == {0o600}


def test_a_directory_that_cannot_be_written_is_nobodys_failure(tmp_path: Path) -> None:
    (tmp_path / "debug").write_text("a file")
    DebugDirectory(tmp_path / "debug").keep("a-1", "{}")
    assert (tmp_path / "debug").read_text() == "a file"
