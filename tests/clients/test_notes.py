"""What a hook keeps between two of its processes, and finding the session of a harness."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from soong_memory_client import notes
from soong_memory_client.notes import MAX_NOTES, Note, Notes, Process, harness_process, session_of

HARNESS = Process(4242, 99)


@pytest.mark.rule("client.hook-notes")
def test_a_note_comes_back_as_it_was_and_an_unknown_session_has_an_empty_one(tmp_path: Path) -> None:
    kept = Notes(tmp_path, "codex")
    note = Note("codex:a/../b 会话", "t1", "0badcafe", "1" * 64, True, HARNESS)
    kept.write(note)
    assert kept.read(note.session_id) == note
    assert kept.read("codex:other") == Note("codex:other")
    (written,) = (tmp_path / "memoryd" / "hooks" / "codex").iterdir()
    assert written.stat().st_mode & 0o777 == 0o600


@pytest.mark.rule("client.hook-notes")
@pytest.mark.parametrize("text", ["", "{", "[]", '{"session_id": "s", "more": 1}', '{"session_id": "s", "harness": 7}'])
def test_a_note_that_cannot_be_read_is_an_empty_one(tmp_path: Path, text: str) -> None:
    kept = Notes(tmp_path, "codex")
    kept.write(Note("s"))
    (path,) = (tmp_path / "memoryd" / "hooks" / "codex").iterdir()
    path.write_text(text)
    assert kept.read("s") == Note("s")
    assert session_of(tmp_path, HARNESS) is None


@pytest.mark.rule("client.hook-notes")
def test_only_the_newest_notes_stay(tmp_path: Path) -> None:
    kept = Notes(tmp_path, "codex")
    for number in range(MAX_NOTES + 5):
        kept.write(Note(f"s{number}"))
        path = max((tmp_path / "memoryd" / "hooks" / "codex").iterdir(), key=lambda each: each.stat().st_ino)
        os.utime(path, ns=(number, number))
    kept.prune()
    assert len(list((tmp_path / "memoryd" / "hooks" / "codex").iterdir())) == MAX_NOTES


@pytest.mark.rule("mcp.session-of-parent")
def test_the_session_of_a_harness_is_the_one_that_its_hook_saw_last(tmp_path: Path) -> None:
    for number, (client, session_id, harness) in enumerate(
        [("codex", "codex:1", HARNESS), ("codex", "codex:2", HARNESS), ("gemini", "gemini:3", Process(4242, 100))]
    ):
        Notes(tmp_path, client).write(Note(session_id, harness=harness))
        for path in (tmp_path / "memoryd" / "hooks" / client).iterdir():
            if path.name.startswith(session_id.replace(":", "-")):
                os.utime(path, ns=(number, number))
    assert session_of(tmp_path, HARNESS) == "codex:2"
    assert session_of(tmp_path, Process(4242, 7)) is None, "another process that got the same number"
    assert session_of(tmp_path / "nowhere", HARNESS) is None


@pytest.mark.rule("mcp.session-of-parent")
def test_a_shell_between_is_not_the_harness() -> None:
    script = f"import sys; sys.path.append({os.path.dirname(notes.__file__)!r} + '/..')\n"
    script += "from soong_memory_client.notes import harness_process; print(harness_process().pid)"
    direct = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout
    between = subprocess.run(["sh", "-c", '"$0" -c "$1"; :', sys.executable, script], capture_output=True, check=True).stdout
    assert int(direct) == int(between) == os.getpid()
    assert harness_process(os.getpid()).started > 0
