"""Checks of the machine: who starts the daemon, whether it stays, room on the disk, what the kernel confines.

Owns: these findings. Must not know: how a service is installed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from soong_memoryd.cli.checkup.facts import Facts, Finding
from soong_memoryd.cli.exits import CliError
from soong_memoryd.cli.service import units
from soong_memoryd.cli.service.supervisors import Systemd, supervisor

INSTALL_STEP = "soong-memoryctl service install"
LOW_BYTES = 200 << 20
EMPTY_BYTES = 20 << 20
MIN_LANDLOCK_ABI = 2


def service(facts: Facts) -> Iterator[Finding]:
    """The daemon is started by a supervisor, and by one that is set up for this home."""
    found = _systemd(facts)
    if isinstance(found, str):
        yield Finding("service", "note", found)
        return
    if found.property(units.SERVICE, "LoadState") != "loaded":
        yield Finding("service", "note", "not installed: the daemon runs as long as you keep it running", INSTALL_STEP)
        return
    program = _program_of(found)
    if program and not Path(program).exists():
        yield Finding("service", "fail", f"it starts {program}, which is not there any more", INSTALL_STEP)
        return
    state, pid = found.property(units.SERVICE, "ActiveState"), found.property(units.SERVICE, "MainPID")
    if state == "failed":
        yield Finding("service", "fail", "it failed and was not started again", "soong-memoryctl service logs")
    elif facts.status is not None and pid != str(facts.status["pid"]):
        text = f"it is installed, but process {facts.status['pid']} was started by hand"
        yield Finding("service", "fail", text, "soong-memoryctl stop, then: soong-memoryctl service start")
    else:
        yield Finding("service", "ok", f"systemd, {state}")


def linger(facts: Facts) -> Iterator[Finding]:
    """An installed service outlives the session, if that is wanted."""
    found = _systemd(facts)
    if isinstance(found, str) or found.property(units.SERVICE, "LoadState") != "loaded":
        return
    if found.ends_at_logout():
        yield Finding("linger", "note", "the service ends when you log out", "loginctl enable-linger")
    else:
        yield Finding("linger", "ok", "the service stays when you log out")


def disk(facts: Facts) -> Iterator[Finding]:
    """There is room for what is still to come."""
    there = next((path for path in (facts.home, *facts.home.parents) if path.exists()), Path("/"))
    found = os.statvfs(there)
    free_bytes = found.f_bavail * found.f_frsize
    text = f"{free_bytes >> 20} MiB free at {there}"
    if free_bytes < EMPTY_BYTES or (found.f_files and not found.f_favail):
        yield Finding("disk", "fail", text, f"df -h {there}")
    else:
        yield Finding(
            "disk", "note" if free_bytes < LOW_BYTES else "ok", text, f"df -h {there}" if free_bytes < LOW_BYTES else ""
        )


def landlock(facts: Facts) -> Iterator[Finding]:
    """The kernel itself keeps the daemon from writing anywhere else."""
    if facts.report is None or "landlock_abi" not in facts.report:
        return
    abi = facts.report["landlock_abi"]
    if abi < MIN_LANDLOCK_ABI:
        yield Finding("landlock", "note", "this kernel does not offer it: writes are confined by the daemon alone")
    elif facts.status is not None and _has_new_privileges(facts):
        yield Finding(
            "landlock", "note", "the kernel offers it, but this daemon is not confined", "soong-memoryctl service logs"
        )
    else:
        yield Finding("landlock", "ok", f"offered by the kernel (version {abi}), taken by the daemon at its start")


def _has_new_privileges(facts: Facts) -> bool:
    """A confined process has given up new privileges; one that has not is not confined."""
    assert facts.status is not None
    try:
        return "NoNewPrivs:\t0" in (facts.proc / str(facts.status["pid"]) / "status").read_text(encoding="utf-8")
    except OSError:
        return False


def _systemd(facts: Facts) -> Systemd | str:
    try:
        found = supervisor(facts.env, facts.home)
    except CliError as error:
        return error.text
    return found if isinstance(found, Systemd) else "launchd: see soong-memoryctl service start"


def _program_of(found: Systemd) -> str:
    """The program in ``{ path=/usr/bin/x ; argv[]=… }``."""
    text = found.property(units.SERVICE, "ExecStart")
    return text.partition("path=")[2].partition(" ;")[0].strip()
