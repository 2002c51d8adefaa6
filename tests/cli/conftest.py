"""A fake daemon with a scene in it, and the machine around it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from soong_memory_client.testing import FakeDaemon
from tests.cli import scene
from tests.cli.system_scene import Play


@pytest.fixture
def daemon() -> Iterator[FakeDaemon]:
    with FakeDaemon(answers=scene.answers()) as running:
        running.events = list(scene.EVENTS)
        yield running


@pytest.fixture
def play(daemon: FakeDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Command lines in a scene with everything in it."""
    return Play(daemon, tmp_path, monkeypatch)
