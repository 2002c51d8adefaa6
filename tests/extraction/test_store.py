"""Attempts on the real ledger and the real memory directory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from soong_memoryd.llm.conversation import Answer, Conversation
from soong_memoryd.memories.store import MemoryStore
from soong_memoryd.protocol.values import Node
from soong_memoryd.sessions import arrival, attempts, ledger
from soong_memoryd.sessions.scheduler import Outcome
from soong_memoryd.sessions.waiting import Moment
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import counters, events, jobs, sessions
from soong_memoryd.state.rows import EventDraft, JobCompletion, JobRow, Json, Scan
from soong_memoryd.text.secrets.finder import SecretFinder
from tests.extraction.fakes import Reply, ScriptedModel, create, extraction, finish, update
from tests.support.clock import ManualClock
from tests.support.ledger import POLICY, READING

TEA = "I drink green tea all day"


class Bench:
    """A session in which the user said one thing, and the job that waits for it."""

    def __init__(self, database: Database, store: MemoryStore, clock: ManualClock) -> None:
        self.database = database
        self.store = store
        self.clock = clock
        self.moment = Moment(clock, POLICY)

    async def say(self, node_id: str, text: str) -> None:
        """One message outside any run."""
        key = await self.database.run(counters.hash_key)
        said = arrival.receive(Node.model_validate({"node_id": node_id, "kind": "user_message", "text": text}), key, READING)
        await self.database.run(lambda c: ledger.append(c, self.moment, "s1", [said]))

    async def read_source(self, session_id: str) -> Scan:
        return await self.database.run(lambda c: attempts.read_scan(c, session_id))

    async def begin(self, job_id: str, from_sequence: int, to_sequence: int, payload: Json) -> None:
        await self.database.run(lambda c: attempts.begin(c, self.moment, job_id, from_sequence, to_sequence, payload))

    async def complete_without_files(self, completion: JobCompletion, event: EventDraft) -> None:
        await self.database.run(lambda c: attempts.complete(c, self.moment, completion, event))

    async def job(self) -> JobRow:
        """The session's job, triggered."""
        (job,) = await self.database.run(lambda c: attempts.trigger(c, self.moment, "s1"))
        return job

    async def attempt(self, *replies: Reply, model: ScriptedModel | None = None) -> Outcome:
        return await extraction(model or ScriptedModel(*replies), self.store, self, clock=self.clock).attempt(await self.job())

    async def cursor(self) -> int:
        session = await self.database.run(lambda c: sessions.get(c, "s1"))
        assert session is not None
        return session.cursor

    async def ended(self) -> list[dict[str, Any]]:
        """The completed events' payloads."""
        found = await self.database.run(lambda c: events.after(c, 0, type_="memory_extraction_completed"))
        return [event["payload"] for event in found]


def on_bench(tmp_path: Path, scenario: Callable[[Bench], Awaitable[None]]) -> None:
    async def run() -> None:
        clock = ManualClock()
        (tmp_path / "memoryd").mkdir(mode=0o700)
        database = await Database.open(tmp_path / "memoryd" / "state.db")
        store = await MemoryStore.open(
            tmp_path / "memory",
            tmp_path / "memoryd",
            database,
            clock,
            catalog_max_tokens=4_000,
            secret_refusal=SecretFinder().refusal,
        )
        bench = Bench(database, store, clock)
        await database.run(lambda c: ledger.open_session(c, bench.moment, "s1", "main", None))
        await bench.say("n1", f"{TEA}.")
        try:
            await scenario(bench)
        finally:
            await store.close()
            await database.close()

    asyncio.run(run())


@pytest.mark.rule("extraction.node-to-file", "job.catalog-in-the-same-commit")
def test_what_was_said_becomes_a_file_a_catalog_line_an_event_and_a_cursor(tmp_path: Path) -> None:
    async def scenario(bench: Bench) -> None:
        assert await bench.attempt([create("n1", TEA, name="green-tea", summary="Drinks green tea"), finish()]) == Outcome()
        (path,) = (tmp_path / "memory" / "user").iterdir()
        assert TEA in path.read_text(encoding="utf-8")
        assert "Drinks green tea" in (tmp_path / "memory" / "MEMORY.md").read_text(encoding="utf-8")
        (payload,) = await bench.ended()
        assert payload["files_changed"] == [f"user/{path.name}", "MEMORY.md"]
        assert await bench.cursor() == 1

    on_bench(tmp_path, scenario)


@pytest.mark.rule("memory.writer-conflict", "rule.cursor-moves-last")
def test_a_second_job_updates_in_place_and_the_event_comes_before_the_cursor(tmp_path: Path) -> None:
    async def scenario(bench: Bench) -> None:
        await bench.attempt([create("n1", TEA, name="green-tea", summary="Drinks green tea"), finish()])
        (entry,) = (await bench.store.snapshot()).entries
        await bench.say("n2", "no more tea for me, I drink coffee now")
        change = update(entry.frontmatter.id, "n2", "I drink coffee now", "conflict", summary="Drinks coffee")
        assert await bench.attempt([change, finish()]) == Outcome()
        (now,) = (await bench.store.snapshot()).entries
        assert (now.path, now.frontmatter.summary, now.frontmatter.source_node_ids) == (entry.path, "Drinks coffee", ("n2",))
        await bench.say("n3", "thanks")
        assert await bench.attempt([finish()]) == Outcome()
        assert len(await bench.ended()) == 3
        assert await bench.cursor() == 3

    on_bench(tmp_path, scenario)


@pytest.mark.rule("cursor.source-rewound")
def test_a_source_that_is_rewound_while_the_model_thinks_stores_nothing(tmp_path: Path) -> None:
    async def scenario(bench: Bench) -> None:
        await bench.say("n2", "I have two cats at home")

        class Thinking(ScriptedModel):
            async def ask(self, conversation: Conversation) -> Answer:
                await bench.database.run(lambda c: ledger.rewind(c, bench.moment, "s1", "n1"))
                return await super().ask(conversation)

        outcome = await bench.attempt(model=Thinking([create("n2", "I have two cats at home"), finish()]))
        assert outcome.failure is not None
        assert (outcome.failure.code, outcome.failure.blame) == ("source_changed", "none")
        assert (await bench.store.snapshot()).entries == ()
        assert await bench.cursor() == 0
        assert (await bench.database.run(jobs.running)) != []

    on_bench(tmp_path, scenario)
