"""One key of a TOML text is changed, everything else stays as it was."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soong_memoryd.cli.toml_text import literal, quoted, set_key

TEXT = """# my settings
[model]
name = "qwen3:14b"   # the small one # really
base_url = "http://localhost:11434/#anchor"

[memory]
idle_seconds = 120
secret = '''
idle_seconds = 5
[memory]
'''
tags = [
  "a", # first
  "b",
]

[model_profiles."my model"]
name = "x"
"""


@pytest.mark.rule("cli.config-set")
@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        (("model", "name"), '"x"', 'name = "qwen3:14b"   # the small one # really', 'name = "x"   # the small one # really'),
        (("memory", "idle_seconds"), "5", "idle_seconds = 120\n", "idle_seconds = 5\n"),
        (("memory", "tags"), "[]", 'tags = [\n  "a", # first\n  "b",\n]', "tags = []"),
        (("memory", "enabled"), "false", '  "b",\n]\n', '  "b",\n]\nenabled = false\n'),
        (("model", "base_url"), '"u"', 'base_url = "http://localhost:11434/#anchor"', 'base_url = "u"'),
        (("model_profiles", "my model", "name"), '"y"', 'name = "x"\n', 'name = "y"\n'),
        (("server", "max_message_bytes"), "70000", 'name = "x"\n', 'name = "x"\n\n[server]\nmax_message_bytes = 70000\n'),
    ],
)
def test_only_the_key_is_changed(path: tuple[str, ...], value: str, old: str, new: str) -> None:
    assert set_key(TEXT, path, value) == TEXT.replace(old, new)


@pytest.mark.rule("cli.config-set")
def test_dotted_keys_and_empty_texts_are_served() -> None:
    assert set_key("", ("memory", "enabled"), "true") == "[memory]\nenabled = true\n"
    dotted = "memory.idle_seconds = 1 # x\n"
    assert set_key(dotted, ("memory", "idle_seconds"), "2") == "memory.idle_seconds = 2 # x\n"
    assert set_key(dotted, ("memory", "enabled"), "true") == dotted + "memory.enabled = true\n"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[memory\n", ("memory", "enabled")),
        ("memory = { enabled = true }\n", ("memory", "enabled")),
        ("[[memory]]\nenabled = true\n", ("memory", "enabled")),
    ],
)
def test_what_cannot_be_reached_is_refused(text: str, path: tuple[str, ...]) -> None:
    with pytest.raises(ValueError):
        set_key(text, path, "false")


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("5", "5"),
        ("true", "true"),
        ("qwen3:14b", '"qwen3:14b"'),
        ('["a"]', '["a"]'),
        ("1\nx = 2", '"1\\u000ax = 2"'),
        ("", '""'),
    ],
)
def test_what_is_typed_is_a_value_or_text(typed: str, value: str) -> None:
    assert literal(typed) == value


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_quoted_and_read_back(text: str) -> None:
    assert tomllib.loads(f"value = {quoted(text)}")["value"] == text


@given(st.text("ab=[]{}\"'#.\n 1", max_size=60), st.sampled_from(["1", '"#"', "[1, 2]"]))
def test_a_changed_text_is_toml_with_that_value_or_refused(text: str, value: str) -> None:
    try:
        changed = set_key(text, ("a", "b"), value)
    except ValueError:
        return
    assert tomllib.loads(changed)["a"]["b"] == tomllib.loads(f"v = {value}")["v"]
