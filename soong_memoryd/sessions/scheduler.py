"""The loop that lets jobs run: one at a time, in order, when they are due and their model may be asked.

Owns: the waking, the order, who waits for an attempt; ``gate.py`` says whether the model may be asked. Must not know what an
attempt does: it is handed in as a port. There is no timer per session: one loop looks at the earliest deadline and wakes at
least every 30 seconds, so that suspend and clock jumps cannot make it oversleep.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from dataclasses import dataclass
from typing import Protocol

import anyio
import structlog

from soong_memoryd.errors import MemorydError, StorageError
from soong_memoryd.sessions import attempts, run_life, schedule
from soong_memoryd.sessions.gate import Gate
from soong_memoryd.sessions.service import Sessions
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import jobs
from soong_memoryd.state.rows import JobRow

MAX_SLEEP_SECONDS = 30.0
STALLED_SECONDS = 5.0
LOOK_AT_MOST_EVERY_SECONDS = 0.02
NET_EVERY_SECONDS = 3600.0
TAKEN_BACK = "the disk refused a write; what the attempt had begun was taken back"

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt went: completed (``more`` is left for a follow-up), nothing to scan, a failure, or not begun."""

    failure: attempts.Failure | None = None
    nothing_to_scan: bool = False
    more: bool = False
    not_now: bool = False  # the model went away between the look at the gate and the attempt: nothing began


@dataclass(frozen=True, slots=True)
class _After:
    """Whose attempt whoever waited for this one waits for next."""

    follow_up_id: str | None = None
    merged_id: str | None = None


class Attempting(Protocol):
    """One attempt of one job, from window to committed result."""

    async def attempt(self, job: JobRow) -> Outcome:
        """Run it. Being cancelled before its commit leaves everything as it was.

        Raises:
            StorageError: ``degraded``: whether the commit holds is open until recovery decides; nothing may be reported.
        """
        ...


class Scheduler:
    """Runs due jobs. ``wake`` whenever a schedule may have changed; ``wait`` for the end of attempts."""

    def __init__(self, database: Database, sessions: Sessions, attempting: Attempting, gate: Gate) -> None:
        self._database = database
        self._sessions = sessions
        self._attempting = attempting
        self._untidy = False
        self._next_net_seconds = 0.0
        self._changed = asyncio.Event()
        self._turned = asyncio.Event()
        self._waiters: dict[str, deque[asyncio.Future[None]]] = {}
        self.gate = gate
        self.running_job_id: str | None = None

    def wake(self) -> None:
        """Look again now."""
        self._changed.set()

    def look_everywhere(self) -> None:
        """Look again now, also for sessions that were left without a job (memory was off, or the model was)."""
        self._next_net_seconds = 0.0
        self.wake()

    async def turn(self) -> None:
        """Return once the loop has looked at the schedule anew, or is busy with an attempt: it is alive."""
        if self.running_job_id is None:
            self._turned.clear()
            self.wake()
            await self._turned.wait()

    async def run(self) -> None:
        """Serve until cancelled. Cancelling during an attempt ends it as interrupted, unless it is committing."""
        try:
            await self._serve()
        finally:
            self._answer_all()  # whoever waits is told how things stand

    async def _serve(self) -> None:
        while True:
            self._changed.clear()
            looked_at = anyio.current_time()
            try:
                await self._tidy()
                job, sleep_seconds = await self._next()
                self._turned.set()
                if job is not None:
                    await self._attempt(job)
                    continue
            except MemorydError as error:  # the database refuses (disk full, read-only): nothing is lost, try again
                _log.error("schedule_stalled", code=error.code)
                self._untidy = True
                self._turned.set()
                sleep_seconds = STALLED_SECONDS
            if self._untidy or not self.gate.writable():  # that it is over is found out by others, who need not wake us
                sleep_seconds = min(sleep_seconds, STALLED_SECONDS)
            with anyio.move_on_after(sleep_seconds):
                await self._changed.wait()
            await anyio.sleep_until(looked_at + LOOK_AT_MOST_EVERY_SECONDS)  # every append wakes us, and a look costs as much

    async def wait(self, job_ids: list[str]) -> list[JobRow]:
        """Wait until the attempt of each job, follow-ups included, has ended; returns the jobs as they are then."""
        futures = []
        for job_id in job_ids:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.setdefault(job_id, deque()).append(future)
            futures.append(future)
        self.wake()
        try:
            await asyncio.gather(*futures)
        finally:
            for future in futures:
                future.cancel()
        rows = await self._database.run(lambda c: [jobs.get(c, job_id) for job_id in job_ids])
        return [row for row in rows if row is not None]

    async def _tidy(self) -> None:
        """An attempt whose end could not be written down is queued again; one whose commit is open, once that is decided."""
        if self._untidy:
            moment = self._sessions.moment

            def settle(connection: sqlite3.Connection) -> bool:
                attempts.recover_interrupted(connection, moment, TAKEN_BACK)
                return bool(jobs.running(connection))

            self._untidy = await self._database.run(settle)

    async def _next(self) -> tuple[JobRow | None, float]:
        """The job to run now, or None and how long to sleep."""
        moment = self._sessions.moment
        await self._database.run(lambda c: run_life.abandon_silent_runs(c, moment))
        await self._database.run(
            lambda c: attempts.unpark_all(c, moment, "daily", older_than_seconds=schedule.UNPARK_AFTER_SECONDS)
        )
        if not moment.policy.enabled or not self.gate.configured() or not self.gate.writable():
            self._answer_all()
            return None, MAX_SLEEP_SECONDS
        if moment.clock.boot_seconds() >= self._next_net_seconds:
            await self._database.run(lambda c: attempts.give_every_session_a_job(c, moment))
            self._next_net_seconds = moment.clock.boot_seconds() + NET_EVERY_SECONDS
        waiting = await self._database.run(jobs.pending)
        for gone in self._waiters.keys() - {job.job_id for job in waiting}:  # merged into another, or nothing left to scan
            self._answer(gone, None)
        limit = max(float(moment.policy.idle_seconds), schedule.BACKOFF_SECONDS[-1])
        left = {job.job_id: self._remaining(job, limit) for job in waiting}
        due = [job for job in waiting if left[job.job_id] <= 0.0]
        if due and not await self.gate.may_spend(self._database, moment):
            due = [job for job in due if job.requested_by == "operator"]
        if due:
            return min(due, key=lambda job: schedule.rank(job.reason)), 0.0
        return None, min([MAX_SLEEP_SECONDS, *(seconds for seconds in left.values() if seconds > 0.0)])

    def _remaining(self, job: JobRow, limit: float) -> float:
        moment = self._sessions.moment
        at_most = limit if job.attempt else float(moment.policy.idle_seconds)
        seconds = job.due.remaining_seconds(moment.clock, at_most)
        return seconds if job.requested_by == "operator" else max(seconds, self.gate.paused_seconds(moment, limit))

    async def _attempt(self, job: JobRow) -> None:
        self.running_job_id = job.job_id
        after = _After()
        try:
            after = await self._settle(job, await self._attempting.attempt(job))
        except asyncio.CancelledError:
            with anyio.CancelScope(shield=True):
                await self._interrupt(job)
            raise
        except Exception as error:  # the boundary of a job: one bad job never stops the rest
            if isinstance(error, StorageError) and error.code == "degraded":
                _log.error("commit_open", job_id=job.job_id)
                self._untidy = True  # recovery says how it ended
            else:
                after = await self._crashed(job, error)
        finally:
            self.running_job_id = None
            self._answer(job.job_id, after.follow_up_id)
            if after.merged_id is not None:  # a wish made meanwhile waits for this job's next attempt
                self._answer(after.merged_id, job.job_id)

    async def _crashed(self, job: JobRow, error: Exception) -> _After:
        known = isinstance(error, MemorydError)
        _log.error("job_crashed", job_id=job.job_id, error=type(error).__name__, exc_info=not known)
        text = "the attempt ended unexpectedly; the log has the cause"
        failure = attempts.Failure(
            error.code if isinstance(error, MemorydError) else "internal", text, "none" if known else "window"
        )
        return await self._settle(job, Outcome(failure=failure))

    async def _settle(self, job: JobRow, outcome: Outcome) -> _After:
        moment = self._sessions.moment
        if outcome.not_now:
            return _After()
        if outcome.nothing_to_scan:
            await self._database.run(lambda c: attempts.drop(c, moment, job.job_id))
            return _After()
        failure = outcome.failure
        if failure is None or failure.blame == "window":  # whatever it said, the provider answered
            await self.gate.answered(self._database, moment)
        if failure is None:
            if not outcome.more:
                return _After()
            follow_up = await self._database.run(lambda c: attempts.follow_up(c, moment, job))
            return _After(follow_up_id=follow_up.job_id if follow_up else None)
        failed = await self._database.run(lambda c: attempts.fail(c, moment, job.job_id, failure, self.gate.failures))
        _log.warning("extraction_failed", job_id=job.job_id, session_id=job.session_id, code=failure.code, blame=failure.blame)
        if failed.ending.pause_profile:
            await self.gate.pause(self._database, moment, failure.code, failed.ending.retry_after_seconds or 0.0)
        return _After(merged_id=failed.merged_job_id)

    async def _interrupt(self, job: JobRow) -> None:
        """A clean stop: say that the attempt ended, unless it never began or its commit got through."""
        moment = self._sessions.moment
        failure = attempts.Failure("interrupted", "the daemon stopped during the attempt", "none")

        def end(connection: sqlite3.Connection) -> None:
            current = jobs.get(connection, job.job_id)
            if current is not None and current.status == "running":
                attempts.fail(connection, moment, job.job_id, failure, 0)

        await self._database.run(end)

    def _answer_all(self) -> None:
        for job_id in list(self._waiters):
            self._answer(job_id, None)

    def _answer(self, job_id: str, goes_on_as: str | None) -> None:
        waiters = self._waiters.pop(job_id, deque())
        if goes_on_as is not None and waiters:
            self._waiters.setdefault(goes_on_as, deque()).extend(waiters)
            return
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)
