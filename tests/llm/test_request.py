"""From a conversation to a request, per rung."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from soong_memoryd.llm.ladder import FIXES, RUNGS, Learned
from soong_memoryd.llm.profiles import resolve
from soong_memoryd.llm.request import answer_schema, build, prompt_text
from tests.llm.conversations import CHOOSE, REPAIR, SEVERAL, SINGLE, TEA
from tests.support.models import config_with, profile_at

PROFILE = profile_at("http://127.0.0.1:9/v1")


def request(rung: str, *fixes: str, conversation: Any = SEVERAL) -> dict[str, Any]:
    return build(PROFILE, conversation, Learned(rung, frozenset(fixes)))


def objects(schema: Any) -> list[dict[str, Any]]:
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    own = [schema] if isinstance(schema, dict) and "properties" in schema and isinstance(schema["properties"], dict) else []
    return own + [found for item in inner for found in objects(item)]


def test_tools_are_offered_forced_and_without_additional_properties() -> None:
    sent = request("tools")
    assert [tool["function"]["name"] for tool in sent["tools"]] == ["create_memory", "finish"]
    assert sent["tool_choice"] == "required"
    assert "response_format" not in sent
    assert "additionalProperties" not in json.dumps(sent["tools"])


def test_strict_schemas_close_every_object_and_require_every_property() -> None:
    sent = request("json_schema")
    asked = sent["response_format"]["json_schema"]
    assert asked["strict"] is True
    assert len(objects(asked["schema"])) == 6
    for found in objects(asked["schema"]):
        assert found["additionalProperties"] is False
        assert found["required"] == list(found["properties"])
    assert "tools" not in sent


def test_several_tools_are_operations_and_one_tool_is_its_arguments() -> None:
    operation = answer_schema(SEVERAL.tools)["properties"]["operations"]["items"]["anyOf"][0]
    assert operation["properties"]["tool"] == {"type": "string", "enum": ["create_memory"]}
    assert list(answer_schema((CHOOSE,))["properties"]) == ["ids"]


@pytest.mark.rule("llm.schema-in-prompt")
@pytest.mark.parametrize("rung", RUNGS[1:])
@pytest.mark.parametrize("conversation", [SEVERAL, SINGLE])
def test_without_tools_the_prompt_itself_holds_the_schema_and_the_word_json(rung: str, conversation: Any) -> None:
    system = request(rung, conversation=conversation)["messages"][0]["content"]
    assert "JSON" in system
    at = system.index('{"type"')
    assert json.loads(system[at:]) == answer_schema(conversation.tools)


def test_only_the_json_object_rung_asks_for_one_and_plain_asks_for_nothing() -> None:
    assert request("json_object")["response_format"] == {"type": "json_object"}
    assert not {"response_format", "tools", "tool_choice"} & request("plain").keys()


@pytest.mark.parametrize(
    ("fix", "rung", "key", "before", "after"),
    [
        ("no_forced_choice", "tools", "tool_choice", "required", "auto"),
        ("no_temperature", "tools", "temperature", 0.2, None),
        ("swap_token_field", "tools", "max_tokens", 4096, None),
        ("swap_token_field", "tools", "max_completion_tokens", None, 4096),
    ],
)
def test_a_fix_changes_its_parameter_and_nothing_else(fix: str, rung: str, key: str, before: Any, after: Any) -> None:
    assert fix in FIXES
    plain, mended = request(rung), request(rung, fix)
    assert (plain.get(key), mended.get(key)) == (before, after)
    names = ("max_tokens", "max_completion_tokens", key)
    assert {k: v for k, v in plain.items() if k not in names} == {k: v for k, v in mended.items() if k not in names}


def test_strictness_can_be_given_up() -> None:
    assert request("json_schema", "no_strict")["response_format"]["json_schema"]["strict"] is False


def test_a_presets_extra_fields_are_sent_until_refused_and_the_profiles_own_always() -> None:
    profile = resolve(config_with({"provider": "deepseek", "name": "x", "extra_body": {"top_p": 0.5}}), "main")
    assert profile is not None
    sent, mended = (build(profile, SEVERAL, Learned("tools", fixes)) for fixes in (frozenset(), frozenset({"no_extra_body"})))
    assert (sent["thinking"], sent["top_p"]) == ({"type": "disabled"}, 0.5)
    assert "thinking" not in mended and mended["top_p"] == 0.5


@pytest.mark.rule("llm.own-call-ids")
def test_earlier_rounds_are_told_as_tool_calls_with_ids_of_our_own() -> None:
    messages = request("tools", conversation=REPAIR)["messages"]
    assert [message["role"] for message in messages] == [
        *("system", "user", "assistant", "tool", "tool", "user"),
        *("assistant", "user"),
    ]
    made = messages[2]["tool_calls"]
    assert [call["id"] for call in made] == [message["tool_call_id"] for message in messages[3:5]]
    assert len({call["id"] for call in made}) == 2
    assert json.loads(made[0]["function"]["arguments"]) == TEA
    assert (made[1]["function"]["name"], made[1]["function"]["arguments"]) == ("write_file___", "{}")
    assert [messages[3]["content"], messages[5]["content"], messages[7]["content"]] == [
        *("staged", "Mend what was refused, then finish."),
        "Call finish.",
    ]


def test_earlier_rounds_are_told_as_json_where_there_are_no_tools() -> None:
    messages = request("plain", conversation=REPAIR)["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert json.loads(messages[2]["content"])["operations"][0] == {"tool": "create_memory", "arguments": TEA}
    assert messages[3]["content"].splitlines() == [
        "1. create_memory: staged",
        "2. write file/..: refused: unknown_tool: there is no such tool",
        "Mend what was refused, then finish.",
    ]


def test_the_first_messages_are_the_same_in_every_round() -> None:
    for rung in RUNGS:
        assert request(rung, conversation=REPAIR)["messages"][:2] == request(rung)["messages"]


def test_the_text_of_a_prompt_is_all_that_its_messages_say() -> None:
    text = prompt_text(request("tools", conversation=REPAIR))
    assert "我喜欢茶" in text and "Call finish." in text


def test_a_conversation_is_not_changed_by_asking() -> None:
    before = replace(REPAIR)
    for rung in RUNGS:
        request(rung, conversation=REPAIR)
    assert before == REPAIR
