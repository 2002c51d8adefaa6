"""A session's waiting job: the schedule's decisions carried out on the rows, inside the writer's transaction.

Owns: creating, merging, cancelling and parking jobs. Must not know when a run ends (``ledger.py``) or how an attempt goes
(``attempts.py``).
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from soong_memoryd.clock import Clock, Deadline, timestamp
from soong_memoryd.sessions import schedule
from soong_memoryd.sessions.triggers import TriggerInput, TriggerLimits, evaluate
from soong_memoryd.state.queries import events, jobs, nodes, sessions
from soong_memoryd.state.rows import EventDraft, JobRow, Json


@dataclass(frozen=True, slots=True)
class SchedulePolicy:
    """The settings that the schedule needs, from ``[memory]``."""

    enabled: bool
    extract_every_messages: int
    extract_every_tokens: int
    idle_seconds: int
    run_timeout_seconds: int


@dataclass(frozen=True, slots=True)
class Moment:
    """What a transaction knows of the outside: the clock and the policy in force."""

    clock: Clock
    policy: SchedulePolicy

    @property
    def at(self) -> str:
        """Now, as a timestamp."""
        return timestamp(self.clock.wall_seconds())

    def due(self, seconds: float = 0.0) -> Deadline:
        """The moment ``seconds`` from now."""
        return Deadline.after(self.clock, seconds)


def evaluate_session(
    connection: sqlite3.Connection, moment: Moment, session_id: str, *, explicit: bool, may_idle: bool
) -> Json | None:
    """Decide at the end of a root run (or after a message without one) whether and when to look.

    ``may_idle`` is False while another root run is open: then the idle clock is armed by that run's end.
    Returns the wire's Decision, or None when there is nothing to look for.
    """
    policy = moment.policy
    unscanned = nodes.unscanned(connection, session_id)
    reason = evaluate(
        TriggerInput(policy.enabled, unscanned.messages, unscanned.tokens, explicit),
        TriggerLimits(policy.extract_every_messages, policy.extract_every_tokens),
    )
    if reason is None or (reason == "idle" and not may_idle):
        return None
    job = hear(connection, moment, session_id, reason)
    return None if job is None else {"reason": job.reason, "due_at": timestamp(job.due.wall_seconds), "job_id": job.job_id}


def hear(connection: sqlite3.Connection, moment: Moment, session_id: str, heard: str) -> JobRow | None:
    """Apply one arrival of the schedule's table; returns the waiting job afterwards, None when there is none."""
    waiting = _waiting(connection, session_id)
    reason = "explicit" if heard == schedule.OPERATOR else heard
    match schedule.ARRIVALS[_slot(waiting), heard]:
        case schedule.NEW_NOW:
            return _create(connection, moment, session_id, reason, heard, 0.0)
        case schedule.NEW_IDLE:
            return _create(connection, moment, session_id, reason, heard, moment.policy.idle_seconds)
        case schedule.CANCEL:
            assert waiting is not None
            jobs.update(connection, waiting.job_id, status="cancelled", finished_at=moment.at)
            return None
        case schedule.REARM:
            return _change(connection, waiting, due=moment.due(moment.policy.idle_seconds))
        case schedule.HASTEN:
            return _change(connection, waiting, due=moment.due(), **_stronger(waiting, reason, heard))
        case schedule.RENAME:
            return _change(connection, waiting, **_stronger(waiting, reason, heard))
        case schedule.UNPARK:
            return unpark(connection, moment, session_id, reason, heard)
    return waiting if waiting and waiting.status == "pending" else None


def unpark(connection: sqlite3.Connection, moment: Moment, session_id: str, reason: str, heard: str) -> JobRow | None:
    """Let a parked session be tried once more; its next failure parks it again."""
    sessions.set_parked(connection, session_id, None, None)
    session = sessions.get(connection, session_id)
    assert session is not None
    failures = min(session.window_failures, schedule.FAILURES_UNTIL_PARKING - 1)
    sessions.set_failures(connection, session_id, failures, session.window_halvings)
    events.insert(connection, EventDraft("session_unparked", session_id, None, {"cause": heard}), moment.at)
    waiting = _waiting(connection, session_id)
    if waiting is None:
        return _create(connection, moment, session_id, reason, heard, 0.0)
    return _change(connection, waiting, status="pending", due=moment.due(), **_stronger(waiting, reason, heard))


def drop_if_nothing_left(connection: sqlite3.Connection, moment: Moment, session_id: str) -> None:
    """Cancel the waiting job of a session that has nothing unscanned any more."""
    waiting = jobs.pending_of(connection, session_id)
    if waiting is not None and nodes.unscanned(connection, session_id).messages == 0:
        jobs.update(connection, waiting.job_id, status="cancelled", finished_at=moment.at)


def _waiting(connection: sqlite3.Connection, session_id: str) -> JobRow | None:
    pending = jobs.pending_of(connection, session_id)
    return pending or next(iter(jobs.select(connection, session_id=session_id, status="parked", limit=1)), None)


def _slot(waiting: JobRow | None) -> str:
    if waiting is None:
        return schedule.EMPTY
    return schedule.slot(waiting.status, waiting.reason, waiting.attempt, waiting.error is not None)


def _stronger(waiting: JobRow | None, reason: str, heard: str) -> Mapping[str, str]:
    assert waiting is not None
    changes = {"reason": schedule.stronger(waiting.reason, reason)}
    return changes | {"requested_by": "operator"} if heard == schedule.OPERATOR else changes


def _change(connection: sqlite3.Connection, waiting: JobRow | None, **changes: object) -> JobRow | None:
    assert waiting is not None
    jobs.update(connection, waiting.job_id, **changes)
    return jobs.get(connection, waiting.job_id)


def _create(
    connection: sqlite3.Connection, moment: Moment, session_id: str, reason: str, heard: str, wait_seconds: float
) -> JobRow:
    job = JobRow(
        job_id=f"job_{secrets.token_hex(8)}",
        session_id=session_id,
        reason=reason,
        requested_by="operator" if heard == schedule.OPERATOR else "schedule",
        status="pending",
        attempt=0,
        due=moment.due(wait_seconds),
        from_sequence=None,
        to_sequence=None,
        created_at=moment.at,
        started_at=None,
        finished_at=None,
        result=None,
        error=None,
    )
    jobs.insert(connection, job)
    return job
