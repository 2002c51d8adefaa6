"""The blocking and the asynchronous client keep the same promises."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from soong_memory_client import (
    AsyncMemoryClient,
    DaemonUnavailable,
    DeadlineExceeded,
    MemoryClient,
    OutboxFull,
    RpcError,
    UntrustedServer,
)
from soong_memory_client.outbox import Outbox
from soong_memory_client.testing import FakeDaemon, refusal

NODE = {"node_id": "n1", "kind": "user_message", "text": "以后都用 uv"}


class Blocking:
    """Drives the asynchronous client with the calls of the blocking one, so that one suite holds for both."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._runner = asyncio.Runner()
        self._client = AsyncMemoryClient(*args, **options)

    @property
    def outbox(self) -> Outbox | None:
        return self._client.outbox

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return lambda *args, **params: self._runner.run(getattr(self._client, name)(*args, **params))

    def close(self) -> None:
        self._runner.run(self._client.close())
        self._runner.close()


@pytest.fixture
def daemon() -> Iterator[FakeDaemon]:
    with FakeDaemon() as running:
        yield running


@pytest.fixture(params=[MemoryClient, Blocking], ids=["blocking", "asynchronous"])
def connect(request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    opened: list[Any] = []

    def make(daemon: FakeDaemon, name: str = "agent", **options: Any) -> Any:
        opened.append(request.param(name, home=daemon.home, timeout_seconds=options.pop("timeout_seconds", 3.0), **options))
        return opened[-1]

    yield make
    for client in opened:
        client.close()


Connect = Callable[..., Any]


@pytest.mark.rule("client.typed-calls")
def test_every_agent_facing_call_has_its_name_and_its_result(daemon: FakeDaemon, connect: Connect) -> None:
    client = connect(daemon)
    assert client.session_open("s", title="t")["created"] is True
    assert client.agent_register("s", "w", "worker", "main") == {"agent_id": "w", "kind": "worker"}
    assert client.run_started("s", "r") == {"cancelled_idle": False}
    assert client.append("s", [NODE]) == {"durable_sequence": 1, "appended": 1, "duplicates": []}
    assert client.append("s", [NODE])["duplicates"] == ["n1"]
    assert client.rewind("s", "n1") == {"abandoned": 0}
    assert client.run_completed("s", "r", "failed") == {"decision": None}
    assert client.catalog("s", max_tokens=100)["entries"] == 0
    assert client.recall("uv", "s", top_k=1)["status"] == "no_match"
    assert client.session_close("s") == {}
    assert client.call("events.list", after=0)["events"] == []
    assert daemon.received[0]["params"] == {"session_id": "s", "title": "t"}, "what is None is left out"
    assert daemon.received[8]["params"] == {"session_id": "s", "query": "uv", "top_k": 1}


@pytest.mark.rule("client.outbox-keeps")
def test_calls_made_while_the_daemon_is_away_arrive_later_in_order_before_the_new_one(
    daemon: FakeDaemon, connect: Connect
) -> None:
    client = connect(daemon)
    client.session_open("s")
    daemon.stop()
    assert client.append("s", [NODE]) is None
    assert client.run_completed("s", "r") is None
    daemon.start()
    assert client.append("s", [{**NODE, "node_id": "n2"}])["durable_sequence"] == 2
    assert daemon.methods() == ["session.open", "context.append", "run.completed", "context.append"]
    assert client.outbox.is_empty()


@pytest.mark.rule("client.outbox-keeps")
def test_a_question_is_asked_after_the_backlog_and_never_kept(daemon: FakeDaemon, connect: Connect) -> None:
    client = connect(daemon)
    daemon.stop()
    client.session_open("s")
    with pytest.raises(DaemonUnavailable):
        client.recall("uv")
    daemon.start()
    client.recall("uv")
    assert daemon.methods() == ["session.open", "memory.recall"]


@pytest.mark.rule("client.no-doubles")
def test_a_daemon_that_dies_after_taking_a_call_gets_it_again_and_keeps_it_once(daemon: FakeDaemon, connect: Connect) -> None:
    client = connect(daemon)
    client.session_open("s")
    daemon.close_after_taking = {"context.append"}
    assert client.append("s", [NODE])["duplicates"] == ["n1"]
    assert [node["node_id"] for node in daemon.nodes("s")] == ["n1"]
    assert client.outbox.is_empty()


@pytest.mark.rule("client.outbox-keeps")
def test_a_client_that_died_leaves_its_backlog_to_the_next_one(daemon: FakeDaemon, connect: Connect) -> None:
    daemon.stop()
    connect(daemon).session_open("s")
    daemon.start()
    assert connect(daemon).flush() is True
    assert daemon.methods() == ["session.open"]


@pytest.mark.rule("client.outbox-keeps")
def test_a_call_is_on_disk_before_it_is_sent(daemon: FakeDaemon) -> None:
    kill = (
        "import os, sys; sys.path[:0] = {path!r}\n"
        "from soong_memory_client import client, MemoryClient\n"
        "client.Connection = lambda *a: os._exit(9)\n"
        "MemoryClient('agent', home={home!r}).session_open('s')"
    )
    source = kill.format(path=[path for path in sys.path if path], home=str(daemon.home))
    assert subprocess.run([sys.executable, "-c", source], check=False).returncode == 9
    with MemoryClient("agent", home=daemon.home) as client:
        assert client.flush() is True
    assert daemon.methods() == ["session.open"]


@pytest.mark.rule("client.refusals")
def test_the_caller_gets_its_own_refusal_and_the_line_does_not_come_back(daemon: FakeDaemon, connect: Connect) -> None:
    client = connect(daemon)
    with pytest.raises(RpcError) as caught:
        client.append("nowhere", [NODE])
    assert (caught.value.number, caught.value.code, caught.value.retryable) == (-32001, "session_unknown", False)
    assert client.outbox.backlog()[1:] == (0, 0, 0)


@pytest.mark.rule("client.refusals")
def test_an_old_line_that_is_refused_is_kept_aside_and_the_new_call_still_succeeds(
    daemon: FakeDaemon, connect: Connect
) -> None:
    client = connect(daemon)
    daemon.stop()
    client.append("nowhere", [NODE])
    daemon.start()
    assert client.session_open("s")["created"] is True
    backlog = client.outbox.backlog()
    assert (backlog.lines, backlog.rejected) == (0, 1)
    assert "以后都用 uv" in client.outbox.rejected_path.read_text(encoding="utf-8")


@pytest.mark.rule("client.refusals")
def test_a_daemon_that_is_busy_gets_the_call_later(daemon: FakeDaemon, connect: Connect) -> None:
    client = connect(daemon)
    daemon.answers["session.open"] = refusal("busy")
    assert client.session_open("s") is None
    del daemon.answers["session.open"]
    assert client.flush() is True
    assert "s" in daemon.sessions


@pytest.mark.rule("client.deadline")
def test_a_daemon_that_does_not_answer_costs_no_more_than_the_deadline(daemon: FakeDaemon, connect: Connect) -> None:
    release = threading.Event()
    daemon.answers["memory.catalog"] = lambda params: release.wait(5) and {}
    client = connect(daemon, timeout_seconds=0.1)
    try:
        with pytest.raises(DeadlineExceeded):
            client.catalog()
    finally:
        release.set()


@pytest.mark.rule("client.deadline")
def test_an_answer_that_comes_too_late_is_not_taken_for_the_next_one(daemon: FakeDaemon, connect: Connect) -> None:
    release = threading.Event()
    daemon.answers["memory.catalog"] = lambda params: {"late": release.wait(5)}
    client = connect(daemon, timeout_seconds=0.1)
    with pytest.raises(DeadlineExceeded):
        client.catalog()
    release.set()
    assert client.call("events.list", timeout_seconds=3.0)["last"] == 0


def test_a_connection_that_the_daemon_closed_meanwhile_is_opened_again(daemon: FakeDaemon, connect: Connect) -> None:
    client = connect(daemon, outbox=False)
    client.session_open("s")
    daemon.stop()
    daemon.start()
    assert client.session_open("s")["created"] is False


def test_without_an_outbox_a_durable_call_fails_at_once(daemon: FakeDaemon, connect: Connect) -> None:
    client = connect(daemon, outbox=False)
    daemon.stop()
    with pytest.raises(DaemonUnavailable, match=r"memoryd\.sock"):
        client.session_open("s")
    assert not (daemon.home / "memoryd" / "outbox").exists()


@pytest.mark.rule("client.outbox-full-disk")
def test_when_nothing_can_wait_any_more_the_call_goes_straight_to_the_daemon_or_fails_loudly(
    daemon: FakeDaemon, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = connect(daemon)

    def full(self: Outbox, *requests: object) -> None:
        raise OutboxFull("full")

    client.session_open("s")
    daemon.stop()
    client.run_started("s", "r")
    monkeypatch.setattr(Outbox, "append", full)
    with pytest.raises(OutboxFull):
        client.append("s", [NODE])
    daemon.start()
    assert client.append("s", [NODE])["appended"] == 1
    assert daemon.methods() == ["session.open", "run.started", "context.append"]


@pytest.mark.rule("client.server-checked")
def test_nothing_is_sent_to_a_process_of_another_user(
    daemon: FakeDaemon, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    process_user_group = struct.pack("3i", 1, 1000, 1000)
    monkeypatch.setattr(os, "getuid", lambda: 4242)
    monkeypatch.setattr("soong_memory_client.connection.peer_credentials", lambda connected: process_user_group)
    with pytest.raises(UntrustedServer, match="user 1000"):
        connect(daemon, outbox=False).session_open("s")
    assert daemon.received == []


def test_what_is_no_json_rpc_is_as_good_as_no_daemon(daemon: FakeDaemon, connect: Connect) -> None:
    daemon.stop()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(daemon.socket_path))
    listener.listen()

    def talk() -> None:
        connected, _ = listener.accept()
        with connected:
            connected.recv(1000)
            connected.sendall(b"HTTP/1.1 400\r\n\n")

    thread = threading.Thread(target=talk)
    thread.start()
    with pytest.raises(DaemonUnavailable, match="JSON-RPC"):
        connect(daemon, outbox=False).catalog()
    thread.join()
    listener.close()


def test_two_clients_of_one_name_send_each_call_once(daemon: FakeDaemon, connect: Connect) -> None:
    first, second = connect(daemon), connect(daemon)
    first.session_open("s")
    second.append("s", [NODE])
    first.append("s", [{**NODE, "node_id": "n2"}])
    assert [node["node_id"] for node in daemon.nodes("s")] == ["n1", "n2"]
    assert daemon.methods() == ["session.open", "context.append", "context.append"]


def test_a_package_import_does_not_pay_for_asyncio() -> None:
    source = (
        f"import sys; sys.path[:0] = {[path for path in sys.path if path]!r}\n"
        "from soong_memory_client import MemoryClient\nprint('asyncio' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
