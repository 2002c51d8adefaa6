"""The judge of a store: each fault is found where it is, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from bench.eval.extraction import figures_of
from bench.eval.scoring import Verdict, judge

OLD = {
    "id": "mem_1", "category": "feedback", "summary": "Use npm", "tags": ["js"], "body": "The user wants npm.",
    "path": "feedback/npm.md", "created_at": "2026-01-01T00:00:00Z", "source_node_ids": ["old"],
}  # fmt: skip


def expected(**changes: Any) -> dict[str, Any]:
    return {
        "key": "pnpm", "op_any_of": ["new"], "category_any_of": ["feedback"], "must_include": [["pnpm"]],
        "must_not_include": [], "source_node_ids_any_of": ["n1"], **changes,
    }  # fmt: skip


def case(*wanted: dict[str, Any], existing: tuple[dict[str, Any], ...] = (), max_new: int = 1) -> dict[str, Any]:
    nodes = [{"id": "n1", "role": "user", "text": "use pnpm"}, {"id": "n2", "role": "assistant", "text": "You like yarn."}]
    forbidden = [{"reason": "invented", "patterns": ["YARN"]}]
    return {
        "id": "c1", "title": "t", "lang": ["en"], "tags": ["explicit"], "trigger_reason": "explicit",
        "existing_memories": list(existing), "nodes": nodes,
        "gold": {"expected": list(wanted), "forbidden": forbidden, "max_new": max_new},
    }  # fmt: skip


def memory(memory_id: str = "mem_2", **changes: Any) -> dict[str, Any]:
    made = {**OLD, "id": memory_id, "summary": "Use pnpm", "body": "The user wants pnpm.", "source_node_ids": ["n1"]}
    return {memory_id: made | changes}


CONFLICT = expected(op_any_of=["conflict"], target_id="mem_1", must_not_include=["npm."])


@pytest.mark.parametrize(
    ("story", "after", "faults"),
    [
        (case(expected()), memory(), set()),
        (case(expected()), {}, {"missed"}),
        (case(expected()), memory(source_node_ids=["n2"]), {"bad_source"}),
        (case(expected()), memory(source_node_ids=[]), {"bad_source"}),
        (case(expected()), memory(category="user"), {"bad_category"}),
        (case(expected()), memory() | memory("mem_3"), {"extra"}),
        (case(expected()), memory(body="pnpm, not yarn"), {"forbidden"}),
        (case(max_new=0), memory(source_node_ids=["n2"]), {"extra", "bad_source"}),
        (case(expected(confirm_node_ids=["n9"])), memory(), {"bad_source"}),
        (case(expected(optional=True)), {}, set()),
        (case(existing=(OLD,), max_new=0), {}, {"lost"}),
        (case(expected(op_any_of=["duplicate"], target_id="mem_1"), existing=(OLD,), max_new=0), {"mem_1": OLD}, set()),
        (case(CONFLICT, existing=(OLD,), max_new=0), {"mem_1": OLD}, {"missed"}),
        (case(CONFLICT, existing=(OLD,), max_new=0), memory("mem_1", path="user/npm.md"), {"missed"}),
    ],
)
def test_each_fault_is_named(story: dict[str, Any], after: dict[str, Any], faults: set[str]) -> None:
    assert set(judge(story, after).faults) == faults


@pytest.mark.parametrize(
    ("change", "outcome", "moved"),
    [
        ({"summary": "Use pnpm", "body": "pnpm it is", "source_node_ids": ["n1"]}, "correct", False),
        ({"summary": "Use pnpm", "body": "pnpm it is", "source_node_ids": ["n1"], "path": "user/x.md"}, "correct", True),
        ({}, "omitted", False),
        ({"summary": "Use bun", "body": "bun"}, "wrong", False),
    ],
)
def test_a_change_is_correct_omitted_or_wrong(change: dict[str, Any], outcome: str, moved: bool) -> None:
    verdict = judge(case(CONFLICT, existing=(OLD,), max_new=0), {"mem_1": OLD | change})
    assert verdict.changes == {"pnpm": outcome}
    assert bool(verdict.moved) == moved


def test_two_expected_memories_are_not_found_in_one() -> None:
    verdict = judge(case(expected(), expected(key="again"), max_new=2), memory())
    assert (verdict.hits, verdict.needed, verdict.missed) == (1, 2, ["again"])


def test_shares_count_messages_traps_and_writes() -> None:
    good = Verdict(
        "a", "", "en", "explicit", messages=4, wish=True, noticed=True, needed=2, hits=2, writes=3, right=2, prompt_tokens=100
    )
    fooled = Verdict("b", "", "zh", "false_memory", messages=1, writes=1, forbidden=["invented"])
    safe = Verdict("c", "", "zh", "false_memory", messages=5)
    figures = figures_of([good, fooled, safe])
    assert figures["recall"] == 1.0
    assert figures["precision"] == 0.5
    assert figures["resisted"] == 0.5
    assert figures["kept_share"] == 0.4
    assert (figures["noticed"], figures["false_alarms"]) == (1.0, 0)
    assert figures["junk_share"] == 0.2
    assert figures["clean"] == pytest.approx(2 / 3)
    assert figures["prompt_tokens"] == pytest.approx(100 / 3)
