"""``verify`` in a home where everything is wrong at once, as a person runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from soong_memoryd.memories.verify import KINDS
from tests.durability.disks import until
from tests.durability.history import memory_files
from tests.durability.namespaces import environment
from tests.durability.nursery import Born, Nursery
from tests.memories.homes import data_of, memory_id, path_of

ELSEWHERE = {"degraded", "memory_dir_suspect", "unsafe_directory"}
"""What would hide the rest; each has a test of its own with the store."""


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with Nursery() as nursery:
        yield nursery


def verify(home: Path, *options: str) -> tuple[int, list[dict[str, Any]], str]:
    """Exit code, findings, and what a person reads."""
    command = [sys.executable, "-m", "soong_memoryd.cli.ctl", "verify", *options]
    variables = {**environment(), "SOONG_AGENT_HOME": str(home)}
    done = subprocess.run([*command, "--json"], env=variables, capture_output=True, text=True, timeout=20, check=False)
    shown = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=20, check=False)
    return done.returncode, json.loads(done.stdout)["data"]["problems"], shown.stdout


def spoil(home: Path) -> None:
    """One of every inconsistency."""
    memory, state = home / "memory", home / "memoryd"
    secret = "AKIA" + "Q7ZP3M8VW2XK5RTN"

    def put(number: int, data: bytes, mode: int = 0o600) -> Path:
        path = memory / path_of(number)
        path.write_bytes(data)
        path.chmod(mode)
        return path

    put(1, data_of(1))
    put(2, data_of(2), 0o644)  # file_mode
    put(3, b"no frontmatter at all\n")  # unparsable_file
    put(4, b"<<<<<<< HEAD\n" + data_of(4) + b"=======\n" + data_of(4) + b">>>>>>> x\n")  # conflict_markers
    put(5, data_of(6))  # id_mismatch
    put(7, data_of(7, body=f"The key is {secret}."))  # secret
    put(8, data_of(8, source_session_id=None, source_node_ids=()))  # missing_sources
    copy = memory / path_of(1).replace("note-", "zzz-")
    copy.write_bytes(data_of(1, body="A copy."))  # duplicate_id
    copy.chmod(0o600)
    os.symlink("/etc/hostname", memory / path_of(9))  # unsafe_file
    (memory / "todo.txt").write_text("not a memory")  # foreign_file
    for directory in (memory, memory / "user"):
        directory.chmod(0o755)
    (memory / "feedback").mkdir(mode=0o700, exist_ok=True)
    (memory / "feedback").chmod(0o750)  # directory_mode
    (memory / "reference").mkdir(mode=0o700, exist_ok=True)
    closed_off = memory / path_of(11, "reference")
    closed_off.write_bytes(data_of(11, category="reference"))
    closed_off.chmod(0o644)  # loose_mode
    (state / "staging" / "20261201T000000Z-00000000").mkdir()  # orphan_staging
    (state / "history" / "nobody-0.md").write_bytes(data_of(1))  # orphan_version


def codes(problems: list[dict[str, Any]], *, mended: bool = False) -> set[str]:
    return {problem["code"] for problem in problems if bool(problem.get("mended")) == mended}


@pytest.mark.rule("durability.verify")
def test_everything_that_is_wrong_is_found_named_and_explained_and_only_what_is_safe_is_mended(
    nursery: Nursery, tmp_path: Path
) -> None:
    daemon = _with_a_lost_version(nursery, tmp_path / "home")
    spoil(daemon.home)
    git = daemon.home / "memory" / ".git"
    git.mkdir()
    (git / "index.lock").touch()  # sync_in_progress: the catalog stays stale meanwhile
    until(lambda: "stale_catalog" in codes(verify(daemon.home)[1]))
    code, problems, shown = verify(daemon.home)
    assert code != 0 and codes(problems) == KINDS.keys() - ELSEWHERE
    assert all(kind in shown for kind in codes(problems))
    assert all(problem["text"] and problem["fix"] for problem in problems)

    (git / "index.lock").unlink()
    before = memory_files(daemon.home)
    _, after, _ = verify(daemon.home, "--fix")
    safe = {kind for kind, value in KINDS.items() if value.safe}
    assert not codes(after) & safe
    assert codes(after) == codes(problems) - safe - {"sync_in_progress"}
    assert memory_files(daemon.home) == before, "not a byte of a person's file changes"
    assert (daemon.home / "memory" / "todo.txt").exists() and (daemon.home / "memoryd" / "history" / "nobody-0.md").exists()
    assert memory_id(1) in (daemon.home / "memory" / "MEMORY.md").read_text()
    assert daemon.stop() == 0


def _with_a_lost_version(nursery: Nursery, home: Path) -> Born:
    """A daemon that kept a version whose file is gone (missing_version)."""
    daemon = nursery.born(home, mind="writer").ready()
    with daemon.client() as client:
        client.call("session.open", session_id="s")
        for value in ("old", "new"):
            text = f"remember: topic-1 is value-{value}, please keep that"
            client.call("context.append", session_id="s", nodes=[{"node_id": value, "kind": "user_message", "text": text}])
            until(lambda value=value: any(f"value-{value}.".encode() in data for data in memory_files(home).values()))
    (version,) = until(lambda: list((home / "memoryd" / "history").iterdir()))
    version.unlink()
    return daemon
