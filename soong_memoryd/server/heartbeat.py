"""The sign of life that a supervisor is shown: only while the parts that matter answer.

Owns: what counts as alive. Must not know who listens (``systemd.py``) or what the parts do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from typing import Protocol

import anyio
import structlog

from soong_memoryd.errors import MemorydError
from soong_memoryd.server import systemd
from soong_memoryd.state.database import Database

_log = structlog.get_logger(__name__)


class Turning(Protocol):
    """A loop that can be asked whether it still turns."""

    async def turn(self) -> None:
        """Return once it has."""
        ...


async def show_life(environment: Mapping[str, str], database: Database, loop: Turning, within_seconds: float) -> None:
    """Tell the supervisor that we live, if the writer of the database and the scheduler both answer in time.

    The event loop is part of the proof: this runs in it. Without an answer nothing is sent, and the supervisor restarts us.
    """
    with anyio.move_on_after(within_seconds) as waiting:
        await _writer_answers(database)
        await loop.turn()
    if waiting.cancelled_caught:
        _log.error("heart_stopped", within_seconds=within_seconds)
        systemd.notify(environment, "STATUS=the database or the scheduler does not answer")
    else:
        systemd.notify(environment, "WATCHDOG=1")


async def _writer_answers(database: Database) -> None:
    with suppress(MemorydError):  # a refusal (disk full, read-only) is an answer as well
        await database.run(_nothing)


def _nothing(connection: sqlite3.Connection) -> None:
    """An empty transaction: it has to pass the writer's queue and thread."""
