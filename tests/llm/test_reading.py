"""From the body of a reply to calls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from soong_memoryd.llm.conversation import ToolCall, Usage
from soong_memoryd.llm.reading import (
    NO_ANSWER,
    NO_ARGUMENTS,
    NO_CALLS,
    NO_JSON,
    NO_OPERATIONS,
    ErrorIn200,
    Reply,
    read_calls,
    read_reply,
)
from soong_memoryd.llm.refusals import Failure
from tests.llm.conversations import CHOOSE, DONE, SEVERAL, TEA

MADE = (ToolCall("create_memory", TEA), ToolCall("finish", DONE))
OPERATIONS = {"operations": [{"tool": call.name, "arguments": call.arguments} for call in MADE]}


def tool_calls(*made: tuple[Any, Any]) -> dict[str, Any]:
    calls = [{"id": "call_0", "type": "function", "function": {"name": name, "arguments": said}} for name, said in made]
    return {"content": None, "tool_calls": calls}


def body(message: Any = None, **changes: Any) -> bytes:
    choice = {"index": 0, "message": message or {"content": "x"}, "finish_reason": "stop"}
    return json.dumps({"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 3}, **changes}).encode()


@pytest.mark.parametrize(
    "arguments",
    [
        json.dumps(TEA),
        TEA,
        json.dumps(json.dumps(TEA)),
        f"```json\n{json.dumps(TEA)}\n```",
        f"Sure:\n{json.dumps(TEA)}\nDone.",
        {**TEA, "tags": json.dumps(TEA["tags"]), "evidence": json.dumps(TEA["evidence"])},
    ],
)
def test_arguments_are_read_as_an_object_as_text_as_text_in_text_and_with_words_around(arguments: Any) -> None:
    assert read_calls(tool_calls(("create_memory", arguments), ("finish", "{}")), SEVERAL.tools) == (
        (ToolCall("create_memory", TEA), ToolCall("finish", {})),
        None,
    )


@pytest.mark.parametrize("said", ["", None])
def test_a_call_without_arguments_has_none(said: Any) -> None:
    assert read_calls(tool_calls(("finish", said)), SEVERAL.tools) == ((ToolCall("finish", {}),), None)


def test_one_unreadable_call_does_not_hide_the_others() -> None:
    calls, problem = read_calls(tool_calls(("create_memory", '{"name": "te'), ("finish", json.dumps(DONE))), SEVERAL.tools)
    assert calls == (ToolCall("create_memory", None, NO_ARGUMENTS), ToolCall("finish", DONE))
    assert problem is None


@pytest.mark.rule("llm.unreadable-is-no-answer")
@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ({"content": None}, NO_ANSWER),
        ({"content": ""}, NO_ANSWER),
        ({"content": "  \n"}, NO_ANSWER),
        ({}, NO_ANSWER),
        ({"content": 7}, NO_ANSWER),
        ({"content": "I could not find anything worth keeping."}, NO_JSON),
        ({"content": '<think>{"operations": []}</think>'}, NO_JSON),
        ({"content": "[1, 2]"}, NO_JSON),
        ({"content": '{"memories": []}'}, NO_OPERATIONS),
        ({"content": '{"operations": {}}'}, NO_OPERATIONS),
        ({"content": '{"operations": ["finish"]}'}, NO_OPERATIONS),
        ({"content": '{"operations": []}'}, NO_CALLS),
        (tool_calls(("finish", "{"), ("finish", "nothing")), NO_ARGUMENTS),
        ({"content": None, "reasoning_content": f"Perhaps {json.dumps(OPERATIONS)}?"}, NO_ANSWER),
    ],
)
def test_an_answer_without_a_readable_call_has_no_calls_and_says_why(message: dict[str, Any], problem: str) -> None:
    assert read_calls(message, SEVERAL.tools) == ((), problem)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_an_answer_filed_under_reasoning_counts_if_it_is_nothing_but_the_object(field: str) -> None:
    assert read_calls({"content": None, field: json.dumps(OPERATIONS)}, SEVERAL.tools) == (MADE, None)


def test_json_in_the_content_counts_on_every_rung() -> None:
    assert read_calls({"content": json.dumps(OPERATIONS), "tool_calls": []}, SEVERAL.tools) == (MADE, None)


def test_content_in_parts_is_put_together() -> None:
    text = json.dumps(OPERATIONS)
    parts = [{"type": "text", "text": text[:20]}, {"type": "image"}, {"type": "text", "text": text[20:]}]
    assert read_calls({"content": parts}, SEVERAL.tools) == (MADE, None)


def test_unknown_tools_are_passed_on_by_name() -> None:
    calls, _ = read_calls(tool_calls(("write_file", '{"path": "x"}'), (None, "{}")), SEVERAL.tools)
    assert [call.name for call in calls] == ["write_file", "unknown"]


def test_one_tool_reads_its_arguments_from_the_object_itself() -> None:
    assert read_calls({"content": '{"ids": ["mem_1"]}'}, (CHOOSE,)) == ((ToolCall("choose", {"ids": ["mem_1"]}),), None)
    assert read_calls({"content": '{"ids": "[\\"mem_1\\"]"}'}, (CHOOSE,)) == ((ToolCall("choose", {"ids": ["mem_1"]}),), None)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<html>Please sign in</html>",
        b"[]",
        b'"text"',
        b"{}",
        body(choices=None),
        body(choices=[]),
        body(choices=["x"]),
        body(choices=[{"message": None}]),
        b"\xff\xfe",
    ],
)
def test_a_reply_that_is_no_answer_at_all_blames_the_profile(data: bytes) -> None:
    assert read_reply(data) == Failure("model_not_an_answer")


def test_a_reply_cut_in_transit_is_worth_another_try() -> None:
    assert read_reply(body()[:30]) == Failure("model_not_an_answer", retryable=True)


@pytest.mark.parametrize(
    ("error", "status"), [({"code": 429}, 429), ({"code": "overloaded"}, 502), ({"code": 200}, 502), ("it failed", 502)]
)
def test_an_error_with_status_200_is_an_error(error: Any, status: int) -> None:
    assert read_reply(json.dumps({"error": error}).encode()) == ErrorIn200(status)


def reply(finish: str = "stop", **message: Any) -> Reply:
    return Reply(message, finish, 7, 3)


@pytest.mark.rule("llm.cut-answer-fails")
@pytest.mark.parametrize("finish", ["length", "LENGTH", "max_tokens"])
def test_a_cut_answer_counts_against_the_window_however_whole_it_looks(finish: str) -> None:
    read = read_reply(
        json.dumps({"choices": [{"message": {"content": json.dumps(OPERATIONS)}, "finish_reason": finish}]}).encode()
    )
    assert isinstance(read, Reply)
    assert read.failure() == Failure("model_cut", blame="window")


def test_a_declined_answer_is_a_failure_unless_it_calls_a_tool_all_the_same() -> None:
    declined = Failure("model_refused", blame="window")
    assert reply("content_filter", content="x").failure() == declined
    assert reply(refusal="I will not").failure() == declined
    assert reply(refusal="I will not", tool_calls=[{}]).failure() is None
    assert reply(content="x", refusal=None).failure() is None


@pytest.mark.rule("llm.usage-as-counted")
@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": 0}, {"prompt_tokens": "7"}, {"prompt_tokens": True}, 7])
def test_a_count_that_is_none_is_replaced_by_an_estimate(usage: Any) -> None:
    read = read_reply(body(usage=usage))
    assert isinstance(read, Reply) and read.prompt_tokens is None
    assert read.usage(11, 5) == Usage(1, 11, 5)


@pytest.mark.rule("llm.usage-as-counted")
def test_a_count_is_taken_as_it_is() -> None:
    read = read_reply(body())
    assert isinstance(read, Reply)
    assert read.usage(11, 5) == Usage(1, 7, 3)
