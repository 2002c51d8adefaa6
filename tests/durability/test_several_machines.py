"""Two homes with a daemon each, that exchange their memories through a git remote or Syncthing: docs/several-machines.md."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.durability.disks import until
from tests.durability.machines import Machine, keep_both_sides, write_at_the_end
from tests.durability.nursery import Nursery

FISH, HELIX, TABS, TEA = "I use fish, not bash.", "my editor is Helix.", "I indent with tabs.", "我喝茶，不喝咖啡。"


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with Nursery() as nursery:
        yield nursery


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    path = tmp_path / "memories.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(path)], check=True)
    return path


@pytest.fixture
def machines(nursery: Nursery, tmp_path: Path, remote: Path) -> Iterator[tuple[Machine, Machine]]:
    """Both had memories of their own before they met; both have everything now."""
    one, two = Machine(nursery, tmp_path / "one", remote), Machine(nursery, tmp_path / "two", remote)
    one.remember(FISH)
    one.commit()
    one.push()
    two.remember(HELIX)
    two.commit()
    two.pull("--no-rebase", "--allow-unrelated-histories")
    two.push()
    one.pull()
    yield one, two
    one.end()
    two.end()


def exchange(one: Machine, two: Machine) -> None:
    """What one of them has committed reaches the other, and back."""
    one.push()
    two.pull()
    two.push()
    one.pull()


def agree(one: Machine, two: Machine, *summaries: str) -> None:
    """Both list exactly this, byte for byte the same, in files and catalog, and find nothing wrong."""
    for machine in (one, two):
        assert set(machine.summaries()) == set(summaries)
        until(lambda machine=machine: not machine.problems())  # the catalog follows the files
        assert machine.kept_aside() == []
    assert one.summaries() == two.summaries()
    for path in one.summaries().values():
        assert (one.memory / path).read_bytes() == (two.memory / path).read_bytes()
    assert one.catalog() == two.catalog() and one.catalog().count("\n") == len(summaries)


@pytest.mark.rule("durability.machines")
def test_what_each_machine_learns_the_other_has_after_a_pull(machines: tuple[Machine, Machine]) -> None:
    one, two = machines
    agree(one, two, FISH, HELIX)
    one.remember(TEA)
    two.remember(TABS)
    one.commit()
    two.commit()
    exchange(one, two)
    agree(one, two, FISH, HELIX, TEA, TABS)
    recalled = two.call("memory.recall", query="喝茶 咖啡", session_id=None)
    assert TEA in recalled["message"]["content"], "what the other machine was told is recalled here"
    assert one.git("ls-files", "MEMORY.md") == ""


@pytest.mark.rule("durability.machines")
@pytest.mark.parametrize("resolve", [["checkout", "-q", "--ours", "MEMORY.md"], ["add", "MEMORY.md"]], ids=["ours", "markers"])
def test_a_catalog_that_was_committed_conflicts_and_is_rendered_again_however_that_is_resolved(
    nursery: Nursery, tmp_path: Path, remote: Path, resolve: list[str]
) -> None:
    one = Machine(nursery, tmp_path / "one", remote, ignore_catalog=False)
    two = Machine(nursery, tmp_path / "two", remote, ignore_catalog=False)
    one.remember(FISH)
    one.commit()
    one.push()
    two.remember(HELIX)
    two.commit()
    two.pull("--no-rebase", "--allow-unrelated-histories", code=1)
    assert set(two.summaries()) == {FISH, HELIX}, "a conflict in MEMORY.md hides no memory"
    assert two.problems() == {("sync_in_progress", None), ("stale_catalog", "MEMORY.md")}
    assert "<<<<<<< " in two.catalog(), "while git merges, MEMORY.md is git's"
    two.git(*resolve)
    two.git("commit", "-q", "-a", "-m", "merged")
    until(lambda: two.catalog().count("\n- ") == 1 and "<<<<<<< " not in two.catalog())
    assert set(two.summaries()) == {FISH, HELIX} and two.problems() == set()
    assert two.kept_aside() == [], "what git wrote there is nobody's edit"


@pytest.mark.rule("durability.machines")
def test_a_memory_that_both_changed_is_out_until_somebody_resolves_it_and_the_others_go_on(
    machines: tuple[Machine, Machine],
) -> None:
    one, two = machines
    file = two.file(HELIX)
    path = two.summaries()[HELIX]
    write_at_the_end(one.file(HELIX), "At home.")
    write_at_the_end(file, "At work.")
    one.commit()
    one.push()
    two.commit()
    two.pull(code=1)
    torn = file.read_bytes()
    assert b"At home." in torn and b"At work." in torn

    assert set(two.summaries()) == {FISH}
    assert {("conflict_markers", path), ("sync_in_progress", None)} <= two.problems()
    assert two.call("daemon.status")["memory"]["invalid"] == 1
    assert FISH in two.call("memory.recall", query="fish or bash", session_id=None)["message"]["content"]
    waiting = two.remember(TABS)
    assert waiting["status"] == "pending", "the merge is open: the wish waits"

    two.git("commit", "-q", "-a", "-m", "merged in a hurry, markers and all")
    two.call("extraction.trigger", session_id=waiting["session_id"], wait=True)
    assert set(two.summaries()) == {FISH, TABS}
    assert two.problems() == {("conflict_markers", path)}
    assert file.read_bytes() == torn, "the daemon resolves nothing by itself"

    keep_both_sides(file)
    two.commit("resolved")
    exchange(two, one)
    agree(one, two, FISH, HELIX, TABS)
    assert b"At home." in one.file(HELIX).read_bytes() and b"At work." in one.file(HELIX).read_bytes()


@pytest.mark.rule("durability.machines")
def test_what_is_forgotten_on_one_machine_goes_on_the_other_too_unless_it_was_changed_there(
    machines: tuple[Machine, Machine],
) -> None:
    one, two = machines
    for summary in (FISH, HELIX):
        path = one.summaries()[summary]
        one.call("memory.forget", memory_id=path.rpartition("-")[2].removesuffix(".md"))
    one.commit()
    one.push()
    write_at_the_end(two.file(HELIX), "I have not forgotten.")
    two.commit()
    two.pull(code=1)
    assert set(two.summaries()) == {HELIX}, "what was changed here is still here"
    assert ("sync_in_progress", None) in two.problems()
    two.commit("it stays")
    exchange(two, one)
    agree(one, two, HELIX)
    gone = [event["payload"]["path"] for event in two.call("events.list", type="memory_edited_outside")["events"][-1:]]
    assert gone and "fish" in gone[0]


@pytest.mark.rule("durability.machines")
def test_a_rebase_that_stops_half_way_takes_files_away_and_brings_them_back(machines: tuple[Machine, Machine]) -> None:
    one, two = machines
    write_at_the_end(one.file(HELIX), "At home.")
    one.commit()
    one.push()
    write_at_the_end(two.file(HELIX), "At work.")
    two.commit()
    two.remember(TABS)
    two.commit()
    two.pull("--rebase", code=1)
    assert set(two.summaries()) == {FISH}, "git has not come to the commit with the tabs yet"
    before = two.git("status", "--porcelain")
    assert two.remember(TEA)["status"] == "pending"
    assert two.git("status", "--porcelain") == before, "nothing is written under a rebase"
    keep_both_sides(two.memory / next(line[3:] for line in before.splitlines() if line.startswith("UU")))
    two.git("add", "-A")
    two.git("rebase", "--continue")
    two.call("extraction.trigger", session_id=None, wait=True)
    assert set(two.summaries()) == {FISH, HELIX, TABS, TEA}
    two.commit()
    exchange(two, one)
    agree(one, two, FISH, HELIX, TABS, TEA)


@pytest.mark.rule("durability.machines")
def test_conflict_copies_of_syncthing_are_named_and_left_alone(machines: tuple[Machine, Machine]) -> None:
    one, two = machines
    original = two.file(HELIX)
    copy = original.with_name(f"{original.stem}.sync-conflict-20261201-101010-ABCDEFG.md")
    copy.write_text(original.read_text(encoding="utf-8").replace("Helix", "Vim"), encoding="utf-8")
    (two.memory / "MEMORY.sync-conflict-20261201-101010-ABCDEFG.md").write_text(two.catalog(), encoding="utf-8")
    assert set(two.summaries()) == {FISH, HELIX}
    expected = {("duplicate_id", copy.name), ("foreign_file", "MEMORY.sync-conflict-20261201-101010-ABCDEFG.md")}
    until(lambda: {(code, path and Path(path).name) for code, path in two.problems()} == expected)
    two.remember(TABS)
    assert copy.exists() and "Vim" in copy.read_text(encoding="utf-8")
    copy.replace(original)
    assert set(two.summaries()) == {FISH, "my editor is Vim.", TABS}, "a person chose the copy"

    own = two.catalog()
    (two.memory / "MEMORY.md").write_bytes((one.memory / "MEMORY.md").read_bytes())  # as a sync tool does
    until(lambda: (two.memory / "MEMORY.md").read_text(encoding="utf-8").count("\n") == own.count("\n"))
    assert two.kept_aside() == [], "another machine's catalog is no hand edit"
