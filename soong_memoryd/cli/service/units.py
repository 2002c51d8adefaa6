"""The files of a service, with the real paths in them: systemd units and a launchd agent.

Owns: where the files come from, and which of their lines name a path. Must not know: who installs them, what is running.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

SERVICE = "soong-memoryd.service"
SOCKET = "soong-memoryd.socket"
HARDENING = "hardening.conf"
AGENT = "com.soong.memoryd"

_DEFAULT_PROGRAM = "ExecStart=%h/.local/bin/soong-memoryd serve"
_DEFAULT_SOCKET = "ListenStream=%h/.soong-agent/memoryd/memoryd.sock"
_DEFAULT_ENV = "EnvironmentFile=-%h/.soong-agent/memoryd/env"
_DEFAULT_WRITABLE = "ReadWritePaths=-%h/.soong-agent"


class Place(NamedTuple):
    """What the files have to name: the program with its first arguments, the home, the socket."""

    program: tuple[str, ...]
    home: Path
    socket: Path

    @property
    def command(self) -> list[str]:
        """The daemon's command line; the socket is named only where it is not the home's own."""
        own = self.home / "memoryd" / "memoryd.sock"
        extra = [] if self.socket == own else ["--socket", str(self.socket)]
        return [*self.program, "serve", "--home", str(self.home), *extra]


def source_directory() -> Path:
    """Where the files are: beside the package when it is installed, in the source tree when it runs from there."""
    package = Path(__file__).resolve().parent.parent.parent
    packaged = package / "units"
    return packaged if packaged.is_dir() else package.parent / "systemd"


def systemd_files(place: Place, *, hardened: bool = False) -> dict[str, str]:
    """Relative path below the user's unit directory -> text."""
    source = source_directory()
    service = _with(_read(source / SERVICE), _DEFAULT_PROGRAM, "ExecStart=" + " ".join(map(_word, place.command)))
    service = _with(service, _DEFAULT_ENV, f"EnvironmentFile=-{_path(place.home / 'memoryd' / 'env')}")
    files = {
        SERVICE: service,
        SOCKET: _with(_read(source / SOCKET), _DEFAULT_SOCKET, f"ListenStream={_path(place.socket)}"),
    }
    if hardened:
        writable = f"ReadWritePaths=-{_word(str(place.home))}"
        files[f"{SERVICE}.d/{HARDENING}"] = _with(_read(source / HARDENING), _DEFAULT_WRITABLE, writable)
    return files


def launch_agent(place: Place) -> bytes:
    """The launchd agent. launchd neither expands ``~`` nor has a PATH worth the name: every path is whole."""
    import plistlib

    agent: dict[str, Any] = plistlib.loads((source_directory() / "launchd" / f"{AGENT}.plist").read_bytes())
    agent["ProgramArguments"] = place.command
    agent["StandardErrorPath"] = str(place.home / "memoryd" / "log")
    return plistlib.dumps(agent)


def _with(text: str, line: str, replacement: str) -> str:
    before, found, after = text.partition(f"\n{line}\n")
    assert found, line
    return f"{before}\n{replacement}\n{after}"


def _path(path: Path) -> str:
    return str(path).replace("%", "%%")


def _word(word: str) -> str:
    """One word of a unit's command line or list: no specifier, no variable, no space that splits it."""
    escaped = word.replace("%", "%%").replace("$", "$$")
    plain = all(char.isalnum() or char in "/._-%$@:+=," for char in escaped)
    return escaped if plain else '"' + escaped.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
