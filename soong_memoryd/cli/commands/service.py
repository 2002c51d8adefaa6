"""``service``: the daemon that is there after the next login, without anybody starting it.

Owns: the order of an installation and what is said of it. Must not know: any one supervisor.
"""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from soong_memory_client.errors import DaemonUnavailable
from soong_memoryd.cli import daemon_config, programs
from soong_memoryd.cli.command import Command, group
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.exits import CliError, Exit
from soong_memoryd.cli.render import Style, printable
from soong_memoryd.cli.service import units
from soong_memoryd.cli.service.supervisors import Systemd, supervisor

START_SECONDS = 20.0
LOOK_EVERY_SECONDS = 0.1
LOGS_STEP = "soong-memoryctl service logs"
KEEP_STEP = "to keep it running after you log out: loginctl enable-linger"


def _configure_install(parser: ArgumentParser) -> None:
    parser.add_argument("--hardened", action="store_true", help="with limits that need user namespaces (systemd)")
    parser.add_argument("--print", action="store_true", dest="only_print", help="print the files instead")


def _install(console: Console, args: Namespace) -> dict[str, Any]:
    place = units.Place(_program(console), console.home, console.client.socket_path)
    if args.only_print:
        agent = {f"{units.AGENT}.plist": units.launch_agent(place).decode()} if sys.platform == "darwin" else {}
        return {"printed": agent or units.systemd_files(place, hardened=args.hardened)}
    chosen = supervisor(console.env, console.home)
    daemon_config.usable(console.home, console.env)  # a service that cannot start is worse than none
    running = _status(console)
    if running and not (isinstance(chosen, Systemd) and chosen.property(units.SERVICE, "MainPID") == str(running["pid"])):
        raise CliError(
            Exit.CONFLICT, f"a daemon that was started by hand is running (pid {running['pid']})", "soong-memoryctl stop"
        )
    written = chosen.install(place, hardened=args.hardened)
    started = _wait_for_daemon(console)
    return {
        "supervisor": chosen.name,
        "files": [str(path) for path in written],
        "pid": started["pid"],
        "ends_at_logout": chosen.ends_at_logout(),
    }


def _install_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    for name, text in data.get("printed", {}).items():
        yield style.paint(f"# {name}", "dim")
        yield from text.splitlines()
    for path in data.get("files", []):
        yield f"written: {printable(path)}"
    if "pid" in data:
        yield f"{style.paint('running', 'green')} under {data['supervisor']}, pid {data['pid']}"
        if data["ends_at_logout"]:
            yield style.paint(KEEP_STEP, "yellow")


def _program(console: Console) -> tuple[str, ...]:
    """The daemon beside this program, else on the PATH, else as a module of this interpreter."""
    beside = Path(sys.argv[0]).absolute().with_name("soong-memoryd")
    if beside.is_file() and os.access(beside, os.X_OK):
        return (str(beside),)
    path = programs.found("soong-memoryd", console.env)
    return (os.path.abspath(path),) if path else (sys.executable, "-m", "soong_memoryd.cli.daemon")


def _status(console: Console) -> dict[str, Any] | None:
    try:
        answer: dict[str, Any] = console.call("daemon.status")
    except DaemonUnavailable:
        return None
    return answer


def _wait_for_daemon(console: Console) -> dict[str, Any]:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        answer = _status(console)
        if answer is not None:
            return answer
        time.sleep(LOOK_EVERY_SECONDS)
    raise CliError(Exit.FAILED, f"the service was started, but does not answer after {START_SECONDS:g} s", LOGS_STEP)


def _uninstall(console: Console, args: Namespace) -> dict[str, Any]:
    chosen = supervisor(console.env, console.home)
    return {"supervisor": chosen.name, "removed": [str(path) for path in chosen.uninstall()], "home": str(console.home)}


def _uninstall_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    for path in data["removed"]:
        yield f"removed: {printable(path)}"
    if not data["removed"]:
        yield "no service is installed"
    yield style.paint(f"memories and state stay in {printable(data['home'])}", "dim")


def _start(console: Console, args: Namespace) -> dict[str, Any]:
    supervisor(console.env, console.home).start()
    return {"pid": _wait_for_daemon(console)["pid"]}


def _start_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    yield f"{style.paint('running', 'green')}, pid {data['pid']}"


def _stop(console: Console, args: Namespace) -> dict[str, Any]:
    supervisor(console.env, console.home).stop()
    return {"running": False}


def _stop_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    yield "stopped; clients keep what they have to say in their outboxes"


def _configure_logs(parser: ArgumentParser) -> None:
    parser.add_argument("--follow", "-f", action="store_true", help="go on with what is added, until interrupted")
    parser.add_argument("--lines", "-n", type=int, default=50, metavar="N", help="at most N, the newest (default: 50)")


def _logs(console: Console, args: Namespace) -> Iterator[Any]:
    for line in supervisor(console.env, console.home).log(args.lines, follow=args.follow):
        yield {"line": line}


def _logs_run(console: Console, args: Namespace) -> dict[str, Any]:
    raise AssertionError("logs are a stream")


def _logs_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    yield printable(data["line"])


INSTALL = Command(
    "install",
    "write the service's files, enable and start it",
    "installs a service",
    _install,
    _install_view,
    _configure_install,
)
UNINSTALL = Command("uninstall", "stop and remove the service", "removes the service", _uninstall, _uninstall_view)
START = Command("start", "start the service", "starts the daemon", _start, _start_view)
STOP = Command("stop", "stop the service and its socket", "stops the daemon", _stop, _stop_view)
LOGS = Command("logs", "what the service wrote", "read-only", _logs_run, _logs_view, _configure_logs, stream=_logs)
SERVICE = group("service", "the daemon as a service of this user", "see its commands", INSTALL, UNINSTALL, START, STOP, LOGS)
