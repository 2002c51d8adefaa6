"""Token estimates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soong_memoryd.text.tokens import estimate_tokens, lower_bound_tokens


@pytest.mark.rule("text.tokens")
@pytest.mark.parametrize(
    ("text", "estimate", "bound"),
    [
        ("", 0, 0),
        ("a", 1, 0),
        ("abcd", 1, 0),
        ("a" * 80, 20, 10),
        ("记住我喜欢茶呀啊", 8, 2),
        ("こんにちは", 5, 1),
        ("안녕하세요", 5, 1),
        ("用 uv", 2, 0),
    ],
)
def test_a_cjk_character_is_a_token_and_four_others_are_one(text: str, estimate: int, bound: int) -> None:
    assert estimate_tokens(text) == estimate
    assert lower_bound_tokens(text) == bound


@given(st.text(max_size=200), st.text(max_size=200))
def test_the_bound_never_exceeds_the_estimate_and_both_grow_with_the_text(one: str, other: str) -> None:
    assert 0 <= lower_bound_tokens(one) <= estimate_tokens(one)
    assert estimate_tokens(one + other) >= estimate_tokens(one)
    assert lower_bound_tokens(one + other) >= lower_bound_tokens(one)
