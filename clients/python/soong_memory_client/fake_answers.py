"""What the fake daemon of ``testing`` answers: the agent-facing part of the contract, in memory.

Owns: sessions, nodes and runs as far as a client can tell. Must not know: sockets, threads.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol

from soong_memory_client.errors import RpcError
from soong_memory_client.wire import Json

Answer = Any  # a result, an RpcError to reply with, or a function from params to either

NUMBERS: Mapping[str, int] = {
    "invalid_params": -32602,
    "method_not_found": -32601,
    "internal": -32603,
    "session_unknown": -32001,
    "agent_unknown": -32002,
    "role_denied": -32003,
    "agent_conflict": -32004,
    "node_conflict": -32005,
    "not_found": -32006,
    "memory_disabled": -32007,
    "busy": -32008,
    "storage_full": -32009,
    "read_only": -32010,
    "protocol_version": -32011,
    "memory_changed": -32012,
    "message_too_large": -32013,
    "shutting_down": -32014,
    "model_unconfigured": -32015,
}
RETRYABLE = frozenset({"busy", "storage_full", "shutting_down"})


def refusal(code: str, message: str = "", hint: str = "", **data: object) -> RpcError:
    """The error reply that the daemon sends for ``code``."""
    return RpcError(NUMBERS[code], code, message, {"code": code, "retryable": code in RETRYABLE, "hint": hint, **data})


class Knowledge(Protocol):
    """What an answer may look at."""

    sessions: dict[str, Session]
    events: list[Json]


class Session:
    """What the fake remembers of one session."""

    def __init__(self, agent_id: str) -> None:
        self.agents = {agent_id: "main"}
        self.nodes: list[Json] = []
        self.abandoned: set[str] = set()
        self.runs: dict[str, str] = {}
        self.closed = False


def _session(daemon: Knowledge, params: Json) -> Session:
    session = daemon.sessions.get(params["session_id"])
    if session is None:
        raise refusal("session_unknown")
    return session


def _session_open(daemon: Knowledge, params: Json) -> Json:
    session_id, agent_id = params["session_id"], params.get("agent_id", "main")
    created = session_id not in daemon.sessions
    session = daemon.sessions.setdefault(session_id, Session(agent_id))
    if session.agents.get(agent_id) != "main":
        raise refusal("agent_conflict")
    session.closed = False
    return {"session_id": session_id, "created": created, "durable_sequence": len(session.nodes), "unscanned_messages": 0}


def _session_close(daemon: Knowledge, params: Json) -> Json:
    _session(daemon, params).closed = True
    return {}


def _agent_register(daemon: Knowledge, params: Json) -> Json:
    known = _session(daemon, params).agents.setdefault(params["agent_id"], params["kind"])
    if known != params["kind"]:
        raise refusal("agent_conflict")
    return {"agent_id": params["agent_id"], "kind": known}


def _append(daemon: Knowledge, params: Json) -> Json:
    session = _session(daemon, params)
    known = {node["node_id"]: node for node in session.nodes}
    fresh, duplicates = [], []
    for index, node in enumerate(params["nodes"]):
        if node.get("agent_id") is not None and node["agent_id"] not in session.agents:
            raise refusal("agent_unknown", index=index)
        if node["node_id"] not in known:
            fresh.append(node)
        elif _content(node) == _content(known[node["node_id"]]):
            duplicates.append(node["node_id"])
        else:
            raise refusal("node_conflict", index=index)
    session.nodes += [{**node, "sequence": len(session.nodes) + place} for place, node in enumerate(fresh, 1)]
    return {"durable_sequence": len(session.nodes), "appended": len(fresh), "duplicates": duplicates}


def _content(node: Json) -> str:
    return json.dumps([node.get(name) for name in ("kind", "origin", "text", "summary", "artifact_refs")])


def _rewind(daemon: Knowledge, params: Json) -> Json:
    session = _session(daemon, params)
    order = [node["node_id"] for node in session.nodes]
    if params["node_id"] not in order:
        raise refusal("not_found")
    later = set(order[order.index(params["node_id"]) + 1 :]) - session.abandoned
    session.abandoned |= later
    return {"abandoned": len(later)}


def _run_started(daemon: Knowledge, params: Json) -> Json:
    _session(daemon, params).runs.setdefault(params["run_id"], "open")
    return {"cancelled_idle": False}


def _run_completed(daemon: Knowledge, params: Json) -> Json:
    session = _session(daemon, params)
    if session.runs.get(params["run_id"], "open") == "open":
        session.runs[params["run_id"]] = params["status"]
    return {"decision": None}


EMPTY_REVISION = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
LIMITS = {"max_message_bytes": 1 << 20, "max_batch": 16, "max_in_flight": 32, "max_nodes": 256}
NO_MATCH: Json = {
    "status": "no_match",
    "message": None,
    "node": None,
    "recalled": [],
    "already_recalled": [],
    "omitted": [],
    "selected_by": "lexical",
    "degraded": None,
}
BUILT_IN: Mapping[str, Answer] = {
    "initialize": {
        "protocol_version": 1,
        "server": {"name": "fake-memoryd", "version": "0"},
        "limits": LIMITS,
        "memory_enabled": True,
    },
    "session.open": _session_open,
    "session.close": _session_close,
    "agent.register": _agent_register,
    "context.append": _append,
    "context.rewind": _rewind,
    "run.started": _run_started,
    "run.completed": _run_completed,
    "memory.catalog": {"text": "", "entries": 0, "truncated": False, "revision": EMPTY_REVISION},
    "memory.recall": NO_MATCH,
    "events.subscribe": lambda daemon, params: {"last": len(daemon.events)},
    "events.list": lambda daemon, params: {"events": daemon.events, "last": len(daemon.events)},
}
