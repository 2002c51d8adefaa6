"""A marked block in somebody else's TOML."""

from __future__ import annotations

import tomllib

import pytest

from soong_memoryd.cli.connect.json_text import NotOurs
from soong_memoryd.cli.connect.toml_block import BEGIN, END, ours, put, taken

TOP = 'notify = ["/py", "x"]\n'
SERVER = '[mcp_servers.soong-memory]\ncommand = "/py"\n'
FOREIGN = [
    "",
    '# mine\nmodel = "gpt-6"  # the big one\n\n[features]\nx = true\n',
    '[mcp_servers.other]\ncommand = "y"\n',
    '\n\n[[rules]]\nname = "值"\n\n\n',
    'text = """\n# <<< not a mark of ours\n"""\n',
]


@pytest.mark.rule("connect.keeps-foreign")
@pytest.mark.parametrize("text", FOREIGN)
@pytest.mark.parametrize("top", [TOP, ""])
def test_the_block_goes_in_and_out_and_the_rest_stays_to_the_byte(text: str, top: str) -> None:
    connected = put(text, top, SERVER)
    content = tomllib.loads(connected)
    assert content["mcp_servers"]["soong-memory"] == {"command": "/py"}
    assert content.get("notify") == (["/py", "x"] if top else None)
    assert connected.count(BEGIN) == connected.count(END) == (2 if top else 1)
    assert taken(connected) == text


@pytest.mark.rule("connect.idempotent")
def test_putting_it_in_again_changes_no_byte_and_a_newer_one_replaces_it() -> None:
    connected = put(FOREIGN[1], TOP, SERVER)
    assert put(connected, TOP, SERVER) == connected
    newer = put(connected, "", SERVER.replace("/py", "/new"))
    assert taken(newer) == FOREIGN[1]
    assert "notify" not in tomllib.loads(newer)


@pytest.mark.rule("connect.idempotent")
def test_what_was_written_behind_the_block_since_stays() -> None:
    connected = put(FOREIGN[1], TOP, SERVER) + "\n[later]\ny = 1\n"
    assert put(connected, TOP, SERVER) == connected
    assert tomllib.loads(taken(connected)) == {**tomllib.loads(FOREIGN[1]), "later": {"y": 1}}


@pytest.mark.rule("connect.refuses-what-it-cannot-keep")
@pytest.mark.parametrize(
    "text", ["= 1", 'notify = "theirs"\n', '[mcp_servers.soong-memory]\ncommand = "theirs"\n', "mcp_servers = 1\n"]
)
def test_a_text_that_has_keys_of_its_own_there_or_is_no_toml_is_left_alone(text: str) -> None:
    with pytest.raises(NotOurs):
        put(text, TOP, SERVER)


@pytest.mark.rule("connect.shows-ours-alone")
def test_a_block_is_named_by_its_key_also_when_somebody_broke_it() -> None:
    connected = put(FOREIGN[1], TOP, SERVER)
    assert [one[:2] for one in ours(connected)] == [("notify", ""), ("mcp_servers", "soong-memory")]
    assert [one[:2] for one in ours(connected.replace(TOP, "= [\n"))] == [("soong-memory", ""), ("mcp_servers", "soong-memory")]
    assert "gpt-6" not in str(ours(connected))
