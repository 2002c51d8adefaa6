"""What other programs do in the memory directory: for each kind one rule, and what is seen of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from soong_memoryd.errors import CommitConflict, StorageError
from tests.durability.editors import EDITORS, Editor
from tests.memories.homes import EFFECTS, Home, create, data_of, in_home, memory_id, path_of, update

EDITED = data_of(1, body="Edited by hand.")


@pytest.mark.rule("durability.edits")
@pytest.mark.parametrize("editor", EDITORS.values(), ids=EDITORS)
def test_a_file_that_was_edited_wins_over_a_commit_that_did_not_see_it(tmp_path: Path, editor: Editor) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        editor(home.file(1), EDITED)
        with pytest.raises(CommitConflict):
            await home.store.commit([update(1, data_of(1), data_of(1, body="By the model."))], EFFECTS)
        assert home.file(1).read_bytes() == EDITED
        await home.store.absorb()
        (edited,) = await home.events("memory_edited_outside")
        assert edited["payload"]["change"] == "changed"
        await home.store.commit([update(1, EDITED, data_of(1, body="By the model, after reading."))], EFFECTS)
        assert [version.cause for version in await home.store.history(memory_id(1))] == ["update"]

    in_home(tmp_path / "home", test)


@pytest.mark.rule("durability.edits")
@pytest.mark.parametrize("editor", EDITORS.values(), ids=EDITORS)
@pytest.mark.parametrize("step", ["checked", "staged", "prepared"])
def test_an_edit_between_the_look_and_the_swap_is_put_back(tmp_path: Path, editor: Editor, step: str) -> None:
    async def test(home: Home) -> None:
        await home.save(1, 2)

        def edit(reached: str) -> None:
            if reached == step:
                editor(home.file(1), EDITED)

        changes = [update(2, data_of(2), data_of(2, body="New.")), update(1, data_of(1), data_of(1, body="By the model."))]
        with pytest.raises(CommitConflict):
            await home.store.commit(changes, EFFECTS, edit)
        assert home.file(1).read_bytes() == EDITED, "the person's file stays"
        assert home.file(2).read_bytes() == data_of(2), "and all of the commit is taken back"
        assert home.catalog() == (await home.store.snapshot()).catalog.text
        assert os.listdir(home.state / "staging") == []

    in_home(tmp_path / "home", test)


def vim_leftovers(folder: Path) -> list[str]:
    (folder / ".note.md.swp").write_bytes(b"b0VIM 9.0")
    (folder / "note.md~").write_bytes(b"backup")
    (folder / "4913").write_bytes(b"")
    return ["4913", "note.md~"]


def syncthing_leftovers(folder: Path) -> list[str]:
    (folder / ".syncthing.note.md.tmp").write_bytes(data_of(1)[:20])
    (folder / "~syncthing~note.md.tmp").write_bytes(data_of(1)[:20])
    return ["~syncthing~note.md.tmp"]


def emacs_leftovers(folder: Path) -> list[str]:
    (folder / "#note.md#").write_bytes(b"autosave")
    os.symlink("me@host.1:1", folder / ".#note.md")
    return ["#note.md#"]


@pytest.mark.rule("durability.edits")
@pytest.mark.parametrize("leave", [vim_leftovers, syncthing_leftovers, emacs_leftovers])
def test_what_editors_leave_behind_is_no_memory_and_is_left_alone(tmp_path: Path, leave: Callable[[Path], list[str]]) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        before = home.catalog()
        told = leave(home.memory / "user")
        names = sorted(os.listdir(home.memory / "user"))
        await home.store.absorb()
        assert home.catalog() == before
        assert sorted(os.listdir(home.memory / "user")) == names
        assert sorted(p.path for p in await home.store.verify() if p.code == "foreign_file") == [f"user/{n}" for n in told]

    in_home(tmp_path / "home", test)


@pytest.mark.rule("durability.edits")
def test_a_syncthing_conflict_copy_is_a_duplicate_that_changes_nothing(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        before = home.catalog()
        copy = home.file(1).with_name(home.file(1).stem + ".sync-conflict-20261201-101010-ABCDEFG.md")
        copy.write_bytes(EDITED)
        await home.store.absorb()
        assert home.catalog() == before and copy.read_bytes() == EDITED
        found = [problem for problem in await home.store.verify() if problem.path == f"user/{copy.name}"]
        assert {problem.code for problem in found} <= {"duplicate_id", "unparsable_file", "id_mismatch"} and found
        await home.store.commit([update(1, data_of(1), data_of(1, body="New."))], EFFECTS)
        assert copy.read_bytes() == EDITED

    in_home(tmp_path / "home", test)


@pytest.mark.rule("durability.edits")
@pytest.mark.parametrize("mark", ["MERGE_HEAD", "rebase-merge", "rebase-apply", "index.lock", "CHERRY_PICK_HEAD"])
def test_while_git_is_at_work_nothing_is_written_and_afterwards_it_goes_on(tmp_path: Path, mark: str) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        git = home.memory / ".git"
        git.mkdir()
        (git / mark).mkdir() if mark.startswith("rebase") else (git / mark).touch()
        home.file(1).write_bytes(EDITED)
        stale = home.catalog()
        with pytest.raises(CommitConflict) as refused:
            await home.store.commit([create(2)], EFFECTS)
        assert refused.value.code == "sync_in_progress"
        await home.store.absorb()
        assert home.catalog() == stale, "MEMORY.md is git's while it merges"
        (git / mark).rmdir() if mark.startswith("rebase") else (git / mark).unlink()
        await home.store.commit([create(2)], EFFECTS)
        assert home.catalog() == (await home.store.snapshot()).catalog.text

    in_home(tmp_path / "home", test)


@pytest.mark.rule("durability.edits")
def test_conflict_markers_take_a_file_out_until_they_are_resolved(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1, 2)
        conflict = b"<<<<<<< HEAD\n" + data_of(1) + b"=======\n" + EDITED + b">>>>>>> theirs\n"
        home.file(1).write_bytes(conflict)
        await home.store.absorb()
        assert memory_id(1) not in home.catalog() and home.file(1).read_bytes() == conflict
        assert [problem.code for problem in await home.store.verify()] == ["conflict_markers"]
        home.file(1).write_bytes(EDITED)
        await home.store.absorb()
        assert memory_id(1) in home.catalog() and await home.store.verify() == []

    in_home(tmp_path / "home", test)


@pytest.mark.rule("durability.edits")
def test_a_deletion_is_a_deletion_and_a_new_file_is_a_memory(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1, 2)
        home.file(1).unlink()
        (home.memory / "reference").mkdir(exist_ok=True, mode=0o700)
        home.file(3, "reference").write_bytes(data_of(3, category="reference"))
        home.file(3, "reference").chmod(0o600)
        await home.store.absorb()
        assert memory_id(1) not in home.catalog() and memory_id(3) in home.catalog()
        told = {
            (event["payload"]["memory_id"], event["payload"]["change"]) for event in await home.events("memory_edited_outside")
        }
        assert told == {(memory_id(1), "deleted"), (memory_id(3), "created")}
        with pytest.raises(CommitConflict):
            await home.store.commit([update(1, data_of(1), data_of(1, body="New."))], EFFECTS)
        assert not home.file(1).exists(), "what was deleted does not come back"

    in_home(tmp_path / "home", test)


@pytest.mark.rule("durability.edits")
def test_of_two_files_with_one_id_the_lower_path_counts_and_neither_is_touched(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        second = home.memory / path_of(1).replace("note-", "zzz-")
        second.write_bytes(EDITED)
        second.chmod(0o600)
        await home.store.absorb()
        document, _, path = await home.store.read(memory_id(1))
        assert path == path_of(1) and document.body == "Tabs."
        assert home.catalog().count(memory_id(1)) == 2, "id and path of one line"
        assert [problem.code for problem in await home.store.verify()] == ["duplicate_id"]
        assert second.read_bytes() == EDITED

    in_home(tmp_path / "home", test)


@pytest.mark.rule("durability.edits")
def test_when_most_files_vanish_together_nothing_is_written_until_somebody_says_so(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(*range(1, 8))
        catalog = home.catalog()
        for number in range(1, 7):
            home.file(number).unlink()
        await home.store.absorb()
        assert home.store.suspect and home.catalog() == catalog
        with pytest.raises(StorageError) as refused:
            await home.store.commit([create(9)], EFFECTS)
        assert refused.value.code == "read_only"
        await home.store.repair(["memory_dir_suspect"])
        assert not home.store.suspect and home.catalog().count("\n") < catalog.count("\n")
        await home.store.commit([create(9)], EFFECTS)

    in_home(tmp_path / "home", test)
