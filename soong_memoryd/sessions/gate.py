"""Whether the extraction model may be asked now: config, the profile's pause, the day's token cap, the store's health.

Owns: the pause and its events. Must not know jobs.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field

from soong_memoryd.clock import Deadline, timestamp
from soong_memoryd.sessions import schedule
from soong_memoryd.sessions.waiting import Moment
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import counters, events
from soong_memoryd.state.rows import EventDraft

PAUSE_KEY = "model_pause"
PAUSE_AT_MOST_SECONDS = float(schedule.BACKOFF_SECONDS[-1])


@dataclass(slots=True)
class Gate:
    """Whether the extraction model may be asked. ``configured``, ``max_tokens_per_day`` and ``writable`` are asked each time:
    a reload or a full disk changes their answer.
    """

    configured: Callable[[], bool]
    max_tokens_per_day: Callable[[], int] = field(default=lambda: 0)
    writable: Callable[[], bool] = field(default=lambda: True)
    paused_until: Deadline | None = None
    failures: int = 0
    error: str | None = None
    since: str | None = None

    def paused_seconds(self, moment: Moment, at_most: float) -> float:
        """How long the profile still pauses."""
        return 0.0 if self.paused_until is None else self.paused_until.remaining_seconds(moment.clock, at_most)

    async def may_spend(self, database: Database, moment: Moment) -> bool:
        """Whether the day's token cap is not reached yet."""
        cap = self.max_tokens_per_day()
        if cap == 0:
            return True
        spent = await database.run(lambda c: counters.spent(c, moment.at[:10]))
        return spent["prompt_tokens"] + spent["completion_tokens"] < cap

    def is_paused(self, moment: Moment) -> bool:
        """Whether the profile pauses now."""
        return self.paused_seconds(moment, PAUSE_AT_MOST_SECONDS) > 0.0

    async def load(self, database: Database) -> None:
        """Take up a pause that an earlier daemon began."""
        kept = await database.run(lambda c: counters.get_value(c, PAUSE_KEY))
        if kept is not None:
            value = json.loads(kept)
            self.paused_until = Deadline(*value["until"])
            self.failures, self.error, self.since = value["failures"], value["error"], value["since"]

    async def pause(self, database: Database, moment: Moment, code: str, seconds: float) -> None:
        """The provider failed: nobody asks it for a while."""
        self.paused_until = moment.due(seconds)
        self.failures += 1
        self.error = code
        self.since = self.since or moment.at
        until = self.paused_until
        payload = {"use": "extract", "code": code, "until": timestamp(until.wall_seconds)}
        kept = {
            "until": [until.boot_id, until.boot_seconds, until.wall_seconds],
            "failures": self.failures,
            "error": self.error,
            "since": self.since,
        }

        def note(connection: sqlite3.Connection) -> None:
            counters.set_value(connection, PAUSE_KEY, json.dumps(kept))
            events.insert(connection, EventDraft("model_paused", None, None, payload), moment.at)

        await database.run(note)

    async def answered(self, database: Database, moment: Moment) -> None:
        """The provider answered, or its config changed: a pause is over, and failures are forgotten."""
        if self.paused_until is None:
            return
        self.paused_until, self.failures, self.error, self.since = None, 0, None, None

        def note(connection: sqlite3.Connection) -> None:
            counters.drop_value(connection, PAUSE_KEY)
            events.insert(connection, EventDraft("model_resumed", None, None, {"use": "extract"}), moment.at)

        await database.run(note)
