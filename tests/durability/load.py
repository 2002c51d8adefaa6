"""Clients that talk to a daemon until it dies under them, and write down what it acknowledged.

Owns: what a client does and what it notes. Must not know when the daemon dies.
"""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.durability.history import Acknowledged
from tests.durability.minds import wish
from tests.support.daemon import LineClient, RpcFailure

TOPICS = 6
REFUSALS_OF_A_FULL_DISK = ("storage_full", "read_only", "busy", "shutting_down", "internal")


@dataclass
class Talker(threading.Thread):
    """One client of one session. What was sent without an answer is sent again by the next talker of the session."""

    socket_path: Path
    session_id: str
    seed: int
    acknowledged: Acknowledged
    pending: list[dict[str, Any]] = field(default_factory=list)
    turns: int = 1_000
    refused: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)
        self._random = random.Random(self.seed)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        try:
            with LineClient(self.socket_path) as client:
                client.call("session.open", session_id=self.session_id)
                self._send(client)
                for turn in range(self.turns):
                    self._turn(client, f"{self.seed}-{turn}")
        except (OSError, ValueError):  # it died: that is what we are here for
            return

    def _turn(self, client: LineClient, name: str) -> None:
        try:
            client.call("run.started", session_id=self.session_id, run_id=name)
            for part in range(self._random.randint(1, 3)):
                topic = self._random.randrange(TOPICS)
                text = wish(topic, f"{self.session_id}-{name}-{part}") if part == 0 else f"words {name} {part}"
                kind = "user_message" if part == 0 else self._random.choice(("assistant_message", "tool_result"))
                self.pending.append({"node_id": f"{name}-{part}", "kind": kind, "text": text})
            self._send(client)
            client.call("run.completed", session_id=self.session_id, run_id=name, status="completed")
        except RpcFailure as failure:
            self.refused.append(failure.code)
            if failure.code not in REFUSALS_OF_A_FULL_DISK:
                raise

    def _send(self, client: LineClient) -> None:
        if not self.pending:
            return
        reply = client.call("context.append", session_id=self.session_id, nodes=self.pending)
        for node in self.pending:
            self.acknowledged.note(self.session_id, node["node_id"], node["text"], reply["durable_sequence"])
        self.pending.clear()
