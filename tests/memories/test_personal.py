from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from soong_memoryd.errors import DiskFault, MemorydError, RequestError, StorageError
from soong_memoryd.memories.change import Change
from soong_memoryd.memories.directory import MemoryDirectory
from soong_memoryd.memories.intent_log import SqlIntentLog
from soong_memoryd.memories.ports import sha256
from soong_memoryd.memories.storage_errors import passes_by_itself
from soong_memoryd.state.queries import intents, nodes
from tests.memories.homes import EFFECTS, Home, create, data_of, in_home, memory_id, path_of, update
from tests.memories.jobs import session_with_job


@pytest.mark.rule("memory.versions")
def test_what_an_update_displaces_is_kept_as_a_private_version_and_undo_brings_it_back(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        home.file(1).chmod(0o644)
        conflict = Change("update", "conflict", memory_id(1), path_of(1), sha256(data_of(1)), data_of(1, body="Spaces."))
        await home.store.commit([conflict], EFFECTS)
        (version,) = await home.store.history(memory_id(1))
        assert (version.cause, version.sha256) == ("conflict", sha256(data_of(1)))
        kept = home.state / "history" / f"{version.version_id}.md"
        assert kept.read_bytes() == data_of(1)
        assert kept.stat().st_mode & 0o777 == 0o600
        assert await home.store.undo(version.version_id) == (memory_id(1), path_of(1), sha256(data_of(1)))
        assert home.file(1).read_bytes() == data_of(1)
        assert [row.cause for row in await home.store.history(memory_id(1))] == ["undo", "conflict"]
        assert (await home.events("memory_edited"))[0]["payload"]["cause"] == "undo"

    in_home(tmp_path, test)


@pytest.mark.rule("memory.versions")
def test_only_the_last_twenty_versions_are_kept(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        for number in range(23):
            home.clock.advance(1)
            before = home.file(1).read_bytes()
            await home.store.commit([update(1, before, data_of(1, body=f"Version {number}."))], EFFECTS)
        versions = await home.store.history(memory_id(1))
        assert len(versions) == 20
        assert sorted(os.listdir(home.state / "history")) == sorted(f"{row.version_id}.md" for row in versions)
        assert versions[0].sha256 == sha256(data_of(1, body="Version 21."))

    in_home(tmp_path, test)


@pytest.mark.rule("method.memory-forget")
def test_forgetting_removes_file_and_line_bars_the_sources_and_can_be_undone(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1, 2)
        assert await home.store.forget(memory_id(1)) == path_of(1)
        assert not home.file(1).exists()
        assert memory_id(1) not in home.catalog()
        assert await home.database.run(intents.forgotten) == {("s1", "n1")}
        (version,) = await home.store.history(memory_id(1))
        assert version.cause == "forget"
        await home.store.undo(version.version_id)
        assert home.file(1).read_bytes() == data_of(1)
        assert memory_id(1) in home.catalog()

    in_home(tmp_path, test)


@pytest.mark.rule("memory.purge")
def test_purging_leaves_no_version_and_no_excerpt(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await session_with_job(home)
        await home.save(1, 2)
        await home.store.commit([update(1, data_of(1), data_of(1, body="Spaces."))], EFFECTS)
        (home.state / "edits" / "edit-refused.md").write_bytes(data_of(1, body="A text that was refused."))
        (home.state / "edits" / "edit-other.md").write_bytes(data_of(2))
        await home.store.forget(memory_id(1), purge=True)
        assert os.listdir(home.state / "edits") == ["edit-other.md"]
        assert await home.store.history(memory_id(1)) == []
        assert os.listdir(home.state / "history") == []
        node = await home.database.run(lambda connection: nodes.get(connection, "s1", "n1"))
        assert node is not None
        assert (node.text, node.pruned) == ("", True)

    in_home(tmp_path, test)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda store: store.forget(memory_id(9)), "not_found"),
        (lambda store: store.forget(memory_id(1), "0" * 64), "memory_changed"),
        (lambda store: store.undo("nothing"), "not_found"),
        (lambda store: store.undo("../state"), "not_found"),
        (lambda store: store.read(memory_id(9)), "not_found"),
        (lambda store: store.adopt("nothing"), "not_found"),
        (lambda store: store.adopt("../state.db"), "not_found"),
    ],
)
def test_what_does_not_exist_or_changed_is_refused(tmp_path: Path, call, code: str) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        with pytest.raises(RequestError) as caught:
            await call(home.store)
        assert caught.value.code == code
        assert home.file(1).read_bytes() == data_of(1)

    in_home(tmp_path, test)


@pytest.mark.rule("method.memory-adopt")
def test_an_edited_text_is_committed_byte_for_byte_and_then_removed(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        text = data_of(1, body="Tabs, but never in YAML.\n\nЧерез табы.")
        edit = home.state / "edits" / "e1.md"
        edit.write_bytes(text)
        assert await home.store.adopt("e1.md", sha256(data_of(1))) == (memory_id(1), path_of(1), sha256(text))
        assert home.file(1).read_bytes() == text
        assert not edit.exists()
        assert [row.cause for row in await home.store.history(memory_id(1))] == ["edit"]

    in_home(tmp_path, test)


@pytest.mark.rule("method.memory-adopt")
@pytest.mark.parametrize(
    ("text", "expected", "code"),
    [
        (b"no header at all", None, "invalid_params"),
        (data_of(1, body="the password is " + "hunter" + "2"), None, "invalid_params"),
        (data_of(1, category="feedback"), None, "invalid_params"),
        (data_of(9), None, "not_found"),
        (data_of(1, body="Fine."), "0" * 64, "memory_changed"),
    ],
    ids=["form", "secret", "category", "unknown", "changed"],
)
def test_an_edited_text_with_a_mistake_stays_where_it_is(tmp_path: Path, text: bytes, expected: str | None, code: str) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        edit = home.state / "edits" / "e1"
        edit.write_bytes(text)
        with pytest.raises(RequestError) as caught:
            await home.store.adopt("e1", expected)
        assert caught.value.code == code
        assert "hunter" not in caught.value.text
        assert edit.read_bytes() == text
        assert home.file(1).read_bytes() == data_of(1)

    in_home(tmp_path, test)


def test_a_file_that_no_longer_parses_can_be_corrected_by_an_edit(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        home.file(1).write_bytes(b"broken")
        (home.state / "edits" / "e1").write_bytes(data_of(1, body="Whole again."))
        await home.store.adopt("e1")
        assert home.file(1).read_bytes() == data_of(1, body="Whole again.")

    in_home(tmp_path, test)


@pytest.mark.rule("commit.degraded")
def test_a_commit_on_a_disk_that_fills_up_is_decided_by_the_same_process_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise RequestError("storage_full", "the disk is full")

    async def test(home: Home) -> None:
        with monkeypatch.context() as full:

            def fill_disk(step: str) -> None:
                if step == "published":
                    full.setattr(SqlIntentLog, "note_catalog", refuse)
                    full.setattr(SqlIntentLog, "begin_abort", refuse)

            with pytest.raises(StorageError) as caught:
                await home.store.commit([create(1)], EFFECTS, fill_disk)
            assert caught.value.code == "degraded"
            assert not home.store.needs_restart
            await home.store.absorb()  # there is no room yet
            assert home.store.degraded is not None
            with pytest.raises(StorageError) as caught:
                await home.store.commit([create(2)], EFFECTS)
            assert caught.value.code == "read_only"
        await home.store.absorb()
        assert home.store.degraded is None
        assert home.file(1).exists() and memory_id(1) in home.catalog()
        assert len(await home.events("memory_extraction_completed")) == 1
        await home.save(2)

    in_home(tmp_path, test)


@pytest.mark.rule("commit.degraded")
@pytest.mark.parametrize(
    ("error", "passes"),
    [
        (OSError(errno.ENOSPC, "full"), True),
        (RequestError("busy", "much to do"), True),
        (RequestError("read_only", "SQLITE_READONLY"), True),
        (DiskFault("read_only", "SQLITE_IOERR_FSYNC"), False),
        (StorageError("not confirmed", code="sync_failed"), False),
        (OSError(errno.EIO, "broken"), False),
    ],
    ids=repr,
)
def test_only_what_a_person_or_time_mends_may_be_decided_by_the_same_process(
    error: MemorydError | OSError, passes: bool
) -> None:
    assert passes_by_itself(error) is passes


@pytest.mark.rule("commit.degraded")
def test_a_commit_that_a_failing_disk_leaves_open_makes_memory_read_only_until_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EIO, "refused")

    async def fails(home: Home) -> None:
        await home.save(1)

        def break_disk(step: str) -> None:
            if step == "prepared":
                monkeypatch.setattr(MemoryDirectory, "sync_dir", refuse)

        with pytest.raises(StorageError) as caught:
            await home.store.commit([create(2)], EFFECTS, break_disk)
        assert caught.value.code == "degraded"
        assert home.store.needs_restart
        with pytest.raises(StorageError) as caught:
            await home.store.commit([create(3)], EFFECTS)
        assert caught.value.code == "read_only"
        assert (await home.store.read(memory_id(1)))[1] == sha256(data_of(1))
        assert "degraded" in {problem.code for problem in await home.store.verify()}

    async def recovered(home: Home) -> None:
        assert home.file(2).read_bytes() == data_of(2)
        assert memory_id(2) in home.catalog()
        assert len(await home.events("memory_extraction_completed")) == 2

    in_home(tmp_path, fails)
    monkeypatch.undo()
    in_home(tmp_path, recovered)


def test_undo_never_overwrites_another_memory_that_took_the_place(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1, 2)
        mine = home.memory / "user" / "mine.md"
        home.file(1).rename(mine)
        await home.store.forget(memory_id(1))
        (version,) = await home.store.history(memory_id(1))
        mine.write_bytes(data_of(5))
        with pytest.raises(RequestError) as caught:
            await home.store.undo(version.version_id)
        assert caught.value.code == "memory_changed"
        assert mine.read_bytes() == data_of(5)

    in_home(tmp_path, test)
