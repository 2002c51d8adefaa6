from __future__ import annotations

import pytest

from soong_memoryd.extraction.briefing import MAX_WINDOW_TOKENS, room_for
from soong_memoryd.extraction.prompt import fixed_tokens


@pytest.mark.parametrize("context_tokens", [4_096, 8_000, 16_000, 32_000, 128_000, 1_000_000])
def test_the_parts_of_a_prompt_fit_into_the_context_with_room_for_further_rounds(context_tokens: int) -> None:
    room = room_for(context_tokens)
    used = fixed_tokens() + room.window_tokens + room.frontmatter_tokens + room.bodies_tokens
    assert used <= context_tokens * 7 // 8 + 1
    assert room.window_tokens >= (context_tokens - fixed_tokens()) // 3 or room.window_tokens == MAX_WINDOW_TOKENS


@pytest.mark.rule("extraction.offered-budget")
def test_frontmatter_takes_six_thousand_tokens_at_most() -> None:
    assert room_for(1_000_000).frontmatter_tokens == 6_000
