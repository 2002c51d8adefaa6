"""The supervisors that can keep the daemon running: systemd for a user, and launchd.

Owns: their commands and where they look for files. Must not know: what the files say, how it is told to a person.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from soong_memoryd.cli import programs
from soong_memoryd.cli.exits import CliError, Exit
from soong_memoryd.cli.private_file import replace_text
from soong_memoryd.cli.service import units
from soong_memoryd.cli.service.units import Place

FILE_MODE = 0o644
LINGER_DIRECTORY = Path("/var/lib/systemd/linger")
BY_HAND = "soong-memoryd serve"


class Supervisor(Protocol):
    """What ``service`` asks of a supervisor; ``CliError`` when it refuses."""

    name: str

    def install(self, place: Place, *, hardened: bool) -> list[Path]:
        """Write the files, enable and start; returns the files."""
        ...

    def uninstall(self) -> list[Path]:
        """Stop, disable, remove the files; returns those that were there."""
        ...

    def start(self) -> None:
        """Start it now."""
        ...

    def stop(self) -> None:
        """Stop it until it is started, or the next login."""
        ...

    def log(self, lines: int, *, follow: bool) -> Iterator[str]:
        """The newest lines of its log, oldest first."""
        ...

    def ends_at_logout(self) -> bool:
        """Whether the service goes when the user logs out."""
        ...


class Systemd:
    """``systemctl --user``."""

    name = "systemd"

    def __init__(self, systemctl: str, env: Mapping[str, str]) -> None:
        self._systemctl = systemctl
        self._env = env
        config = env.get("XDG_CONFIG_HOME") or os.path.join(_home(env), ".config")
        self._directory = Path(config) / "systemd" / "user"

    def install(self, place: Place, *, hardened: bool) -> list[Path]:
        """See ``Supervisor.install``."""
        files = {self._directory / name: text for name, text in units.systemd_files(place, hardened=hardened).items()}
        for path in self._files():
            if path not in files:
                path.unlink(missing_ok=True)
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_text(path, text, FILE_MODE)
        self._ask("daemon-reload")
        self._ask("enable", units.SERVICE, units.SOCKET)
        self._ask("stop", units.SERVICE)
        self._ask("restart", units.SOCKET)
        self.start()
        return list(files)

    def uninstall(self) -> list[Path]:
        """See ``Supervisor.uninstall``."""
        there = [path for path in self._files() if path.exists()]
        if there:
            self._ask("disable", "--now", units.SOCKET, units.SERVICE)
            for path in there:
                path.unlink()
            self._ask("daemon-reload")
        return there

    def start(self) -> None:
        """See ``Supervisor.start``. A service that failed too often is given another chance."""
        programs.run([self._systemctl, "--user", "reset-failed", units.SERVICE], self._env)
        self._ask("start", units.SOCKET, units.SERVICE)

    def stop(self) -> None:
        """See ``Supervisor.stop``. The socket goes first: a call would start the service again."""
        self._ask("stop", units.SOCKET, units.SERVICE)

    def log(self, lines: int, *, follow: bool) -> Iterator[str]:
        """See ``Supervisor.log``."""
        journalctl = programs.found("journalctl", self._env)
        if journalctl is None:
            raise CliError(Exit.FAILED, "journalctl is not on the PATH", f"systemctl --user status {units.SERVICE}")
        argv = [journalctl, "--user", "--unit", units.SERVICE, "--lines", str(lines), "--no-pager", "--output", "short-iso"]
        return programs.lines_of([*argv, *(["--follow"] if follow else [])], self._env)

    def ends_at_logout(self) -> bool:
        """See ``Supervisor.ends_at_logout``."""
        import pwd

        return not (LINGER_DIRECTORY / pwd.getpwuid(os.geteuid()).pw_name).exists()

    def property(self, unit: str, name: str) -> str:
        """A property of a unit, empty when systemd does not say."""
        return programs.run([self._systemctl, "--user", "show", unit, f"--property={name}", "--value"], self._env).out.strip()

    def _files(self) -> list[Path]:
        names = (units.SERVICE, units.SOCKET, f"{units.SERVICE}.d/{units.HARDENING}")
        return [self._directory / name for name in names]

    def _ask(self, *words: str) -> None:
        _must([self._systemctl, "--user", *words], self._env, f"systemctl --user status {units.SERVICE}")


class Launchd:
    """``launchctl`` in the session of the user."""

    name = "launchd"

    def __init__(self, launchctl: str, env: Mapping[str, str], home: Path) -> None:
        self._launchctl = launchctl
        self._env = env
        self._file = Path(_home(env)) / "Library" / "LaunchAgents" / f"{units.AGENT}.plist"
        self._log = home / "memoryd" / "log"
        self._domain = f"gui/{os.getuid()}"

    def install(self, place: Place, *, hardened: bool) -> list[Path]:
        """See ``Supervisor.install``; launchd has nothing to harden."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        programs.run([self._launchctl, "bootout", f"{self._domain}/{units.AGENT}"], self._env)
        replace_text(self._file, units.launch_agent(place).decode(), FILE_MODE)
        self._ask("bootstrap", self._domain, str(self._file))
        return [self._file]

    def uninstall(self) -> list[Path]:
        """See ``Supervisor.uninstall``."""
        if not self._file.exists():
            return []
        programs.run([self._launchctl, "bootout", f"{self._domain}/{units.AGENT}"], self._env)
        self._file.unlink()
        return [self._file]

    def start(self) -> None:
        """See ``Supervisor.start``."""
        self._ask("kickstart", f"{self._domain}/{units.AGENT}")

    def stop(self) -> None:
        """See ``Supervisor.stop``."""
        self._ask("kill", "SIGTERM", f"{self._domain}/{units.AGENT}")

    def log(self, lines: int, *, follow: bool) -> Iterator[str]:
        """See ``Supervisor.log``."""
        return programs.lines_of(["/usr/bin/tail", "-n", str(lines), *(["-F"] if follow else []), str(self._log)], self._env)

    def ends_at_logout(self) -> bool:
        """See ``Supervisor.ends_at_logout``: an agent lives in the session."""
        return False

    def _ask(self, *words: str) -> None:
        _must([self._launchctl, *words], self._env, f"launchctl print {self._domain}/{units.AGENT}")


def supervisor(env: Mapping[str, str], home: Path, platform: str = sys.platform) -> Systemd | Launchd:
    """The one of this machine; ``CliError`` when there is none that this session can talk to."""
    if platform == "darwin":
        launchctl = programs.found("launchctl", env)
        if launchctl is not None:
            return Launchd(launchctl, env, home)
        raise CliError(Exit.FAILED, "launchctl is not on the PATH", BY_HAND)
    systemctl = programs.found("systemctl", env)
    if systemctl is None:
        raise CliError(Exit.FAILED, "this machine has no systemd: start the daemon by hand", BY_HAND)
    if programs.run([systemctl, "--user", "show-environment"], env).code != 0:
        raise CliError(Exit.FAILED, "systemd has no session for this user here (su and sudo give none)", BY_HAND)
    return Systemd(systemctl, env)


def _must(argv: Sequence[str], env: Mapping[str, str], step: str) -> None:
    done = programs.run(argv, env)
    if done.code != 0:
        said = done.err.strip().splitlines()
        reason = said[0] if said else f"exit code {done.code}"
        raise CliError(Exit.FAILED, f"{Path(argv[0]).name} {argv[-2]} {argv[-1]}: {reason}", step)


def _home(env: Mapping[str, str]) -> str:
    return env.get("HOME") or os.path.expanduser("~")
