from __future__ import annotations

import pytest

from soong_memoryd.memories.refusals import REFUSALS, refuse, strongest


@pytest.mark.rule("memory.refusal-kinds")
def test_what_must_not_be_stored_is_policy_and_what_can_be_mended_is_form():
    kinds = {code: meaning.kind for code, meaning in REFUSALS.items()}
    assert {code for code, kind in kinds.items() if kind == "policy"} == {
        "secret", "instruction", "forgotten", "evidence", "not_offered", "duplicate", "limit",
    }  # fmt: skip
    assert {code for code, kind in kinds.items() if kind == "form"} == {"schema", "no_evidence", "name", "size", "collision"}


@pytest.mark.rule("memory.refusals-together")
def test_all_that_is_wrong_is_told_at_once_with_policy_first():
    together = strongest([refuse("name", "it is empty"), refuse("evidence"), refuse("size")])
    assert together.code == "evidence"
    assert "also name: the name cannot be a file name (it is empty)" in together.why
    assert "also size" in together.why


def test_nothing_wrong_is_no_refusal():
    assert strongest([]) is None
