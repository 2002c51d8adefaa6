"""The agent-facing methods as values, once for the blocking and the asynchronous client.

Owns: parameter names of these methods, and which of them are durable. Must not know: how a call is sent. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from soong_memory_client.wire import Call, Json, given

if TYPE_CHECKING:
    from soong_memory_client import results

PROTOCOL_VERSION = 1
MAX_NODES = 256


def initialize(name: str, version: str) -> Call[Json]:
    """``initialize``: optional, says who calls."""
    return Call("initialize", {"protocol_version": PROTOCOL_VERSION, "client": {"name": name, "version": version}})


def session_open(session_id: str, agent_id: str | None = None, title: str | None = None) -> Call[results.SessionOpened]:
    """``session.open``: names the session and its main agent; opening it again changes nothing."""
    return Call("session.open", given(session_id=session_id, agent_id=agent_id, title=title), durable=True)


def session_close(session_id: str) -> Call[Json]:
    """``session.close``: an open run is abandoned, the idle clock goes on."""
    return Call("session.close", {"session_id": session_id}, durable=True)


def agent_register(session_id: str, agent_id: str, kind: str, parent_agent_id: str) -> Call[results.AgentRegistered]:
    """``agent.register``: an agent below main (``sub | fork | worker | compact``)."""
    params = {"session_id": session_id, "agent_id": agent_id, "kind": kind, "parent_agent_id": parent_agent_id}
    return Call("agent.register", params, durable=True)


def append(session_id: str, nodes: Sequence[Mapping[str, Any]]) -> Call[results.Appended]:
    """``context.append``: 1 to 256 nodes, all or nothing."""
    if not 1 <= len(nodes) <= MAX_NODES:
        raise ValueError(f"a call appends 1 to {MAX_NODES} nodes")
    return Call("context.append", {"session_id": session_id, "nodes": [dict(node) for node in nodes]}, durable=True)


def rewind(session_id: str, node_id: str) -> Call[results.Rewound]:
    """``context.rewind``: everything after that node leaves the path."""
    return Call("context.rewind", {"session_id": session_id, "node_id": node_id}, durable=True)


def run_started(session_id: str, run_id: str, agent_id: str | None = None) -> Call[results.RunStarted]:
    """``run.started``."""
    return Call("run.started", given(session_id=session_id, run_id=run_id, agent_id=agent_id), durable=True)


def run_completed(
    session_id: str, run_id: str, status: str = "completed", agent_id: str | None = None
) -> Call[results.RunCompleted]:
    """``run.completed`` with ``completed | failed | cancelled``."""
    params = given(session_id=session_id, run_id=run_id, agent_id=agent_id, status=status)
    return Call("run.completed", params, durable=True)


def catalog(session_id: str | None = None, agent_id: str | None = None, max_tokens: int | None = None) -> Call[results.Catalog]:
    """``memory.catalog``: MEMORY.md as it goes into the system prompt."""
    return Call("memory.catalog", given(session_id=session_id, agent_id=agent_id, max_tokens=max_tokens))


def recall(query: str, session_id: str | None = None, **options: Any) -> Call[results.Recalled]:
    """``memory.recall``; ``options``: agent_id, run_id, user_request, path_summary, top_k, token_budget."""
    return Call("memory.recall", given(session_id=session_id, query=query, **options))
