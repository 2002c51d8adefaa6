"""A fake daemon with a scene in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from soong_memory_client.testing import FakeDaemon
from tests.cli import scene


@pytest.fixture
def daemon() -> Iterator[FakeDaemon]:
    with FakeDaemon(answers=scene.answers()) as running:
        running.events = list(scene.EVENTS)
        yield running
