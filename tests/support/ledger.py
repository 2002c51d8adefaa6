"""A ledger on a real database file without a daemon around it: transactions are called directly."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from soong_memoryd.protocol.values import Node
from soong_memoryd.sessions import arrival, ledger, run_life
from soong_memoryd.sessions.arrival import Reading
from soong_memoryd.sessions.waiting import Moment, SchedulePolicy
from soong_memoryd.state.migrate import migrate
from soong_memoryd.state.queries import counters, events, jobs
from soong_memoryd.state.rows import JobRow
from tests.support.clock import ManualClock

POLICY = SchedulePolicy(
    enabled=True, extract_every_messages=4, extract_every_tokens=1000, idle_seconds=120, run_timeout_seconds=1800
)


class PlainRedactor:
    """Replaces one word: enough to see that redaction happens where it must."""

    def redact(self, text: str) -> str:
        return text.replace("hunter2", "[REDACTED:test]")

    def redact_value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.redact(value)
        if isinstance(value, dict):
            return {key: self.redact_value(item) for key, item in value.items()}
        return [self.redact_value(item) for item in value] if isinstance(value, list) else value


READING = Reading(PlainRedactor(), lambda text: text.startswith("remember"), lambda text: len(text) // 4)


class LedgerBench:
    """One session's calls in short form; every call is a transaction of its own."""

    def __init__(self, policy: SchedulePolicy = POLICY) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.row_factory = sqlite3.Row
        self.connection.execute("PRAGMA foreign_keys=ON")
        migrate(self.connection)
        self.clock = ManualClock()
        self.policy = policy
        self.key = counters.hash_key(self.connection)

    def close(self) -> None:
        self.connection.close()

    @property
    def moment(self) -> Moment:
        return Moment(self.clock, self.policy)

    def open(self, session_id: str = "s", agent_id: str = "main", title: str | None = None) -> dict[str, Any]:
        return self._call(lambda: ledger.open_session(self.connection, self.moment, session_id, agent_id, title))

    def append(self, *sent: dict[str, Any], session_id: str = "s") -> dict[str, Any]:
        arrivals = [arrival.receive(Node.model_validate(node), self.key, READING) for node in sent]
        return self._call(lambda: ledger.append(self.connection, self.moment, session_id, arrivals))

    def say(self, node_id: str, text: str = "hello", session_id: str = "s", **fields: Any) -> dict[str, Any]:
        return self.append({"node_id": node_id, "kind": "user_message", "text": text, **fields}, session_id=session_id)

    def start(self, run_id: str, agent_id: str | None = None, session_id: str = "s") -> dict[str, Any]:
        return self._call(lambda: run_life.start_run(self.connection, self.moment, session_id, run_id, agent_id))

    def complete(self, run_id: str, agent_id: str | None = None, status: str = "completed", session_id: str = "s") -> Any:
        return self._call(lambda: run_life.complete_run(self.connection, self.moment, session_id, run_id, agent_id, status))[
            "decision"
        ]

    def register(self, agent_id: str, kind: str, parent: str = "main", session_id: str = "s") -> dict[str, Any]:
        return self._call(lambda: ledger.register_agent(self.connection, session_id, agent_id, kind, parent))

    def rewind(self, node_id: str, session_id: str = "s") -> int:
        return self._call(lambda: ledger.rewind(self.connection, self.moment, session_id, node_id))["abandoned"]

    def pending(self) -> list[JobRow]:
        return jobs.pending(self.connection)

    def events(self, type_: str | None = None) -> Sequence[dict[str, Any]]:
        return events.after(self.connection, 0, type_=type_)

    def _call(self, transaction: Any) -> Any:
        self.connection.execute("BEGIN")
        try:
            result = transaction()
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")
        return result
