"""Where the daemon lives: the one rule for home and socket, shared by daemon, command line and clients.

Owns: the names of the environment variables, and which of flag, variable and default wins. Must not know: who asks.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from soong_memory_client.errors import SocketPathError

HOME_VARIABLE = "SOONG_AGENT_HOME"
SOCKET_VARIABLE = "SOONG_MEMORYD_SOCKET"
STATE_DIRECTORY = "memoryd"
SOCKET_NAME = "memoryd.sock"
OUTBOX_DIRECTORY = "outbox"

MAX_SOCKET_PATH_BYTES = 107  # sun_path holds 108 bytes on Linux, the last one a NUL


def home_path(env: Mapping[str, str] | None = None, flag: str | os.PathLike[str] | None = None) -> Path:
    """The agent home, absolute: ``flag`` (a command line's ``--home``), ``$SOONG_AGENT_HOME``, ``~/.soong-agent``."""
    variables = os.environ if env is None else env
    chosen = os.fspath(flag) if flag is not None else variables.get(HOME_VARIABLE, "")
    path = Path(chosen) if chosen else Path(variables.get("HOME") or Path.home()) / ".soong-agent"
    return Path(os.path.abspath(path.expanduser()))


def socket_path(
    env: Mapping[str, str] | None = None,
    home_flag: str | os.PathLike[str] | None = None,
    socket_flag: str | os.PathLike[str] | None = None,
) -> Path:
    """The daemon's socket, absolute. A flag beats every variable, so ``--home`` alone names the socket of that home.

    Raises ``SocketPathError`` when the path is longer than a socket address can hold.
    """
    variables = os.environ if env is None else env
    chosen = os.fspath(socket_flag) if socket_flag is not None else ""
    if not chosen and home_flag is None:
        chosen = variables.get(SOCKET_VARIABLE, "")
    path = Path(chosen) if chosen else home_path(variables, home_flag) / STATE_DIRECTORY / SOCKET_NAME
    return checked_socket_path(Path(os.path.abspath(path.expanduser())))


def checked_socket_path(path: Path) -> Path:
    """``path`` itself if a socket address can hold it, else ``SocketPathError``."""
    length_bytes = len(os.fsencode(path))
    if length_bytes > MAX_SOCKET_PATH_BYTES:
        raise SocketPathError(
            f"the socket path has {length_bytes} bytes, a socket address holds {MAX_SOCKET_PATH_BYTES}: "
            f"set {SOCKET_VARIABLE} to a shorter path, for example /run/user/{os.getuid()}/memoryd.sock"
        )
    return path


def outbox_directory(home: Path) -> Path:
    """Where clients of that home leave what the daemon has not acknowledged."""
    return home / STATE_DIRECTORY / OUTBOX_DIRECTORY
