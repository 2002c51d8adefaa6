from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import anyio
import anyio.lowlevel
import pytest

from soong_memoryd.errors import ModelError, RequestError
from soong_memoryd.llm.conversation import Answer, Conversation, Usage
from soong_memoryd.protocol.models import MemoryRecallResult
from soong_memoryd.recall.answer import DEGRADED, PathContext, RecallAnswer, RecallRequest
from soong_memoryd.recall.recall import RecallSettings
from tests.recall.bench import MemoryShelf, OnePath, ScriptedSelector, document, load, recall_over, selecting, sha256_of, stored

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def shelf_of(*summaries: str) -> tuple[MemoryShelf, list[str]]:
    shelf = MemoryShelf()
    return shelf, [shelf.put(document(text, f"body of {text}", number)) for number, text in enumerate(summaries, 1)]


def ask(query: str = "zebra", **fields: Any) -> RecallRequest:
    return RecallRequest(query, **{"session_id": "s", **fields})


def recalled(answer: RecallAnswer) -> list[str]:
    return [memory.id for memory in answer.recalled]


@pytest.mark.rule("method.memory-recall", "recall.node-metadata")
def test_the_models_choice_is_recalled_in_its_order_and_remembered_without_text() -> None:
    shelf, ids = shelf_of("likes zebras", "likes lemurs", "likes tea")
    path = OnePath()
    answer = run(recall_over(shelf, path, selecting(ids[2], ids[0])).recall(ask("animals")))
    assert (answer.status, answer.selected_by, answer.degraded) == ("recalled", "model", None)
    assert recalled(answer) == [ids[2], ids[0]]
    assert answer.message is not None
    assert answer.node is not None
    assert answer.node["text"] == answer.message.content
    assert "body of likes tea" in answer.message.content
    stored_node = path.nodes[0]
    assert "body of" not in str(stored_node)
    assert stored_node["metadata"] == {
        "recalled_memory_ids": [ids[2], ids[0]],
        "categories": ["feedback"],
        "query": "animals",
        "selected_by_model": True,
        "source_paths": [memory.path for memory in answer.recalled],
        "file_hashes": [memory.sha256 for memory in answer.recalled],
    }
    assert answer.usage == Usage(1, 100, 10)


@pytest.mark.rule("recall.message")
def test_an_answer_has_the_shape_of_the_wire() -> None:
    shelf, ids = shelf_of("likes zebras", "likes lemurs")
    answer = run(recall_over(shelf, model=selecting(*ids), settings=RecallSettings(top_k=1)).recall(ask()))
    sent = MemoryRecallResult.model_validate(answer, from_attributes=True).model_dump()
    assert sent["message"] == {"role": "user", "content": answer.message.content if answer.message else None}
    assert sent["omitted"] == [{"id": ids[1], "reason": "top_k"}]


@pytest.mark.rule("recall.already-recalled", "recall.changed-file")
def test_what_was_shown_is_not_shown_again_until_its_file_changes() -> None:
    shelf, ids = shelf_of("likes zebras", "likes lemurs")
    recall = recall_over(shelf, OnePath(), selecting(*ids), RecallSettings(top_k=1))
    first = run(recall.recall(ask()))
    assert recalled(first) == [ids[0]]
    second = run(recall.recall(ask()))
    assert (second.status, recalled(second), second.already_recalled) == ("recalled", [ids[1]], [ids[0]])
    third = run(recall.recall(ask()))
    assert (third.status, third.already_recalled, third.message, third.node) == ("already_recalled", ids, None, None)
    shelf.put(document("likes zebras", "another body", 1))
    fourth = run(recall.recall(ask()))
    assert (fourth.status, recalled(fourth), fourth.already_recalled) == ("recalled", [ids[0]], [ids[1]])
    assert fourth.message is not None
    assert "another body" in fourth.message.content


@pytest.mark.rule("recall.already-recalled")
def test_a_model_may_name_what_is_in_view_beside_as_many_others_as_there_is_room_for() -> None:
    shelf, ids = shelf_of("zebra one", "zebra two")
    model = selecting(*ids)
    recall = recall_over(shelf, OnePath(), model, RecallSettings(top_k=1))
    run(recall.recall(ask()))
    run(recall.recall(ask()))
    assert "Choose at most 1." in model.asked[0].user
    assert "Choose at most 2." in model.asked[1].user


@pytest.mark.rule("recall.already-recalled")
def test_the_lexical_choice_fills_top_k_with_what_was_not_shown() -> None:
    shelf, ids = shelf_of("zebra one", "zebra two", "zebra three")
    recall = recall_over(shelf, OnePath(), settings=RecallSettings(top_k=2))
    assert len(recalled(run(recall.recall(ask())))) == 2
    again = run(recall.recall(ask()))
    assert len(recalled(again)) == 1
    assert {*again.already_recalled, *recalled(again)} == set(ids)


@pytest.mark.rule("recall.limits")
def test_a_caller_may_lower_the_limits_and_not_raise_them() -> None:
    shelf, ids = shelf_of("a zebra", "b zebra", "c zebra")
    recall = recall_over(shelf, model=selecting(*ids), settings=RecallSettings(top_k=2))
    assert len(recalled(run(recall.recall(ask(top_k=1))))) == 1
    assert len(recalled(run(recall.recall(ask(session_id=None, top_k=50))))) == 2
    none_fits = run(recall.recall(ask(session_id=None, token_budget=5)))
    assert (none_fits.status, {o.reason for o in none_fits.omitted}) == ("no_match", {"token_budget"})


@pytest.mark.rule("recall.dry-run")
def test_without_a_session_nothing_is_remembered() -> None:
    shelf, ids = shelf_of("a zebra")
    path = OnePath()
    answer = run(recall_over(shelf, path, selecting(*ids)).recall(ask(session_id=None)))
    assert (answer.status, answer.node, path.nodes) == ("recalled", None, [])


@pytest.mark.rule("recall.empty-choice")
def test_an_empty_choice_of_the_model_is_respected() -> None:
    shelf, _ = shelf_of("a zebra")
    answer = run(recall_over(shelf, model=selecting()).recall(ask("zebra")))
    assert (answer.status, answer.selected_by, answer.degraded) == ("no_match", "model", None)


async def never(_: Conversation) -> Answer:
    await asyncio.Event().wait()
    raise AssertionError


def failing(_: Conversation) -> Answer:
    raise ModelError("network", "unreachable")


class SlowSelector(ScriptedSelector):
    async def ask(self, conversation: Conversation) -> Answer:
        return await never(conversation)


MODELS = {
    "no_model": None,
    "builtin": ScriptedSelector(failing, label="builtin"),
    "timeout": SlowSelector(failing),
    "model_failed": ScriptedSelector(failing),
    "bad_answer": ScriptedSelector(lambda _: Answer((), Usage(1, 5, 5), "plain", "no call")),
}


@pytest.mark.rule("recall.fallback")
@pytest.mark.parametrize("why", MODELS)
def test_without_a_usable_answer_words_choose_and_the_answer_says_why(why: str) -> None:
    shelf, ids = shelf_of("rides a zebra", "likes tea")
    path = OnePath()
    answer = run(recall_over(shelf, path, MODELS[why], RecallSettings(timeout_seconds=0.01)).recall(ask("zebra")))
    assert (answer.status, answer.selected_by, answer.degraded) == ("recalled", "lexical", why)
    assert recalled(answer) == [ids[0]]
    assert path.nodes[0]["metadata"]["selected_by_model"] is False
    assert why in DEGRADED


@pytest.mark.rule("recall.fallback")
@pytest.mark.parametrize("why", MODELS)
def test_with_fallback_none_nothing_is_recalled_and_the_answer_says_why(why: str) -> None:
    shelf, _ = shelf_of("rides a zebra")
    settings = RecallSettings(timeout_seconds=0.01, fallback="none")
    answer = run(recall_over(shelf, model=MODELS[why], settings=settings).recall(ask("zebra")))
    assert (answer.status, answer.degraded, answer.message) == ("no_match", why, None)


def test_an_answer_that_could_not_be_used_is_paid_for_all_the_same() -> None:
    shelf, _ = shelf_of("rides a zebra")
    assert run(recall_over(shelf, model=MODELS["bad_answer"]).recall(ask())).usage == Usage(1, 5, 5)


def test_a_model_with_a_small_context_is_offered_the_best_by_words() -> None:
    shelf = MemoryShelf()
    for number in range(1, 28):
        shelf.put(document(f"likes tea of kind {number} " + "very much " * 10, "", number))
    wanted = shelf.put(document("rides a zebra", "", 28))
    model = selecting(wanted)
    model.context_tokens = 1_300
    answer = run(recall_over(shelf, model=model).recall(ask("zebra")))
    assert recalled(answer) == [wanted]
    assert model.asked[0].user.count("\n- mem_") < 27


def test_with_no_memories_no_model_is_asked() -> None:
    model = selecting()
    answer = run(recall_over(MemoryShelf(), model=model).recall(ask()))
    assert (answer.status, model.asked) == ("no_match", [])


@pytest.mark.rule("recall.selector-prompt")
def test_request_and_digest_come_from_the_session_unless_the_call_gives_them() -> None:
    shelf, _ = shelf_of("a zebra")
    model = selecting()
    recall = recall_over(shelf, OnePath(PathContext({}, "of the session", "digest of it")), model)
    run(recall.recall(ask()))
    run(recall.recall(ask(user_request="given request", path_summary="")))
    assert "of the session" in model.asked[0].user
    assert "digest of it" in model.asked[0].user
    assert "given request" in model.asked[1].user
    assert "of the session" not in model.asked[1].user
    assert "digest of it" not in model.asked[1].user


def hide(text: str) -> str:
    return text.replace("hunter2", "[REDACTED:password]")


@pytest.mark.rule("recall.redaction")
def test_no_secret_reaches_message_model_or_session() -> None:
    shelf = MemoryShelf()
    memory_id = shelf.put(document("the door code of hunter2", "it is hunter2, ask Ann", 1))
    path, model = OnePath(), selecting(memory_id)
    before = {p: sha256_of(d) for p, d in shelf.files.items()}
    answer = run(
        recall_over(shelf, path, model, redact=hide).recall(ask("hunter2", user_request="hunter2", path_summary="hunter2"))
    )
    assert answer.message is not None
    assert "ask Ann" in answer.message.content
    asked = model.asked[0]
    for text in (answer.message.content, str(answer.recalled), str(path.nodes), asked.user):
        assert "hunter2" not in text
    assert before == {p: sha256_of(d) for p, d in shelf.files.items()}


@pytest.mark.rule("recall.redaction")
def test_a_memory_that_is_nothing_but_a_secret_is_left_out() -> None:
    shelf = MemoryShelf()
    memory_id = shelf.put(document("hunter2", "hunter2", 1))
    answer = run(recall_over(shelf, model=selecting(memory_id), redact=hide).recall(ask()))
    assert [(o.id, o.reason) for o in answer.omitted] == [(memory_id, "secret")]


def test_a_body_is_scanned_once_a_file_version() -> None:
    scanned: list[str] = []

    def redact(text: str) -> str:
        scanned.append(text)
        return text

    shelf, ids = shelf_of("a zebra")
    recall = recall_over(shelf, model=selecting(*ids), redact=redact)
    for _ in range(3):
        run(recall.recall(ask(session_id=None)))
    assert scanned.count("body of a zebra") == 1


def test_a_file_that_cannot_be_read_is_left_out_and_the_others_are_recalled() -> None:
    shelf, ids = shelf_of("a zebra", "b zebra")
    shelf.broken.add(ids[0])
    answer = run(recall_over(shelf, model=selecting(*ids)).recall(ask()))
    assert (answer.status, recalled(answer)) == ("recalled", [ids[1]])
    assert [(o.id, o.reason) for o in answer.omitted] == [(ids[0], "unreadable")]


def test_a_refusal_of_the_session_is_passed_on() -> None:
    class Closed(OnePath):
        async def context(self, session_id: str, agent_id: str | None, run_id: str | None) -> PathContext:
            raise RequestError("role_denied", "no")

    shelf, _ = shelf_of("a zebra")
    with pytest.raises(RequestError):
        run(recall_over(shelf, Closed()).recall(ask()))


@pytest.mark.rule("recall.caller-gone")
def test_a_caller_that_leaves_while_the_node_is_stored_leaves_no_node() -> None:
    class Slow(OnePath):
        storing = asyncio.Event()
        go_on = asyncio.Event()

        async def remember_shown(self, *args: Any) -> dict[str, Any]:
            self.storing.set()
            await self.go_on.wait()
            return await super().remember_shown(*args)

    async def scenario() -> list[dict[str, Any]]:
        shelf, ids = shelf_of("a zebra")
        path = Slow()
        call = asyncio.create_task(recall_over(shelf, path, selecting(*ids)).recall(ask()))
        await path.storing.wait()
        call.cancel()
        path.go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await call
        return path.nodes

    assert run(scenario()) == []


@pytest.mark.rule("recall.caller-gone")
def test_a_caller_whose_whole_connection_is_cancelled_leaves_no_node_either() -> None:
    class Slow(OnePath):
        storing = anyio.Event()

        async def remember_shown(self, *args: Any) -> dict[str, Any]:
            node = await super().remember_shown(*args)  # on its way to the disk: no cancelling takes it back
            self.storing.set()
            await anyio.lowlevel.checkpoint()
            return node

        async def forget_shown(self, session_id: str, node_id: str) -> None:
            await anyio.lowlevel.checkpoint()
            await super().forget_shown(session_id, node_id)

    async def scenario() -> list[dict[str, Any]]:
        shelf, ids = shelf_of("a zebra")
        path = Slow()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(recall_over(shelf, path, selecting(*ids)).recall, ask())
            await path.storing.wait()
            tasks.cancel_scope.cancel()
        await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))
        return path.nodes

    assert run(scenario()) == []


@pytest.mark.rule("method.memory-search")
def test_a_search_ranks_by_words_and_asks_no_model() -> None:
    shelf, ids = shelf_of("rides a zebra", "likes tea")
    model = selecting(ids[1])
    matches = run(recall_over(shelf, model=model).search("zebra", 10))
    assert [(match.id, match.summary) for match in matches] == [(ids[0], "rides a zebra")]
    assert matches[0].score > 0
    assert model.asked == []


def test_bodies_are_indexed_once_and_changes_are_followed() -> None:
    shelf = MemoryShelf()
    memory_id = shelf.put(document("an animal", "the zebra", 1))
    recall = recall_over(shelf)
    assert [m.id for m in run(recall.search("zebra", 5))] == [memory_id]
    assert [m.id for m in run(recall.search("zebra", 5))] == [memory_id]
    assert shelf.reads == [memory_id]
    shelf.put(document("an animal", "the lemur", 1))
    assert run(recall.search("zebra", 5)) == []
    assert [m.id for m in run(recall.search("lemur", 5))] == [memory_id]
    shelf.files.clear()
    shelf.put(document("tea", "", 2))
    assert run(recall.search("lemur", 5)) == []


def test_the_store_of_the_checks_is_recalled_over_the_whole_road() -> None:
    shelf = MemoryShelf()
    for case in load("recall_store.jsonl"):
        shelf.put(*stored(case))
    recall = recall_over(shelf)
    found = []
    for query in load("recall_queries_dev.jsonl"):
        answer = run(recall.recall(RecallRequest(query["query"], user_request=query["current_user_request"], top_k=5)))
        if query["relevant"]:
            found.append(len(set(query["relevant"]) & set(recalled(answer))) / len(query["relevant"]))
    assert sum(found) / len(found) >= 0.85
