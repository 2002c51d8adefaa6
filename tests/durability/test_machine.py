"""The whole service against an oracle: whatever order things happen in, the promise holds after each of them."""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pytest
import structlog
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from soong_memoryd.errors import ModelError, RequestError
from soong_memoryd.llm.conversation import Answer, Conversation, Usage
from soong_memoryd.memories.document import parse, serialise
from soong_memoryd.memories.schema import Document
from soong_memoryd.state.queries import events, jobs
from tests.durability import minds
from tests.durability.history import Acknowledged, memory_files, violations
from tests.durability.service import Service

T = TypeVar("T")
SESSIONS = ("s1", "s2")
EXAMPLES, STEPS = 8, 30
LONG_STEPS = 60


class Fickle:
    """A model that writes what is wished for, or fails the way it is told to next."""

    label = "scripted"
    context_tokens = 100_000

    def __init__(self) -> None:
        self.fault: str | None = None
        self.seen: Counter[str] = Counter()

    async def ask(self, conversation: Conversation) -> Answer:
        fault, self.fault = self.fault, None
        if fault == "nonsense":
            return Answer((), Usage(1, 10, 1), "tools", "no call")
        if fault is not None:
            raise ModelError(fault, "it failed", blame="profile" if fault == "rate_limit" else "window")
        return Answer(tuple(minds.calls_for(conversation)), Usage(1, 10, 10), "tools")


class Machine(RuleBasedStateMachine):
    """Two sessions, one memory directory, one clock. What was sent and acknowledged is the oracle."""

    happened: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.root = Path(tempfile.mkdtemp(prefix="soong-machine-"))
        self.model = Fickle()
        self.service = Service(self.root / "home", self.model)
        self.acknowledged = Acknowledged()
        self.sent: dict[str, list[dict[str, Any]]] = {session: [] for session in SESSIONS}
        self.runs: dict[str, str | None] = dict.fromkeys(SESSIONS)
        self.edited: dict[str, bytes] = {}
        self.numbers = itertools.count(1)

    def do(self, begin: Callable[[], Awaitable[T]]) -> T:
        async def main() -> T:
            return await begin()

        return self.loop.run_until_complete(main())

    @initialize()
    def begin(self) -> None:
        self.do(lambda: self.service.start())
        for session in SESSIONS:
            self.do(partial(self.service.sessions.open, session, "main", None))

    @rule(
        session=st.sampled_from(SESSIONS),
        kinds=st.lists(st.sampled_from(("wish", "wish", "talk", "tool")), min_size=1, max_size=4),
    )
    def append(self, session: str, kinds: list[str]) -> None:
        nodes = [self._node(kind) for kind in kinds]
        self.send(session, nodes)
        self.sent[session] += nodes

    def _node(self, kind: str) -> dict[str, Any]:
        number = next(self.numbers)
        text = minds.wish(number % 4, number) if kind == "wish" else f"words of no consequence {number}"
        return {"node_id": f"n{number}", "kind": "tool_result" if kind == "tool" else "user_message", "text": text}

    @rule(session=st.sampled_from(SESSIONS), data=st.data())
    def send_again(self, session: str, data: st.DataObject) -> None:
        """A client that lost the answers sends some of what it had sent, in any order."""
        again = (
            data.draw(st.lists(st.sampled_from(self.sent[session]), max_size=4, unique_by=lambda n: n["node_id"]))
            if self.sent[session]
            else []
        )
        if again:
            reply = self.send(session, again)
            assert reply["appended"] == 0 and len(reply["duplicates"]) == len(again)

    @rule(session=st.sampled_from(SESSIONS))
    def send_other_content_under_a_known_id(self, session: str) -> None:
        if self.sent[session]:
            try:
                self.send(
                    session, [{"node_id": "new-one", "kind": "other", "text": ""}, {**self.sent[session][0], "text": "other"}]
                )
            except RequestError as error:
                assert error.code == "node_conflict"
            else:
                raise AssertionError("a conflict was taken")

    def send(self, session: str, nodes: list[dict[str, Any]]) -> dict[str, Any]:
        reply = self.do(lambda: self.service.append(session, nodes))
        for node in nodes:
            self.acknowledged.note(session, node["node_id"], node["text"], reply["durable_sequence"])
        return reply

    @rule(session=st.sampled_from(SESSIONS), back=st.integers(0, 4))
    def rewind(self, session: str, back: int) -> None:
        if len(self.sent[session]) > back:
            self.do(lambda: self.service.sessions.rewind(session, self.sent[session][-1 - back]["node_id"]))

    @rule(session=st.sampled_from(SESSIONS))
    def start_run(self, session: str) -> None:
        self.runs[session] = f"r{next(self.numbers)}"
        self.do(lambda: self.service.sessions.start_run(session, self.runs[session], None))

    @rule(session=st.sampled_from(SESSIONS), known=st.booleans(), twice=st.booleans())
    def complete_run(self, session: str, known: bool, twice: bool) -> None:
        """The end of a run, perhaps heard before its start, perhaps heard twice."""
        run = (self.runs[session] if known else None) or f"r{next(self.numbers)}"
        for _ in range(1 + twice):
            self.do(partial(self.service.sessions.complete_run, session, run, None, "completed"))

    @rule(session=st.sampled_from(SESSIONS))
    def close(self, session: str) -> None:
        self.do(lambda: self.service.sessions.close(session))

    @rule(seconds=st.sampled_from((1.0, 61.0, 130.0, 4_000.0, 90_000.0)))
    def time_passes(self, seconds: float) -> None:
        self.service.clock.advance(seconds)

    @rule(seconds=st.sampled_from((-40_000_000.0, -3_600.0, 3_600.0, 40_000_000.0)))
    def the_clock_is_set(self, seconds: float) -> None:
        self.service.clock.jump(seconds)

    @rule(fault=st.sampled_from(("nonsense", "overflow", "rate_limit")))
    def the_model_will_fail(self, fault: str) -> None:
        self.model.fault = fault

    @rule()
    def jobs_run(self) -> None:
        self.do(lambda: self.service.run_due())

    @rule(session=st.sampled_from(SESSIONS))
    def the_operator_asks(self, session: str) -> None:
        self.do(lambda: self.service.sessions.trigger(session))

    @rule(reboot=st.booleans())
    def restart(self, reboot: bool) -> None:
        self.do(lambda: self.service.stop())
        if reboot:
            self.service.clock.reboot()
        self.do(lambda: self.service.start())

    @rule()
    def dies_between_the_start_of_an_attempt_and_its_end(self) -> None:
        self.do(lambda: self.service.begin_and_die())
        self.do(lambda: self.service.start())

    @precondition(lambda self: bool(memory_files(self.service.home)))
    @rule(data=st.data(), how=st.sampled_from(("rename", "in place", "delete", "backup")))
    def somebody_edits(self, data: st.DataObject, how: str) -> None:
        path = self.service.home / "memory" / data.draw(st.sampled_from(sorted(memory_files(self.service.home))))
        if how == "delete":
            path.unlink()
            self.edited.pop(path.name, None)
            self.do(lambda: self.service.look())
            return
        document = parse(path.read_bytes())
        changed = serialise(Document(document.frontmatter, document.body.rstrip("\n") + f"\nedited {next(self.numbers)}"))
        if how == "backup":
            path.with_name(path.name + "~").write_bytes(path.read_bytes())
        if how == "in place":
            path.write_bytes(changed)
        else:
            temporary = path.with_name(f".{path.name}.swp")
            temporary.write_bytes(changed)
            os.replace(temporary, path)
        path.with_name(path.name + "~").unlink(missing_ok=True)
        self.do(lambda: self.service.look())

    @invariant()
    def the_promise_holds(self) -> None:
        if not self.service.is_up:
            return
        self.do(lambda: self.service.look())
        self.do(lambda: self.service.database.run(self._check_rows))
        snapshot = self.do(lambda: self.service.store.snapshot())
        if not self.service.store.suspect:
            assert (self.service.home / "memory" / "MEMORY.md").read_text() == snapshot.catalog.text

    def _check_rows(self, connection: Any) -> None:
        for session in SESSIONS:
            row = connection.execute("SELECT cursor, last_sequence FROM sessions WHERE session_id = ?", (session,)).fetchone()
            if row is None:
                continue
            reached = 0
            for event in events.after(connection, 0, session_id=session, type_="memory_extraction_completed", limit=10_000):
                assert event["payload"]["from_sequence"] > reached, "a message was in two windows"
                reached = event["payload"]["to_sequence"]
            assert row["cursor"] == reached <= row["last_sequence"], "the cursor does not agree with the events"
        open_attempts: set[str] = set()
        for event in events.after(connection, 0, limit=100_000):
            if event["type"] == "memory_extraction_started":
                assert event["job_id"] not in open_attempts, "an attempt began twice"
                open_attempts.add(event["job_id"])
            elif event["type"] in ("memory_extraction_completed", "memory_extraction_failed"):
                open_attempts.remove(event["job_id"])
        assert open_attempts == {job.job_id for job in jobs.running(connection)}

    def teardown(self) -> None:
        try:
            if self.service.is_up:
                self.do(lambda: self.service.settle(SESSIONS))
                self.happened.update(self.do(lambda: self.service.database.run(_count_events)))
                suspect = self.service.store.suspect
                self.do(lambda: self.service.stop())
                if not suspect:
                    assert self._violations() == []
        finally:
            if self.service.is_up:
                self.do(lambda: self.service.stop())
            self.loop.close()
            shutil.rmtree(self.root, ignore_errors=True)

    def _violations(self) -> list[str]:
        by_hand = ("updates and kept versions differ", "in 0 files", "a value that nobody gave it", "creations have no file")
        return [
            found
            for found in violations(self.service.home, self.acknowledged, settled=True)
            if not any(part in found for part in by_hand)
        ]


def _count_events(connection: sqlite3.Connection) -> dict[str, int]:
    return dict(connection.execute("SELECT type, count(*) FROM events GROUP BY type").fetchall())


def explore(examples: int, steps: int) -> Counter[str]:
    """Run the machine; what happened, by the kind of event."""
    Machine.happened = Counter()
    bounds = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Machine, settings=bounds)
    return Machine.happened


@pytest.mark.rule("durability.machine")
def test_the_service_keeps_its_promise_in_any_order_of_events() -> None:
    happened = explore(EXAMPLES, STEPS)
    assert happened["memory_extraction_completed"] and happened["memory_extraction_failed"]


def main() -> int:
    """Explore for long and print what happened."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    began = time.monotonic()
    happened = explore(int(sys.argv[1]), LONG_STEPS)
    print(f"machine: {sys.argv[1]} lives, 0 violations in {time.monotonic() - began:.0f} s; {dict(sorted(happened.items()))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
