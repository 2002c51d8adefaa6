from __future__ import annotations

from typing import Any

import pytest

from soong_memoryd.extraction.prescreen import Screening, line, screen
from soong_memoryd.extraction.window import fix_window
from soong_memoryd.memories.schema import Frontmatter
from soong_memoryd.text.tokens import estimate_tokens
from tests.extraction.nodes import node, source


def memory(number: int, summary: str, category: str = "feedback", **changes: Any) -> Frontmatter:
    time = f"2026-01-01T00:{number // 60:02d}:{number % 60:02d}Z"
    head = Frontmatter(f"mem_20260101000000_{number:04d}", category, summary, (), time, time)
    fields = {name: changes.get(name, getattr(head, name)) for name in Frontmatter.__dataclass_fields__}
    return Frontmatter(**fields)


def screened(text: str, *known: Frontmatter, budget: int = 6_000) -> Screening:
    window = fix_window(source(node(1, "user", text)), 10_000)
    assert window is not None
    return screen(known, window, budget)


@pytest.mark.rule("extraction.likely-duplicates")
@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("from now on use pnpm, not npm, npm is too slow for me", "Use npm for JavaScript projects"),
        ("concise is right in general, but not for security reviews", "Keep answers concise"),
        ("please forget the hospital thing, I left healthcare", "Works at a hospital as a data analyst"),
        ("以后都用中文回答，别用英文", "回答一律用中文"),
        ("報告は日本語で書いてください", "報告書は日本語で書く"),
    ],
)
def test_what_is_said_again_or_against_a_memory_makes_it_likely(text: str, summary: str) -> None:
    about, other = memory(1, summary), memory(2, "Runs NixOS on the laptop")
    assert screened(text, about, other).likely == (about.id,)


@pytest.mark.rule("extraction.likely-duplicates")
def test_tags_and_a_common_source_add_to_the_score() -> None:
    tagged = memory(1, "Prefers vim over everything else there is", tags=("editor", "keyboard"))
    grown = memory(2, "Something unrelated in other words", source_session_id="s1", source_node_ids=("n1",))
    assert screened("my editor and my keyboard", tagged, grown).likely == (grown.id, tagged.id)


def test_everything_is_offered_while_it_fits_the_oldest_first() -> None:
    known = [memory(i, f"Fact number {i}") for i in (3, 1, 2)]
    screening = screened("hello", *known)
    assert [each.id[-4:] for each in screening.offered] == ["0001", "0002", "0003"]
    assert screening.total == 3


@pytest.mark.rule("extraction.offered-budget")
def test_beyond_the_budget_the_likely_ones_are_offered_then_the_newest() -> None:
    old = memory(0, "Keep answers concise", id="mem_20250101000000_cccc")
    known = [memory(i, f"Fact about subject {i}") for i in range(400)] + [old]
    screening = screened("answers should be concise", *known, budget=1_000)
    ids = [each.id for each in screening.offered]
    assert "mem_20250101000000_cccc" in ids
    assert "mem_20260101000000_0399" in ids
    assert "mem_20260101000000_0001" not in ids
    assert sum(estimate_tokens(line(each)) for each in screening.offered) <= 1_000
    assert screening.total == 401


def test_likely_ones_are_few() -> None:
    known = [memory(i, f"Keep answers concise {i}") for i in range(30)]
    assert len(screened("keep answers concise", *known).likely) == 8
