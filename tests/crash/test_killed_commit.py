from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from soong_memoryd.memories.commit import STEPS
from tests.crash.killed_commit import CHANGES
from tests.memories.homes import Home, data_of, in_home, memory_id, path_of

COMMIT_POINT = STEPS.index("prepared")


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A home for each step, left behind by a process that was killed there. They die side by side: starting takes longest."""
    homes = {step: tmp_path_factory.mktemp(step) for step in STEPS}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    processes = [
        subprocess.Popen([sys.executable, "-m", "tests.crash.killed_commit", str(home), step], env=environment)
        for step, home in homes.items()
    ]
    assert [process.wait(50) for process in processes] == [-signal.SIGKILL] * len(STEPS)
    return homes


@pytest.mark.rule("commit.recovery")
@pytest.mark.parametrize("step", STEPS)
def test_a_process_killed_in_a_commit_leaves_all_of_it_or_nothing(killed: dict[str, Path], step: str) -> None:
    done = STEPS.index(step) >= COMMIT_POINT

    async def test(home: Home) -> None:
        assert home.file(1).read_bytes() == data_of(1, body="Spaces." if done else "Tabs.")
        assert home.file(2).exists() != done
        assert home.file(3, "reference").exists() == done
        snapshot = await home.store.snapshot()
        assert home.catalog() == snapshot.catalog.text
        assert memory_id(3 if done else 2) in home.catalog()
        assert len(await home.events("memory_extraction_completed")) == 1 + done
        assert await home.store.verify() == []
        assert len(os.listdir(home.state / "history")) == 2 * done
        assert not await home.events("memory_edited_outside")
        assert home.store.degraded is None

    assert {change.path for change in CHANGES} == {path_of(1), path_of(2), path_of(3, "reference")}
    in_home(killed[step], test)
