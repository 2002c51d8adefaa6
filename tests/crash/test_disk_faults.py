"""The same faults on a real disk with the real log: what the explorer assumes of both is not taken on trust."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from soong_memoryd.errors import MemorydError
from soong_memoryd.memories.directory import MemoryDirectory
from tests.crash.killed_commit import CHANGES
from tests.memories.homes import EFFECTS, Home, data_of, in_home

OPERATIONS = (
    "write_new",
    "sync_file",
    "sync_dir",
    "link",
    "unlink",
    "exchange",
    "rename_noreplace",
    "make_dir",
    "remove_dir",
    "protect",
    "read",
    "mode",
)
ONE_IN = 5


class Faults:
    """Counts the operations of a directory while it is armed and lets one of them fail."""

    def __init__(self, at: int, number: int, sticky: bool) -> None:
        self.at, self.number, self.sticky = at, number, sticky
        self.armed = False
        self.count = 0

    def wrap(self, operation: Callable[..., object]) -> Callable[..., object]:
        def wrapped(*arguments: object) -> object:
            if self.armed:
                self.count += 1
                if self.count == self.at or (self.sticky and self.count > self.at):
                    raise OSError(self.number, os.strerror(self.number))
            return operation(*arguments)

        return wrapped


def commit_with(root: Path, faults: Faults) -> str:
    """Commit in a fresh home under faults; how it ended."""
    outcome: list[str] = []

    async def test(home: Home) -> None:
        await home.save(1, 2)
        faults.armed = True
        try:
            await home.store.commit(CHANGES, EFFECTS)
            outcome.append("done")
        except MemorydError as error:
            outcome.append(error.code)
        faults.armed = False

    with pytest.MonkeyPatch.context() as patch:
        for name in OPERATIONS:
            patch.setattr(MemoryDirectory, name, faults.wrap(getattr(MemoryDirectory, name)))
        in_home(root, test)
    return outcome[0]


@pytest.mark.rule("commit.atomic", "commit.storage-errors")
@pytest.mark.parametrize(
    ("number", "sticky"), [(errno.EIO, False), (errno.ENOSPC, True)], ids=["EIO once", "ENOSPC from then on"]
)
def test_a_fault_at_any_operation_leaves_all_of_a_commit_or_nothing(tmp_path: Path, number: int, sticky: bool) -> None:
    quiet = Faults(0, number, sticky=False)
    assert commit_with(tmp_path / "quiet", quiet) == "done"
    outcomes = set()
    for at in range(1, quiet.count + 1, ONE_IN):
        root = tmp_path / str(at)
        outcome = commit_with(root, Faults(at, number, sticky))
        outcomes.add(outcome)

        async def test(home: Home, outcome: str = outcome) -> None:
            done = home.file(3, "reference").exists()
            if outcome != "degraded":
                assert done == (outcome == "done")
            assert home.file(1).read_bytes() == data_of(1, body="Spaces." if done else "Tabs.")
            assert home.file(2).exists() != done
            assert home.catalog() == (await home.store.snapshot()).catalog.text
            assert len(await home.events("memory_extraction_completed")) == 1 + done
            assert await home.store.verify() == []

        in_home(root, test)
    assert {"done", "degraded"} < outcomes
