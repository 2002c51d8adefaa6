"""The commands of soong-memoryctl, in the order in which the help lists them.

Owns: the table. Must not know: how a command line is parsed. A command's module is imported when the command is asked for:
all of them take longer than what most of them do.
"""

from __future__ import annotations

from importlib import import_module

from soong_memoryd.cli.command import Command

# a command -> the module of this package that has it, and its row there
PLACES: dict[str, str] = {
    "status": "status.STATUS",
    "sessions": "sessions.SESSIONS",
    "trigger": "jobs.TRIGGER",
    "jobs": "jobs.JOBS",
    "retry": "jobs.RETRY",
    "skip": "jobs.SKIP",
    "events": "events.EVENTS",
    "list": "memories.LIST",
    "show": "memories.SHOW",
    "search": "memories.SEARCH",
    "why": "origins.WHY",
    "recall": "recall.RECALL",
    "edit": "edit.EDIT",
    "forget": "changes.FORGET",
    "history": "origins.HISTORY",
    "undo": "changes.UNDO",
    "doctor": "doctor.DOCTOR",
    "verify": "checks.VERIFY",
    "config": "config.CONFIG",
    "connect": "connect.CONNECT",
    "disconnect": "connect.DISCONNECT",
    "mcp": "mcp.MCP",
    "reload": "control.RELOAD",
    "stop": "control.STOP",
    "service": "service.SERVICE",
    "import": "imports.IMPORT",
    "view": "view.VIEW",
    "completion": "completion.COMPLETION",
}


def command(name: str) -> Command:
    """The row of a command."""
    module, _, row = PLACES[name].partition(".")
    found: Command = getattr(import_module(f"{__name__}.{module}"), row)
    return found


def all_commands() -> tuple[Command, ...]:
    """Every row."""
    return tuple(command(name) for name in PLACES)
