"""Ends and beginnings: SIGTERM at every step, twice, with clients; starts on whatever an earlier daemon left."""

from __future__ import annotations

import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from soong_memoryd.memories.commit import STEPS
from tests.durability.disks import kept, say, until
from tests.durability.failpoints import COMMIT_POINTS, SLOW_SECONDS
from tests.durability.history import Acknowledged, violations
from tests.durability.minds import wish
from tests.durability.nursery import Born, Ended, Nursery, log_path
from tests.durability.rounds import recovered, settle
from tests.support.daemon import BUILTIN

STOP_SECONDS = 6.0
IDLE = BUILTIN + "\n[memory]\nidle_seconds = 2\n"


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with Nursery() as nursery:
        yield nursery


def check(nursery: Nursery, home: Path, acknowledged: Acknowledged) -> list[str]:
    daemon = recovered(nursery, home)
    settle(daemon)
    assert daemon.stop() == 0
    return violations(home, acknowledged, settled=True)


def open_and_say(daemon: Born, topic: int, acknowledged: Acknowledged) -> None:
    with daemon.client() as client:
        client.call("session.open", session_id="s")
        say(client, topic, acknowledged)


def wait_for_start_of_an_attempt(daemon: Born) -> None:
    with daemon.client() as client:
        until(lambda: client.call("events.list", type="memory_extraction_started")["events"])


@pytest.mark.rule("durability.shutdown")
@pytest.mark.parametrize("step", STEPS)
def test_sigterm_in_a_step_of_a_commit_lets_the_commit_end(nursery: Nursery, tmp_path: Path, step: str) -> None:
    assert step in COMMIT_POINTS
    acknowledged = Acknowledged()
    daemon = nursery.born(tmp_path / "home", mind="writer", failpoint=step, action="slow").ready()
    open_and_say(daemon, 1, acknowledged)
    wait_for_start_of_an_attempt(daemon)
    time.sleep(SLOW_SECONDS / 3)  # the commit is in its step now, for a while
    assert daemon.stop() == 0
    assert kept(daemon, "topic-1")
    assert violations(daemon.home, acknowledged, settled=True) == []


@pytest.mark.rule("durability.shutdown")
def test_sigterm_in_a_model_call_ends_soon_and_the_message_is_scanned_later(nursery: Nursery, tmp_path: Path) -> None:
    acknowledged = Acknowledged()
    daemon = nursery.born(tmp_path / "home", mind="hanging").ready()
    open_and_say(daemon, 1, acknowledged)
    wait_for_start_of_an_attempt(daemon)
    began = time.monotonic()
    assert daemon.stop() == 0 and time.monotonic() - began < STOP_SECONDS
    assert not kept(daemon, "topic-1")
    assert check(nursery, daemon.home, acknowledged) == []
    assert kept(daemon, "topic-1")


@pytest.mark.rule("durability.shutdown")
def test_a_second_sigterm_ends_at_once_and_costs_nothing(nursery: Nursery, tmp_path: Path) -> None:
    acknowledged = Acknowledged()
    daemon = nursery.born(tmp_path / "home", mind="writer", failpoint="staged", action="slow").ready()
    open_and_say(daemon, 1, acknowledged)
    wait_for_start_of_an_attempt(daemon)
    time.sleep(SLOW_SECONDS / 5)
    daemon.signal(signal.SIGTERM)
    time.sleep(SLOW_SECONDS / 5)
    began = time.monotonic()
    assert daemon.stop() == 1 and time.monotonic() - began < SLOW_SECONDS / 2
    assert check(nursery, daemon.home, acknowledged) == []


@pytest.mark.rule("durability.shutdown")
def test_clients_that_listen_read_slowly_or_stopped_in_a_line_do_not_keep_it_from_ending(
    nursery: Nursery, tmp_path: Path
) -> None:
    acknowledged = Acknowledged()
    daemon = nursery.born(tmp_path / "home", mind="writer").ready()
    open_and_say(daemon, 1, acknowledged)
    with daemon.client() as listening, daemon.client() as slow, daemon.client() as half:
        listening.call("events.subscribe", after=0)
        call = {"jsonrpc": "2.0", "method": "rpc.discover", "params": {}}
        slow.send([{**call, "id": number} for number in range(16)])  # more than a socket holds, and nobody reads it
        half.send(b'{"jsonrpc": "2.0", "id": 1, "meth')
        began = time.monotonic()
        assert daemon.stop() == 0 and time.monotonic() - began < STOP_SECONDS + 2
    assert check(nursery, daemon.home, acknowledged) == []


@pytest.mark.rule("durability.restart")
def test_an_idle_deadline_outlives_the_daemon(nursery: Nursery, tmp_path: Path) -> None:
    acknowledged = Acknowledged()
    daemon = nursery.born(tmp_path / "home", IDLE, mind="writer").ready()
    with daemon.client() as client:
        client.call("session.open", session_id="s")
        client.call("run.started", session_id="s", run_id="r")
        text = "By the way, tabs look nicer to me than spaces."
        reply = client.call("context.append", session_id="s", nodes=[{"node_id": "n", "kind": "user_message", "text": text}])
        acknowledged.note("s", "n", text, reply["durable_sequence"])
        decision = client.call("run.completed", session_id="s", run_id="r", status="completed")["decision"]
    assert decision["reason"] == "idle"
    daemon.kill()
    daemon = recovered(nursery, daemon.home)
    with daemon.client() as client:
        until(lambda: client.call("events.list", type="memory_extraction_completed")["events"], 10)
    daemon.stop()
    assert violations(daemon.home, acknowledged) == []


@pytest.mark.rule("durability.restart")
@pytest.mark.parametrize("damage", ["garbage", "half", "empty", "missing"])
def test_a_state_that_cannot_be_read_is_set_aside_and_memories_stay(nursery: Nursery, tmp_path: Path, damage: str) -> None:
    daemon = nursery.born(tmp_path / "home", mind="writer").ready()
    open_and_say(daemon, 1, Acknowledged())
    until(lambda: kept(daemon, "topic-1"))
    assert daemon.stop() == 0
    path = daemon.home / "memoryd" / "state.db"
    {
        "garbage": lambda: path.write_bytes(b"garbage" * 1000),
        "half": lambda: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
        "empty": lambda: path.write_bytes(b""),
        "missing": path.unlink,
    }[damage]()
    acknowledged = Acknowledged()
    daemon = recovered(nursery, daemon.home)
    with daemon.client() as client:
        client.call("session.open", session_id="s")
        say(client, 2, acknowledged)
        until(lambda: kept(daemon, "topic-2"))
        assert client.call("memory.list")["total"] == 2
        assert client.call("daemon.verify")["problems"] == []
    assert daemon.stop() == 0
    aside = list(path.parent.glob("state.db.corrupt-*"))
    assert len(aside) == (damage in ("garbage", "half"))


@pytest.mark.rule("durability.restart")
def test_a_state_of_a_newer_daemon_is_refused_and_not_touched(nursery: Nursery, tmp_path: Path) -> None:
    daemon = nursery.born(tmp_path / "home").ready()
    daemon.stop()
    path = daemon.home / "memoryd" / "state.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(Ended) as ended:
        nursery.born(daemon.home).ready()
    assert ended.value.args == (78,) and path.read_bytes() == before
    assert "newer" in log_path(daemon.home).read_text()


@pytest.mark.rule("durability.restart")
def test_a_second_daemon_does_not_disturb_the_first(nursery: Nursery, tmp_path: Path) -> None:
    daemon = nursery.born(tmp_path / "home").ready()
    with pytest.raises((Ended, AssertionError)):
        second = nursery.born(daemon.home)
        assert second.ended(10) and second.wait() == 73
        raise Ended(73)
    with daemon.client() as client:
        assert client.call("daemon.status")["pid"] == daemon.pid
    assert daemon.stop() == 0


@pytest.mark.rule("durability.restart")
def test_ctrl_c_ends_a_start_that_waits_and_shows_no_traceback(nursery: Nursery, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "memoryd" / "state.db").mkdir(parents=True, mode=0o700)  # for SQLite it cannot be opened now, as on a full disk
    log_path(home).touch()
    daemon = nursery.born(home)
    until(lambda: "start_waits" in daemon.log())
    daemon.signal(signal.SIGINT)
    assert daemon.wait() == 130
    assert "Traceback" not in daemon.log()


@pytest.mark.rule("durability.log")
def test_a_log_that_cannot_be_written_does_not_end_the_daemon(nursery: Nursery, tmp_path: Path) -> None:
    acknowledged = Acknowledged()
    daemon = nursery.born(tmp_path / "home", mind="writer", log="/dev/full").ready()
    open_and_say(daemon, 1, acknowledged)
    until(lambda: kept(daemon, "topic-1"))
    assert daemon.stop() == 0
    assert check(nursery, daemon.home, acknowledged) == []


def test_a_wish_is_one_that_the_schedule_hears() -> None:
    from soong_memoryd.text.intent.match import explicit_wish

    assert explicit_wish(wish(1, "x"))
