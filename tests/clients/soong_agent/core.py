"""An agent core of the original design, as far as its memory seams go: stores sessions and nodes as the design says."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

AT = "2026-06-12T15:30:{:02d}.123456+00:00"
SCHEMA = """
CREATE TABLE sessions (session_id TEXT PRIMARY KEY, cwd TEXT NOT NULL, root_agent_id TEXT NOT NULL, active_node_id TEXT,
  parent_session_id TEXT, status TEXT NOT NULL, metadata_json TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
CREATE TABLE agents (agent_id TEXT PRIMARY KEY, session_id TEXT NOT NULL, parent_agent_id TEXT, agent_type TEXT NOT NULL,
  status TEXT NOT NULL, metadata_json TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
CREATE TABLE runs (run_id TEXT PRIMARY KEY, session_id TEXT NOT NULL, agent_id TEXT NOT NULL, status TEXT NOT NULL,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
"""
NODES = """
CREATE TABLE "nodes_{}" (node_id TEXT PRIMARY KEY, node_seq INTEGER NOT NULL, parent_id TEXT, agent_id TEXT NOT NULL,
  run_id TEXT, role TEXT NOT NULL, node_type TEXT NOT NULL, content_json TEXT NOT NULL, metadata_json TEXT,
  token_count INTEGER, created_at TEXT NOT NULL)
"""


def text(words: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": words}]


class Core:
    """Writes ``sessions.sqlite``; ``memory`` (the adapter), when there is one, hears of every node as it is stored."""

    def __init__(self, home: Path) -> None:
        self.database = home / "sessions.sqlite"
        self._connection = sqlite3.connect(self.database)
        self._connection.execute("PRAGMA journal_mode = WAL")  # as the design has it
        self._connection.executescript(SCHEMA)
        self.seq: dict[str, int] = {}

    def session(self, session_id: str, root: str, **metadata: Any) -> None:
        row = (session_id, "/", root, None, None, "active", json.dumps(metadata), AT.format(0), AT.format(0))
        self._connection.execute("INSERT INTO sessions VALUES (?,?,?,?,?,?,?,?,?)", row)
        self._connection.execute(NODES.format(session_id))
        self.agent(session_id, root, None, "main")
        self.seq[session_id] = 0

    def agent(self, session_id: str, agent_id: str, parent: str | None, kind: str, **metadata: Any) -> None:
        row = (agent_id, session_id, parent, kind, "idle", json.dumps(metadata), AT.format(1), AT.format(1))
        self._connection.execute("INSERT INTO agents VALUES (?,?,?,?,?,?,?,?)", row)

    def run(self, session_id: str, run_id: str, agent_id: str, status: str = "completed") -> None:
        row = (run_id, session_id, agent_id, status, AT.format(2), AT.format(2))
        self._connection.execute("INSERT INTO runs VALUES (?,?,?,?,?,?)", row)

    def node(
        self,
        session_id: str,
        agent_id: str,
        run_id: str | None,
        role: str,
        content: str | list[dict[str, Any]],
        node_type: str = "message",
        metadata: dict[str, Any] | None = None,
    ) -> tuple[dict[str, Any], int]:
        """Store a node; returns it as the core's own value has it, and its sequence."""
        self.seq[session_id] += 1
        seq = self.seq[session_id]
        blocks = text(content) if isinstance(content, str) else content
        node = {
            "node_id": f"{session_id}_n{seq}",
            "parent_id": f"{session_id}_n{seq - 1}" if seq > 1 else None,
            "agent_id": agent_id,
            "run_id": run_id,
            "role": role,
            "node_type": node_type,
            "content": blocks,
            "metadata": metadata or {},
            "token_count": 7,
            "created_at": AT.format(seq % 60),
        }
        row = [node["node_id"], seq, node["parent_id"], agent_id, run_id, role, node_type, json.dumps(blocks)]
        row += [json.dumps(node["metadata"]), 7, node["created_at"]]
        self._connection.execute(f'INSERT INTO "nodes_{session_id}" VALUES (?,?,?,?,?,?,?,?,?,?,?)', row)
        return node, seq

    def close(self) -> Path:
        self._connection.commit()
        self._connection.close()
        return self.database
