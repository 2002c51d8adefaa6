"""What other tools' files become: items, and what is passed over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from soong_memoryd.cli.exits import CliError
from soong_memoryd.cli.importing import READERS
from soong_memoryd.cli.importing.items import Item, distinct, item_id
from soong_memoryd.cli.importing.markdown import blocks


def write(path: Path, text: str | list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = text if isinstance(text, str) else "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in text)
    path.write_text(lines, encoding="utf-8")
    return path


def offered(tool: str, path: Path) -> list[str]:
    return [item.text for item in distinct(READERS[tool](path)) if item.skipped is None]


def skipped(tool: str, path: Path) -> list[tuple[str, str | None]]:
    return [(item.source, item.skipped) for item in distinct(READERS[tool](path)) if item.skipped]


@pytest.mark.rule("cli.import-formats")
def test_claude_codes_memories_are_read_and_a_projects_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "memory" / "MEMORY.md", "- [uv](uv.md)\n")
    write(tmp_path / "memory" / "uv.md", "---\nname: uv\ndescription: 用 uv\ntype: feedback\n---\n\nNever pip.\n")
    write(tmp_path / "memory" / "db.md", "---\ntype: project\n---\nThe port is 5433.\n")
    assert offered("claude-code", tmp_path) == ["用 uv\n\nNever pip."]
    assert skipped("claude-code", tmp_path) == [
        ("memory/MEMORY.md", "only lists the others"),
        ("memory/db.md", "about one project"),
    ]


@pytest.mark.rule("cli.import-formats")
def test_of_a_claude_code_transcript_only_what_the_user_typed_is_read(tmp_path: Path) -> None:
    def record(uuid: str, parent: str | None, role: str, text: str, **more: Any) -> dict[str, Any]:
        message = {"role": role, "content": text}
        return {"type": role, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "message": message, **more}

    transcript = [
        record("1", None, "user", "以后都用 uv", timestamp="2026-11-28T09:15:00.5Z"),
        record("2", "1", "assistant", "I will."),
        record("3", "2", "user", "<command-name>/clear</command-name>"),
        record("4", "2", "user", "meta", isMeta=True),
        record("5", "2", "user", "brief", isSidechain=True),
        record("6", "2", "user", "typed and then taken back"),
        record("7", "2", "user", "以后都用 uv"),
    ]
    write(tmp_path / "s.jsonl", transcript)
    write(tmp_path / "s" / "subagents" / "agent-1.jsonl", [record("9", None, "user", "of a sub agent")])
    items = list(READERS["claude-code"](tmp_path))
    assert items[0] == Item("以后都用 uv", "s.jsonl", "2026-11-28T09:15:00.5Z")
    assert offered("claude-code", tmp_path)[0] == "以后都用 uv"
    assert not {"meta", "brief", "of a sub agent", "I will."} & {item.text for item in items}
    assert ("s.jsonl", "same text") in skipped("claude-code", tmp_path)


@pytest.mark.rule("cli.import-formats")
def test_of_a_codex_rollout_the_events_are_read_and_not_the_model_input(tmp_path: Path) -> None:
    rollout = [
        {"timestamp": "2026-11-28T09:15:00Z", "type": "session_meta", "payload": {"id": "x"}},
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": "<environment_context>"}},
        {"timestamp": "t", "type": "event_msg", "payload": {"type": "user_message", "message": "rename foo"}},
        {"type": "event_msg", "payload": {"type": "agent_message", "message": "done"}},
        {"type": "event_msg", "payload": None},
    ]
    write(tmp_path / "sessions" / "rollout-1.jsonl", rollout)
    write(tmp_path / "memories" / "MEMORY.md", "- Prefers uv\n")
    write(tmp_path / "memories" / "raw_memories.md", "- Prefers uv, said on Monday\n")
    assert offered("codex", tmp_path) == ["Prefers uv", "rename foo"]
    assert skipped("codex", tmp_path) == [("memories/raw_memories.md", "a summary")]


@pytest.mark.rule("cli.import-formats")
def test_mem0_is_read_as_json_and_as_blocks(tmp_path: Path) -> None:
    write(
        tmp_path / "a.json",
        json.dumps({"results": [{"id": "1", "memory": "likes tea", "created_at": "2026-01-01"}, {"id": "2"}]}),
    )
    write(tmp_path / "b.json", json.dumps([{"text": "用 uv"}, "plain", 5]))
    write(tmp_path / "c.txt", "one\nstatement\n---\nanother\n-----\n")
    assert offered("mem0", tmp_path) == ["likes tea", "用 uv", "plain", "one\nstatement", "another"]
    write(tmp_path / "d.json", "{")
    with pytest.raises(CliError, match=r"d\.json is not JSON"):
        list(READERS["mem0"](tmp_path))


@pytest.mark.rule("cli.import-formats")
def test_markdown_gives_entries_and_paragraphs_with_their_lines() -> None:
    text = "# Title\n\nA paragraph\nof two lines.\n\n- one\n  continued\n* two\n1. three\n\n"
    text += "```\ncode\n```\n| a | b |\n<!-- no -->\n---\nlast"
    assert list(blocks(text)) == [
        (3, "A paragraph\nof two lines."),
        (6, "one\ncontinued"),
        (8, "two"),
        (9, "three"),
        (17, "last"),
    ]


def test_hidden_directories_and_other_files_are_left_alone(tmp_path: Path) -> None:
    write(tmp_path / ".git" / "x.md", "- no\n")
    write(tmp_path / "x.txt", "- no\n")
    write(tmp_path / "x.md", "- yes\n")
    assert offered("markdown", tmp_path) == ["yes"]
    assert offered("markdown", tmp_path / "x.md") == ["yes"]


def test_a_text_has_one_id_wherever_it_is_found() -> None:
    assert item_id("mem0", "use  uv\n") == item_id("mem0", "use uv") != item_id("codex", "use uv")
    assert len(item_id("claude-code", "x" * 10_000)) < 200
