"""Putting our entries into somebody else's JSON, and taking them out again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soong_memoryd.cli.connect.json_text import (
    NotOurs,
    edited,
    ours,
    put_hooks,
    put_item,
    put_server,
    take_hooks,
    take_item,
    take_server,
)

HOOK = {"type": "command", "command": "/py -I -S /x/soong_memory_hook.py gemini", "timeout": 2}
OLD = {**HOOK, "command": "/old/py -I -S /y/soong_memory_hook.py gemini"}
FOREIGN = {"type": "command", "command": "say done"}
SERVER = {"command": "/py", "args": ["/x/soong_memory_mcp.py"]}


def put(text: str) -> str:
    return edited(text, lambda content: put_hooks(content, {"Stop": HOOK}))


def take(text: str) -> str:
    return edited(text, take_hooks)


@pytest.mark.rule("connect.keeps-foreign")
@pytest.mark.parametrize(
    "content",
    [
        {},
        {"model": "opus", "hooks": {"Stop": [{"hooks": [FOREIGN]}], "Other": [{"matcher": "Bash", "hooks": [FOREIGN]}]}},
        {"hooks": {"Stop": [{"matcher": "x", "hooks": [FOREIGN, FOREIGN]}]}, "名": "值", "big": 12345678901234567890},
    ],
)
def test_what_is_put_in_comes_out_and_nothing_else_does(content: dict[str, Any]) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=4) + "\n"
    connected = put(text)
    assert json.loads(connected)["hooks"]["Stop"][-1] == {"hooks": [HOOK]}
    assert take(connected) == (text if content else "")


@pytest.mark.rule("connect.idempotent")
def test_putting_it_in_again_changes_no_byte_wherever_it_stands() -> None:
    text = json.dumps({"hooks": {"Stop": [{"hooks": [HOOK]}, {"hooks": [FOREIGN]}]}})
    assert put(text) == text


@pytest.mark.rule("connect.idempotent")
def test_an_older_entry_of_ours_is_replaced_also_beside_a_foreign_one() -> None:
    connected = put(json.dumps({"hooks": {"Stop": [{"hooks": [FOREIGN, OLD]}], "Gone": [{"hooks": [OLD]}]}}))
    assert json.loads(connected) == {"hooks": {"Stop": [{"hooks": [FOREIGN]}, {"hooks": [HOOK]}]}}


@pytest.mark.rule("connect.refuses-what-it-cannot-keep")
@pytest.mark.parametrize("text", ["{", "// why\n{}", "[]", '{"a": 1, "a": 2}', '{"hooks": {"Stop": {}}}', "[" * 100_000])
def test_a_text_that_cannot_be_changed_safely_is_left_alone(text: str) -> None:
    with pytest.raises(NotOurs):
        put(text)


@pytest.mark.rule("connect.keeps-foreign")
def test_a_server_goes_in_and_out_beside_others() -> None:
    text = json.dumps({"mcpServers": {"other": {"command": "x"}}}, indent=2) + "\n"
    connected = edited(text, lambda content: put_server(content, "mcpServers", SERVER))
    assert json.loads(connected)["mcpServers"] == {"other": {"command": "x"}, "soong-memory": SERVER}
    assert edited(connected, lambda content: take_server(content, "mcpServers")) == text


@pytest.mark.rule("connect.keeps-foreign")
def test_somebody_elses_server_of_our_name_is_neither_replaced_nor_removed() -> None:
    text = json.dumps({"mcpServers": {"soong-memory": {"command": "theirs"}}})
    with pytest.raises(NotOurs, match="another MCP server"):
        edited(text, lambda content: put_server(content, "mcpServers", SERVER))
    assert edited(text, lambda content: take_server(content, "mcpServers")) == text


@pytest.mark.rule("connect.keeps-foreign")
def test_a_plugin_goes_in_and_out_beside_others() -> None:
    text = json.dumps({"plugin": ["theirs"]}, indent=2) + "\n"
    connected = edited(text, lambda content: put_item(content, "plugin", "file:///x/ours.ts", "/ours.ts"))
    assert json.loads(connected)["plugin"] == ["theirs", "file:///x/ours.ts"]
    assert edited(connected, lambda content: put_item(content, "plugin", "file:///x/ours.ts", "/ours.ts")) == connected
    assert edited(connected, lambda content: take_item(content, "plugin", "/ours.ts")) == text


@pytest.mark.rule("connect.keeps-foreign")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a":1,"hooks":{}}', '{"a":1,"hooks":{"Stop":[{"hooks":[{"x":"soong_memory_hook.py"}]}]}}'),
        ('{ "a": 1.0 }\n\n', '{ "a": 1.0, "hooks": {"Stop": [{"hooks": [{"x": "soong_memory_hook.py"}]}]} }\n\n'),
        ('{"hooks":{"Stop":[ 1  ]}, "b":[1]}', '{"hooks":{"Stop":[ 1,{"hooks":[{"x":"soong_memory_hook.py"}]}  ]}, "b":[1]}'),
        (
            '{\r\n\t"hooks": {"Stop": []}\r\n}',
            '{\r\n\t"hooks": {"Stop": [\r\n\t\t{\r\n\t\t\t"hooks": [\r\n\t\t\t\t{\r\n\t\t\t\t\t"x": "soong_memory_hook.py"\r\n'
            "\t\t\t\t}\r\n\t\t\t]\r\n\t\t}\r\n\t]}\r\n}",
        ),
    ],
)
def test_an_entry_is_laid_out_as_what_is_around_it(text: str, expected: str) -> None:
    assert edited(text, lambda content: put_hooks(content, {"Stop": {"x": "soong_memory_hook.py"}})) == expected


@pytest.mark.rule("connect.keeps-foreign")
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=12,
    ),
    st.sampled_from([None, 0, 1, 4, "\t"]),
    st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_every_other_byte_stays(value: Any, indent: Any, separators: tuple[str, str], newline: str, ascii_only: bool) -> None:
    content = {"x": value, "hooks": {"Stop": [value, {"hooks": [FOREIGN, value]}], "": value}, "mcp": {"": value}, "y": value}
    text = json.dumps(content, indent=indent, separators=separators, ensure_ascii=ascii_only).replace("\n", newline)
    connected = edited(put(text), lambda content: put_server(content, "mcp", SERVER))
    assert json.loads(connected)["mcp"]["soong-memory"] == SERVER
    assert edited(take(connected), lambda content: take_server(content, "mcp")) == text
    assert all("soong" in line for one in ours(connected) for line in one.lines)
    assert {(one.place, one.name) for one in ours(connected)} == {("hooks", "Stop"), ("mcp", "soong-memory")}
