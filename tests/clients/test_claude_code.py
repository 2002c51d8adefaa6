"""Replaying and following transcript files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from soong_claude_code import main, replay, tail
from soong_memory_client import MemoryClient
from soong_memory_client.testing import FakeDaemon
from tests.clients.transcripts import SESSION, assistant, user

SESSION_ID = f"claude-code:{SESSION}"


@pytest.fixture
def daemon() -> Iterator[FakeDaemon]:
    with FakeDaemon() as running:
        yield running


@pytest.fixture
def client(daemon: FakeDaemon) -> Iterator[MemoryClient]:
    with MemoryClient("claude-code", home=daemon.home, timeout_seconds=3.0) as opened:
        yield opened


def write_transcript(path: Path, *items: dict[str, Any]) -> Path:
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(item, ensure_ascii=False) + "\n" for item in items)
    return path


TURN = (user("u1", None, "one"), assistant("a1", "u1", "1"))
ABANDONED = (user("u2", "a1", "two"), assistant("a2", "u2", "2"))
AFTER = (user("u3", "a1", "three"), assistant("a3", "u3", "3"))


@pytest.mark.rule("client.replay-idempotent")
def test_replaying_a_transcript_twice_leaves_every_node_once(daemon: FakeDaemon, client: MemoryClient, tmp_path: Path) -> None:
    path = write_transcript(tmp_path / f"{SESSION}.jsonl", *TURN, *ABANDONED, *AFTER)
    assert replay(path, client)[1:] == (4, 0, ())
    replay(path, client)
    assert [node["node_id"] for node in daemon.nodes(SESSION_ID)] == ["u1", "a1", "u3", "a3"]
    assert daemon.sessions[SESSION_ID].abandoned == set()


@pytest.mark.rule("client.replay-idempotent")
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


@pytest.mark.parametrize("argv", [[], ["hook"], ["replay"], ["watch", "f"], ["tail", "a", "b"]])
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
