from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from soong_memoryd.text.intent.literals import LiteralIndex, shortest

TEXTS = st.text(alphabet="abc 记住", max_size=12)


@given(st.lists(TEXTS, max_size=12), TEXTS)
def test_an_index_finds_exactly_the_literals_that_a_text_holds(literals: list[str], text: str) -> None:
    index = LiteralIndex((literal, number) for number, literal in enumerate(literals))
    expected = {(literal, number) for number, literal in enumerate(literals) if literal in text}
    assert set(index.found_in(text)) == expected


@given(st.lists(TEXTS, max_size=12), TEXTS)
def test_leaving_out_longer_literals_leaves_the_answer_as_it_is(literals: list[str], text: str) -> None:
    assert any(each in text for each in literals) == any(each in text for each in shortest(literals))
