"""A state database as a daemon of each schema leaves it: ``python -m tests.durability.fixtures`` writes the newest one.

Run it when a schema is released, never for an older one: the files are what upgrades are held against.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from soong_memoryd.state.migrate import scripts
from tests.durability import minds
from tests.durability.history import memory_files
from tests.durability.service import Service
from tests.durability.test_machine import Fickle

FOLDER = Path(__file__).parent / "schemas"


def restore(fixture: Path, database: Path) -> None:
    """Make a database file of a fixture."""
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(fixture.read_text(encoding="utf-8"))


async def _live(home: Path) -> None:
    """A session with everything: scanned, updated, forgotten, failed, parked in back-off, an open run, an idle job."""
    service = Service(home, Fickle())
    await service.start()
    await service.sessions.open("s1", "main", "a title")
    await service.sessions.register("s1", "helper", "sub", "main")
    for number in range(4):
        text = minds.wish(number % 3, number)
        await service.append("s1", [{"node_id": f"n{number}", "kind": "user_message", "text": text}])
        await service.run_due()
    snapshot = await service.store.snapshot()
    await service.store.forget(next(iter(snapshot.by_id)))
    service.model.fault = "nonsense"  # type: ignore[attr-defined]
    await service.append("s1", [{"node_id": "n5", "kind": "user_message", "text": minds.wish(5, 5)}])
    await service.run_due()
    await service.sessions.open("s2", "main", None)
    await service.sessions.start_run("s2", "r1", None)
    await service.append("s2", [{"node_id": "m1", "kind": "user_message", "text": "I live in Lisbon."}])
    await service.append("s1", [{"node_id": "t1", "kind": "tool_result", "text": "output", "summary": "a tool ran"}])
    assert memory_files(home)
    await service.stop()


def main() -> int:
    """Write the fixture of the newest schema."""
    newest = scripts()[-1][0]
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as root:
        asyncio.run(_live(Path(root) / "home"))
        with closing(sqlite3.connect(Path(root) / "home" / "memoryd" / "state.db")) as connection:
            lines = [f"PRAGMA user_version = {newest};", *connection.iterdump()]
    (FOLDER / f"{newest:04d}.sql").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
