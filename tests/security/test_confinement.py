"""The kernel's rule about what the daemon may write, tried by a child that is confined as the daemon is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from soong_memoryd import kernel
from tests.support.daemon import ROOT

INSIDE = {
    "write below memory",
    "write below memoryd",
    "publish as the daemon does",
    "keep a database",
    "bind the socket",
    "make a file beside the socket",
    "read elsewhere",
    "list elsewhere",
    "look up a name",
}
IN_THE_HOME = {"write memoryd.toml", "replace memoryd.toml", "remove memoryd.toml", "make a file beside memory"}
REFUSED = {"EACCES", "EXDEV"}

needs_landlock = pytest.mark.skipif(
    kernel.landlock_abi() < kernel.LANDLOCK_MIN_ABI, reason="this kernel has no Landlock, or does not allow it here"
)


def confined(tmp_path: Path, mode: str, **environment: str) -> dict[str, str]:
    home, outside = tmp_path / "home", tmp_path / "outside"
    home.mkdir(mode=0o700, exist_ok=True)
    outside.mkdir(mode=0o700, exist_ok=True)
    (home / "memoryd.toml").write_text("")
    (outside / "victim").write_text("not yours")
    path = os.pathsep.join((str(ROOT), str(ROOT / "clients" / "python")))
    env = {**os.environ, "PYTHONPATH": path, **environment}
    command = [sys.executable, "-m", "tests.security.confined", str(home), mode, str(outside)]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=True)
    assert (outside / "victim").read_text() == "not yours"
    return json.loads(done.stdout)


@needs_landlock
@pytest.mark.rule("security.confined-writes")
def test_a_supervised_daemon_can_write_to_memory_and_its_own_directory_and_nowhere_else(tmp_path):
    said = confined(tmp_path, "supervised")
    assert said.pop("problem") == "None" and int(said.pop("abi")) >= kernel.LANDLOCK_MIN_ABI
    assert {deed for deed, outcome in said.items() if outcome == "done"} == INSIDE
    assert {outcome for deed, outcome in said.items() if deed not in INSIDE} <= REFUSED


@needs_landlock
@pytest.mark.rule("security.confined-writes")
def test_a_daemon_that_nobody_would_restart_can_write_to_its_home_as_well(tmp_path):
    said = confined(tmp_path, "by hand")
    del said["problem"], said["abi"]
    assert {deed for deed, outcome in said.items() if outcome == "done"} == INSIDE | IN_THE_HOME


@needs_landlock
@pytest.mark.rule("security.confined-writes")
def test_links_are_resolved_first_and_a_socket_elsewhere_may_be_bound_but_nothing_else_there(tmp_path):
    dotfiles, run = tmp_path / "dotfiles", tmp_path / "run"
    (tmp_path / "home").mkdir(mode=0o700)
    (tmp_path / "home" / "memory").symlink_to(dotfiles)
    said = confined(tmp_path, "supervised", SOONG_MEMORYD_SOCKET=str(run / "m.sock"))
    assert {deed for deed, outcome in said.items() if outcome == "done"} == INSIDE - {"make a file beside the socket"}
    assert (dotfiles / "user" / "a.md").exists() and (run / "m.sock").is_socket()
