"""Which directories the daemon gives itself, and what it does when one is not there any more."""

from __future__ import annotations

import socket
import stat
from pathlib import Path

import pytest

from soong_memoryd import kernel
from soong_memoryd.home import Home
from soong_memoryd.server.confinement import Confinement, confine
from tests.e2e.scene import until
from tests.support.daemon import DaemonProcess

landlock = kernel.landlock_abi() >= kernel.LANDLOCK_MIN_ABI


@pytest.fixture
def home(tmp_path):
    return Home.locate({"SOONG_AGENT_HOME": str(tmp_path / "home"), "SOONG_MEMORYD_SOCKET": str(tmp_path / "run" / "m.sock")})


def of(directory):
    found = directory.stat()
    return Confinement(frozenset({(found.st_dev, found.st_ino)}))


@pytest.mark.rule("security.confinement-absent")
def test_without_landlock_everything_is_made_and_nothing_is_held_against_it(home, monkeypatch):
    monkeypatch.setattr(kernel, "landlock_abi", lambda: 0)
    confinement = confine(home, is_supervised=True)
    assert confinement == Confinement(problem="unsupported") and confinement.covers(home.memory_dir)
    for directory in (home.memory_dir, home.state_dir, home.socket.parent):
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700


@pytest.mark.rule("security.confinement-absent")
def test_a_kernel_that_says_no_is_named_by_its_error(home, monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "not here")

    monkeypatch.setattr(kernel, "landlock_abi", lambda: kernel.LANDLOCK_MIN_ABI)
    monkeypatch.setattr(kernel, "confine_writes", refuse)
    assert confine(home, is_supervised=True).problem == "EPERM"


def test_what_lies_below_a_directory_of_the_rule_is_covered_and_another_directory_in_its_place_is_not(tmp_path):
    memory, elsewhere = tmp_path / "memory", tmp_path / "elsewhere"
    memory.mkdir()
    elsewhere.mkdir()
    assert of(memory).covers(memory) and of(tmp_path).covers(memory)
    held = of(memory)
    memory.rename(tmp_path / "moved")
    assert held.covers(memory), "what is not there cannot be written to: a later look will tell"
    memory.symlink_to(tmp_path / "moved")
    assert held.covers(memory)
    memory.unlink()
    memory.mkdir()
    assert not held.covers(memory)
    assert not of(elsewhere).covers(memory)


@pytest.mark.rule("security.confinement-restart")
@pytest.mark.skipif(not landlock, reason="this kernel has no Landlock, or does not allow it here")
def test_a_supervised_daemon_asks_for_a_restart_when_another_directory_takes_the_place_of_memory(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.bind(str(tmp_path / "notify"))
        daemon = DaemonProcess(tmp_path / "home", NOTIFY_SOCKET=str(tmp_path / "notify")).start()
        assert daemon.log().count("writes_confined") == 1
        threads = [path.read_text() for path in Path(f"/proc/{daemon.pid}/task").glob("*/status")]
        assert len(threads) > 1 and all("NoNewPrivs:\t1" in status for status in threads), "no thread is older than the rule"
        (daemon.home / "memory").rename(tmp_path / "aside")
        (daemon.home / "memory").mkdir(mode=0o700)
        until(lambda: not daemon.socket_path.exists(), 20)
        assert daemon.end(0) == 75
        assert "memory_directory_replaced" in daemon.log()
    with daemon, daemon.client() as client:
        client.call("session.open", session_id="s")
        node = {"node_id": "n", "kind": "user_message", "text": "Remember: I like my tea without sugar."}
        client.call("context.append", session_id="s", nodes=[node])
        client.call("extraction.trigger", session_id="s", wait=True)
        assert client.call("memory.list")["total"] == 1
