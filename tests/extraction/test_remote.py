"""Attempts through a provider on a socket: every rung of the ladder, and answers that are not what was asked for."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from soong_memoryd.llm.remote import RemoteModel
from soong_memoryd.sessions.scheduler import Outcome
from tests.extraction.fakes import AttemptNotes, MemoryFiles, extraction
from tests.extraction.nodes import job, node, source
from tests.support.model_server import ModelServer, calls
from tests.support.models import remote_at

SAID = "I brew my coffee in a moka pot"
FACT = {
    "category": "user",
    "name": "moka-pot",
    "summary": "Brews coffee in a moka pot",
    "tags": ["coffee"],
    "body": "The user brews coffee in a moka pot.",
    "evidence": [{"node_id": "n1", "quote": SAID}],
    "confirmed_by": None,
}
ANSWER = calls(("create_memory", FACT), ("finish", {"ignored": [], "duplicates": []}))


def attempt(model: RemoteModel) -> tuple[Outcome, MemoryFiles]:
    files = MemoryFiles()
    log = AttemptNotes(source(node(1, "user", f"{SAID}, by the way."), node(2, "assistant", "Nice.")))

    async def run() -> Outcome:
        try:
            return await extraction(model, files, log).attempt(job())
        finally:
            await model.close()

    return asyncio.run(run()), files


@pytest.mark.rule("extraction.every-rung")
@pytest.mark.parametrize("refused", ["", "tools", "tools json_schema", "tools json_schema json_object"])
def test_a_fact_is_stored_once_whatever_the_provider_understands(refused: str) -> None:
    with ModelServer(ANSWER) as server:
        server.refuse = set(refused.split())
        outcome, files = attempt(remote_at(server.base_url))
    assert outcome == Outcome()
    assert [memory.body for memory in files.memories().values()] == [FACT["body"]]


FAULTS = [
    "prose_around_json",
    "wrong_schema",
    "bad_quote",
    "think_first",
    "unknown_tool",
    "duplicate_tool_call_ids",
    "empty",
]


@pytest.mark.rule("extraction.one-bad-answer")
@pytest.mark.parametrize("refused", ["", "tools json_schema json_object"], ids=["tools", "plain"])
@pytest.mark.parametrize("fault", FAULTS)
def test_one_bad_answer_neither_loses_nor_invents_a_fact(fault: str, refused: str) -> None:
    with ModelServer(ANSWER) as server:
        server.refuse = set(refused.split())
        server.queue(fault)
        outcome, files = attempt(remote_at(server.base_url))
    assert outcome == Outcome()
    assert [memory.body for memory in files.memories().values()] == [FACT["body"]]


@pytest.mark.parametrize(("fault", "blame"), [("truncated_json", "window"), ("http_401", "profile"), ("quota_429", "profile")])
def test_an_answer_that_cannot_count_fails_the_attempt(fault: str, blame: str) -> None:
    with ModelServer(ANSWER) as server:
        server.queue(fault, fault)
        outcome, files = attempt(remote_at(server.base_url))
    assert outcome.failure is not None
    assert outcome.failure.blame == blame
    assert files.commits == []


@pytest.mark.rule("job.request-is-ours")
def test_the_prompt_reaches_the_provider_with_its_node_ids() -> None:
    with ModelServer(ANSWER) as server:
        attempt(remote_at(server.base_url))
        (request,) = server.requests
    user: dict[str, Any] = next(message for message in request["messages"] if message["role"] == "user")
    assert 'id="n1" role="user" origin="typed" use="new"' in user["content"]
