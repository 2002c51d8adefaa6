"""Finding the object that a model meant."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soong_memoryd.llm.json_text import MAX_TEXT_CHARS, find_object, parse, without_thoughts

WANTED = frozenset({"operations"})
MEANT = {"operations": [{"tool": "finish", "arguments": {"text": 'a "brace" } and {', "说": "好"}}]}
TEXT = json.dumps(MEANT, ensure_ascii=False)
DECOY = '{"operations": ["decoy"]}'


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"  {TEXT}\n",
        f"```json\n{TEXT}\n```",
        f"Sure, here it is:\n{TEXT}\nAnything else?",
        f"好的，结果如下：{TEXT}。",
        f"The set {{x}} and {{'a': 1}} first. {TEXT}",
        f'It says "{{" somewhere. {TEXT}',
        f'First {{"note": 1}}, then {TEXT}, and {{"note": 2}}',
        f"<think>Perhaps {DECOY}? No.</think>{TEXT}",
        f"<THINKING>\n{DECOY}\n</THINKING>\n\n{TEXT}",
        f"Perhaps {DECOY}? No.</think>\n{TEXT}",
        f"<think>a</think> and <think>{DECOY}</think>{TEXT}",
        f"{TEXT}\n<think>Was {DECOY} better?</think>",
        f"{TEXT}\n<think>Was {DECOY} better",
        f"<|channel|>analysis<|message|>{DECOY}<|end|><|start|>assistant<|channel|>final<|message|>{TEXT}<|return|>",
    ],
)
def test_the_object_is_found_in_what_stands_around_it(text: str) -> None:
    assert find_object(text, WANTED) == MEANT


@pytest.mark.rule("llm.thoughts-are-no-answer")
@pytest.mark.parametrize("text", [f"<think>{DECOY}</think>", f"<think>{DECOY}", f"{DECOY}</think>", f"<reasoning>{DECOY}"])
def test_what_was_only_thought_is_no_answer(text: str) -> None:
    assert find_object(text, WANTED) is None


@pytest.mark.parametrize("cut", range(1, len(TEXT), 7))
def test_a_cut_object_is_never_mended(cut: int) -> None:
    found = find_object(TEXT[:cut], WANTED)
    assert found is None or "operations" not in found


@pytest.mark.parametrize(
    "text", ["", "nothing", "[1, 2]", '"text"', "{", "}{", '{"a": NaN}', '{"a": "\\ud800"}', '{"a": 1,}', "{'a': 1}"]
)
def test_what_is_no_json_object_is_none(text: str) -> None:
    assert find_object(text, WANTED) is None


def test_an_answer_that_speaks_of_thinking_tags_is_kept_whole() -> None:
    meant = {"operations": ["the <think> tag and its </think> end"]}
    assert find_object(json.dumps(meant), WANTED) == meant


def test_nesting_is_bounded() -> None:
    with pytest.raises(ValueError, match="recursion"):
        parse("[" * 5000 + "]" * 5000)


@pytest.mark.parametrize("unit", ["{", '{"a":', '{"', "<think>", "</think>", "<think></think>", '{"a":"\\', "{}", "{x}"])
def test_hostile_text_is_read_in_bounded_time(unit: str) -> None:
    text = (unit * MAX_TEXT_CHARS)[:MAX_TEXT_CHARS]
    began = time.process_time()
    find_object(text, WANTED)
    assert time.process_time() - began < 2
    assert find_object(text + unit, WANTED) is None


@given(st.text(alphabet='{}"\\:,ab1[] <>/think', max_size=80))
def test_any_text_gives_an_object_or_none(text: str) -> None:
    found = find_object(text, WANTED)
    assert found is None or isinstance(found, dict)
    assert "<think>" not in without_thoughts(text)


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=20), min_size=1, max_size=4))
def test_any_object_survives_a_fence(value: dict[str, str]) -> None:
    text = json.dumps({"operations": value}, ensure_ascii=False)
    marked = "think>" in text or "<|channel|>" in text
    assert marked or find_object(f"Here:\n```\n{text}\n```", WANTED) == {"operations": value}
