"""The service in this process: database, ledger, scheduler's steps, jobs and store on a real directory under a manual clock.

Owns: start, stop, death, and letting due jobs run one after the other. Must not know what is expected.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from soong_memoryd.extraction.attempt_log import LedgerAttemptLog
from soong_memoryd.extraction.job import Checks, ExtractionJob
from soong_memoryd.llm.conversation import Model
from soong_memoryd.memories.naming import new_memory_id
from soong_memoryd.memories.store import MemoryStore
from soong_memoryd.protocol.values import Node
from soong_memoryd.sessions import attempts
from soong_memoryd.sessions.arrival import Reading
from soong_memoryd.sessions.gate import Gate
from soong_memoryd.sessions.scheduler import Scheduler
from soong_memoryd.sessions.service import Sessions
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import counters, jobs
from soong_memoryd.text.intent.match import explicit_wish
from soong_memoryd.text.secrets.finder import SecretFinder
from soong_memoryd.text.tokens import estimate_tokens
from tests.support.clock import ManualClock
from tests.support.ledger import POLICY


class Service:
    """What ``server/app.py`` wires, without socket and tasks. The model and the clock outlive restarts."""

    def __init__(self, home: Path, model: Model) -> None:
        self.home = home
        self.model = model
        self.clock = ManualClock()
        self.is_up = False
        self._numbers = itertools.count(1)

    async def start(self) -> None:
        """Open, recover, be ready."""
        state = self.home / "memoryd"
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        finder = SecretFinder()
        self.database = await Database.open(state / "state.db")
        self.store = await MemoryStore.open(
            self.home / "memory", state, self.database, self.clock, catalog_max_tokens=4000, secret_refusal=finder.refusal
        )
        key = await self.database.run(counters.hash_key)
        reading = Reading(finder, explicit_wish, estimate_tokens)
        self.sessions = Sessions(self.database, self.clock, POLICY, key, reading, lambda: None)
        checks = Checks(finder.refusal, finder.redact, lambda wall: new_memory_id(max(wall, 0.0), f"{next(self._numbers):08d}"))
        self.job = ExtractionJob(self.model, self.store, LedgerAttemptLog(self.database, self.sessions), self.clock, checks)
        self.gate = Gate(configured=lambda: True, writable=lambda: self.store.degraded is None and not self.store.suspect)
        self.scheduler = Scheduler(self.database, self.sessions, self.job, self.gate)
        moment = self.sessions.moment
        await self.database.run(lambda c: attempts.recover_interrupted(c, moment))
        await self.gate.load(self.database)
        self.is_up = True

    async def stop(self) -> None:
        """Close everything."""
        self.is_up = False
        await self.store.close()
        await self.database.close()

    async def append(self, session_id: str, nodes: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """``context.append``."""
        return await self.sessions.append(session_id, [Node.model_validate(node) for node in nodes])

    async def look(self) -> None:
        """What the watcher does when files changed."""
        await self.store.absorb()

    async def run_due(self) -> None:
        """Let every job run that is due now, one after the other."""
        serving = asyncio.get_running_loop().create_task(self.scheduler.run())
        await self.scheduler.turn()
        while self.scheduler.running_job_id is not None:
            await asyncio.sleep(0.001)
            await self.scheduler.turn()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    async def begin_and_die(self) -> None:
        """An attempt is counted and begun; then the process is gone."""
        pending = await self.database.run(jobs.pending)
        if pending:
            moment = self.sessions.moment
            payload = {"model": "scripted", "from_sequence": 1, "to_sequence": 1}
            await self.database.run(lambda c: attempts.begin(c, moment, pending[0].job_id, 1, 1, payload))
        await self.stop()

    async def settle(self, sessions: Sequence[str]) -> None:
        """Close the sessions and let a working model scan all that is left."""
        self.model.fault = None  # type: ignore[attr-defined]
        for session in sessions:
            await self.sessions.close(session)
        for _ in range(4):
            for session in sessions:
                await self.sessions.trigger(session)
            await self.run_due()
