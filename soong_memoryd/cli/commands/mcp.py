"""``mcp``: the MCP server on this process's input and output, until the client closes its end.

Owns: how the command line becomes the server's. Must not know: the protocol.
"""

from __future__ import annotations

import os
from argparse import Namespace
from typing import Any

from soong_memory_client.paths import home_path
from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console


def _run(console: Console, args: Namespace) -> Any:
    """Become the server: a tool that keeps this process for hours does not keep a command line with it."""
    from soong_memoryd.cli.connect.launch import launch_for  # only this command pays for it

    command = launch_for(console.home, home_path({}), args.socket).server()
    os.execve(command[0], command, dict(console.env))  # noqa: S606 - an absolute path, no shell


MCP = Command("mcp", "serve the memory to a tool over MCP, on stdin and stdout", "read-only", _run, lambda data, style: ())
