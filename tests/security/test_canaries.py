"""A made-up secret through every door of a real daemon, and the search for it in all that is left."""

from __future__ import annotations

import pytest

from tests.security.canaries import files_below, for_door, found
from tests.security.sweep import DOORS, Sweep

A_FEW = 15


def test_a_canary_that_stayed_somewhere_is_found_in_any_form(tmp_path):
    (tmp_path / "deep").mkdir()
    first, second, third, *_ = for_door("a door", 7)
    (tmp_path / "deep" / "a.bin").write_bytes(b"\0\1" + second.secret[5:-2].encode() + b"\xff")
    (tmp_path / f"{third.secret[:60]}.txt").touch()
    seen = found([first, second, third], files_below(tmp_path, lambda _: False))
    assert [entry.split(" in ")[0] for entry in seen] == [f"a door/{second.kind}", f"a door/{third.kind}"]


def test_every_door_has_canaries_of_its_own():
    doors = [for_door(door, number) for number, door in enumerate(DOORS)]
    secrets = [canary.secret for made in doors for canary in made]
    assert len(DOORS) >= 30 and all(len(made) >= 40 for made in doors)
    assert len(set(secrets)) == len(secrets)


@pytest.mark.rule("security.canaries")
@pytest.mark.parametrize("debug", [False, True], ids=["debug off", "debug on"])
def test_no_canary_is_left_in_files_logs_replies_or_requests(tmp_path, debug):
    sweep = Sweep(tmp_path, debug, A_FEW)
    assert sweep.run() == []
    kept = (sweep.home / "memoryd" / "debug").exists()
    assert kept is debug
