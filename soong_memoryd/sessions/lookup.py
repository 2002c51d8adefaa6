"""Who a call is about: the session, the agent, the kind of the agent, or the coded error. Inside a transaction.

Owns: the lookups that every rule begins with. Must not know what is done then.
"""

from __future__ import annotations

import sqlite3

from soong_memoryd.errors import RequestError
from soong_memoryd.state.queries import runs, sessions
from soong_memoryd.state.queries.runs import RunRow
from soong_memoryd.state.queries.sessions import SessionRow


def require_session(connection: sqlite3.Connection, session_id: str) -> SessionRow:
    """The session, or ``session_unknown``."""
    session = sessions.get(connection, session_id)
    if session is None:
        raise RequestError("session_unknown", "no such session", field="session_id")
    return session


def agent_kind(
    connection: sqlite3.Connection, session: SessionRow, agent_id: str | None, index: int | None = None
) -> tuple[str, str]:
    """(agent id, kind) of the named agent, the main one when none is named; ``agent_unknown`` when it is not registered."""
    agent = session.main_agent_id if agent_id is None else agent_id
    kind = sessions.agent_kind(connection, session.session_id, agent)
    if kind is None:
        raise RequestError("agent_unknown", "the agent is not registered in this session", field="agent_id", index=index)
    return agent, kind


def named_kind(connection: sqlite3.Connection, session_id: str, agent_id: str | None, run_id: str | None) -> str:
    """The kind of the agent that a call names, directly or by its run; two different ones are ``invalid_params``."""
    session = require_session(connection, session_id)
    run = runs.get(connection, session_id, run_id) if run_id else None
    if run is not None and agent_id is not None:
        refuse_other_agent(run, agent_id)
    _, kind = agent_kind(connection, session, agent_id if agent_id is not None or run is None else run.agent_id)
    return kind


def refuse_other_agent(run: RunRow, agent_id: str) -> None:
    """A call that names an agent and a run of another one contradicts itself."""
    if run.agent_id != agent_id:
        raise RequestError("invalid_params", "the run belongs to another agent", field="agent_id")
