"""Whether the extraction model may be asked now: config, the profile's pause, the day's token cap, the store's health.

Owns: the pause and its events. Must not know jobs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from soong_memoryd.clock import Deadline, timestamp
from soong_memoryd.sessions.waiting import Moment
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import counters, events
from soong_memoryd.state.rows import EventDraft


@dataclass(slots=True)
class Gate:
    """Whether the extraction model may be asked: config, the profile's pause, the day's cap, the store's health."""

    configured: bool
    label: str
    max_tokens_per_day: int = 0
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
        if self.max_tokens_per_day == 0:
            return True
        spent = await database.run(lambda c: counters.spent(c, moment.at[:10]))
        return spent["prompt_tokens"] + spent["completion_tokens"] < self.max_tokens_per_day

    async def pause(self, database: Database, moment: Moment, code: str, seconds: float) -> None:
        """The provider failed: nobody asks it for a while."""
        self.paused_until = moment.due(seconds)
        self.failures += 1
        self.error = code
        self.since = self.since or moment.at
        payload = {"use": "extract", "code": code, "until": timestamp(self.paused_until.wall_seconds)}
        await database.run(lambda c: events.insert(c, EventDraft("model_paused", None, None, payload), moment.at))

    async def answered(self, database: Database, moment: Moment) -> None:
        """The provider answered: a pause is over."""
        if self.paused_until is not None:
            self.reset()
            draft = EventDraft("model_resumed", None, None, {"use": "extract"})
            await database.run(lambda c: events.insert(c, draft, moment.at))

    def reset(self) -> None:
        """Forget failures (an answer came, or the config changed)."""
        self.paused_until, self.failures, self.error, self.since = None, 0, None, None
