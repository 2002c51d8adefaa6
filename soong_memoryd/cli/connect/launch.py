"""How other tools start the hook, the plugin and the MCP server: absolute paths, and the interpreter without site-packages.

Owns: where the files lie. Must not know: whose configuration it goes into.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple

import soong_memoryd
from soong_memoryd.cli.exits import CliError, Exit

HOOK_FILE = "soong_memory_hook.py"
MCP_FILE = "soong_memory_mcp.py"
OPENCODE_FILE = "soong-memory.js"
FAST = ("-I", "-S")  # neither the environment nor site-packages: a hook starts in half the time
# in a checkout, where it is worked on; as installed, beside the package. The plugin and node/ lie side by side in both
_PLACES = {
    HOOK_FILE: ("clients/hooks", "."),
    MCP_FILE: ("clients/mcp", "."),
    OPENCODE_FILE: ("clients/opencode", "soong_memory_js/opencode"),
}


class Launch(NamedTuple):
    """``python`` and the options that follow a file's name (``--home``, ``--socket``), absolute."""

    python: str
    options: tuple[str, ...] = ()

    def hook(self, dialect: str) -> list[str]:
        """The command line of the hook."""
        return [self.python, *FAST, str(shipped(HOOK_FILE)), dialect, *self.options]

    def server(self) -> list[str]:
        """The command line of the MCP server."""
        return [self.python, *FAST, str(shipped(MCP_FILE)), *self.options]

    def named_options(self) -> dict[str, str]:
        """The same options for what is no command line: ``home`` and ``socket``, where they are needed."""
        names = (flag.removeprefix("--") for flag in self.options[::2])
        return dict(zip(names, self.options[1::2], strict=True))


def launch_for(home: Path, default_home: Path, socket: str | None) -> Launch:
    """This interpreter, told what a tool's environment may not say: another home, another socket."""
    options = [] if home == default_home else ["--home", str(home)]
    options += ["--socket", os.path.abspath(socket)] if socket else []
    return Launch(sys.executable or "/usr/bin/python3", tuple(options))


def shipped(name: str) -> Path:
    """A file of the clients, absolute; ``CliError`` when the installation lacks it."""
    root = Path(soong_memoryd.__file__).resolve().parent.parent
    path = next((path for place in _PLACES[name] if (path := root / place / name).is_file()), None)
    if path is None:
        raise CliError(Exit.FAILED, f"{name} is not where it was installed", "install soong-memoryd again")
    return path
