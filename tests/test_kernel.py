from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from soong_memoryd import kernel


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[int]:
    (tmp_path / "甲").write_text("one")
    (tmp_path / "b").write_text("two")
    fd = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    yield fd
    os.close(fd)


def test_an_exchange_swaps_both_names(folder: int, tmp_path: Path) -> None:
    kernel.exchange(folder, "甲", folder, "b")
    assert ((tmp_path / "甲").read_text(), (tmp_path / "b").read_text()) == ("two", "one")


def test_an_exchange_needs_both_files(folder: int) -> None:
    with pytest.raises(FileNotFoundError):
        kernel.exchange(folder, "甲", folder, "none")


def test_a_rename_without_clobbering_stops_at_a_taken_name(folder: int, tmp_path: Path) -> None:
    with pytest.raises(FileExistsError):
        kernel.rename_noreplace(folder, "甲", folder, "b")
    kernel.rename_noreplace(folder, "甲", folder, "c")
    assert sorted(os.listdir(tmp_path)) == ["b", "c"]


def test_a_system_without_the_call_says_so_in_the_usual_way(folder: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "plan9")
    with pytest.raises(OSError, match="not implemented") as caught:
        kernel.exchange(folder, "甲", folder, "b")
    assert caught.value.errno == errno.ENOSYS
    assert caught.value.errno in kernel.UNSUPPORTED


def test_where_there_is_no_landlock_its_version_is_0_and_confining_says_so_in_the_usual_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "plan9")
    assert kernel.landlock_abi() == 0
    with pytest.raises(OSError, match="not implemented") as caught:
        kernel.confine_writes([tmp_path])
    assert caught.value.errno == errno.ENOSYS
