"""A turn says what was typed, what came of it and how it ended, and never gets in the agent's way."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from soong_memory_client import AsyncMemoryClient, MemoryClient
from soong_memory_client.testing import FakeDaemon, refusal
from soong_memory_client.turns import NO_MEMORY, NOTHING_FOUND, sub_agent_id

TYPED = "以后都用 uv，不要用 pip。"


@pytest.fixture
def daemon() -> Iterator[FakeDaemon]:
    with FakeDaemon() as running:
        yield running


class Sync:
    """The blocking turn behind the asynchronous one's shape, so that one suite holds for both."""

    def __init__(self, daemon: FakeDaemon, **options: Any) -> None:
        self.client = MemoryClient("agent", home=daemon.home, timeout_seconds=2.0, **options)

    def turn(self, use: Callable[[Any], Awaitable[None]], **ids: str) -> Any:
        with self.client.turn("s", TYPED, **ids) as turn:
            asyncio.run(use(_Awaitable(turn)))
        return turn

    def close(self) -> None:
        self.client.close()


class Async:
    """Every turn in an event loop of its own, as ``run_sync`` of a framework has it."""

    def __init__(self, daemon: FakeDaemon, **options: Any) -> None:
        self.client = AsyncMemoryClient("agent", home=daemon.home, timeout_seconds=2.0, **options)

    def turn(self, use: Callable[[Any], Awaitable[None]], **ids: str) -> Any:
        async def run() -> Any:
            async with self.client.turn("s", TYPED, **ids) as turn:
                await use(turn)
            return turn

        return asyncio.run(run())

    def close(self) -> None:
        asyncio.run(self.client.close())


class _Awaitable:
    def __init__(self, turn: Any) -> None:
        self._turn = turn

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def call(*args: Any, **options: Any) -> Any:
            return getattr(self._turn, name)(*args, **options)

        return call


@pytest.fixture(params=[Sync, Async], ids=["blocking", "asynchronous"])
def teller(request: pytest.FixtureRequest, daemon: FakeDaemon) -> Iterator[Any]:
    made = request.param(daemon)
    yield made
    made.close()


async def nothing(turn: Any) -> None:
    pass


@pytest.mark.rule("client.turn")
def test_a_turn_is_a_session_a_run_what_was_typed_the_reports_and_the_end(daemon: FakeDaemon, teller: Any) -> None:
    async def use(turn: Any) -> None:
        await turn.tool_result("pytest", "2 passed\n1 failed", artifact_refs=["tests/x.py"], failed=True)
        await turn.said("uv it is.")
        await turn.said("")

    turn = teller.turn(use)
    assert daemon.methods() == ["session.open", "run.started", *["context.append"] * 3, "run.completed"]
    typed, result, said = daemon.nodes("s")
    assert (typed["kind"], typed["origin"], typed["text"]) == ("user_message", "typed", TYPED)
    assert result["summary"] == "pytest failed: 2 passed 1 failed" and result["artifact_refs"] == ["tests/x.py"]
    assert (said["kind"], said["text"]) == ("assistant_message", "uv it is.")
    assert {node["run_id"] for node in daemon.nodes("s")} == {turn.run_id}
    assert len({node["node_id"] for node in daemon.nodes("s")}) == 3


@pytest.mark.rule("client.turn-sub-agents")
def test_what_a_sub_agent_is_told_and_says_is_its_own_and_nobody_typed_it(daemon: FakeDaemon, teller: Any) -> None:
    async def use(turn: Any) -> None:
        agent_id = await turn.sub_agent("main", brief="Always use npm.")
        await turn.said("done", agent_id=agent_id)
        await turn.tool_result("ls", "a", agent_id=agent_id)

    teller.turn(use)
    _, brief, said, result = daemon.nodes("s")
    assert brief["origin"] == "synthetic" and "run_id" not in brief
    assert {node["agent_id"] for node in (brief, said, result)} == {"sub:main"}
    assert [call["params"]["kind"] for call in daemon.received if call["method"] == "agent.register"] == ["sub"]


@pytest.mark.rule("client.turn")
def test_an_id_of_an_agent_is_one_that_the_wire_takes() -> None:
    assert sub_agent_id("bil\nling\x00" + "x" * 300, "worker").startswith("worker:bil ling x")
    assert len(sub_agent_id("账单" * 300, "sub")) == 200 and sub_agent_id("\n", "fork") == "fork:agent"


@pytest.mark.rule("client.turn-status")
@pytest.mark.parametrize(("raised", "status"), [(ValueError, "failed"), (asyncio.CancelledError, "cancelled")])
def test_how_a_turn_ends_is_said_and_its_error_goes_on(
    daemon: FakeDaemon, teller: Any, raised: type[BaseException], status: str
) -> None:
    async def use(turn: Any) -> None:
        raise raised

    with pytest.raises(raised):
        teller.turn(use)
    assert daemon.received[-1]["method"] == "run.completed" and daemon.received[-1]["params"]["status"] == status


@pytest.mark.rule("client.turn-status")
def test_a_task_that_is_cancelled_again_and_again_still_ends_its_run(daemon: FakeDaemon) -> None:
    async def run() -> None:
        async with AsyncMemoryClient("agent", home=daemon.home) as client:
            begun = asyncio.Event()

            async def agent() -> None:
                async with client.turn("s", TYPED):
                    begun.set()
                    await asyncio.Event().wait()

            task = asyncio.ensure_future(agent())
            await begun.wait()
            task.cancel()
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})  # what is told behind its back

    asyncio.run(run())
    assert daemon.received[-1]["params"]["status"] == "cancelled"


@pytest.mark.rule("client.turn-fails-open")
def test_without_a_daemon_a_turn_goes_on_and_is_told_later(daemon: FakeDaemon, teller: Any) -> None:
    async def use(turn: Any) -> None:
        assert await turn.catalog() == ""
        assert await turn.recall("uv?") == NO_MEMORY
        await turn.said("uv it is.")

    daemon.stop()
    assert teller.turn(use).decision is None
    daemon.start()
    teller.turn(nothing)
    assert [node["text"] for node in daemon.nodes("s")] == [TYPED, "uv it is.", TYPED]


@pytest.mark.rule("client.turn-fails-open")
@pytest.mark.parametrize("kind", [Sync, Async])
def test_a_daemon_that_hangs_costs_a_turn_one_deadline(daemon: FakeDaemon, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    teller = kind(daemon)
    connected = teller.client._connected
    asked: list[float] = []  # one connection, and one wait, for each deadline that is met

    def counted(*deadline: float) -> Any:
        asked.extend(deadline or (0.0,))
        return connected(*deadline)

    monkeypatch.setattr(teller.client, "_connected", counted)
    teller.client.timeout_seconds = 0.2

    async def use(turn: Any) -> None:
        assert (await turn.catalog(), await turn.recall("uv?")) == ("", NO_MEMORY)
        await turn.said("uv it is.")

    with daemon.paused():
        teller.turn(use)
    assert len(asked) == 1  # of the four that it could be
    teller.client.timeout_seconds = 5.0
    teller.turn(nothing)
    assert [node["text"] for node in daemon.nodes("s")] == [TYPED, "uv it is.", TYPED]
    teller.close()


@pytest.mark.rule("client.turn-fails-open")
@pytest.mark.parametrize("kind", [Sync, Async])
def test_without_daemon_and_outbox_a_turn_goes_on(daemon: FakeDaemon, kind: Any) -> None:
    teller = kind(daemon, outbox=False)
    daemon.stop()
    teller.turn(nothing)
    teller.close()


@pytest.mark.rule("client.turn-fails-open")
def test_a_refusal_is_logged_by_its_code_and_raises_nothing(
    daemon: FakeDaemon, teller: Any, caplog: pytest.LogCaptureFixture
) -> None:
    for method in ("session.open", "run.started", "context.append", "run.completed", "memory.recall", "memory.catalog"):
        daemon.answers[method] = refusal("invalid_params", TYPED)

    async def use(turn: Any) -> None:
        assert (await turn.catalog(), await turn.recall("")) == ("", NO_MEMORY)

    assert teller.turn(use).decision is None
    assert "invalid_params" in caplog.text and TYPED not in caplog.text


@pytest.mark.rule("client.turn")
def test_a_recall_is_always_a_text_for_the_model(daemon: FakeDaemon, teller: Any) -> None:
    answer = {"status": "recalled", "message": {"role": "user", "content": "<memory/>"}, "already_recalled": []}
    said = []

    async def use(turn: Any) -> None:
        for change in ({}, {"message": None, "already_recalled": ["mem_1"]}, {"message": None}):
            daemon.answers["memory.recall"] = {**answer, **change}
            said.append(await turn.recall("长" * 9_000, top_k=2))

    teller.turn(use)
    assert said == ["<memory/>", "Already in this conversation: mem_1", NOTHING_FOUND]
    asked = next(call["params"] for call in daemon.received if call["method"] == "memory.recall")
    assert (len(asked["query"]), asked["top_k"], asked["session_id"]) == (8_000, 2, "s")


@pytest.mark.rule("client.turn")
def test_ids_that_a_harness_has_are_kept_and_sent_again_they_change_nothing(daemon: FakeDaemon, teller: Any) -> None:
    async def use(turn: Any) -> None:
        await turn.said("uv it is.", node_id="msg-2")

    for _ in range(2):
        turn = teller.turn(use, run_id="run-1", node_id="msg-1")
        assert (turn.run_id, turn.node_id) == ("run-1", "msg-1")
    assert [node["node_id"] for node in daemon.nodes("s")] == ["msg-1", "msg-2"]


@pytest.mark.rule("client.threads")
def test_threads_share_a_client(daemon: FakeDaemon) -> None:
    with MemoryClient("agent", home=daemon.home) as client:
        with client.turn("s", TYPED) as turn:
            threads = [threading.Thread(target=lambda: (turn.said("one"), turn.recall("uv"))) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert len(daemon.nodes("s")) == 9 and daemon.received[-1]["method"] == "run.completed"
