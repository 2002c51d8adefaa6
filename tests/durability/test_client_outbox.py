"""The client's side of the promise: what it was told to keep arrives once, in order, whatever happens to the daemon."""

from __future__ import annotations

import multiprocessing
import random
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from soong_memory_client.client import MemoryClient
from tests.durability.disks import until
from tests.durability.history import Acknowledged, violations
from tests.durability.nursery import Born, Nursery, make_home


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with Nursery() as nursery:
        yield nursery


def stored(home: Path) -> list[str]:
    """The node ids of a session, in their order."""
    with closing(sqlite3.connect(home / "memoryd" / "state.db")) as connection:
        return [row[0] for row in connection.execute("SELECT node_id FROM nodes WHERE session_id = 's' ORDER BY sequence")]


def append(client: MemoryClient, node_id: str, acknowledged: Acknowledged) -> None:
    text = f"text of {node_id}"
    acknowledged.note("s", node_id, text, 0)  # an append that returned is kept, in the daemon or in the outbox
    client.append("s", [{"node_id": node_id, "kind": "assistant_message", "text": text}])


def delivered(nursery: Nursery, home: Path, client: MemoryClient) -> Born:
    daemon = nursery.born(home).ready()
    until(client.flush)
    client.close()
    return daemon


@pytest.mark.rule("durability.outbox")
def test_what_was_said_while_the_daemon_was_away_arrives_in_order_and_once(nursery: Nursery, tmp_path: Path) -> None:
    home, acknowledged = tmp_path / "home", Acknowledged()
    make_home(home)
    client = MemoryClient("hook", home=home, timeout_seconds=2)
    assert client.session_open("s") is None
    for number in range(100):  # an hour of a busy session
        append(client, f"n{number}", acknowledged)
    daemon = delivered(nursery, home, client)
    assert daemon.stop() == 0
    assert stored(home) == [f"n{number}" for number in range(100)]
    assert violations(home, acknowledged) == []


@pytest.mark.rule("durability.outbox")
def test_a_daemon_that_dies_again_and_again_gets_every_node_once_and_in_order(nursery: Nursery, tmp_path: Path) -> None:
    home, acknowledged, rng = tmp_path / "home", Acknowledged(), random.Random(7)
    daemon = nursery.born(home).ready()
    client = MemoryClient("hook", home=home, timeout_seconds=2)
    client.session_open("s")
    ending = threading.Event()

    def talk() -> None:
        number = 0
        while not ending.is_set():
            append(client, f"n{number}", acknowledged)
            number += 1

    talker = threading.Thread(target=talk)
    talker.start()
    for _ in range(6):
        time.sleep(rng.uniform(0.02, 0.15))
        daemon.kill()
        time.sleep(rng.uniform(0.0, 0.05))
        daemon = nursery.born(home).ready()
    ending.set()
    talker.join(10)
    until(client.flush)
    client.close()
    assert daemon.stop() == 0
    assert stored(home) == [f"n{number}" for number in range(len(acknowledged.nodes))]
    assert violations(home, acknowledged) == []


def _hook(home: str, name: str, count: int) -> None:
    for number in range(count):  # a hook is a process of its own for every call
        with MemoryClient("hook", home=home, timeout_seconds=1) as client:
            client.append("s", [{"node_id": f"{name}{number}", "kind": "assistant_message", "text": f"text of {name}{number}"}])


@pytest.mark.rule("durability.outbox")
def test_two_processes_of_one_session_share_an_outbox_without_loss_or_doubles(nursery: Nursery, tmp_path: Path) -> None:
    home, acknowledged = tmp_path / "home", Acknowledged()
    make_home(home)
    client = MemoryClient("hook", home=home, timeout_seconds=2)
    client.session_open("s")
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_hook, args=(str(home), name, 40)) for name in ("a", "b")]
    for process in processes:
        process.start()
    time.sleep(0.1)
    daemon = nursery.born(home).ready()  # while they are talking
    for process in processes:
        process.join(20)
        assert process.exitcode == 0
    until(client.flush)
    client.close()
    assert daemon.stop() == 0
    found = stored(home)
    for name in ("a", "b"):
        assert [node for node in found if node.startswith(name)] == [f"{name}{number}" for number in range(40)]
        for number in range(40):
            acknowledged.note("s", f"{name}{number}", f"text of {name}{number}", 0)
    assert violations(home, acknowledged) == []


@pytest.mark.rule("durability.outbox")
def test_a_line_that_a_client_died_in_costs_that_line_alone(nursery: Nursery, tmp_path: Path) -> None:
    home, acknowledged = tmp_path / "home", Acknowledged()
    make_home(home)
    client = MemoryClient("hook", home=home, timeout_seconds=2)
    client.session_open("s")
    append(client, "n0", acknowledged)
    with (home / "memoryd" / "outbox" / "hook.jsonl").open("ab") as out:
        out.write(b'{"jsonrpc": "2.0", "id": "x", "method": "context.app')
    append(client, "n1", acknowledged)
    daemon = delivered(nursery, home, client)
    assert daemon.stop() == 0
    assert stored(home) == ["n0", "n1"]
    assert violations(home, acknowledged) == []
