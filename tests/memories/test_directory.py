"""The real file port, and one suite for it and the one in memory: what the crash explorer proves holds for both."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from soong_memoryd import kernel
from soong_memoryd.errors import ConfigError, UnsafePath
from soong_memoryd.memories.directory import MAX_MEMORY_FILE_BYTES, MemoryDirectory
from soong_memoryd.memories.ports import FilePort
from soong_memoryd.memories.tree import PinnedTree
from tests.crash.disk import ModelFiles


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[MemoryDirectory]:
    opened = MemoryDirectory.at(tmp_path / "memory", tmp_path / "memoryd")
    opened.make_dir("memory/user")
    yield opened
    opened.tree.close()


@pytest.fixture(params=["real", "real without exchange", "model"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FilePort]:
    if request.param == "model":
        model = ModelFiles()
        model.dirs = {name: {} for name in ("memory", "memory/user", "staging", "conflicts", "history")}
        yield model
        return
    tree = PinnedTree.at(tmp_path / "memory", tmp_path / "memoryd")
    opened = MemoryDirectory(tree, can_exchange=False if "without" in request.param else None)
    opened.make_dir("memory/user")
    yield opened
    tree.close()


def test_files_are_written_read_listed_and_removed(files: FilePort) -> None:
    files.write_new("memory/user/b.md", b"two", 0o600)
    files.write_new("memory/user/a.md", "一".encode(), 0o600)
    files.sync_file("memory/user/a.md")
    files.protect("memory/user/a.md")
    files.sync_dir("memory/user")
    assert files.names("memory/user") == ["a.md", "b.md"]
    assert files.read("memory/user/a.md") == "一".encode()
    assert files.read("memory/user/none.md") is None
    assert files.read("memory/nowhere/none.md") is None
    assert files.names("staging/none") == []
    assert files.mode("memory/user/b.md") == 0o600
    files.unlink("memory/user/a.md")
    assert files.names("memory/user") == ["b.md"]


def test_directories_are_made_once_and_removed_when_empty(files: FilePort) -> None:
    files.make_dir("staging/t1")
    files.make_dir("staging/t1")
    files.write_new("staging/t1/0", b"", 0o600)
    with pytest.raises(OSError, match=r"staging|not empty") as caught:
        files.remove_dir("staging/t1")
    assert caught.value.errno == errno.ENOTEMPTY
    files.unlink("staging/t1/0")
    files.remove_dir("staging/t1")
    assert files.names("staging") == []


def test_nothing_is_ever_clobbered_but_by_replace(files: FilePort) -> None:
    files.write_new("memory/user/a.md", b"a", 0o600)
    files.write_new("staging/b", b"b", 0o600)
    with pytest.raises(FileExistsError):
        files.write_new("memory/user/a.md", b"x", 0o600)
    with pytest.raises(FileExistsError):
        files.link("staging/b", "memory/user/a.md")
    with pytest.raises(FileExistsError):
        files.rename_noreplace("staging/b", "memory/user/a.md")
    assert files.read("memory/user/a.md") == b"a"
    files.replace("staging/b", "memory/user/a.md")
    assert files.read("memory/user/a.md") == b"b"
    assert files.read("staging/b") is None


def test_a_link_is_a_second_name_and_a_rename_moves_the_first(files: FilePort) -> None:
    files.write_new("staging/b", b"b", 0o600)
    files.link("staging/b", "memory/user/b.md")
    assert files.read("staging/b") == files.read("memory/user/b.md") == b"b"
    files.rename_noreplace("memory/user/b.md", "memory/user/c.md")
    assert files.names("memory/user") == ["c.md"]


def test_an_exchange_swaps_two_files_and_needs_both(files: FilePort) -> None:
    if not files.can_exchange:
        return
    files.write_new("memory/user/a.md", b"a", 0o600)
    files.write_new("staging/b", b"b", 0o600)
    files.exchange("staging/b", "memory/user/a.md")
    assert (files.read("staging/b"), files.read("memory/user/a.md")) == (b"a", b"b")
    with pytest.raises(FileNotFoundError):
        files.exchange("staging/none", "memory/user/a.md")


@pytest.mark.parametrize("call", ["unlink", "sync_file", "sync_dir", "mode", "protect"])
def test_what_is_missing_is_an_error_where_it_is_needed(files: FilePort, call: str) -> None:
    with pytest.raises(FileNotFoundError):
        getattr(files, call)("staging/none")


@pytest.mark.rule("memory.modes")
def test_what_is_made_is_private_whatever_the_umask(directory: MemoryDirectory, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        directory.make_dir("memory/feedback")
        directory.write_new("memory/feedback/a.md", b"a", 0o600)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "memory/feedback").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "memory/feedback/a.md").stat().st_mode) == 0o600


@pytest.mark.rule("memory.paths")
@pytest.mark.parametrize(
    "path",
    [
        "memory/../x",
        "memory/user/../../x",
        "/etc/passwd",
        "memory//a.md",
        "memory/user/",
        "memory/./a.md",
        "memory/user/a\0.md",
        "elsewhere/a.md",
        "memory/user/deep/a.md",
        "state.db",
        "",
    ],
)
def test_a_path_that_leads_elsewhere_is_refused(directory: MemoryDirectory, path: str) -> None:
    with pytest.raises(UnsafePath):
        directory.read(path)
    with pytest.raises(UnsafePath):
        directory.write_new(path, b"", 0o600)


@pytest.mark.rule("memory.links")
def test_a_linked_file_is_neither_read_nor_written_through(directory: MemoryDirectory, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("not yours")
    (tmp_path / "memory/user/a.md").symlink_to(victim)
    with pytest.raises(UnsafePath):
        directory.read("memory/user/a.md")
    with pytest.raises(UnsafePath):
        directory.protect("memory/user/a.md")
    with pytest.raises(FileExistsError):
        directory.write_new("memory/user/a.md", b"x", 0o600)
    directory.write_new("staging/b", b"b", 0o600)
    directory.exchange("staging/b", "memory/user/a.md")
    assert victim.read_text() == "not yours"
    assert directory.read("memory/user/a.md") == b"b"


@pytest.mark.rule("memory.links")
@pytest.mark.parametrize("area", ["memory/user", "staging", "history"])
def test_a_linked_directory_is_refused(directory: MemoryDirectory, tmp_path: Path, area: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    real = tmp_path / (area if area.startswith("memory") else f"memoryd/{area}")
    real.rmdir()
    real.symlink_to(elsewhere)
    with pytest.raises(UnsafePath):
        directory.write_new(f"{area}/a.md", b"x", 0o600)
    with pytest.raises(UnsafePath):
        directory.names(area)
    assert os.listdir(elsewhere) == []


@pytest.mark.rule("memory.modes")
@pytest.mark.parametrize("mode", [0o720, 0o702])
@pytest.mark.parametrize("area", ["memory", "memory/user"])
def test_a_directory_that_others_may_write_to_is_refused_until_it_is_protected(
    directory: MemoryDirectory, tmp_path: Path, area: str, mode: int
) -> None:
    (tmp_path / area).chmod(mode)
    with pytest.raises(UnsafePath):
        directory.names("memory/user")
    directory.tree.protect_directory(area.partition("/")[2])
    assert directory.names("memory/user") == []


def test_a_fifo_does_not_hang_and_a_device_or_directory_is_not_read(directory: MemoryDirectory, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "memory/user/fifo.md")
    (tmp_path / "memory/user/dir.md").mkdir()
    for name in ("fifo.md", "dir.md"):
        with pytest.raises(UnsafePath):
            directory.read(f"memory/user/{name}")


@pytest.mark.rule("memory.size")
def test_a_memory_file_over_64_kib_is_not_read(directory: MemoryDirectory) -> None:
    directory.write_new("memory/user/most.md", b"x" * MAX_MEMORY_FILE_BYTES, 0o600)
    directory.write_new("memory/user/over.md", b"x" * (MAX_MEMORY_FILE_BYTES + 1), 0o600)
    assert len(directory.read("memory/user/most.md") or b"") == MAX_MEMORY_FILE_BYTES
    with pytest.raises(UnsafePath):
        directory.read("memory/user/over.md")


def test_two_file_systems_are_refused_by_name_of_the_cause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fstat
    devices = iter(range(1, 100))

    def other_device(fd: int) -> object:
        found = real(fd)
        return os.stat_result((*found[:2], next(devices), *found[3:10]))

    monkeypatch.setattr(os, "fstat", other_device)
    with pytest.raises(ConfigError, match="file system"):
        PinnedTree.at(tmp_path / "memory", tmp_path / "memoryd")


def test_the_probe_finds_out_whether_the_file_system_can_exchange(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(*_: object) -> None:
        raise OSError(errno.EINVAL, "no flags here")

    tree = PinnedTree.at(tmp_path / "memory", tmp_path / "memoryd")
    assert MemoryDirectory(tree).can_exchange
    monkeypatch.setattr(kernel, "exchange", unsupported)
    monkeypatch.setattr(kernel, "rename_noreplace", unsupported)
    plain = MemoryDirectory(tree)
    assert not plain.can_exchange
    assert os.listdir(tmp_path / "memoryd/staging") == []
    plain.write_new("staging/a", b"a", 0o600)
    plain.rename_noreplace("staging/a", "staging/b")
    assert plain.names("staging") == ["b"]
    tree.close()


def test_a_directory_that_is_replaced_is_followed(directory: MemoryDirectory, tmp_path: Path) -> None:
    (tmp_path / "memory").rename(tmp_path / "old")
    assert not directory.tree.follow()
    (tmp_path / "memory/feedback").mkdir(parents=True)
    (tmp_path / "memory").chmod(0o700)
    assert directory.tree.follow()
    assert directory.names("memory") == ["feedback"]


def test_no_descriptor_is_left_open(directory: MemoryDirectory) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        directory.write_new("memory/user/a.md", b"a", 0o600)
        directory.read("memory/user/a.md")
        directory.names("memory")
        directory.unlink("memory/user/a.md")
        with pytest.raises(UnsafePath):
            directory.read("memory/../a")
    assert len(os.listdir("/proc/self/fd")) == before
