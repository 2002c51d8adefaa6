"""No way from a path, a link or a race leads out of the memory directory."""

from __future__ import annotations

import pytest

from tests.security import paths

RACE_SECONDS = 0.5


@pytest.mark.rule("security.paths")
@pytest.mark.parametrize("name", paths.attacks(), ids=ascii)
def test_an_attack_on_a_path_is_refused_and_nothing_outside_changes(tmp_path, name):
    assert paths.try_attack(tmp_path / "scene", *paths.attacks()[name])


@pytest.mark.rule("security.swap-race")
def test_swapping_directories_and_files_for_links_meanwhile_lets_nothing_out(tmp_path):
    raced = paths.race(tmp_path / "scene", RACE_SECONDS)
    assert raced.escapes == 0
    assert raced.swaps > 50 and raced.done > 5 and raced.refused > 5, "it was a race"
