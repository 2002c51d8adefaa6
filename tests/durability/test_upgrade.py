from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from soong_memoryd.errors import StorageError
from soong_memoryd.state import migrate
from soong_memoryd.state.database import Database
from tests.durability.fixtures import FOLDER, restore
from tests.durability.service import Service
from tests.durability.test_machine import Fickle

FIXTURES = sorted(FOLDER.glob("*.sql"))
NEXT = "CREATE TABLE of_the_future (name TEXT) STRICT;"


def counts(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}


def open_and_close(path: Path) -> None:
    async def main() -> None:
        await (await Database.open(path)).close()

    asyncio.run(main())


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> int:
    """The next version of the daemon, with one more table."""
    known = migrate.scripts()
    number = known[-1][0] + 1
    monkeypatch.setattr(migrate, "scripts", lambda: [*known, (number, NEXT)])
    return number


@pytest.mark.rule("durability.upgrade")
def test_there_is_a_fixture_of_every_schema() -> None:
    assert [int(path.stem) for path in FIXTURES] == [number for number, _ in migrate.scripts()]


@pytest.mark.rule("durability.upgrade")
@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda path: path.stem)
def test_what_an_older_daemon_left_opens_and_works_on(fixture: Path, tmp_path: Path) -> None:
    state = tmp_path / "memoryd"
    state.mkdir(mode=0o700)
    restore(fixture, state / "state.db")
    before = counts(state / "state.db")

    async def main() -> None:
        service = Service(tmp_path, Fickle())
        await service.start()
        await service.settle(("s1", "s2"))
        await service.stop()

    asyncio.run(main())
    after = counts(state / "state.db")
    assert before["nodes"] > 5 and before["events"] > 10 and before["versions"] and before["jobs"]
    assert {
        name: after[name] >= count for name, count in before.items() if name in ("nodes", "events", "jobs", "sessions")
    } == {
        "nodes": True,
        "events": True,
        "jobs": True,
        "sessions": True,
    }


@pytest.mark.rule("durability.upgrade")
@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda path: path.stem)
def test_an_upgrade_keeps_every_row_and_a_copy_of_the_old_state_until_the_next_start(
    fixture: Path, tmp_path: Path, newer: int
) -> None:
    path = tmp_path / "state.db"
    restore(fixture, path)
    before = counts(path)
    before_umask = os.umask(0o077)
    try:
        open_and_close(path)
    finally:
        os.umask(before_umask)
    copy = tmp_path / f"state.db.schema-{int(fixture.stem)}"
    assert counts(path) == before | {"of_the_future": 0}
    assert counts(copy) == before and copy.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == newer
    open_and_close(path)
    assert not copy.exists()


@pytest.mark.rule("durability.upgrade")
def test_an_upgrade_that_fails_leaves_the_old_schema_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "state.db"
    restore(FIXTURES[-1], path)
    before, known = counts(path), migrate.scripts()
    broken = [*known, (known[-1][0] + 1, f"{NEXT}\nINSERT INTO no_such_table VALUES (1);")]
    with monkeypatch.context() as patch:
        patch.setattr(migrate, "scripts", lambda: broken)
        with pytest.raises(StorageError):
            open_and_close(path)
    open_and_close(path)
    assert counts(path) == before


@pytest.mark.rule("durability.upgrade")
def test_an_older_daemon_refuses_the_newer_state_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    restore(FIXTURES[-1], path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(StorageError) as refused:
        open_and_close(path)
    assert refused.value.code == "state_newer" and path.read_bytes() == before
