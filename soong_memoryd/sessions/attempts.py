"""The life of an extraction attempt on the rows: begun, failed, completed, interrupted, asked for, given up.

Owns: exactly one ``_completed`` or ``_failed`` for every ``_started``, and what follows each. Must not know how an attempt
works inside (``extraction``) or who waits for it (``scheduler.py``).
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from soong_memoryd.clock import timestamp
from soong_memoryd.errors import RequestError
from soong_memoryd.sessions import lookup, schedule, waiting
from soong_memoryd.sessions.waiting import Moment
from soong_memoryd.state.queries import counters, events, jobs, nodes, runs, sessions
from soong_memoryd.state.rows import EventDraft, JobCompletion, JobRow, Json, Scan

NODES_BEFORE_CURSOR = 60
NODES_AFTER_CURSOR = 4_000


@dataclass(frozen=True, slots=True)
class Failure:
    """How an attempt failed. ``code`` and ``text`` are ours; ``blame`` as in ``errors.ModelError`` or ``none``."""

    code: str
    text: str
    blame: str
    retry_after_seconds: float | None = None


_COMMITTING = "SELECT effects ->> '$.completion.job_id' FROM intents WHERE state IN ('prepared', 'aborting')"


def read_scan(connection: sqlite3.Connection, session_id: str) -> Scan:
    """The nodes around the scan cursor, and where a window must end."""
    session = lookup.require_session(connection, session_id)
    limit = session.last_sequence
    for run in runs.open_of(connection, session_id, root=True):
        first = nodes.first_sequence_of_run(connection, session_id, run.run_id)
        limit = min(limit, first - 1 if first is not None else run.started_sequence)
    found = nodes.around_cursor(connection, session_id, session.cursor, limit, NODES_BEFORE_CURSOR, NODES_AFTER_CURSOR)
    summary = nodes.latest_summary(connection, session_id, session.cursor)
    if summary is not None and all(node.sequence != summary.sequence for node in found):
        found.insert(0, summary)
    truncated = len(found) >= NODES_AFTER_CURSOR and found[-1].sequence < limit
    rows = connection.execute("SELECT node_id FROM forgotten_sources WHERE session_id = ?", (session_id,))
    return Scan(
        session_id,
        session.cursor,
        found[-1].sequence if truncated else limit,
        tuple(found),
        halvings=session.window_halvings,
        forgotten=frozenset(row[0] for row in rows),
        truncated=truncated,
    )


def begin(
    connection: sqlite3.Connection, moment: Moment, job_id: str, from_sequence: int, to_sequence: int, payload: Json
) -> None:
    """Count the attempt before any money is spent, and say that it started."""
    job = jobs.get(connection, job_id)
    assert job is not None
    jobs.update(
        connection,
        job_id,
        status="running",
        attempt=job.attempt + 1,
        from_sequence=from_sequence,
        to_sequence=to_sequence,
        started_at=moment.at,
        finished_at=None,
    )
    draft = EventDraft("memory_extraction_started", job.session_id, job_id, {**payload, **_why(job)})
    events.insert(connection, draft, moment.at)


def complete(connection: sqlite3.Connection, moment: Moment, completion: JobCompletion, event: EventDraft) -> None:
    """Nothing to write: the completed event first, then the cursor, in one transaction."""
    jobs.check_completion(connection, completion)
    events.insert(connection, event, moment.at)
    jobs.complete(connection, completion, moment.at)


def drop(connection: sqlite3.Connection, moment: Moment, job_id: str) -> None:
    """There was nothing to scan: the job goes without a trace in the event log."""
    jobs.update(connection, job_id, status="cancelled", finished_at=moment.at)


@dataclass(frozen=True, slots=True)
class Failed:
    """What a failed attempt led to. ``merged_job_id``: a wish made meanwhile, served by the same job's next attempt."""

    ending: schedule.Ending
    merged_job_id: str | None = None


def fail(connection: sqlite3.Connection, moment: Moment, job_id: str, failure: Failure, profile_failures: int) -> Failed:
    """Say why the attempt failed and how the job goes on; the cursor stays.

    An attempt that never began (the database refused to note it) is no failure of the job: it is put off without a word.
    """
    job = jobs.get(connection, job_id)
    assert job is not None
    session = lookup.require_session(connection, job.session_id)
    ending = schedule.after_failure(
        failure.blame,
        attempt=job.attempt,
        window_failures=session.window_failures,
        profile_failures=profile_failures,
        wished_seconds=failure.retry_after_seconds,
    )
    if job.status != "running":
        jobs.update(connection, job_id, due=moment.due(schedule.backoff_seconds(1)))
        return Failed(ending)
    newer = jobs.pending_of(connection, job.session_id)
    wished = newer is not None and (newer.requested_by == "operator" or newer.reason == "explicit")
    if wished:
        ending = schedule.despite_failure(ending)
    sessions.set_failures(connection, job.session_id, ending.window_failures, ending.window_halvings)
    error: Json = {"code": failure.code, "text": failure.text, "at": moment.at}
    wait_seconds = ending.retry_after_seconds or 0.0
    payload: Json = {
        **_why(job),
        "model": _model_of(connection, job_id),
        "from_sequence": job.from_sequence,
        "to_sequence": job.to_sequence,
        "error": {"code": failure.code, "text": failure.text},
        "attempt": job.attempt,
        "next_attempt_at": None if ending.parked else timestamp(moment.due(wait_seconds).wall_seconds),
    }
    events.insert(connection, EventDraft("memory_extraction_failed", job.session_id, job_id, payload), moment.at)
    counters.add(connection, "jobs_failed")
    # While a profile pauses, the gate alone holds jobs back: a mended config lets them go at once.
    due = moment.due(0.0 if ending.pause_profile else wait_seconds)
    _put_back(connection, moment, job, newer, "parked" if ending.parked else "pending", due=due, error=error)
    if ending.parked:
        sessions.set_parked(connection, job.session_id, moment.at, moment.clock.wall_seconds())
        draft = EventDraft("session_parked", job.session_id, job_id, {"failures": ending.window_failures})
        events.insert(connection, draft, moment.at)
    return Failed(ending, newer.job_id if newer is not None and wished else None)


def recover_interrupted(
    connection: sqlite3.Connection, moment: Moment, text: str = "the daemon ended during the attempt"
) -> list[str]:
    """A job found running that nobody runs is queued again, and says so. One whose commit is prepared is left to recovery."""
    committing = {row[0] for row in connection.execute(_COMMITTING)}
    interrupted = [job.job_id for job in jobs.running(connection) if job.job_id not in committing]
    for job_id in interrupted:
        fail(connection, moment, job_id, Failure("interrupted", text, "none"), 0)
    return interrupted


def settle_deadlines(connection: sqlite3.Connection, moment: Moment) -> None:
    """At start: deadlines of an earlier boot become deadlines of this one, so that they run down whatever the date says."""
    clock, policy = moment.clock, moment.policy
    for job in jobs.pending(connection):
        if job.due.boot_id != clock.boot_id():
            at_most = schedule.BACKOFF_SECONDS[-1] if job.attempt else policy.idle_seconds
            jobs.update(connection, job.job_id, due=moment.due(job.due.remaining_seconds(clock, at_most)))
    for run in runs.open_everywhere(connection):
        if run.silent_since.boot_id != clock.boot_id():
            silent = min(max(0.0, clock.wall_seconds() - run.silent_since.wall_seconds), policy.run_timeout_seconds)
            runs.set_silent_since(connection, run.session_id, run.run_id, moment.due(-silent))
    sessions.cap_parked(connection, clock.wall_seconds())


def give_every_session_a_job(connection: sqlite3.Connection, moment: Moment) -> list[str]:
    """A net under the schedule: unscanned messages without a job or an open run arm the idle clock; returns the sessions."""
    if not moment.policy.enabled:
        return []
    busy = {job.session_id for status in ("pending", "running", "parked") for job in jobs.with_status(connection, status)}
    busy |= {run.session_id for run in runs.open_everywhere(connection) if run.root}
    orphans = [each for each in nodes.sessions_with_unscanned(connection) if each not in busy]
    for session_id in orphans:
        waiting.hear(connection, moment, session_id, "idle")
    return orphans


def follow_up(connection: sqlite3.Connection, moment: Moment, job: JobRow) -> JobRow | None:
    """More was there than one window holds: the next job follows at once, with the same reason."""
    if nodes.unscanned(connection, job.session_id).messages == 0:
        return None
    waiting.hear(connection, moment, job.session_id, schedule.OPERATOR if job.requested_by == "operator" else job.reason)
    pending = jobs.pending_of(connection, job.session_id)
    if pending is None:
        return None
    jobs.update(connection, pending.job_id, due=moment.due(), reason=schedule.stronger(pending.reason, job.reason))
    return jobs.get(connection, pending.job_id)


def trigger(connection: sqlite3.Connection, moment: Moment, session_id: str | None) -> list[JobRow]:
    """The operator wants it now: every session (or the named one) that has unscanned messages gets a job due at once."""
    if session_id is not None:
        lookup.require_session(connection, session_id)
    found = nodes.sessions_with_unscanned(connection)
    wanted = [each for each in found if session_id in (None, each)]
    triggered = [waiting.hear(connection, moment, each, schedule.OPERATOR) for each in wanted]
    return [job for job in triggered if job is not None]


def retry(connection: sqlite3.Connection, moment: Moment, session_id: str) -> list[JobRow]:
    """Take a session out of parking; an operator's wish, so it is due at once."""
    session = lookup.require_session(connection, session_id)
    if session.parked_at is not None:
        waiting.unpark(connection, moment, session_id, "explicit", schedule.OPERATOR)
    return trigger(connection, moment, session_id)


def unpark_all(connection: sqlite3.Connection, moment: Moment, cause: str, *, older_than_seconds: float = 0.0) -> int:
    """Try every parked session again (the model config changed, or a day went by); returns how many."""
    now = moment.clock.wall_seconds()
    due = [each for each in sessions.parked(connection) if now - (each.parked_wall or 0.0) >= older_than_seconds]
    for session in due:
        waiting.unpark(connection, moment, session.session_id, "idle", cause)
    return len(due)


def skip(connection: sqlite3.Connection, moment: Moment, session_id: str) -> list[str]:
    """Give up the stalled window's messages; the cursor itself moves with the next completed job."""
    session = lookup.require_session(connection, session_id)
    waiting_jobs = [*jobs.select(connection, session_id=session_id, status="parked"), jobs.pending_of(connection, session_id)]
    stalled = next((job for job in waiting_jobs if job is not None and job.error), None)
    if stalled is None or stalled.from_sequence is None or stalled.to_sequence is None:
        raise RequestError("not_found", "no stalled window in this session", field="session_id")
    skipped = nodes.never_extract(connection, session_id, stalled.from_sequence, stalled.to_sequence)
    jobs.update(connection, stalled.job_id, status="failed", finished_at=moment.at)
    sessions.set_failures(connection, session_id, 0, 0)
    if session.parked_at is not None:
        sessions.set_parked(connection, session_id, None, None)
        events.insert(connection, EventDraft("session_unparked", session_id, None, {"cause": "skip"}), moment.at)
    draft = EventDraft("extraction_skipped", session_id, stalled.job_id, {"source_node_ids": skipped})
    events.insert(connection, draft, moment.at)
    if nodes.unscanned(connection, session_id).messages:
        waiting.hear(connection, moment, session_id, "idle")
    return skipped


def _put_back(
    connection: sqlite3.Connection, moment: Moment, job: JobRow, newer: JobRow | None, status: str, **changes: object
) -> None:
    """The failed job waits again; one that began to wait meanwhile is merged into it, with the stronger reason."""
    changes["requested_by"] = "schedule"  # an operator's wish is good for one attempt
    if newer is not None:
        changes["reason"] = schedule.stronger(job.reason, newer.reason)
        changes["requested_by"] = newer.requested_by
        jobs.update(connection, newer.job_id, status="cancelled", finished_at=moment.at)
    jobs.update(connection, job.job_id, status=status, finished_at=moment.at, **changes)


def _model_of(connection: sqlite3.Connection, job_id: str) -> str | None:
    """The model that the attempt said it would ask when it started."""
    row = connection.execute(
        "SELECT payload ->> '$.model' FROM events WHERE job_id = ? AND type = 'memory_extraction_started'"
        " ORDER BY sequence DESC LIMIT 1",
        (job_id,),
    ).fetchone()
    return None if row is None else row[0]


def _why(job: JobRow) -> Json:
    return {"reason": job.reason, "requested_by": job.requested_by}
