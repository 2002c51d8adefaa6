"""Clients that take too much: the daemon lives, and serves the next one."""

from __future__ import annotations

import json
import os
import resource
import socket

import pytest

from tests.support.daemon import DaemonProcess

MANY = 60
ROOM = 6
"""Descriptors that a daemon short of them is left."""


@pytest.fixture(scope="module")
def daemon(tmp_path_factory):
    with DaemonProcess(tmp_path_factory.mktemp("limits") / "home") as process:
        yield process


def lives(daemon):
    with daemon.client() as client:
        return client.call("daemon.status")["state"] == "ready"


def bare(daemon):
    made = socket.socket(socket.AF_UNIX)
    made.settimeout(10)
    made.connect(str(daemon.socket_path))
    return made


@pytest.mark.rule("security.limits")
def test_out_of_descriptors_the_daemon_waits_and_serves_everybody_later(tmp_path):
    with DaemonProcess(tmp_path / "home") as daemon:
        used = len(os.listdir(f"/proc/{daemon.pid}/fd"))
        resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (used + ROOM, used + ROOM))
        crowd = [bare(daemon) for _ in range(MANY)]
        for number, each in enumerate(crowd):
            each.sendall(b'{"jsonrpc":"2.0","id":%d,"method":"session.list"}\n' % number)
        for number, each in enumerate(crowd):
            with each, each.makefile("rb") as lines:
                assert json.loads(lines.readline())["id"] == number
        assert lives(daemon)
        assert "accept_failed" in daemon.log()


@pytest.mark.rule("security.limits")
def test_half_lines_hold_nobody_up(daemon):
    crowd = [bare(daemon) for _ in range(MANY)]
    for each in crowd:
        each.sendall(b'{"jsonrpc":"2.0","id":1,"method":"session.op')
    assert lives(daemon)
    for each in crowd:
        each.close()
    assert lives(daemon)


@pytest.mark.rule("security.limits")
def test_a_client_that_never_reads_holds_nobody_up(daemon):
    with bare(daemon) as deaf:
        deaf.setblocking(False)
        sent = 0
        line = b'{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}\n'
        while sent < 100_000:  # its answers would be a hundred megabytes
            try:
                sent += deaf.send(line * 64)
            except BlockingIOError:
                break
        assert lives(daemon)


REFUSED = {
    "65 levels": (b'{"jsonrpc":"2.0","id":1,"method":"x","params":' + b"[" * 65 + b"]" * 65 + b"}\n", "parse_error"),
    "100,000 levels": (b"[" * 100_000 + b"\n", "parse_error"),
    "100,000 levels of objects": (b'{"a":' * 100_000 + b"\n", "parse_error"),
    "a batch of 17": (b"[" + b",".join([b'{"jsonrpc":"2.0","id":1,"method":"session.list"}'] * 17) + b"]\n", "invalid_request"),
    "20,000 elements": (b"[" + b"1," * 20_000 + b"1]\n", "invalid_request"),
    "100,000 keys": (b"{" + b",".join(b'"%d":1' % n for n in range(100_000)) + b"}\n", "invalid_request"),
    "a huge number": (
        b'{"jsonrpc":"2.0","id":1,"method":"session.list","params":{"limit":' + b"9" * 100_000 + b"}}\n",
        "parse_error",
    ),
    "a lone surrogate": (b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}\n', "parse_error"),
    "not a number": (b'{"jsonrpc":"2.0","id":1,"method":"session.list","params":{"limit":NaN}}\n', "parse_error"),
    "a key twice": (b'{"jsonrpc":"2.0","id":1,"method":"a","method":"session.list"}\n', "parse_error"),
}


@pytest.mark.rule("security.limits")
@pytest.mark.parametrize("name", REFUSED)
def test_a_line_made_to_hurt_is_refused_and_the_connection_goes_on(daemon, name):
    line, code = REFUSED[name]
    with daemon.client() as client:
        client.send(line)
        assert client.read()["error"]["data"]["code"] == code
        assert client.call("daemon.status")["state"] == "ready"


@pytest.mark.rule("security.limits")
def test_a_line_over_a_mebibyte_is_refused_without_being_kept(daemon):
    before = memory_kib(daemon.pid)
    with daemon.client() as client:
        client.send(b"x" * ((1 << 20) + 2))
        assert client.read()["error"]["data"]["code"] == "message_too_large"
    for _ in range(20):
        with bare(daemon) as flood:
            flood.sendall(b"[" * (1 << 20))
    assert lives(daemon)
    assert memory_kib(daemon.pid) - before < 64 * 1024


def memory_kib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))
