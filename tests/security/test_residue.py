"""What was removed is gone: not only from the rows, but from the bytes of the database and its log."""

from __future__ import annotations

import asyncio

import pytest

from soong_memoryd.protocol.values import Node
from soong_memoryd.server.upkeep import prune_nodes
from soong_memoryd.sessions import arrival, ledger
from soong_memoryd.sessions.waiting import Moment
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import sessions
from tests.memories.homes import opened
from tests.support.daemon import BUILTIN, DaemonProcess
from tests.support.ledger import POLICY, READING

WORDS = "xylophone quartet in the attic"


def bytes_of(home):
    return b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())


@pytest.mark.rule("security.residue")
@pytest.mark.parametrize("size", [40, 4_000, 200_000])
def test_pruned_text_is_in_no_byte_of_the_database_while_the_daemon_runs(tmp_path, size):
    async def scenario():
        async with opened(tmp_path) as home:
            text = (WORDS + " ") * (size // len(WORDS) + 1)
            await home.database.run(lambda c: _say(c, home.clock, text))
            assert WORDS.encode() in bytes_of(tmp_path)
            home.clock.advance(40 * 86_400)
            assert await prune_nodes(home.database, home.store, home.clock, 30) == 1
            assert WORDS.encode() not in bytes_of(tmp_path)

    asyncio.run(scenario())


def _say(connection, clock, text):
    moment = Moment(clock, POLICY)
    ledger.open_session(connection, moment, "s", "main", None)
    node = Node(node_id="n", kind="user_message", text=text)
    ledger.append(connection, moment, "s", [arrival.receive(node, b"k" * 32, READING)])
    connection.execute("UPDATE sessions SET cursor = 1")


@pytest.mark.rule("security.residue")
def test_a_purged_memory_leaves_no_byte_of_itself_or_its_source(tmp_path):
    with DaemonProcess(tmp_path / "home", BUILTIN) as daemon, daemon.client() as client:
        client.call("session.open", session_id="s")
        node = {"node_id": "n", "kind": "user_message", "text": f"Remember: I play the {WORDS} on Sundays."}
        client.call("context.append", session_id="s", nodes=[node])
        client.call("extraction.trigger", session_id="s", wait=True)
        (memory,) = client.call("memory.list")["memories"]
        assert WORDS.encode() in bytes_of(daemon.home)
        client.call("memory.forget", memory_id=memory["id"], purge=True)
        assert WORDS.encode() not in bytes_of(daemon.home)


@pytest.mark.rule("security.residue")
def test_without_erasing_the_log_what_was_deleted_would_still_be_readable(tmp_path):
    """The counterpart: that it is worth the trouble."""

    async def scenario():
        database = await Database.open(tmp_path / "state.db")
        await database.run(lambda c: sessions.insert(c, "s", "main", WORDS, "2026-12-01T00:00:00Z"))
        await database.run(lambda c: c.execute("DELETE FROM sessions"))
        assert WORDS.encode() in bytes_of(tmp_path)
        await database.erase_log()
        assert WORDS.encode() not in bytes_of(tmp_path)
        await database.close()

    asyncio.run(scenario())
