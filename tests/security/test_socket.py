"""The socket's path and who is at its other end."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from soong_memoryd.errors import ConfigError
from soong_memoryd.server import listener
from tests.support.daemon import DaemonProcess

OTHER_UID = 65534
CONNECT = """
import os, socket, sys
os.setgroups([]); os.setgid(int(sys.argv[2])); os.setuid(int(sys.argv[2]))
with socket.socket(socket.AF_UNIX) as s:
    s.settimeout(10)
    try:
        s.connect(sys.argv[1])
        s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"daemon.status"}\\n')
        print("answered" if s.recv(100) else "closed")
    except ConnectionError:
        print("closed")
    except PermissionError:
        print("denied")
"""


def as_another_user(path):
    command = [sys.executable, "-c", CONNECT, str(path), str(OTHER_UID)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.rule("security.other-uid")
@pytest.mark.skipif(os.geteuid() != 0, reason="another uid can only be tried as root")
def test_another_user_is_kept_out_by_the_directory_and_where_that_is_open_by_the_kernels_word():
    with tempfile.TemporaryDirectory() as folder, DaemonProcess(Path(folder) / "home") as daemon:
        assert as_another_user(daemon.socket_path) == "denied"
        for directory in (Path(folder), daemon.home, daemon.socket_path.parent):
            directory.chmod(0o711)
        daemon.socket_path.chmod(0o666)
        assert as_another_user(daemon.socket_path) == "closed"
        assert "peer_refused" in daemon.log()
        with daemon.client() as client:
            assert client.call("daemon.status")["state"] == "ready"


def stale(path, _):
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))


@pytest.mark.rule("security.socket-path")
def test_a_stale_socket_is_replaced_by_a_private_one(tmp_path):
    path = tmp_path / "run" / "s.sock"
    path.parent.mkdir(mode=0o700)
    stale(path, None)
    path.chmod(0o777)
    listener.bind(path).close()
    assert stat.S_ISSOCK(path.lstat().st_mode) and stat.S_IMODE(path.lstat().st_mode) == 0o600


OCCUPIED = {
    "a file": lambda path, _: path.write_text("notes"),
    "a directory": lambda path, _: path.mkdir(),
    "a FIFO": lambda path, _: os.mkfifo(path),
    "a link to a file": lambda path, other: path.symlink_to(other),
    "a link to a socket": lambda path, other: (stale(other.with_name("live.sock"), None), path.symlink_to("live.sock")),
    "a dangling link": lambda path, _: path.symlink_to("nowhere"),
}


@pytest.mark.rule("security.socket-path")
@pytest.mark.parametrize("made", OCCUPIED)
def test_what_is_no_socket_of_ours_stays_where_it_is(tmp_path, made):
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    other, path = folder / "victim", folder / "s.sock"
    other.write_text("not yours")
    OCCUPIED[made](path, other)
    before = sorted((entry.name, entry.lstat().st_ino) for entry in folder.iterdir())
    with pytest.raises(ConfigError):
        listener.bind(path)
    assert sorted((entry.name, entry.lstat().st_ino) for entry in folder.iterdir()) == before
    assert other.read_text() == "not yours"


@pytest.mark.rule("security.socket-path")
@pytest.mark.parametrize("unsafe", ["writable by the group", "writable by all", "a link", "another user's"])
def test_a_socket_is_only_bound_in_a_directory_that_is_ours_alone(tmp_path, unsafe):
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    if unsafe == "a link":
        (tmp_path / "link").symlink_to(folder)
        folder = tmp_path / "link"
    elif unsafe == "another user's":
        if os.geteuid() != 0:
            folder = Path("/usr")  # a system directory: root's, not ours
        else:
            os.chown(folder, OTHER_UID, OTHER_UID)
    else:
        folder.chmod(0o770 if "group" in unsafe else 0o707)
    with pytest.raises(ConfigError):
        listener.bind(folder / "s.sock")
    assert not (folder / "s.sock").exists()


@pytest.mark.rule("security.socket-path")
def test_a_stolen_path_is_taken_back_at_the_next_start_and_an_occupied_one_is_an_error_with_the_fix(tmp_path):
    daemon = DaemonProcess(tmp_path / "home")
    with daemon:
        pass
    stale(daemon.socket_path, None)
    with daemon, daemon.client() as client:
        assert client.call("daemon.status")["state"] == "ready"
    daemon.socket_path.write_text("in the way")
    assert daemon.run_to_end() == 78
    assert "move it away" in daemon.output
