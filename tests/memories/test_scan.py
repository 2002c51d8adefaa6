from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from soong_memoryd.memories import scan as scan_module
from soong_memoryd.memories import tree as tree_module
from soong_memoryd.memories.directory import MemoryDirectory
from soong_memoryd.memories.scan import Scan
from tests.memories.homes import data_of, memory_id, path_of


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    for category in ("user", "feedback", "reference"):
        (tmp_path / "memory" / category).mkdir(parents=True, mode=0o700)
    return tmp_path / "memory"


@pytest.fixture
def scan(memory: Path, monkeypatch: pytest.MonkeyPatch) -> Scan:
    """Over a file system whose changes are old enough to be trusted as soon as they are made."""
    monkeypatch.setattr(scan_module, "SETTLED_NS", -1)
    return scan_of(memory)


def scan_of(memory: Path) -> Scan:
    return Scan(MemoryDirectory.at(memory, memory.parent / "memoryd"), 4000)


def put(memory: Path, number: int, summary: str = "likes tabs") -> Path:
    file = memory / path_of(number)
    file.write_bytes(data_of(number, summary=summary))
    file.chmod(0o600)
    return file


def summaries(scan: Scan, *, names_only: bool = False) -> set[str]:
    return {entry.frontmatter.summary for entry in scan.refresh(names_only=names_only).entries}


def watch(scan: Scan, memory: Path) -> None:
    scan.news.begin((memory, memory.stat().st_ino))


def listings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    made: list[int] = []
    scandir = os.scandir

    def counted(fd: int) -> object:
        made.append(fd)
        return scandir(fd)

    monkeypatch.setattr(os, "scandir", counted)
    return made


def test_nothing_is_listed_while_the_watcher_heard_nothing(scan: Scan, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(memory, 1)
    watch(scan, memory)
    before = scan.refresh()
    made = listings(monkeypatch)
    assert scan.refresh() is before
    assert made == []


def test_a_file_that_comes_or_goes_is_seen_at_once_without_any_news(scan: Scan, memory: Path) -> None:
    watch(scan, memory)
    scan.refresh()
    file = put(memory, 1)
    assert set(scan.refresh().by_id) == {memory_id(1)}
    file.unlink()
    assert not scan.refresh().by_id


def test_an_edit_in_place_is_seen_once_there_is_news(scan: Scan, memory: Path) -> None:
    put(memory, 1)
    watch(scan, memory)
    scan.refresh()
    put(memory, 1, "likes spaces")
    scan.news.arrive()
    assert summaries(scan) == {"likes spaces"}


def test_news_of_one_directory_makes_nobody_list_the_others(scan: Scan, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    category = put(memory, 1).parent.name
    watch(scan, memory)
    scan.refresh()
    put(memory, 1, "likes spaces")
    made = listings(monkeypatch)
    scan.news.arrive(category)
    assert summaries(scan) == {"likes spaces"}
    assert len(made) == 1


def test_while_nobody_watches_every_look_is_thorough(scan: Scan, memory: Path) -> None:
    put(memory, 1)
    watch(scan, memory)
    scan.refresh()
    scan.news.end()
    put(memory, 1, "likes spaces")
    assert summaries(scan) == {"likes spaces"}


def test_news_that_came_before_somebody_watches_is_not_missed(scan: Scan, memory: Path) -> None:
    put(memory, 1)
    scan.refresh()
    put(memory, 1, "likes spaces")
    watch(scan, memory)
    assert summaries(scan) == {"likes spaces"}


def test_a_look_at_the_names_leaves_the_news_to_the_next_thorough_one(scan: Scan, memory: Path) -> None:
    put(memory, 1)
    watch(scan, memory)
    scan.refresh()
    put(memory, 1, "likes spaces")
    scan.news.arrive()
    assert summaries(scan, names_only=True) == {"likes tabs"}
    assert summaries(scan) == {"likes spaces"}


def test_a_directory_that_changed_just_now_is_listed_again(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scan = scan_of(memory)
    watch(scan, memory)
    put(memory, 1)
    scan.refresh()
    made = listings(monkeypatch)
    scan.refresh()
    assert len(made) >= 1  # within one tick of the file system's clock its stamp may not change


@pytest.mark.rule("memory.bad-file-isolated")
@pytest.mark.parametrize("watched", [True, False])
@pytest.mark.parametrize("what", ["file", "directory"])
@pytest.mark.parametrize(("number", "stays"), [(errno.EIO, True), (errno.EMFILE, True), (errno.EACCES, False)])
def test_what_cannot_be_read_for_a_moment_is_not_taken_for_gone(
    scan: Scan, memory: Path, monkeypatch: pytest.MonkeyPatch, what: str, number: int, stays: bool, watched: bool
) -> None:
    put(memory, 1)
    assert summaries(scan) == {"likes tabs"}
    if watched:
        watch(scan, memory)
        assert summaries(scan) == {"likes tabs"}

    def refuse(*_: object) -> int:
        raise OSError(number, "refused")

    put(memory, 1, "likes spaces")
    put(memory, 2, "likes tea")
    scan.news.arrive("user")
    with monkeypatch.context() as broken:
        place = (scan_module, "open_regular") if what == "file" else (tree_module, "open_directory")
        broken.setattr(*place, refuse)
        assert summaries(scan) == ({"likes tabs"} if stays else set())
    if not stays:  # a mode that changes is a change: it is heard of
        for note in (1, 2):
            (memory / path_of(note)).chmod(0o600)
        scan.news.arrive("user")
    assert summaries(scan) == {"likes spaces", "likes tea"}
