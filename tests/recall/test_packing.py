from __future__ import annotations

import pytest

from soong_memoryd.recall.packing import Omitted, Packing
from soong_memoryd.recall.wrapper import wrap
from soong_memoryd.text.tokens import estimate_tokens
from tests.recall.test_wrapper import memory


@pytest.mark.rule("recall.limits")
def test_no_more_than_top_k_memories_are_packed() -> None:
    packing = Packing(top_k=2, budget_tokens=10_000)
    for number in (1, 2, 3):
        packing.offer(memory(number))
    assert [m.memory_id for m in packing.packed] == [memory(1).memory_id, memory(2).memory_id]
    assert packing.omitted == [Omitted(memory(3).memory_id, "top_k")]


@pytest.mark.rule("recall.limits")
def test_the_budget_holds_for_the_whole_message_and_a_smaller_memory_takes_the_room() -> None:
    small, large = memory(1), memory(2, body="长" * 500)
    budget = estimate_tokens(wrap([small, memory(3)]))
    packing = Packing(top_k=5, budget_tokens=budget)
    for offered in (small, large, memory(3)):
        packing.offer(offered)
    assert [m.memory_id for m in packing.packed] == [small.memory_id, memory(3).memory_id]
    assert packing.omitted == [Omitted(large.memory_id, "token_budget")]
    assert estimate_tokens(packing.text) <= budget
    assert packing.text == wrap([small, memory(3)])


def test_a_budget_below_the_smallest_message_packs_nothing() -> None:
    packing = Packing(top_k=5, budget_tokens=1)
    packing.offer(memory(1))
    assert packing.status == "no_match"
    assert packing.omitted[0].reason == "token_budget"


@pytest.mark.rule("recall.already-recalled")
def test_what_is_in_view_already_counts_in_neither_limit() -> None:
    packing = Packing(top_k=1, budget_tokens=estimate_tokens(wrap([memory(2)])))
    packing.skip("mem_a")
    packing.skip("mem_b")
    packing.offer(memory(2))
    assert packing.status == "recalled"
    assert packing.already_recalled == ["mem_a", "mem_b"]
    assert packing.omitted == []


@pytest.mark.rule("recall.already-recalled")
def test_the_status_is_already_recalled_only_if_that_is_true_of_all() -> None:
    nothing, all_known, some_left_out = (Packing(top_k=1, budget_tokens=1) for _ in range(3))
    all_known.skip("mem_a")
    some_left_out.skip("mem_a")
    some_left_out.omit("mem_b", "unreadable")
    assert [p.status for p in (nothing, all_known, some_left_out)] == ["no_match", "already_recalled", "no_match"]
