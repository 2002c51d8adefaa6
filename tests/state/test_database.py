"""The writer: results only after the commit, one bad transaction alone, order kept, nothing lost at close."""

from __future__ import annotations

import asyncio
import sqlite3
import threading

import pytest

from soong_memoryd.errors import DiskFault, RequestError, StorageError
from soong_memoryd.state import migrate as migration
from soong_memoryd.state.database import Database


def with_database(path, scenario):
    async def main():
        database = await Database.open(path)
        try:
            await database.run(lambda c: c.execute("CREATE TABLE IF NOT EXISTS t (v INTEGER PRIMARY KEY)"))
            return await scenario(database)
        finally:
            await database.close()

    return asyncio.run(main())


def insert(value):
    return lambda connection: connection.execute("INSERT INTO t VALUES (?)", (value,)).lastrowid


def values(connection):
    return [row[0] for row in connection.execute("SELECT v FROM t ORDER BY rowid")]


@pytest.mark.rule("state.result-after-commit")
def test_a_result_is_delivered_only_when_another_connection_can_see_it(tmp_path):
    async def scenario(database):
        await database.run(insert(1))
        with sqlite3.connect(tmp_path / "state.db") as other:
            assert other.execute("SELECT count(*) FROM t").fetchone()[0] == 1
        other.close()

    with_database(tmp_path / "state.db", scenario)


@pytest.mark.rule("state.group-commit")
def test_transactions_that_wait_together_share_one_commit_and_keep_their_order(tmp_path):
    async def scenario(database):
        commits = []
        await database.run(lambda c: c.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None))
        await asyncio.gather(*(database.submit(insert(value)) for value in range(40)))
        await database.run(lambda c: c.set_trace_callback(None))
        assert await database.run(values) == list(range(40))
        return len(commits)

    assert with_database(tmp_path / "state.db", scenario) <= 3


@pytest.mark.rule("state.isolated-failure")
def test_a_transaction_that_raises_undoes_only_itself(tmp_path):
    def half_done(connection):
        connection.execute("INSERT INTO t VALUES (100)")
        raise RequestError("node_conflict", "no")

    async def scenario(database):
        futures = [
            database.submit(insert(1)),
            database.submit(half_done),
            database.submit(insert(1)),
            database.submit(insert(2)),
        ]
        results = await asyncio.gather(*futures, return_exceptions=True)
        assert [type(result) for result in results] == [int, RequestError, StorageError, int]
        assert await database.run(values) == [1, 2]

    with_database(tmp_path / "state.db", scenario)


def test_work_on_text_that_fails_is_told_to_its_own_caller_alone(tmp_path):
    def fail():
        raise RequestError("invalid_params", "no")

    async def scenario(database):
        bad = database.submit(insert(1), prepare=fail)
        good = database.submit(insert(2))
        results = await asyncio.gather(bad, good, return_exceptions=True)
        assert isinstance(results[0], RequestError) and await database.run(values) == [2]

    with_database(tmp_path / "state.db", scenario)


def test_work_on_a_long_text_holds_up_its_own_lane_alone(tmp_path):
    begun, go_on = threading.Event(), threading.Event()

    def work():
        begun.set()
        assert go_on.wait(10)

    async def scenario(database):
        long = database.submit(insert(1), prepare=work, lane="a")
        behind = database.submit(insert(2), lane="a")
        await asyncio.to_thread(begun.wait)
        others = [database.submit(insert(3), prepare=lambda: None, lane="b"), database.submit(insert(4))]
        async with asyncio.timeout(10):
            await asyncio.gather(*others)
        assert not long.done() and not behind.done()
        go_on.set()
        await asyncio.gather(long, behind)
        assert await database.run(lambda c: [row[0] for row in c.execute("SELECT v FROM t WHERE v < 3")]) == [1, 2]

    with_database(tmp_path / "state.db", scenario)


def test_a_lane_keeps_its_order_whatever_has_text_to_work_on(tmp_path):
    done = []

    def note(value):
        return lambda connection: done.append(value)

    async def scenario(database):
        futures = []
        for value in range(30):
            prepare = (lambda: None) if value % 3 == 0 else None
            futures.append(database.submit(note(value), prepare=prepare, lane="a"))
        await asyncio.gather(*futures)
        assert done == list(range(30))

    with_database(tmp_path / "state.db", scenario)


def test_closing_waits_for_work_on_text(tmp_path):
    async def main():
        database = await Database.open(tmp_path / "state.db")
        queued = [database.submit(lambda c: None, prepare=lambda: None, lane=lane) for lane in "abc"]
        await database.close()
        assert all(future.done() and future.exception() is None for future in queued)

    asyncio.run(main())


def test_only_a_commit_that_changed_something_is_told(tmp_path):
    async def scenario(database):
        told = []
        database.on_commit(lambda: told.append(None))
        await database.run(values)
        assert told == []
        await database.run(insert(1))
        await database.run(values)
        assert len(told) == 1

    with_database(tmp_path / "state.db", scenario)


@pytest.mark.rule("state.cancel-does-not-undo")
def test_being_cancelled_while_waiting_does_not_take_a_transaction_back(tmp_path):
    async def scenario(database):
        task = asyncio.ensure_future(database.run(insert(7)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await database.run(values) == [7]

    with_database(tmp_path / "state.db", scenario)


@pytest.mark.rule("state.close-drains")
def test_closing_finishes_what_is_queued_and_then_refuses(tmp_path):
    async def main():
        database = await Database.open(tmp_path / "state.db")
        await database.run(lambda c: c.execute("CREATE TABLE t (v INTEGER)"))
        queued = [database.submit(insert(value)) for value in range(10)]
        await database.close()
        assert all(future.done() and future.exception() is None for future in queued)
        with pytest.raises(RequestError) as refused:
            database.submit(insert(11))
        assert refused.value.code == "shutting_down"

    asyncio.run(main())
    assert (tmp_path / "state.db-wal").exists() is False


@pytest.mark.rule("state.durable")
def test_the_database_is_durable_and_wipes_what_it_deletes(tmp_path):
    async def scenario(database):
        names = ("journal_mode", "synchronous", "secure_delete", "foreign_keys")
        return await database.run(lambda c: [c.execute(f"PRAGMA {name}").fetchone()[0] for name in names])

    assert with_database(tmp_path / "state.db", scenario) == ["wal", 2, 1, 1]


@pytest.mark.rule("state.bounded-queue", "error.busy")
def test_too_many_waiting_transactions_are_refused_as_busy(tmp_path, monkeypatch):
    monkeypatch.setattr("soong_memoryd.state.database.MAX_WAITING", 2)

    async def scenario(database):
        first, second = database.submit(insert(1)), database.submit(insert(2))
        with pytest.raises(RequestError) as refused:
            database.submit(insert(3))
        assert refused.value.code == "busy"
        await asyncio.gather(first, second)

    with_database(tmp_path / "state.db", scenario)


@pytest.mark.rule("state.newer-schema")
def test_a_database_of_a_newer_daemon_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "state.db"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StorageError) as refused:
        with_database(path, None)
    assert refused.value.code == "state_newer" and path.read_bytes() == before


@pytest.mark.rule("state.corrupt")
def test_a_damaged_database_is_told_apart(tmp_path):
    path = tmp_path / "state.db"
    path.write_bytes(b"this is not a database at all" * 100)
    with pytest.raises(StorageError) as refused:
        with_database(path, None)
    assert refused.value.code == "state_corrupt"


def failing(name):
    error = sqlite3.OperationalError("refused")
    error.sqlite_errorname = name

    def fail(_):
        raise error

    return fail


@pytest.mark.rule("durability.restart")
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("SQLITE_FULL", "storage_full"),
        ("SQLITE_IOERR_SHMSIZE", "read_only"),
        ("SQLITE_READONLY_DIRECTORY", "read_only"),
        ("SQLITE_BUSY", "busy"),
        ("SQLITE_CORRUPT", "state_corrupt"),
        ("SQLITE_NOTADB", "state_corrupt"),
    ],
)
def test_a_disk_that_refuses_is_not_taken_for_damage(tmp_path, monkeypatch, name, code):
    monkeypatch.setattr("soong_memoryd.state.database._prepare", failing(name))
    with pytest.raises(StorageError) as caught:
        asyncio.run(Database.open(tmp_path / "state.db"))
    assert caught.value.code == code


@pytest.mark.rule("commit.degraded")
@pytest.mark.parametrize(
    ("name", "fault"), [("SQLITE_IOERR_FSYNC", True), ("SQLITE_IOERR_WRITE", False), ("SQLITE_READONLY", False)]
)
def test_a_sync_that_failed_is_told_apart_from_a_disk_that_refuses(tmp_path, name, fault):
    async def scenario(database):
        with pytest.raises(RequestError) as caught:
            await database.run(failing(name))
        assert (caught.value.code, isinstance(caught.value, DiskFault)) == ("read_only", fault)

    with_database(tmp_path / "state.db", scenario)


@pytest.mark.rule("durability.shutdown")
def test_a_log_that_cannot_be_truncated_does_not_spoil_the_end(tmp_path, monkeypatch):
    async def scenario(database):
        await database.run(insert(1))
        monkeypatch.setattr("soong_memoryd.state.database._checkpoint", failing("SQLITE_FULL"))

    with_database(tmp_path / "state.db", scenario)
    monkeypatch.undo()

    async def again(database):
        return await database.run(values)

    assert with_database(tmp_path / "state.db", again) == [1]


def test_migrations_are_numbered_without_gaps():
    assert [number for number, _ in migration.scripts()] == list(range(1, len(migration.scripts()) + 1))
