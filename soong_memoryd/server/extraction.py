"""Extraction as the scheduler sees it: whichever model is configured when an attempt begins.

Owns: making the job for the model in force. Must not know when jobs run or what they do.
"""

from __future__ import annotations

import secrets
import string
from collections.abc import Callable

from soong_memoryd.clock import Clock
from soong_memoryd.extraction.artifacts import ArtifactWriter
from soong_memoryd.extraction.attempt_log import LedgerAttemptLog
from soong_memoryd.extraction.job import Checks, ExtractionJob
from soong_memoryd.llm.conversation import Model
from soong_memoryd.memories.naming import new_memory_id
from soong_memoryd.memories.store import MemoryStore
from soong_memoryd.server.settings import Secrets
from soong_memoryd.sessions.attempts import Failure
from soong_memoryd.sessions.scheduler import Outcome
from soong_memoryd.state.rows import JobRow

RANDOM_CHARS = string.ascii_lowercase + string.digits
RANDOM_LENGTH = 8


def fresh_memory_id(wall_seconds: float) -> str:
    """A new memory id: 8 random characters beside the second make a collision a curiosity; the Writer still checks."""
    return new_memory_id(wall_seconds, "".join(secrets.choice(RANDOM_CHARS) for _ in range(RANDOM_LENGTH)))


class Extraction:
    """Implements ``scheduler.Attempting``. ``model`` and ``artifacts`` are asked at each attempt: a reload may change them."""

    def __init__(
        self,
        model: Callable[[], Model | None],
        store: MemoryStore,
        log: LedgerAttemptLog,
        clock: Clock,
        found: Secrets,
        artifacts: Callable[[], ArtifactWriter | None],
    ) -> None:
        self._model = model
        self._store = store
        self._log = log
        self._clock = clock
        self._checks = Checks(found.refusal, found.redact, fresh_memory_id)
        self._artifacts = artifacts

    async def attempt(self, job: JobRow) -> Outcome:
        """See ``Attempting.attempt``."""
        model = self._model()
        if model is None:
            return Outcome(not_now=True)
        if await self._store.sync_in_progress():  # before the model is paid for what could not be written
            return Outcome(failure=Failure("sync_in_progress", "git is at work in the memory directory", "none"))
        made = ExtractionJob(model, self._store, self._log, self._clock, self._checks, self._artifacts())
        return await made.attempt(job)
