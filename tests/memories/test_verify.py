from __future__ import annotations

import os
from pathlib import Path

import pytest

from soong_memoryd.memories.verify import KINDS, Problem
from tests.memories.homes import EFFECTS, SECRET_MARK, Home, create, data_of, in_home, memory_id, path_of


def hard_link(home: Home) -> None:
    os.link(home.file(1), home.root / "second-name")


def symlink(home: Home) -> None:
    home.file(1).rename(home.root / "moved")
    home.file(1).symlink_to(home.root / "moved")


def broken(home: Home) -> None:
    home.file(1).write_bytes(b"no header")


def too_large(home: Home) -> None:
    home.file(1).write_bytes(data_of(1) + b"x" * 70_000)


def fifo(home: Home) -> None:
    home.file(1).unlink()
    os.mkfifo(home.file(1))


def conflict_markers(home: Home) -> None:
    home.file(1).write_bytes(data_of(1, body="<<<<<<< HEAD\nTabs.\n=======\nSpaces.\n>>>>>>> other"))


def other_id(home: Home) -> None:
    home.file(1).write_bytes(data_of(7))


def duplicate(home: Home) -> None:
    (home.memory / "user" / "aaa.md").write_bytes(data_of(1))


def readable(home: Home) -> None:
    for directory in (home.memory, home.memory / "user"):
        directory.chmod(0o755)
    home.file(1).chmod(0o644)


def listable(home: Home) -> None:
    home.memory.chmod(0o755)


def writable(home: Home) -> None:
    (home.memory / "user").chmod(0o777)


def foreign(home: Home) -> None:
    (home.memory / "user" / "notes.txt").write_text("x")


def foreign_directory(home: Home) -> None:
    (home.memory / "projects").mkdir()


def by_hand(home: Home) -> None:
    home.file(3).write_bytes(data_of(3, source_session_id=None, source_node_ids=()))


def secret(home: Home) -> None:
    home.file(1).write_bytes(data_of(1, body=f"The password is {SECRET_MARK}."))


def stale_catalog(home: Home) -> None:
    (home.memory / "MEMORY.md").unlink()


def staging(home: Home) -> None:
    (home.state / "staging" / "left").mkdir(mode=0o700)
    (home.state / "staging" / "left" / "0").write_bytes(b"x")


def orphan_version(home: Home) -> None:
    (home.state / "history" / "left.md").write_bytes(b"x")


def git(home: Home) -> None:
    (home.memory / ".git").mkdir()
    (home.memory / ".git" / "MERGE_HEAD").touch()


CASES = [
    (hard_link, "unsafe_file", False),
    (symlink, "unsafe_file", False),
    (fifo, "unsafe_file", False),
    (too_large, "unsafe_file", False),
    (broken, "unparsable_file", False),
    (conflict_markers, "conflict_markers", False),
    (other_id, "id_mismatch", False),
    (duplicate, "duplicate_id", False),
    (readable, "file_mode", True),
    (listable, "directory_mode", True),
    (writable, "directory_mode", True),
    (writable, "unsafe_directory", False),
    (foreign, "foreign_file", False),
    (foreign_directory, "foreign_file", False),
    (by_hand, "missing_sources", False),
    (secret, "secret", False),
    (stale_catalog, "stale_catalog", True),
    (staging, "orphan_staging", True),
    (orphan_version, "orphan_version", False),
    (git, "sync_in_progress", False),
]


@pytest.mark.rule("method.daemon-verify")
@pytest.mark.parametrize(("spoil", "code", "safe"), CASES, ids=[f"{spoil.__name__}-{code}" for spoil, code, _ in CASES])
def test_a_problem_is_named_and_mended_only_where_nothing_can_be_lost(tmp_path: Path, spoil, code: str, safe: bool) -> None:
    async def test(home: Home) -> None:
        await home.store.commit([create(1), create(2, "feedback")], EFFECTS)
        assert await home.store.verify() == []
        spoil(home)
        problem = next(problem for problem in await home.store.verify() if problem.code == code)
        assert problem.safe == safe
        assert SECRET_MARK not in problem.text
        assert problem.text
        assert problem.fix
        answer = await home.store.repair([code])
        assert [found.mended for found in answer if found.code == code] == [safe]
        assert (code in {found.code for found in await home.store.verify()}) != safe
        assert memory_id(2) in (await home.store.snapshot()).by_id

    in_home(tmp_path, test)


@pytest.mark.rule("method.daemon-repair")
def test_repair_mends_only_what_it_is_asked_to(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        readable(home)
        stale_catalog(home)
        await home.store.repair(["stale_catalog", "no_such_code"])
        assert {problem.code for problem in await home.store.verify()} == {"file_mode", "directory_mode"}

    in_home(tmp_path, test)


@pytest.mark.rule("method.daemon-verify")
@pytest.mark.parametrize(("closed", "left"), [("", set()), ("user", {"directory_mode"})])
def test_a_mode_below_a_directory_that_nobody_else_can_enter_is_a_remark(tmp_path: Path, closed: str, left: set[str]) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        readable(home)
        (home.memory / closed).chmod(0o700)
        assert {problem.code for problem in await home.store.verify()} == left | {"loose_mode"}
        await home.store.repair(["loose_mode"])
        assert {problem.code for problem in await home.store.verify()} == left
        assert home.file(1).stat().st_mode & 0o777 == 0o600

    in_home(tmp_path, test)


def test_a_version_that_is_gone_is_named_and_its_entry_removed(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1, 2)
        await home.store.forget(memory_id(1))
        (version,) = await home.store.history(memory_id(1))
        (home.state / "history" / f"{version.version_id}.md").unlink()
        assert [problem.code for problem in await home.store.verify()] == ["missing_version"]
        await home.store.repair(["missing_version"])
        assert await home.store.history(memory_id(1)) == []

    in_home(tmp_path, test)


@pytest.mark.rule("memory.bad-file-isolated")
def test_a_bad_file_is_left_untouched_and_out_of_the_catalog(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1, 2)
        broken(home)
        await home.store.absorb()
        await home.save(3)
        assert home.file(1).read_bytes() == b"no header"
        assert path_of(1) not in home.catalog()
        assert memory_id(2) in home.catalog()
        assert memory_id(3) in home.catalog()

    in_home(tmp_path, test)


def test_every_kind_says_what_is_wrong_and_what_to_do() -> None:
    for code, kind in KINDS.items():
        assert kind.text, code
        assert kind.fix, code
    assert Problem("stale_catalog", "", "").mended is False
