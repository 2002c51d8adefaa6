"""What a supervisor hears, and what it hands over."""

from __future__ import annotations

import os
import socket

import pytest

from soong_memoryd.server import systemd


@pytest.mark.rule("daemon.supervised")
def test_the_supervisor_is_told_over_its_own_socket(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.bind(str(tmp_path / "notify"))
        assert systemd.notify({"NOTIFY_SOCKET": str(tmp_path / "notify")}, "READY=1", "STATUS=up")
        assert supervisor.recv(100) == b"READY=1\nSTATUS=up"


@pytest.mark.rule("daemon.supervised")
def test_without_a_supervisor_or_with_one_that_is_gone_nothing_happens(tmp_path):
    for address in ("", "relative", str(tmp_path / "gone")):
        assert not systemd.notify({"NOTIFY_SOCKET": address}, "READY=1")
    assert systemd.watchdog_seconds({}) is None
    assert systemd.activated_socket({}) is None


@pytest.mark.rule("daemon.supervised")
@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({"WATCHDOG_USEC": "30000000"}, 15.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 15.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
    ],
)
def test_a_sign_of_life_is_due_at_half_the_supervisors_limit(environment, seconds):
    assert systemd.watchdog_seconds(environment) == seconds


@pytest.mark.rule("daemon.supervised")
def test_a_socket_of_the_supervisor_is_taken_only_by_the_process_it_is_meant_for(monkeypatch):
    with socket.socket(socket.AF_UNIX) as given:
        monkeypatch.setattr(systemd, "FIRST_FD", given.fileno())
        assert systemd.activated_socket({"LISTEN_PID": "1", "LISTEN_FDS": "1"}) is None
        mine = systemd.activated_socket({"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"})
        assert mine is not None and mine.fileno() == given.fileno() and not mine.getblocking()
        mine.detach()
