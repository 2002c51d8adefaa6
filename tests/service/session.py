"""The service under a real `systemd --user`: ``make test-systemd``. Needs root, namespaces and systemd's programs.

Installs with the real command line into a home of its own, then: socket activation, restart after a kill, the watchdog,
the reload, the exit code that asks for no restart, and the end.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SERVICE = "soong-memoryd.service"
INSIDE = "inside"
NEEDED = ("unshare", "systemctl", "systemd-run", "mount")


def ctl(*argv: str, fails: bool = False) -> Any:
    """The data that soong-memoryctl prints, or its error."""
    program = [sys.executable, "-m", "soong_memoryd.cli.ctl", *argv, "--json"]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (done.returncode != 0) is fails, f"{argv} ended with {done.returncode}: {done.stdout}{done.stderr}"
    return json.loads(done.stderr if fails else done.stdout)["error" if fails else "data"]


def property_of(name: str) -> str:
    """What systemd says of the service."""
    done = subprocess.run(
        ["systemctl", "--user", "show", SERVICE, f"--property={name}", "--value"], capture_output=True, text=True
    )
    return done.stdout.strip()


def until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait for something that takes a moment."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def main_pid() -> int:
    return int(property_of("MainPID") or 0)


def installed_and_found_well() -> None:
    ctl("config", "init", "--provider", "builtin")
    data = ctl("service", "install")
    assert data["supervisor"] == "systemd" and data["pid"] == main_pid() > 0
    assert property_of("StatusText").startswith("serving "), "Type=notify: ready only after recovery"
    found = {finding["name"]: finding for finding in ctl("doctor")["findings"]}
    assert found["service"]["state"] == found["socket"]["state"] == "ok", found
    assert ctl("import", "markdown", str(Path.home() / "prefs.md"), "--yes")["imported"] == 1
    assert ctl("list")["total"] == 1, "the service may write memories and nothing else"


def started_again_after_a_kill() -> None:
    pid = main_pid()
    os.kill(pid, signal.SIGKILL)
    assert ctl("list")["total"] == 1, "the socket outlives the daemon: a call waits"
    until(lambda: main_pid() not in (0, pid))
    assert property_of("NRestarts") != "0"


def started_by_a_call_after_a_clean_stop() -> None:
    ctl("stop")
    until(lambda: property_of("ActiveState") == "inactive")
    assert ctl("status")["daemon"]["pid"] == main_pid() > 0, "socket activation"


def started_again_when_it_hangs() -> None:
    pid = main_pid()
    os.kill(pid, signal.SIGSTOP)
    until(lambda: main_pid() not in (0, pid), 30)
    assert property_of("Result") == "success" and ctl("status")["daemon"]["state"] == "ready"


def reloaded() -> None:
    ctl("config", "set", "memory.enabled", "false")
    subprocess.run(["systemctl", "--user", "reload", SERVICE], check=True)
    until(lambda: ctl("status")["daemon"]["memory"]["enabled"] is False)
    ctl("config", "set", "memory.enabled", "true")


def not_started_again_with_a_config_that_cannot_be_used() -> None:
    path = Path(os.environ["SOONG_AGENT_HOME"]) / "memoryd.toml"
    good = path.read_text()
    path.write_text("[memory]\nnonsense = 1\n")
    before = property_of("NRestarts")
    subprocess.run(["systemctl", "--user", "restart", SERVICE], capture_output=True, check=False)
    until(lambda: property_of("ActiveState") == "failed")
    assert property_of("ExecMainStatus") == "78" and property_of("NRestarts") <= before
    path.write_text(good)
    subprocess.run(["systemctl", "--user", "reset-failed"], check=True)
    assert ctl("service", "start")["pid"] == main_pid()


def hardened() -> None:
    ctl("service", "install", "--hardened")
    assert property_of("PrivateUsers") == "yes"
    assert ctl("import", "markdown", str(Path.home() / "more.md"), "--yes")["imported"] == 1
    assert ctl("list")["total"] == 2, "hardened, it may still write memories"


def gone() -> None:
    assert len(ctl("service", "uninstall")["removed"]) == 3
    assert property_of("LoadState") == "not-found"
    assert ctl("status", fails=True)["code"] == "not_running"
    assert (Path(os.environ["SOONG_AGENT_HOME"]) / "memory" / "MEMORY.md").exists(), "memories stay"


STEPS = (
    installed_and_found_well,
    started_again_after_a_kill,
    started_by_a_call_after_a_clean_stop,
    started_again_when_it_hangs,
    reloaded,
    not_started_again_with_a_config_that_cannot_be_used,
    hardened,
    gone,
)


def inside() -> int:
    """Within the session."""
    home = Path.home()
    (home / "prefs.md").write_text("- Always use uv, never pip, for Python dependencies.\n")
    (home / "more.md").write_text("- 以后都用中文回答。\n")
    drop_in = home / ".config/systemd/user" / f"{SERVICE}.d"
    drop_in.mkdir(parents=True)
    paths = ":".join(path for path in sys.path if path)
    text = f'[Service]\nWatchdogSec=3\nRestartSec=200ms\nEnvironment="PYTHONPATH={paths}"\n'
    text += f"StandardError=append:{home}/service.log\n"
    if sys.executable.startswith("/tmp/"):
        text += "PrivateTmp=no\n"  # the interpreter itself would be hidden
    (drop_in / "test.conf").write_text(text)
    for step in STEPS:
        began = time.monotonic()
        try:
            step()
        except Exception:
            print(f"{step.__name__}: {property_of('Result')}, status {property_of('ExecMainStatus')}", flush=True)
            raise
        print(f"ok    {step.__name__.replace('_', ' ')}  {time.monotonic() - began:.1f} s", flush=True)
    return 0


def main() -> int:
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if os.geteuid() != 0 or missing:
        print(f"this needs root{', and ' + ', '.join(missing) if missing else ''}")
        return 1
    home = Path(tempfile.mkdtemp(prefix="memoryd-session-", dir="/var/tmp"))
    try:
        env = {name: value for name, value in os.environ.items() if not name.startswith(("SOONG_", "XDG_"))}
        env |= {"SOONG_AGENT_HOME": str(home / ".soong agent"), "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        command = f"{sys.executable} -m tests.service.session {INSIDE}"
        done = subprocess.run([str(HERE / "user_session.sh"), str(home), command], env=env, check=False)
        if done.returncode != 0:
            for name in ("systemd.log", "service.log"):
                log = home / name
                print(f"--- {name}\n{log.read_text()[-3000:] if log.exists() else '(none)'}")
        return done.returncode
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(inside() if sys.argv[1:] == [INSIDE] else main())
