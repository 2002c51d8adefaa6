from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.durability import crowd
from tests.durability.nursery import Nursery


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with Nursery() as nursery:
        yield nursery


@pytest.mark.rule("durability.load")
def test_a_crowd_with_a_rabble_in_it_is_served_and_leaves_nothing_behind(nursery, tmp_path):
    figures = crowd.run(nursery, tmp_path / "home", sessions=30, nodes_each=20, clients=12, bad_of_each=3)
    assert figures.found == []
    assert figures.nodes == 600 and figures.answers_meanwhile


@pytest.mark.rule("durability.load")
def test_whoever_finds_every_place_taken_is_served_when_somebody_leaves(nursery, tmp_path):
    daemon = nursery.born(tmp_path / "home").ready()
    assert crowd.fill_every_place(daemon) == []
    assert daemon.stop() == 0


@pytest.mark.rule("durability.load")
def test_running_out_of_file_descriptors_ends_neither_the_daemon_nor_those_it_serves(nursery, tmp_path):
    daemon = nursery.born(tmp_path / "home", nofile=48).ready()
    assert crowd.run_out_of_descriptors(daemon, 60) == []
    assert daemon.stop() == 0
