"""The real daemon under a supervisor: ready, alive, reloading, stopping, and a socket that is handed over."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.daemon import BUILTIN, ROOT, DaemonProcess, LineClient


class Notices:
    """What a daemon says to its supervisor's datagram socket."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.settimeout(20)

    def until(self, start: str) -> list[str]:
        """Messages up to the first that begins so, that one included."""
        heard: list[str] = []
        while not heard or not heard[-1].startswith(start):
            heard.append(self._socket.recv(1000).decode())
        return heard

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def notices(tmp_path: Path) -> Iterator[Notices]:
    made = Notices(tmp_path / "notify")
    yield made
    made.close()


@pytest.mark.rule("service.notify")
def test_a_supervisor_hears_ready_alive_reloading_and_stopping(tmp_path: Path, notices: Notices) -> None:
    daemon = DaemonProcess(tmp_path / "h", NOTIFY_SOCKET=str(tmp_path / "notify"), WATCHDOG_USEC="400000")
    with daemon:
        heard = notices.until("WATCHDOG=1")
        ready = next(message for message in heard if message.startswith("READY=1"))
        assert ready == f"READY=1\nSTATUS=serving {daemon.socket_path}"
        notices.until("WATCHDOG=1")  # again and again
        os.kill(daemon.pid, signal.SIGHUP)
        assert notices.until("RELOADING=1")[-1].startswith("RELOADING=1\nMONOTONIC_USEC=")
        notices.until("READY=1")
        with daemon.client() as client:
            client.call("daemon.stop")
        notices.until("STOPPING=1")
        assert daemon.wait() == 0


@pytest.mark.rule("service.socket-activation")
def test_a_socket_that_is_handed_over_starts_the_daemon_and_is_left_in_its_place(tmp_path: Path) -> None:
    activate = shutil.which("systemd-socket-activate")
    if activate is None:
        pytest.skip("systemd-socket-activate is not installed here")
    home = tmp_path / "h"
    home.mkdir(mode=0o700)
    (home / "memoryd").mkdir(mode=0o700)
    (home / "memoryd.toml").write_text(BUILTIN, encoding="utf-8")
    (home / "memoryd.toml").chmod(0o600)
    path = home / "memoryd" / "memoryd.sock"
    paths = os.pathsep.join([str(ROOT), str(ROOT / "clients" / "python")])
    names = [f"--setenv={name}={value}" for name, value in {"PYTHONPATH": paths, "SOONG_AGENT_HOME": str(home)}.items()]
    program = [activate, "-l", str(path), *names, sys.executable, "-m", "soong_memoryd.cli.daemon", "serve"]
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 10
        while not path.exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        inode = path.stat().st_ino
        with LineClient(path) as client:  # this connection is what starts it
            status = client.call("daemon.status")
            assert (status["state"], status["pid"]) == ("ready", process.pid)
            client.call("daemon.stop")
        assert process.wait(15) == 0
        assert path.stat().st_ino == inode, "whoever made the socket takes it away"
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(5)
