"""What a daemon answers in the tests of the command line: one scene with something of everything in it."""

from __future__ import annotations

import io
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from soong_memory_client.testing import Answer, FakeDaemon
from soong_memoryd.cli.ctl import main

NOW = datetime(2026, 12, 1, 14, 39, tzinfo=UTC)
SESSION = "claude-code:7f3a"
UV = "mem_20261128091502_k3f2ab9x"
LEDGER = "mem_20261130101010_a91cq2w3"
SHA = "9c1e" * 16
VERSION = "20261201T134000Z-18c92b28-0"

MEMORIES = [
    {
        "id": LEDGER,
        "category": "reference",
        "summary": "Postgres AT TIME ZONE docs",
        "tags": [],
        "created_at": "2026-11-30T10:10:10Z",
        "updated_at": "2026-11-30T10:10:10Z",
        "source_session_id": SESSION,
        "source_node_ids": ["n7", "n8"],
        "path": f"reference/at-time-zone-20261130-{LEDGER}.md",
        "sha256": SHA,
    },
    {
        "id": UV,
        "category": "feedback",
        "summary": "用 uv 而不是 pip 管理 Python 依赖",
        "tags": ["python", "uv"],
        "created_at": "2026-11-28T09:15:02Z",
        "updated_at": "2026-11-29T08:00:00Z",
        "source_session_id": SESSION,
        "source_node_ids": ["n3"],
        "path": f"feedback/use-uv-20261128-{UV}.md",
        "sha256": SHA,
    },
]
SESSIONS = [
    {
        "session_id": SESSION,
        "title": "修复导出",
        "unscanned_messages": 3,
        "cursor": 40,
        "last_sequence": 57,
        "next_due_at": "2026-12-01T14:40:12Z",
        "state": "waiting",
    },
    {
        "session_id": "codex:0199",
        "title": None,
        "unscanned_messages": 2,
        "cursor": 220,
        "last_sequence": 244,
        "next_due_at": None,
        "state": "parked",
    },
    {
        "session_id": "codex:0200",
        "title": "rename foo",
        "unscanned_messages": 0,
        "cursor": 9,
        "last_sequence": 9,
        "next_due_at": None,
        "state": "idle",
    },
]
DONE = {
    "job_id": "job_811",
    "session_id": SESSION,
    "reason": "explicit",
    "requested_by": "schedule",
    "status": "completed",
    "attempt": 1,
    "due_at": "2026-12-01T13:02:08Z",
    "from_sequence": 36,
    "to_sequence": 40,
    "created_at": "2026-12-01T13:02:08Z",
    "started_at": "2026-12-01T13:02:08Z",
    "finished_at": "2026-12-01T13:02:11Z",
    "result": {"created": [UV], "updated": [], "ignored": [{"reason": "one_off_task", "source_node_ids": ["n5"]}]},
    "error": None,
}
PENDING = {**DONE, "job_id": "job_812", "status": "pending", "due_at": "2026-12-01T14:40:12Z", "reason": "idle"}
PENDING |= {"attempt": 0, "from_sequence": None, "to_sequence": None, "started_at": None, "finished_at": None, "result": None}
FAILED = {**DONE, "job_id": "job_805", "session_id": "codex:0199", "status": "parked", "attempt": 6, "result": None}
FAILED |= {"requested_by": "operator", "error": {"code": "unreadable_answer", "text": "no call of the answer could be read"}}
EVENTS = [
    {
        "sequence": 1,
        "type": "memory_extraction_completed",
        "session_id": SESSION,
        "job_id": "job_811",
        "at": "2026-12-01T13:02:11Z",
        "payload": {"reason": "explicit", "requested_by": "schedule", "created": [UV], "updated": [], "ignored": [{}, {}]},
    },
    {
        "sequence": 2,
        "type": "memory_extraction_failed",
        "session_id": "codex:0199",
        "job_id": "job_805",
        "at": "2026-12-01T13:40:00Z",
        "payload": {"reason": "token_backlog", "attempt": 6, "error": {"code": "unreadable_answer", "text": "x"}},
    },
    {
        "sequence": 3,
        "type": "daemon_started",
        "session_id": None,
        "job_id": None,
        "at": "2026-12-01T14:00:00Z",
        "payload": {},
    },
]
STATUS = {
    "version": "0.1.0",
    "protocol_version": 1,
    "pid": 8123,
    "started_at": "2026-11-28T10:39:00Z",
    "home": "/homes/me/.soong-agent",
    "socket": "/homes/me/.soong-agent/memoryd/memoryd.sock",
    "state": "ready",
    "memory": {
        "enabled": True,
        "total": 2,
        "by_category": {"user": 0, "feedback": 1, "reference": 1},
        "invalid": 1,
        "catalog_tokens": 84,
        "revision": SHA,
    },
    "models": [
        {"use": "extract", "provider": "openai", "name": "gpt-6-mini", "state": "ok", "since": None, "error": None},
        {
            "use": "recall",
            "provider": "ollama",
            "name": "qwen3:14b",
            "state": "paused",
            "since": "2026-12-01T13:40:00Z",
            "error": "unreachable",
        },
    ],
    "sessions": {"open": 2, "unscanned_messages": 5, "next_due_at": "2026-12-01T14:40:12Z"},
    "jobs": {
        "pending": 1,
        "running": 0,
        "parked": 1,
        "last_failure": {
            "at": "2026-12-01T13:40:00Z",
            "session_id": "codex:0199",
            "job_id": "job_805",
            "code": "unreadable_answer",
            "text": "no call of the answer could be read",
        },
    },
    "tokens_today": {"calls": 9, "prompt_tokens": 18_240, "completion_tokens": 950},
    "counters": {"nodes": 310, "runs_completed": 42, "jobs_completed": 11, "jobs_failed": 6},
}
RECALLED = {
    "status": "recalled",
    "message": {"role": "user", "content": f'<memory ids="{UV}" categories="feedback">\n用 uv。\n</memory>'},
    "node": None,
    "recalled": [{name: MEMORIES[1][name] for name in ("id", "category", "summary", "path", "sha256")}],
    "already_recalled": [],
    "omitted": [{"id": LEDGER, "reason": "token_budget"}],
    "selected_by": "lexical",
    "degraded": "model_unconfigured",
}
WHY = {
    "sources": [
        {
            "session_id": SESSION,
            "node_id": "n3",
            "kind": "user_message",
            "excerpt": "以后都用 uv\n装依赖",
            "created_at": "2026-11-28T09:15:00Z",
        },
        {"session_id": SESSION, "node_id": "n2", "kind": None, "excerpt": None, "created_at": None},
    ],
    "events": EVENTS[:1],
}
PROBLEMS = [
    {
        "code": "catalog_stale",
        "path": "MEMORY.md",
        "text": "the catalog does not list every memory",
        "fix": "it is rendered again",
        "safe": True,
    },
    {
        "code": "unreadable",
        "path": "user/x.md",
        "text": "the frontmatter has no id",
        "fix": "add an id, or move the file away",
        "safe": False,
    },
]
PROFILES = [
    {
        "use": "extract",
        "provider": "openai",
        "name": "gpt-6-mini",
        "rung": "tools",
        "key_source": "env OPENAI_API_KEY",
        "state": "ok",
        "error": None,
    },
    {
        "use": "recall",
        "provider": "ollama",
        "name": "qwen3:14b",
        "rung": None,
        "key_source": None,
        "state": "failing",
        "error": "unreachable",
    },
]


def listed(params: Mapping[str, Any]) -> dict[str, Any]:
    """``memory.list`` with its filters."""
    found = [
        memory
        for memory in MEMORIES
        if params.get("category") in (None, memory["category"]) and params.get("tag") in (None, *memory["tags"])
    ]
    offset = params.get("offset", 0)
    return {"memories": found[offset : offset + params.get("limit", 50)], "total": len(found)}


def one(params: Mapping[str, Any]) -> dict[str, Any]:
    """``memory.get``."""
    entry = next(memory for memory in MEMORIES if memory["id"] == params["memory_id"])
    front = {name: value for name, value in entry.items() if name not in ("path", "sha256")}
    return {"frontmatter": front, "body": "Use uv, never pip.\n用 uv。", "path": entry["path"], "sha256": entry["sha256"]}


def answers() -> dict[str, Answer]:
    """The scene, fresh."""
    return {
        "daemon.status": STATUS,
        "session.list": lambda params: {"sessions": SESSIONS[params["offset"] :], "total": len(SESSIONS)},
        "extraction.list": {"jobs": [PENDING, DONE, FAILED]},
        "extraction.get": lambda params: next(job for job in (DONE, FAILED) if job["job_id"] == params["job_id"]),
        "extraction.trigger": {"jobs": [DONE]},
        "extraction.retry": {"jobs": [PENDING]},
        "extraction.skip": {"skipped_node_ids": ["n5", "n6"]},
        "events.list": lambda params: {"events": [event for event in EVENTS if event["sequence"] > params["after"]], "last": 3},
        "memory.list": listed,
        "memory.get": one,
        "memory.search": {
            "matches": [{"id": UV, "summary": MEMORIES[1]["summary"], "score": 3.14159, "path": MEMORIES[1]["path"]}]
        },
        "memory.why": WHY,
        "memory.history": {
            "versions": [{"version_id": VERSION, "at": "2026-12-01T13:40:00Z", "cause": "update", "sha256": SHA}]
        },
        "memory.undo": {"memory_id": UV, "path": MEMORIES[1]["path"], "sha256": SHA},
        "memory.forget": lambda params: {"memory_id": params["memory_id"], "path": MEMORIES[1]["path"]},
        "memory.recall": RECALLED,
        "daemon.verify": {"problems": PROBLEMS},
        "daemon.repair": {"problems": [{**PROBLEMS[0], "mended": True}, PROBLEMS[1]]},
        "config.check": {"profiles": PROFILES},
        "daemon.reload": {},
        "daemon.stop": {},
    }


class Ran(NamedTuple):
    """What one command printed, and how it ended."""

    code: int
    out: str
    err: str


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def run(daemon: FakeDaemon, *argv: str, typed: str | None = None, terminal: bool = False, **env: str) -> Ran:
    """Run soong-memoryctl against ``daemon``; ``typed`` is what a person at a terminal answers."""
    out: io.StringIO = Terminal() if terminal else io.StringIO()
    err, stdin = io.StringIO(), io.StringIO() if typed is None else Terminal(typed)
    variables = {"SOONG_AGENT_HOME": str(daemon.home), **env}
    code = main(argv, env=variables, out=out, err=err, stdin=stdin, now=NOW, zone=UTC)
    return Ran(int(code), out.getvalue(), err.getvalue())
