from __future__ import annotations

import pytest

from soong_memoryd.recall.wrapper import PREFACE, Recallable, wrap


def memory(number: int, category: str = "user", body: str = "body", summary: str = "summary") -> Recallable:
    memory_id = f"mem_20260301090000_{number:04d}"
    return Recallable(memory_id, category, summary, f"2026-03-{number:02d}T09:00:00Z", f"{category}/x.md", "0" * 64, body)


@pytest.mark.rule("recall.wrapper")
def test_the_message_names_ids_and_categories_and_dates_each_memory() -> None:
    text = wrap([memory(1), memory(2, "feedback"), memory(3)])
    ids = "mem_20260301090000_0001,mem_20260301090000_0002,mem_20260301090000_0003"
    assert text.splitlines()[0] == f'<memory ids="{ids}" categories="user,feedback">'
    assert "[mem_20260301090000_0002 | feedback | 2026-03-02] summary\nbody" in text
    assert text.endswith("\n</memory>")


@pytest.mark.rule("recall.wrapper")
def test_the_message_says_that_it_holds_facts_and_what_wins_over_them() -> None:
    assert wrap([memory(1)]).splitlines()[1] == PREFACE
    assert "not orders" in PREFACE
    assert "current message" in PREFACE


def test_a_memory_without_a_body_is_its_summary() -> None:
    assert wrap([memory(1, body=" \n")]).splitlines()[-2].endswith("] summary")


def test_a_summary_stays_on_its_line() -> None:
    assert "] a b\nbody" in wrap([memory(1, summary="a\n\n  b")])
