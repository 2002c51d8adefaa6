"""A seeded sample of each long sweep; ``make crash`` runs them whole."""

from __future__ import annotations

import pytest

from tests.durability import editors, namespaces, rounds, syscalls
from tests.durability.disks import dead_disk, full, full_at_start, memory_turns_read_only, outbox_on_a_full_disk
from tests.durability.failpoints import NAMES

NO_STRACE = syscalls.refusal()
NO_MOUNTS = namespaces.refusal()
SAMPLE = [scenario.__name__ for scenario in (full, full_at_start, outbox_on_a_full_disk, memory_turns_read_only, dead_disk)]


@pytest.mark.rule("durability.kill")
def test_what_was_acknowledged_survives_kill_9_under_load_at_any_moment(tmp_path):
    figures = rounds.sweep(tmp_path, 4, seed=20261201)
    assert figures.found == []
    assert figures.rounds == 4 and figures.acknowledged > 20


def test_the_table_of_points_names_each_once():
    assert len(NAMES) == len(set(NAMES)) > 25


@pytest.mark.rule("durability.syscalls")
@pytest.mark.skipif(NO_STRACE is not None, reason=str(NO_STRACE))
def test_a_kill_in_a_system_call_leaves_all_or_nothing(tmp_path):
    figures = syscalls.Figures()
    syscalls.sweep(tmp_path, figures, ("renameat2",), (), one_in=3, offset=1)
    assert figures.found == [] and figures.injected.total() >= 1


@pytest.mark.rule("durability.syscalls")
@pytest.mark.skipif(NO_STRACE is not None, reason=str(NO_STRACE))
def test_a_system_call_that_fails_leaves_all_or_nothing(tmp_path):
    figures = syscalls.Figures()
    syscalls.sweep(tmp_path, figures, ("linkat",), ("ENOSPC",), one_in=2)
    assert figures.found == [] and figures.injected.total() >= 1


@pytest.mark.rule("durability.power")
@pytest.mark.skipif(NO_MOUNTS is not None, reason=str(NO_MOUNTS))
def test_what_was_acknowledged_survives_a_power_cut():
    done = namespaces.run("tests.durability.power", "--cuts", "2", seconds=50)
    assert done.returncode == 0 and "power cuts: 2," in done.stdout, done.stdout


@pytest.mark.rule("durability.disks")
@pytest.mark.skipif(NO_MOUNTS is not None, reason=str(NO_MOUNTS))
def test_disks_that_fill_up_turn_read_only_or_die_lose_nothing():
    done = namespaces.run("tests.durability.disks", *SAMPLE, seconds=55)
    assert done.returncode == 0 and done.stdout.count(" holds (") == len(SAMPLE), done.stdout


@pytest.mark.rule("durability.edits")
def test_no_edit_is_lost_or_torn_however_it_races_with_commits(tmp_path):
    figures = editors.race(tmp_path / "home", 12, seed=1)
    assert figures.lost == figures.torn == []
    assert set(figures.edits) == set(editors.EDITORS) and figures.commits["done"] >= 12 and figures.commits["memory_changed"]
