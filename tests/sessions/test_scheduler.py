"""The loop: one job at a time, in order, only when it is due and its model may be asked."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from soong_memoryd.clock import Deadline
from soong_memoryd.errors import StorageError
from soong_memoryd.protocol.values import Node
from soong_memoryd.sessions import attempts, scheduler
from soong_memoryd.sessions.attempts import Failure
from soong_memoryd.sessions.gate import Gate
from soong_memoryd.sessions.scheduler import Outcome, Scheduler
from soong_memoryd.sessions.service import Sessions
from soong_memoryd.sessions.waiting import Moment
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import counters, events, jobs
from soong_memoryd.state.rows import EventDraft, JobCompletion
from tests.support.clock import ManualClock
from tests.support.ledger import POLICY, READING


class ScriptedAttempts:
    """Plays outcomes in order; an outcome of None completes the window for real."""

    def __init__(self, service, *outcomes):
        self.service, self.outcomes, self.seen, self.at_once = service, list(outcomes), [], 0

    async def attempt(self, job):
        self.seen.append(job.session_id)
        assert self.at_once == 0, "one job at a time"
        self.at_once += 1
        try:
            scan = await self.service.database.run(lambda c: attempts.read_scan(c, job.session_id))
            moment = self.service.sessions.moment
            await self.service.database.run(
                lambda c: attempts.begin(c, moment, job.job_id, scan.cursor + 1, scan.limit_sequence, {})
            )
            await asyncio.sleep(0)
            outcome = self.outcomes.pop(0) if self.outcomes else None
            if isinstance(outcome, BaseException):
                raise outcome
            if outcome is None:
                done = JobCompletion(job.job_id, job.session_id, scan.cursor, scan.limit_sequence, (), {})
                event = EventDraft("memory_extraction_completed", job.session_id, job.job_id)
                await self.service.database.run(lambda c: attempts.complete(c, moment, done, event))
                return Outcome()
            return outcome
        finally:
            self.at_once -= 1


class Service:
    def __init__(self, database, clock, key, gate, outcomes, policy):
        self.database = database
        self.sessions = Sessions(database, clock, policy, key, READING, lambda: self.scheduler.wake())
        self.attempts = ScriptedAttempts(self, *outcomes)
        self.scheduler = Scheduler(database, self.sessions, self.attempts, gate)

    async def run_with(self, session_id, *texts):
        await self.sessions.open(session_id, "main", None)
        await self.sessions.start_run(session_id, f"r-{session_id}", None)
        sent = [Node(node_id=f"{session_id}-{i}", kind="user_message", text=text) for i, text in enumerate(texts)]
        await self.sessions.append(session_id, sent)
        return (await self.sessions.complete_run(session_id, f"r-{session_id}", None, "completed"))["decision"]

    async def until(self, holds):
        for _ in range(2000):
            if await holds():
                return
            await asyncio.sleep(0.001)
        raise AssertionError("it did not happen")

    async def job(self, job_id):
        return await self.database.run(lambda c: jobs.get(c, job_id))


def play(tmp_path, scenario, *outcomes, gate=None, policy=POLICY):
    async def main():
        clock = ManualClock()
        database = await Database.open(tmp_path / "state.db")
        try:
            key = await database.run(counters.hash_key)
            service = Service(database, clock, key, gate or Gate(configured=lambda: True), outcomes, policy)
            task = asyncio.ensure_future(service.scheduler.run())
            try:
                await scenario(service, clock)
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        finally:
            await database.close()

    asyncio.run(main())


def test_a_due_job_runs_and_an_idle_one_waits_for_its_time(tmp_path):
    async def scenario(service, clock):
        explicit = await service.run_with("a", "remember: x")
        idle = await service.run_with("b", "hello")

        async def done():
            return (await service.job(explicit["job_id"])).status == "completed"

        await service.until(done)
        assert (await service.job(idle["job_id"])).status == "pending"
        clock.advance(121)
        service.scheduler.wake()

        async def idle_done():
            return (await service.job(idle["job_id"])).status == "completed"

        await service.until(idle_done)

    play(tmp_path, scenario)


@pytest.mark.rule("schedule.priority")
def test_due_jobs_run_in_the_order_of_their_reasons_then_first_come(tmp_path):
    gate = Gate(configured=lambda: False)

    async def scenario(service, clock):
        for session, text in (("idle", "hello"), ("tokens", "x" * 4000), ("wish", "remember: x"), ("wish2", "remember: y")):
            await service.run_with(session, text)
        clock.advance(121)
        gate.configured = lambda: True
        service.scheduler.wake()

        async def all_done():
            return len(service.attempts.seen) == 4

        await service.until(all_done)
        assert service.attempts.seen == ["wish", "wish2", "tokens", "idle"]

    play(tmp_path, scenario, gate=gate)


@pytest.mark.rule("llm.no-model-waits")
def test_without_a_model_nothing_runs_and_nothing_is_skipped(tmp_path):
    async def scenario(service, clock):
        decision = await service.run_with("a", "remember: x")
        await asyncio.sleep(0.02)
        assert (await service.job(decision["job_id"])).status == "pending" and service.attempts.seen == []

    play(tmp_path, scenario, gate=Gate(configured=lambda: False))


@pytest.mark.rule("schedule.profile-pause")
def test_a_failing_provider_pauses_every_session_but_not_the_operator(tmp_path):
    failure = Outcome(failure=Failure("model_rate_limited", "429", "profile", 30.0))

    async def scenario(service, clock):
        first = await service.run_with("a", "remember: x")

        async def paused():
            return service.scheduler.gate.paused_until is not None

        await service.until(paused)
        second = await service.run_with("b", "remember: y")
        await asyncio.sleep(0.02)
        assert (await service.job(second["job_id"])).status == "pending"
        triggered = await service.sessions.trigger("b")
        ended = await service.scheduler.wait([job.job_id for job in triggered])
        assert [job.status for job in ended] == ["completed"]
        assert service.scheduler.gate.paused_until is None, "an answer ends the pause"
        clock.advance(61)
        service.scheduler.wake()

        async def first_done():
            return (await service.job(first["job_id"])).status == "completed"

        await service.until(first_done)
        types = [event["type"] for event in await service.database.run(lambda c: events.after(c, 0))]
        assert types.count("model_paused") == types.count("model_resumed") == 1

    play(tmp_path, scenario, failure)


@pytest.mark.rule("schedule.daily-cap")
def test_the_days_token_cap_stops_jobs_until_tomorrow(tmp_path):
    async def scenario(service, clock):
        day = service.sessions.moment.at[:10]
        await service.database.run(lambda c: counters.spend(c, day, 1, 90, 20))
        decision = await service.run_with("a", "remember: x")
        await asyncio.sleep(0.02)
        assert (await service.job(decision["job_id"])).status == "pending"
        clock.advance(86400)
        service.scheduler.wake()

        async def done():
            return (await service.job(decision["job_id"])).status == "completed"

        await service.until(done)

    play(tmp_path, scenario, gate=Gate(configured=lambda: True, max_tokens_per_day=lambda: 100))


@pytest.mark.rule("schedule.follow-up")
def test_what_one_window_cannot_hold_follows_at_once_and_a_waiter_waits_for_it(tmp_path):
    async def scenario(service, clock):
        await service.run_with("a", "hello")
        triggered = await service.sessions.trigger("a")
        await service.scheduler.wait([triggered[0].job_id])
        assert service.attempts.seen == ["a", "a"]

    play(tmp_path, scenario, Outcome(more=True))


@pytest.mark.rule("job.bad-one-stops-nobody")
def test_an_attempt_that_crashes_fails_its_job_and_the_next_one_runs(tmp_path):
    async def scenario(service, clock):
        first = await service.run_with("a", "remember: x")
        second = await service.run_with("b", "remember: y")

        async def done():
            return (await service.job(second["job_id"])).status == "completed"

        await service.until(done)
        assert (await service.job(first["job_id"])).error["code"] == "internal"

    play(tmp_path, scenario, ValueError("boom"))


@pytest.mark.rule("commit.degraded")
def test_an_attempt_whose_commit_is_open_reports_nothing_until_recovery_has_decided_it(tmp_path):
    gate = Gate(configured=lambda: True)

    async def scenario(service, clock):
        effects = json.dumps({"event": {}, "cause": "update", "completion": {"job_id": "@"}})
        prepared = "INSERT INTO intents (txn, state, created_at, effects) VALUES ('t', 'prepared', '', replace(?, '@', ?))"
        gate.writable = lambda: not service.attempts.seen
        decision = await service.run_with("a", "remember: x")
        await service.database.run(lambda c: c.execute(prepared, (effects, decision["job_id"])))

        async def attempted():
            return service.attempts.seen and service.scheduler.running_job_id is None

        await service.until(attempted)
        for _ in range(3):
            await service.scheduler.turn()
        assert (await service.job(decision["job_id"])).status == "running"

        await service.database.run(lambda c: c.execute("DELETE FROM intents"))  # recovery took it back
        await service.scheduler.turn()
        ended = await service.job(decision["job_id"])
        assert (ended.status, ended.error["code"]) == ("pending", "interrupted")

    play(tmp_path, scenario, StorageError("the commit is open", code="degraded"), gate=gate)


@pytest.mark.rule("commit.degraded")
def test_that_memory_can_be_written_again_is_seen_soon_also_when_nobody_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(scheduler, "STALLED_SECONDS", 0.01)
    gate, writable = Gate(configured=lambda: True), [False]
    gate.writable = lambda: writable[0]

    async def scenario(service, clock):
        decision = await service.run_with("a", "remember: x")
        await service.scheduler.turn()
        await asyncio.sleep(0.05)
        writable[0] = True  # the watcher of the files came first

        async def done():
            return (await service.job(decision["job_id"])).status == "completed"

        await service.until(done)

    play(tmp_path, scenario, gate=gate)


@pytest.mark.rule("commit.degraded")
def test_a_job_whose_open_commit_was_taken_back_is_queued_soon_also_when_nobody_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(scheduler, "STALLED_SECONDS", 0.01)

    async def taken_back(service, clock):
        effects = json.dumps({"event": {}, "cause": "update", "completion": {"job_id": "@"}})
        prepared = "INSERT INTO intents (txn, state, created_at, effects) VALUES ('t', 'prepared', '', replace(?, '@', ?))"
        decision = await service.run_with("a", "remember: x")
        await service.database.run(lambda c: c.execute(prepared, (effects, decision["job_id"])))

        async def attempted():
            return service.attempts.seen and service.scheduler.running_job_id is None

        await service.until(attempted)
        await service.scheduler.turn()
        await asyncio.sleep(0.05)
        await service.database.run(lambda c: c.execute("DELETE FROM intents"))  # recovery took it back

        async def queued():
            return (await service.job(decision["job_id"])).status == "pending"

        await service.until(queued)
        assert (await service.job(decision["job_id"])).error["text"] == scheduler.TAKEN_BACK

    play(tmp_path, taken_back, StorageError("the commit is open", code="degraded"))


@pytest.mark.rule("shutdown.interrupted")
def test_stopping_during_an_attempt_says_interrupted_and_queues_it_again(tmp_path):
    async def main():
        clock = ManualClock()
        database = await Database.open(tmp_path / "state.db")
        key = await database.run(counters.hash_key)
        service = Service(database, clock, key, Gate(configured=lambda: True), [], POLICY)
        hanging = asyncio.Event()

        async def hang(job):
            moment = service.sessions.moment
            await database.run(lambda c: attempts.begin(c, moment, job.job_id, 1, 1, {}))
            hanging.set()
            await asyncio.Event().wait()

        service.attempts.attempt = hang
        task = asyncio.ensure_future(service.scheduler.run())
        decision = await service.run_with("a", "remember: x")
        await hanging.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        job = await service.job(decision["job_id"])
        assert (job.status, job.error["code"]) == ("pending", "interrupted")
        await database.close()

    asyncio.run(main())


def test_a_waiter_is_answered_when_its_job_is_cancelled(tmp_path):
    async def scenario(service, clock):
        decision = await service.run_with("a", "hello")
        waiting = asyncio.ensure_future(service.scheduler.wait([decision["job_id"]]))
        await service.sessions.start_run("a", "next", None)
        assert [ended.status for ended in await waiting] == ["cancelled"]

    play(tmp_path, scenario)


def test_deadlines_of_a_job_that_waits_for_its_back_off_are_kept(tmp_path):
    async def scenario(service, clock):
        decision = await service.run_with("a", "remember: x")

        async def failed():
            return (await service.job(decision["job_id"])).error is not None

        await service.until(failed)
        due = (await service.job(decision["job_id"])).due
        assert isinstance(due, Deadline) and due.remaining_seconds(clock, 1e9) == 60
        assert replace(due, boot_id="other").remaining_seconds(clock, 30) == 30

    play(tmp_path, scenario, Outcome(failure=Failure("bad_answer", "no", "window")))


@pytest.mark.rule("schedule.wish-during-attempt")
def test_a_waiter_of_a_wish_made_during_a_failing_attempt_waits_for_the_next_attempt(tmp_path):
    async def scenario(service, clock):
        begun, go_on = asyncio.Event(), asyncio.Event()
        plain = service.attempts.attempt

        async def first_slowly(job):
            if not begun.is_set():
                begun.set()
                await go_on.wait()
            return await plain(job)

        service.attempts.attempt = first_slowly
        await service.run_with("a", "remember: x")
        await begun.wait()
        wish = asyncio.ensure_future(_trigger_and_wait(service))
        await asyncio.sleep(0)
        go_on.set()
        assert [job.status for job in await wish] == ["completed"]

    async def _trigger_and_wait(service):
        triggered = await service.sessions.trigger("a")
        return await service.scheduler.wait([job.job_id for job in triggered])

    play(tmp_path, scenario)


@pytest.mark.rule("schedule.profile-pause")
def test_a_pause_survives_a_restart_and_is_over_when_its_time_is(tmp_path):
    async def main():
        clock = ManualClock()
        database = await Database.open(tmp_path / "state.db")
        try:
            moment = Moment(clock, POLICY)
            await Gate(configured=lambda: True).pause(database, moment, "model_auth", 300.0)
            restarted = Gate(configured=lambda: True)
            await restarted.load(database)
            assert restarted.is_paused(moment) and (restarted.failures, restarted.error) == (1, "model_auth")
            clock.advance(301)
            assert not restarted.is_paused(moment)
            await restarted.answered(database, moment)
            fresh = Gate(configured=lambda: True)
            await fresh.load(database)
            assert fresh.paused_until is None
        finally:
            await database.close()

    asyncio.run(main())
