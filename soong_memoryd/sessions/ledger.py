"""What agents said, as transactions: sessions, agents, nodes and rewinds.

Owns: the rules of the ledger inside one transaction. Must not know the event loop, the socket or models; ``service.py``
queues these functions, ``run_life.py`` has the runs.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from soong_memoryd.errors import RequestError
from soong_memoryd.sessions import roles
from soong_memoryd.sessions.arrival import Arrival
from soong_memoryd.sessions.lookup import agent_kind, require_session
from soong_memoryd.sessions.run_life import abandon_run, heard_of_run
from soong_memoryd.sessions.waiting import Moment, drop_if_nothing_left, evaluate_session
from soong_memoryd.state.queries import counters, nodes, runs, sessions
from soong_memoryd.state.rows import Json, NodeRow


def open_session(connection: sqlite3.Connection, moment: Moment, session_id: str, agent_id: str, title: str | None) -> Json:
    """Open or reopen; the main agent of a session never changes."""
    session = sessions.get(connection, session_id)
    if session is None:
        sessions.insert(connection, session_id, agent_id, title, moment.at)
    elif session.main_agent_id != agent_id:
        raise RequestError("agent_conflict", "the session has another main agent", field="agent_id")
    else:
        sessions.reopen(connection, session_id, title)
    return {
        "session_id": session_id,
        "created": session is None,
        "durable_sequence": session.last_sequence if session else 0,
        "unscanned_messages": nodes.unscanned(connection, session_id).messages,
    }


def close_session(connection: sqlite3.Connection, moment: Moment, session_id: str) -> None:
    """Close; open runs are abandoned and evaluated, the idle clock goes on."""
    require_session(connection, session_id)
    for run in (*runs.open_of(connection, session_id, root=False), *runs.open_of(connection, session_id, root=True)):
        abandon_run(connection, moment, run)
    sessions.close(connection, session_id, moment.at)


def register_agent(connection: sqlite3.Connection, session_id: str, agent_id: str, kind: str, parent_agent_id: str) -> Json:
    """First registration wins; the same one again is fine, another kind is ``agent_conflict``."""
    session = require_session(connection, session_id)
    known = sessions.agent_kind(connection, session_id, agent_id)
    if known is not None and known != kind:
        raise RequestError("agent_conflict", "the agent is registered with another kind", field="kind")
    if known is None:
        if sessions.agent_kind(connection, session_id, parent_agent_id) is None:
            raise RequestError("agent_unknown", "the parent agent is not registered", field="parent_agent_id")
        sessions.insert_agent(connection, session.session_id, agent_id, kind, parent_agent_id)
    return {"agent_id": agent_id, "kind": kind}


def append(connection: sqlite3.Connection, moment: Moment, session_id: str, arrivals: Sequence[Arrival]) -> Json:
    """Store nodes, all or none; a known node with the same content is a duplicate, with other content ``node_conflict``."""
    session = require_session(connection, session_id)
    sequence, duplicates = session.last_sequence, []
    open_root = runs.open_of(connection, session_id, root=True)
    candidates: list[NodeRow] = []
    for index, arrival in enumerate(arrivals):
        agent, kind = agent_kind(connection, session, arrival.agent_id, index)
        known = nodes.known_hash(connection, session_id, arrival.node_id)
        if known is not None:
            if known != arrival.content_hash:
                raise RequestError("node_conflict", "the node is known with other content", field="nodes", index=index)
            duplicates.append(arrival.node_id)
            continue
        sequence += 1
        run_id = arrival.run_id
        named = runs.get(connection, session_id, run_id) if run_id else None
        if named is not None and kind == roles.MAIN and not named.root:
            # Taken at its word it would make what another agent was told a message of the person.
            raise RequestError("invalid_params", "the run belongs to another agent", field="run_id", index=index)
        if run_id is None and kind == roles.MAIN and open_root:
            run_id = open_root[-1].run_id
        elif run_id is not None and named is None:
            open_root += heard_of_run(connection, moment, session, run_id, agent, kind, sequence - 1, bool(open_root))
        node = _place(connection, moment, session_id, arrival, sequence, agent, kind, run_id)
        nodes.insert(connection, node, arrival.content_hash, moment.at)
        if node.candidate:
            candidates.append(node)
    sessions.set_last_sequence(connection, session_id, sequence)
    counters.add(connection, "nodes", len(arrivals) - len(duplicates))
    runs.touch(connection, session_id, moment.due())
    _evaluate_late(connection, moment, session_id, candidates)
    return {"durable_sequence": sequence, "appended": len(arrivals) - len(duplicates), "duplicates": duplicates}


def _place(
    connection: sqlite3.Connection,
    moment: Moment,
    session_id: str,
    arrival: Arrival,
    sequence: int,
    agent_id: str,
    kind: str,
    run_id: str | None,
) -> NodeRow:
    candidate = (
        moment.policy.enabled
        and arrival.kind == "user_message"
        and arrival.origin == "typed"
        and roles.may(kind, "be_source")
        and not nodes.known_elsewhere(connection, session_id, arrival.node_id, arrival.content_hash)
    )
    return NodeRow(
        session_id=session_id,
        sequence=sequence,
        node_id=arrival.node_id,
        parent_id=arrival.parent_id,
        agent_id=agent_id,
        agent_kind=kind,
        run_id=run_id,
        kind=arrival.kind,
        origin=arrival.origin,
        text=arrival.text,
        summary=arrival.summary,
        artifact_refs=arrival.artifact_refs,
        metadata=arrival.metadata,
        created_at=arrival.created_at or moment.at,
        candidate=candidate,
        tokens=arrival.tokens,
        explicit=arrival.explicit,
    )


def _evaluate_late(connection: sqlite3.Connection, moment: Moment, session_id: str, candidates: Sequence[NodeRow]) -> None:
    """Messages that no end of a run will pick up: of a run that is over already, or of none while none is open."""
    open_root = bool(runs.open_of(connection, session_id, root=True))
    late = []
    for node in candidates:
        run = runs.get(connection, session_id, node.run_id) if node.run_id else None
        if (run is not None and run.completed_at is not None) or (node.run_id is None and not open_root):
            late.append(node)
    if late:
        explicit = any(node.explicit for node in late)
        evaluate_session(connection, moment, session_id, explicit=explicit, may_idle=not open_root)


def rewind(connection: sqlite3.Connection, moment: Moment, session_id: str, node_id: str) -> Json:
    """Nodes with a later sequence leave the path and are never extracted."""
    require_session(connection, session_id)
    node = nodes.get(connection, session_id, node_id)
    if node is None:
        raise RequestError("not_found", "no such node in this session", field="node_id")
    abandoned = nodes.abandon_after(connection, session_id, node.sequence)
    drop_if_nothing_left(connection, moment, session_id)
    return {"abandoned": abandoned}
