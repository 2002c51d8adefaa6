from __future__ import annotations

import asyncio
import errno
import os
import threading
from pathlib import Path

import pytest

from soong_memoryd import kernel
from soong_memoryd.errors import CommitConflict, StorageError
from soong_memoryd.memories.directory import MemoryDirectory
from soong_memoryd.state.queries import jobs, nodes
from tests.memories.homes import EFFECTS, Home, create, data_of, in_home, memory_id, update
from tests.memories.jobs import cursor, session_with_job


@pytest.mark.rule("commit.atomic")
def test_a_commit_changes_files_catalog_cursor_job_and_event_together(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        effects = await session_with_job(home)
        await home.store.commit([create(1), create(2, "feedback")], effects)
        assert home.file(1).read_bytes() == data_of(1)
        assert home.file(1).stat().st_mode & 0o777 == 0o600
        assert memory_id(1) in home.catalog()
        assert memory_id(2) in home.catalog()
        assert await cursor(home) == 1
        job = await home.database.run(lambda connection: jobs.get(connection, "j1"))
        assert job is not None
        assert job.status == "completed"
        assert [event["type"] for event in await home.events()] == ["memory_extraction_completed"]
        assert os.listdir(home.state / "staging") == []

    in_home(tmp_path, test)


@pytest.mark.rule("cursor.source-rewound")
def test_a_cursor_that_moved_or_a_source_that_was_rewound_stops_the_commit_before_anything_changes(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        effects = await session_with_job(home)
        await home.database.run(lambda connection: nodes.abandon(connection, "s1", "n1"))
        with pytest.raises(CommitConflict) as caught:
            await home.store.commit([create(1)], effects)
        assert caught.value.code == "source_changed"
        assert not home.file(1).exists()
        assert await cursor(home) == 0
        assert await home.events() == []
        assert os.listdir(home.state / "staging") == []

    in_home(tmp_path, test)


def test_a_source_that_is_rewound_between_prepare_and_finish_takes_the_files_back(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        effects = await session_with_job(home)
        loop = asyncio.get_running_loop()

        def rewind(step: str) -> None:
            if step == "published":
                assert home.file(1).exists()
                asyncio.run_coroutine_threadsafe(
                    home.database.run(lambda connection: nodes.abandon(connection, "s1", "n1")), loop
                ).result()

        with pytest.raises(CommitConflict):
            await home.store.commit([create(1)], effects, rewind)
        assert not home.file(1).exists()
        assert home.catalog() == ""
        assert await cursor(home) == 0
        assert await home.events() == []

    in_home(tmp_path, test)


@pytest.mark.rule("commit.no-files")
def test_a_commit_without_files_makes_only_its_effects_true(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        effects = await session_with_job(home)
        await home.store.commit([], effects)
        assert await cursor(home) == 1
        assert len(await home.events("memory_extraction_completed")) == 1

    in_home(tmp_path, test)


@pytest.mark.rule("commit.edit-kept")
def test_a_file_that_changed_since_it_was_read_is_not_overwritten(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        home.file(1).write_bytes(data_of(1, body="By hand."))
        with pytest.raises(CommitConflict):
            await home.store.commit([create(2), update(1, data_of(1), data_of(1, body="By a job."))], EFFECTS)
        assert home.file(1).read_bytes() == data_of(1, body="By hand.")
        assert not home.file(2).exists()

    in_home(tmp_path, test)


@pytest.mark.rule("commit.edit-kept")
@pytest.mark.parametrize("step", ["checked", "staged", "prepared"])
def test_an_edit_during_a_commit_wins_and_the_rest_of_the_commit_is_taken_back(tmp_path: Path, step: str) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        by_hand = data_of(1, body="By hand, at the last moment.")

        def edit(reached: str) -> None:
            if reached == step:
                home.file(1).write_bytes(by_hand)

        with pytest.raises(CommitConflict):
            await home.store.commit([create(2), update(1, data_of(1), data_of(1, body="By a job."))], EFFECTS, edit)
        assert home.file(1).read_bytes() == by_hand
        assert not home.file(2).exists()
        assert memory_id(2) not in home.catalog()
        assert len(await home.events("memory_extraction_completed")) == 1

    in_home(tmp_path, test)


@pytest.mark.rule("memory.mode-kept")
def test_an_update_keeps_the_mode_that_the_user_gave_the_file(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        home.file(1).chmod(0o640)
        await home.store.commit([update(1, data_of(1), data_of(1, body="Spaces."))], EFFECTS)
        assert home.file(1).stat().st_mode & 0o777 == 0o640

    in_home(tmp_path, test)


@pytest.mark.rule("memory.git")
@pytest.mark.parametrize("mark", ["memory/.git/MERGE_HEAD", ".git/index.lock", "memory/.git/rebase-merge/done"])
def test_while_git_is_at_work_a_commit_waits(tmp_path: Path, mark: str) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        (tmp_path / mark).parent.mkdir(parents=True)
        (tmp_path / mark).touch()
        with pytest.raises(CommitConflict) as caught:
            await home.store.commit([create(2)], EFFECTS)
        assert caught.value.code == "sync_in_progress"
        (tmp_path / mark).unlink()
        (tmp_path / mark).parent.rmdir()
        await home.store.commit([create(2)], EFFECTS)

    in_home(tmp_path, test)


@pytest.mark.rule("commit.storage-errors")
@pytest.mark.parametrize(
    ("number", "code"), [(errno.ENOSPC, "storage_full"), (errno.EROFS, "read_only"), (errno.EIO, "storage")]
)
def test_a_disk_that_refuses_before_the_commit_point_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    async def test(home: Home) -> None:
        await home.save(1)

        def refuse(*_: object) -> None:
            raise OSError(number, "refused")

        with monkeypatch.context() as patch:
            patch.setattr(MemoryDirectory, "sync_file", refuse)
            with pytest.raises(StorageError) as caught:
                await home.store.commit([create(2)], EFFECTS)
        assert caught.value.code == code
        assert not home.file(2).exists()
        assert home.store.degraded is None
        await home.store.commit([create(2)], EFFECTS)

    in_home(tmp_path, test)


def test_a_disk_that_becomes_writable_again_is_used_again_without_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EROFS, "refused")

    async def test(home: Home) -> None:
        assert home.store.degraded == "the file system is read-only"
        with pytest.raises(StorageError):
            await home.store.commit([create(1)], EFFECTS)
        monkeypatch.undo()
        await home.store.absorb()
        assert home.store.degraded is None
        await home.store.commit([create(1)], EFFECTS)

    (tmp_path / "memoryd").mkdir(mode=0o700)
    monkeypatch.setattr(MemoryDirectory, "write_new", refuse)
    in_home(tmp_path, test)


@pytest.mark.rule("commit.shielded")
def test_a_commit_whose_caller_is_cancelled_ends_all_the_same(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        begun = asyncio.Event()
        loop = asyncio.get_running_loop()
        task = asyncio.create_task(home.store.commit([create(1)], EFFECTS, lambda _: loop.call_soon_threadsafe(begun.set)))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await home.store.snapshot()
        assert home.file(1).exists()
        assert len(await home.events("memory_extraction_completed")) == 1
        assert os.listdir(home.state / "staging") == []

    in_home(tmp_path, test)


def test_commits_that_arrive_together_happen_one_after_the_other(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await asyncio.gather(*(home.store.commit([create(number)], EFFECTS) for number in range(1, 6)))
        assert len((await home.store.snapshot()).entries) == 5
        assert len(home.catalog().splitlines()) == 5

    in_home(tmp_path, test)


@pytest.mark.rule("commit.edit-kept")
def test_an_editor_that_races_with_commits_loses_nothing(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        written: list[bytes] = []
        overwritten: set[bytes] = set()
        stop = threading.Event()

        def edit() -> None:
            while not stop.is_set():
                mine = data_of(1, body=f"Edit {len(written)}.")
                (tmp_path / "draft").write_bytes(mine)
                overwritten.add(home.file(1).read_bytes())
                written.append(mine)
                os.replace(tmp_path / "draft", home.file(1))

        editor = threading.Thread(target=edit)
        editor.start()
        outcomes: list[str] = []
        while len(outcomes) < 40 and outcomes.count("done") < 15:
            before = home.file(1).read_bytes()
            try:
                await home.store.commit([update(1, before, data_of(1, body=f"Job {len(outcomes)}."))], EFFECTS)
                outcomes.append("done")
            except CommitConflict:
                outcomes.append("conflict")
        stop.set()
        editor.join()
        kept = {path.read_bytes() for path in [*(home.state / "history").iterdir(), home.file(1)]}
        lost = [data for data in written if data not in overwritten and data not in kept]
        assert lost == []
        assert len(written) > len(outcomes)
        assert os.listdir(home.state / "staging") == []

    in_home(tmp_path, test)


@pytest.mark.rule("commit.edit-kept")
def test_what_an_editor_writes_into_a_file_that_already_lost_its_name_is_kept_and_reported(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        late = data_of(1, body="Written through an old descriptor 迟到的修改.")
        with home.file(1).open("r+b") as editor:

            def write_late(step: str) -> None:
                if step == "catalog":
                    editor.truncate(0)
                    editor.write(late)
                    editor.flush()

            await home.store.commit([update(1, data_of(1), data_of(1, body="By a job."))], EFFECTS, write_late)
        assert home.file(1).read_bytes() == data_of(1, body="By a job.")
        (event,) = await home.events("memory_edited_outside")
        assert event["payload"]["change"] == "late_edit"
        assert (home.state / event["payload"]["kept"]).read_bytes() == late
        assert await home.store.history(memory_id(1)) == []

    in_home(tmp_path, test)


@pytest.mark.rule("commit.no-exchange")
def test_a_file_system_without_exchange_gets_the_same_commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(*_: object) -> None:
        raise OSError(errno.EINVAL, "no flags here")

    async def test(home: Home) -> None:
        await home.save(1, 2)
        await home.store.commit([update(1, data_of(1), data_of(1, body="Spaces."))], EFFECTS)
        await home.store.forget(memory_id(2))
        assert home.file(1).read_bytes() == data_of(1, body="Spaces.")
        assert home.catalog() == (await home.store.snapshot()).catalog.text
        assert [row.cause for row in await home.store.history(memory_id(1))] == ["update"]
        assert await home.store.verify() == []

    monkeypatch.setattr(kernel, "exchange", unsupported)
    monkeypatch.setattr(kernel, "rename_noreplace", unsupported)
    in_home(tmp_path, test)
