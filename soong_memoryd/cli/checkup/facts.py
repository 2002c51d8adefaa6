"""What the checks look at, gathered once, and what they find.

Owns: the questions to daemon, config and machine. Must not know: what is right or wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from soong_memory_client.errors import MemoryClientError
from soong_memoryd.cli import daemon_config
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.exits import CliError, cli_error

PROC = Path("/proc")


class Finding(NamedTuple):
    """One line: ``state`` is ok | note | fail. ``fix`` is the command that helps, empty when nothing has to be done."""

    name: str
    state: str
    text: str
    fix: str = ""


class Facts(NamedTuple):
    """``status`` is None when the daemon does not answer; ``failure`` says why, or which later question had no answer.

    ``report`` is None when the daemon has none; ``problems`` are those that it finds in the memory files.
    """

    home: Path
    socket: Path
    env: Mapping[str, str]
    status: Mapping[str, Any] | None
    failure: CliError | None
    sessions: list[dict[str, Any]]
    report: Mapping[str, Any] | None
    proc: Path = PROC
    problems: tuple[Mapping[str, Any], ...] = ()

    @property
    def memory_dir(self) -> Path:
        """The memory files."""
        return self.home / "memory"

    @property
    def state_dir(self) -> Path:
        """The daemon's own files."""
        return self.home / "memoryd"

    @property
    def user_home(self) -> Path:
        """The user's home, where other programs keep their settings."""
        return Path(self.env.get("HOME") or Path.home())


def gather(console: Console) -> Facts:
    """Ask the daemon, which may be away, and the config, which may be broken."""
    status: dict[str, Any] | None = None
    failure: CliError | None = None
    sessions: list[dict[str, Any]] = []
    problems: list[dict[str, Any]] = []
    try:
        status = console.call("daemon.status")
        sessions = console.all_of("session.list", "sessions")
        problems = console.call("daemon.verify")["problems"]
    except MemoryClientError as error:
        failure = cli_error(error)
    try:
        report: dict[str, Any] | None = daemon_config.report(console.home, console.env)
    except CliError:
        report = None
    home, socket = console.home, console.client.socket_path
    return Facts(home, socket, console.env, status, failure, sessions, report, problems=tuple(problems))
