from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from soong_memoryd.errors import StorageError
from soong_memoryd.memories.news import News
from soong_memoryd.memories.ports import sha256
from soong_memoryd.memories.watch import watch
from tests.memories.homes import EFFECTS, Home, create, data_of, in_home, memory_id, opened, path_of


@pytest.mark.rule("memory.outside-edit")
def test_an_edit_is_seen_at_once_even_of_the_same_size_in_the_same_tick(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        for word in ("aaaa", "bbbb", "cccc", "dddd"):
            data = data_of(1, summary=word)
            with home.file(1).open("r+b") as file:
                file.truncate(len(data))
                file.write(data)
            stat = home.file(1).stat()
            os.utime(home.file(1), ns=(stat.st_atime_ns, 1_000_000_000))
            entry = (await home.store.snapshot()).by_id[memory_id(1)]
            assert (entry.frontmatter.summary, entry.sha256) == (word, sha256(data))

    in_home(tmp_path, test)


def test_a_snapshot_is_the_same_object_until_something_changes(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        first = await home.store.snapshot()
        assert await home.store.snapshot() is first
        home.file(1).unlink()
        assert (await home.store.snapshot()).entries == ()

    in_home(tmp_path, test)


@pytest.mark.rule("memory.outside-edit")
def test_files_that_other_programs_change_are_taken_up_with_events_and_catalog(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1, 2, 3)
        home.file(1).write_bytes(data_of(1, summary="edited by hand 手改"))
        home.file(2).unlink()
        home.file(4).write_bytes(data_of(4))
        await home.store.absorb()
        changes = {
            event["payload"]["memory_id"]: event["payload"]["change"] for event in await home.events("memory_edited_outside")
        }
        assert changes == {memory_id(1): "changed", memory_id(2): "deleted", memory_id(4): "created"}
        assert "edited by hand 手改" in home.catalog()
        assert memory_id(2) not in home.catalog()
        assert memory_id(4) in home.catalog()
        await home.store.absorb()
        assert len(await home.events("memory_edited_outside")) == 3

    in_home(tmp_path, test)


def test_changes_made_while_the_daemon_was_away_are_taken_up_at_start(tmp_path: Path) -> None:
    async def before(home: Home) -> None:
        await home.save(1, 2)

    async def after(home: Home) -> None:
        assert [event["payload"]["change"] for event in await home.events("memory_edited_outside")] == ["deleted"]
        assert memory_id(1) not in home.catalog()

    in_home(tmp_path, before)
    (tmp_path / "memory" / path_of(1)).unlink()
    in_home(tmp_path, after)


@pytest.mark.rule("memory.catalog-edit-kept")
def test_a_hand_edit_of_the_catalog_is_kept_and_reported_once(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        (home.memory / "MEMORY.md").write_text("my own notes 我的笔记\n")
        await home.store.absorb()
        await home.store.absorb()
        assert memory_id(1) in home.catalog()
        (event,) = await home.events("catalog_edit_kept")
        assert (home.state / event["payload"]["kept"]).read_text() == "my own notes 我的笔记\n"

    in_home(tmp_path, test)


@pytest.mark.rule("memory.catalog-edit-kept")
def test_a_catalog_that_git_left_is_no_hand_edit(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1, 2)
        lines = home.catalog().splitlines(keepends=True)
        (home.memory / "MEMORY.md").write_text("<<<<<<< HEAD\n" + lines[1] + "=======\n>>>>>>> other\n")
        await home.store.absorb()
        assert home.catalog().splitlines(keepends=True) == lines
        assert await home.events("catalog_edit_kept") == []
        assert os.listdir(home.state / "conflicts") == []

    in_home(tmp_path, test)


@pytest.mark.parametrize("kind", ["symlink", "directory", "missing"])
def test_whatever_stands_in_the_place_of_the_catalog_is_replaced_and_not_followed(tmp_path: Path, kind: str) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        victim = tmp_path / "victim"
        victim.write_text("not yours")
        catalog = home.memory / "MEMORY.md"
        catalog.unlink()
        if kind == "symlink":
            catalog.symlink_to(victim)
        elif kind == "directory":
            catalog.mkdir()
            (catalog / "note").write_text("x")
        await home.store.absorb()
        assert catalog.is_file()
        assert not catalog.is_symlink()
        assert memory_id(1) in home.catalog()
        assert victim.read_text() == "not yours"
        assert os.listdir(home.state / "staging") == []
        assert len(os.listdir(home.state / "conflicts")) == (kind != "missing")

    in_home(tmp_path, test)


@pytest.mark.rule("memory.mass-loss")
def test_when_most_memories_vanish_nothing_is_written_until_it_is_accepted(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(*range(1, 10))
        catalog = home.catalog()
        kept = {number: home.file(number).read_bytes() for number in range(1, 6)}
        for number in kept:
            home.file(number).unlink()
        await home.store.absorb()
        assert home.store.suspect
        assert home.catalog() == catalog
        (event,) = await home.events("memory_dir_suspect")
        assert event["payload"] == {"known": 9, "missing": 5}
        with pytest.raises(StorageError) as caught:
            await home.store.commit([create(20)], EFFECTS)
        assert caught.value.code == "read_only"
        for number, data in kept.items():
            home.file(number).write_bytes(data)
        await home.store.absorb()
        assert not home.store.suspect
        for number in kept:
            home.file(number).unlink()
        await home.store.absorb()
        assert "memory_dir_suspect" in {problem.code for problem in await home.store.verify()}
        mended = [problem.code for problem in await home.store.repair(["memory_dir_suspect"]) if problem.mended]
        assert mended == ["memory_dir_suspect"]
        assert memory_id(1) not in home.catalog()
        await home.store.commit([create(20)], EFFECTS)

    in_home(tmp_path, test)


@pytest.mark.rule("memory.mass-loss")
def test_a_memory_directory_that_vanished_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1, 2)
        home.memory.rename(tmp_path / "moved")
        await home.store.absorb()
        assert home.store.suspect
        assert not home.memory.exists()
        (tmp_path / "moved").rename(home.memory)
        await home.store.absorb()
        assert not home.store.suspect
        home.memory.rename(tmp_path / "moved")
        await home.store.absorb()
        await home.store.repair(["memory_dir_suspect"])
        await home.store.commit([create(3)], EFFECTS)
        assert home.file(3).exists()

    in_home(tmp_path, test)


@pytest.mark.rule("memory.mass-loss")
def test_deleting_the_only_memory_by_hand_is_an_edit_and_no_disaster(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        home.file(1).unlink()
        await home.store.absorb()
        assert not home.store.suspect
        assert [event["payload"]["change"] for event in await home.events("memory_edited_outside")] == ["deleted"]
        await home.store.commit([create(2)], EFFECTS)

    in_home(tmp_path, test)


def test_a_name_that_is_no_text_is_named_and_left_alone(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        strange = os.fsencode(home.file(1).parent) + b"/caf\xe9.md"
        os.close(os.open(strange, os.O_CREAT | os.O_WRONLY, 0o600))
        os.mkdir(os.fsencode(home.memory) + b"/\xff")
        await home.store.absorb()
        assert [entry.frontmatter.id for entry in (await home.store.snapshot()).entries] == [memory_id(1)]
        named = {problem.path for problem in await home.store.verify() if problem.code == "foreign_file"}
        assert named == {"user/caf\\xe9.md", "\\xff"}
        assert strange.rpartition(b"/")[2] in os.listdir(os.fsencode(home.file(1).parent))

    in_home(tmp_path, test)


def test_watching_goes_on_whatever_a_look_at_the_files_raises(tmp_path: Path) -> None:
    looks: list[int] = []
    thrice = asyncio.Event()

    async def look() -> bool:
        looks.append(len(looks))
        if len(looks) == 3:
            thrice.set()
        raise ValueError("not one of ours")

    async def main() -> None:
        watching = asyncio.create_task(watch(lambda: (tmp_path / "absent", 0), look, News(), look_every_seconds=0.001))
        async with asyncio.timeout(10):
            await thrice.wait()
        watching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await watching

    asyncio.run(main())


def test_watching_takes_up_an_edit_without_being_asked(tmp_path: Path) -> None:
    async def main() -> None:
        told = asyncio.Event()
        async with opened(tmp_path) as home:
            home.database.on_commit(told.set)
            await home.save(1)
            watching = asyncio.create_task(home.store.watch())
            async with asyncio.timeout(20):
                while not await home.events("memory_edited_outside"):
                    told.clear()
                    home.file(1).write_bytes(data_of(1, summary=os.urandom(4).hex()))
                    await told.wait()
            watching.cancel()
            with pytest.raises(asyncio.CancelledError):
                await watching

    asyncio.run(main())
