from __future__ import annotations

import asyncio
from typing import Any

import pytest

from soong_memoryd.llm.builtin import BuiltinModel, propose
from soong_memoryd.llm.conversation import Answer, Conversation, Facts, KnownMemory, Message, Model, Round, ToolCall, ToolSpec

TOOLS = tuple(ToolSpec(name, "", {}) for name in ("read_memory", "create_memory", "update_memory", "finish"))


def facts(*texts: str, known: tuple[KnownMemory, ...] = ()) -> Facts:
    return Facts(tuple(Message(f"n{number}", text) for number, text in enumerate(texts, 1)), known)


def ask(conversation: Conversation) -> Answer:
    model: Model = BuiltinModel()
    return asyncio.run(model.ask(conversation))


def created(*texts: str, known: tuple[KnownMemory, ...] = ()) -> list[dict[str, Any]]:
    return [call.arguments for call in propose(facts(*texts, known=known)) if call.name == "create_memory" and call.arguments]


def finished(*texts: str, known: tuple[KnownMemory, ...] = ()) -> dict[str, Any]:
    last = propose(facts(*texts, known=known))[-1]
    assert last.name == "finish"
    assert last.arguments is not None
    return last.arguments


@pytest.mark.rule("llm.builtin-own-words")
def test_what_a_person_asks_to_keep_is_kept_in_their_words_with_the_sentence_as_evidence() -> None:
    (made,) = created("The build is red again. Please remember that I'm vegetarian and lactose intolerant. Thanks!")
    sentence = "Please remember that I'm vegetarian and lactose intolerant."
    assert made == {
        "category": "user",
        "name": "vegetarian-lactose-intolerant",
        "summary": "I'm vegetarian and lactose intolerant.",
        "tags": ["vegetarian", "lactose", "intolerant"],
        "body": sentence,
        "evidence": [{"node_id": "n1", "quote": sentence}],
        "confirmed_by": None,
    }


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("From now on always use pnpm, never npm.", "feedback"),
        ("以后提交信息都用英文写", "feedback"),
        ("记住我住在柏林，工作时间是10点到18点", "user"),
        ("Remember: the runbook is at https://wiki.example.test/oncall", "reference"),
    ],
)
def test_wishes_of_both_languages_become_memories(text: str, category: str) -> None:
    (made,) = created(text)
    assert made["category"] == category
    assert made["evidence"] == [{"node_id": "n1", "quote": text}]


@pytest.mark.parametrize(
    "text",
    [
        "fix the failing test",
        "do you remember my name?",
        "the remember me checkbox is broken",
        "这次先用英文回答",
        "how do I always get null here?",
    ],
)
def test_questions_tasks_and_one_offs_are_not_kept(text: str) -> None:
    assert created(text) == []
    assert finished(text) == {"ignored": [], "duplicates": []}


@pytest.mark.rule("llm.builtin-points-back")
@pytest.mark.parametrize("text", ["save that", "记住这个"])
def test_a_wish_that_points_back_is_ignored_with_a_reason(text: str) -> None:
    assert created(text) == []
    assert finished(text)["ignored"] == [{"reason": "unconfirmed", "source_node_ids": ["n1"]}]


@pytest.mark.rule("llm.builtin-secrets")
def test_a_sentence_that_held_a_secret_is_kept_without_it_or_not_at_all() -> None:
    (made,) = created("remember my password is [REDACTED:password], and that I use vim as my editor")
    assert made["summary"] == made["body"] == "I use vim as my editor"
    assert "REDACTED" not in str(made)
    assert created("记住我的密码是[REDACTED:password]") == []
    assert finished("记住我的密码是[REDACTED:password]")["ignored"] == [{"reason": "secret", "source_node_ids": ["n1"]}]


@pytest.mark.rule("llm.builtin-duplicates")
def test_what_is_known_already_is_reported_and_not_written_again() -> None:
    known = (KnownMemory("mem_a", "feedback", "pytest", "Prefers pytest over unittest"),)
    assert created("I prefer pytest over unittest", known=known) == []
    assert finished("I prefer pytest over unittest", known=known)["duplicates"] == [
        {"memory_id": "mem_a", "source_node_ids": ["n1"]}
    ]


def test_the_same_wish_said_twice_is_one_memory_with_both_as_evidence() -> None:
    (made,) = created("remember that I live in Berlin", "please remember that I live in Berlin")
    assert [quote["node_id"] for quote in made["evidence"]] == ["n1", "n2"]


def test_a_short_sentence_is_proved_by_the_whole_message() -> None:
    (made,) = created("from now on: no tabs")
    assert made["evidence"][0]["quote"] == "from now on: no tabs"


def test_finish_is_always_the_last_call_and_costs_nothing() -> None:
    answer = ask(Conversation("s", "u", TOOLS, facts=facts("remember that I live in Berlin")))
    assert [call.name for call in answer.calls] == ["create_memory", "finish"]
    assert (answer.rung, answer.problem, answer.usage.calls) == ("builtin", None, 0)


@pytest.mark.rule("llm.builtin-own-words")
def test_after_a_refusal_nothing_is_proposed_again() -> None:
    earlier = Round((ToolCall("create_memory", {}),), ("refused: evidence: no",))
    answer = ask(Conversation("s", "u", TOOLS, (earlier,), facts("remember that I live in Berlin")))
    assert [call.name for call in answer.calls] == ["finish"]


def test_another_task_than_extraction_is_not_answered() -> None:
    answer = ask(Conversation("s", "u", (ToolSpec("select_memories", "", {}),)))
    assert answer.calls == ()
    assert answer.problem


def test_it_says_what_it_is() -> None:
    model = BuiltinModel()
    assert model.label == "builtin"
    assert model.context_tokens > 10_000


@pytest.mark.parametrize(
    "text",
    [
        "remember that in this repo the migrations live in db/versions",
        "记住这个仓库的接口都在 src/api 下面",
        "Запомни: в этом проекте тесты лежат в spec",
    ],
)
def test_facts_of_the_code_at_hand_are_no_memory_of_the_person(text: str) -> None:
    assert not created(text)
    assert finished(text)["ignored"] == [{"reason": "project_fact", "source_node_ids": ["n1"]}]


def test_a_role_in_a_project_is_about_the_person() -> None:
    (made,) = created("Remember that I'm the maintainer of this repo.")
    assert made["category"] == "user"


@pytest.mark.parametrize("text", ["以后图里的字都要用中文，我说过的", "我说过的，以后图里的字都要用中文"])
def test_telling_again_that_it_was_told_makes_no_second_memory(text: str) -> None:
    known = KnownMemory("m1", "feedback", "图里的字都要用中文", "以后图里的字都要用中文")
    assert not created(text, known=(known,))
    assert finished(text, known=(known,))["duplicates"] == [{"memory_id": "m1", "source_node_ids": ["n1"]}]
