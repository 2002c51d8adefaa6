"""Builds context nodes and windows for the tests of extraction."""

from __future__ import annotations

from typing import Any

from soong_memoryd.clock import Deadline
from soong_memoryd.state.rows import JobRow, NodeRow, Scan
from tests.support.placeholders import load_cases

KINDS = {
    "user": ("user_message", "typed"),
    "assistant": ("assistant_message", "generated"),
    "tool": ("tool_result", "external"),
    "summary": ("compact_summary", "generated"),
    "memory": ("memory_context", "synthetic"),
    "other": ("other", "synthetic"),
}


def node(sequence: int, role: str, text: str, **changes: Any) -> NodeRow:
    """One node of the main agent; ``changes`` are fields of ``NodeRow``."""
    kind, origin = KINDS[role]
    origin = changes.pop("origin", origin)
    agent_kind = changes.get("agent_kind", "main")
    fields: dict[str, Any] = {
        "session_id": "s1",
        "sequence": sequence,
        "node_id": f"n{sequence}",
        "parent_id": None,
        "agent_id": agent_kind,
        "agent_kind": agent_kind,
        "run_id": "r1",
        "kind": kind,
        "origin": origin,
        "text": text,
        "summary": text if role == "tool" else None,
        "artifact_refs": (),
        "metadata": {},
        "created_at": "2026-11-30T08:00:00Z",
        "candidate": kind == "user_message" and origin == "typed" and agent_kind == "main",
    }
    return NodeRow(**{**fields, **changes})


def source(*nodes: NodeRow, cursor: int = 0, limit: int | None = None, halvings: int = 0) -> Scan:
    """A session of these nodes, none of its runs open unless ``limit`` says so."""
    last = max((each.sequence for each in nodes), default=0)
    return Scan("s1", cursor, last if limit is None else limit, tuple(nodes), halvings)


def job(reason: str = "explicit", attempt: int = 0) -> JobRow:
    """A pending job of the session."""
    due = Deadline("boot", 0.0, 0.0)
    return JobRow(
        "job_1", "s1", reason, "schedule", "pending", attempt, due, None, None, "2026-12-01T00:00:00Z", None, None, None, None
    )


def cases() -> list[dict[str, Any]]:
    """The conversations of the case files, secrets of made-up shape filled in."""
    return [case for name in ("extraction_dev.jsonl", "extraction_own.jsonl") for case in load_cases(name)]


def case_nodes(case: dict[str, Any]) -> tuple[NodeRow, ...]:
    """A case's nodes as the ledger would have stored them, before redaction."""
    rows = []
    for sequence, each in enumerate(case["nodes"], 1):
        agent_kind = "sub" if each["agent"].startswith("sub:") else "main"
        changes: dict[str, Any] = {"node_id": each["id"], "agent_kind": agent_kind}
        if "origin" in each:
            changes["origin"] = each["origin"]
        rows.append(node(sequence, each["role"], each["text"], **changes))
    return tuple(rows)
