from __future__ import annotations

import random

import pytest

from tests.crash.explore import EXPLORATIONS, SURVIVABLE_WITHOUT_EXCHANGE, WithoutExchange, explore, first_violation
from tests.crash.mutants import mutants
from tests.crash.world import Protocol, World

ONE_POINT_IN = {
    "crash": 1,
    "crash in recovery": 7,
    "errno": 5,
    "errno that passes": 1,
    "errno in recovery": 11,
    "edit": 7,
    "edit in recovery": 23,
}


def sample(name: str, one_in: int, protocol: Protocol) -> tuple[int, dict[str, int]]:
    offset = random.Random(f"{name} {protocol.name}").randrange(one_in)
    visited, violations = explore(protocol, (name,), pick=lambda point: point % one_in == offset)
    return visited.total(), dict(violations)


@pytest.mark.rule("commit.atomic", "commit.edit-kept", "commit.recovery")
@pytest.mark.parametrize("name", EXPLORATIONS)
def test_no_crash_error_or_edit_breaks_a_commit(name: str) -> None:
    visited, violations = sample(name, ONE_POINT_IN[name], Protocol("sample"))
    assert violations == {}
    assert visited > 100


@pytest.mark.rule("commit.no-exchange")
@pytest.mark.parametrize("name", SURVIVABLE_WITHOUT_EXCHANGE)
def test_no_crash_or_error_breaks_a_commit_without_exchange(name: str) -> None:
    visited, violations = sample(name, ONE_POINT_IN[name], Protocol("sample without exchange", files=WithoutExchange))
    assert violations == {}
    assert visited > 100


@pytest.mark.parametrize(("exploration", "mutant"), mutants(), ids=lambda value: getattr(value, "name", None))
def test_the_explorer_notices_what_is_taken_out(exploration: str, mutant: Protocol) -> None:
    assert first_violation(mutant, (exploration,)) is not None


def test_a_commit_that_nothing_disturbs_leaves_the_new_state_and_the_old_versions() -> None:
    world = World.new(Protocol())
    assert world.commit() == "done"
    assert world.violations() == []
    assert world.completed() == 1
    assert world.files.listing("history") == ["t1-1.md", "t1-2.md"]
