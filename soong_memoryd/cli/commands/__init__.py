"""The commands of soong-memoryctl, in the order in which the help lists them.

Owns: the table. Must not know: how a command line is parsed.
"""

from __future__ import annotations

from soong_memoryd.cli.command import Command
from soong_memoryd.cli.commands import (
    changes,
    checks,
    completion,
    config,
    connect,
    control,
    doctor,
    edit,
    events,
    imports,
    jobs,
    mcp,
    memories,
    origins,
    recall,
    service,
    sessions,
    status,
    view,
)

COMMANDS: tuple[Command, ...] = (
    status.STATUS,
    sessions.SESSIONS,
    jobs.TRIGGER,
    jobs.JOBS,
    jobs.RETRY,
    jobs.SKIP,
    events.EVENTS,
    memories.LIST,
    memories.SHOW,
    memories.SEARCH,
    origins.WHY,
    recall.RECALL,
    edit.EDIT,
    changes.FORGET,
    origins.HISTORY,
    changes.UNDO,
    doctor.DOCTOR,
    checks.VERIFY,
    config.CONFIG,
    connect.CONNECT,
    connect.DISCONNECT,
    mcp.MCP,
    control.RELOAD,
    control.STOP,
    service.SERVICE,
    imports.IMPORT,
    view.VIEW,
    completion.COMPLETION,
)
