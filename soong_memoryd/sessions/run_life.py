"""Runs: begun, ended, abandoned, and what the end of a root run decides. Inside a transaction.

Owns: the life of a run. Calls of clients may be lost, doubled or reordered; every path ends in the same evaluation.
Must not know nodes beyond what is unscanned, or how jobs run.
"""

from __future__ import annotations

import sqlite3

from soong_memoryd.clock import Deadline
from soong_memoryd.sessions import roles, schedule
from soong_memoryd.sessions.lookup import agent_kind, refuse_other_agent, require_session
from soong_memoryd.sessions.waiting import Moment, evaluate_session, hear
from soong_memoryd.state.queries import counters, jobs, nodes, runs
from soong_memoryd.state.queries.runs import RunRow
from soong_memoryd.state.queries.sessions import SessionRow
from soong_memoryd.state.rows import Json


def start_run(connection: sqlite3.Connection, moment: Moment, session_id: str, run_id: str, agent_id: str | None) -> Json:
    """A run began. A new root run ends the one before (hook clients may lose their last call) and cancels the idle job."""
    session = require_session(connection, session_id)
    agent, kind = agent_kind(connection, session, agent_id)
    known = runs.get(connection, session_id, run_id)
    if known is not None:
        refuse_other_agent(known, agent)
        if known.started_at is None:
            runs.set_started(connection, session_id, run_id, moment.at)
        return {"cancelled_idle": False}
    root = roles.may(kind, "schedule")
    if root:
        for run in runs.open_of(connection, session_id, root=True):
            abandon_run(connection, moment, run, next_begins=True)
    runs.insert(
        connection,
        RunRow(session_id, run_id, agent, root, moment.at, session.last_sequence, None, None, moment.due()),
    )
    waiting = jobs.pending_of(connection, session_id)
    if not root or waiting is None or not moment.policy.enabled:  # while memory is off no end of a run would arm it again
        return {"cancelled_idle": False}
    return {"cancelled_idle": hear(connection, moment, session_id, schedule.RUN_STARTED) is None}


def complete_run(
    connection: sqlite3.Connection, moment: Moment, session_id: str, run_id: str, agent_id: str | None, status: str
) -> Json:
    """A run ended; of a root run, decide. The end may be heard before the start, or twice."""
    session = require_session(connection, session_id)
    agent, kind = agent_kind(connection, session, agent_id)
    known = runs.get(connection, session_id, run_id)
    if known is None:
        root = roles.may(kind, "schedule")
        runs.insert(
            connection,
            RunRow(session_id, run_id, agent, root, None, session.last_sequence, moment.at, status, moment.due()),
        )
        counters.add(connection, "runs_completed")
        return {"decision": _decide(connection, moment, session_id, run_id) if root else None}
    if agent_id is not None:
        refuse_other_agent(known, agent_id)
    if known.completed_at is not None and known.status != "abandoned":
        return {"decision": None}
    runs.end(connection, session_id, run_id, status, moment.at)
    counters.add(connection, "runs_completed")
    return {"decision": _decide(connection, moment, session_id, run_id) if known.root else None}


def abandon_run(connection: sqlite3.Connection, moment: Moment, run: RunRow, *, next_begins: bool = False) -> None:
    """End a run that nobody will end; it is evaluated like a completed one."""
    runs.end(connection, run.session_id, run.run_id, "abandoned", moment.at)
    if run.root:
        _decide(connection, moment, run.session_id, run.run_id, may_idle=not next_begins)


def abandon_silent_runs(connection: sqlite3.Connection, moment: Moment) -> int:
    """End the runs that gave no sign of life for ``run_timeout_seconds``; returns how many."""
    timeout = moment.policy.run_timeout_seconds
    silent = [run for run in runs.open_everywhere(connection) if _silent_seconds(run.silent_since, moment) >= timeout]
    for run in silent:
        abandon_run(connection, moment, run)
    return len(silent)


def _silent_seconds(since: Deadline, moment: Moment) -> float:
    if since.boot_id == moment.clock.boot_id():
        return moment.clock.boot_seconds() - since.boot_seconds
    return moment.clock.wall_seconds() - since.wall_seconds


def _decide(
    connection: sqlite3.Connection, moment: Moment, session_id: str, run_id: str, *, may_idle: bool = True
) -> Json | None:
    explicit = nodes.says_explicitly(connection, session_id, run_id)
    other_open = bool(runs.open_of(connection, session_id, root=True))
    return evaluate_session(connection, moment, session_id, explicit=explicit, may_idle=may_idle and not other_open)


def heard_of_run(
    connection: sqlite3.Connection,
    moment: Moment,
    session: SessionRow,
    run_id: str,
    agent_id: str,
    kind: str,
    before_sequence: int,
    other_open: bool,
) -> list[RunRow]:
    """A node names a run whose start was never heard: it is open from here on, unless another root run is."""
    if kind == roles.MAIN and other_open:
        return []
    run = RunRow(session.session_id, run_id, agent_id, kind == roles.MAIN, None, before_sequence, None, None, moment.due())
    runs.insert(connection, run)
    if not run.root:
        return []
    hear(connection, moment, session.session_id, schedule.RUN_STARTED)
    return [run]
