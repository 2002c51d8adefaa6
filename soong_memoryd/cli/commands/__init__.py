"""The commands of soong-memoryctl, in the order in which the help lists them.

Owns: the table. Must not know: how a command line is parsed.
"""

from __future__ import annotations

from soong_memoryd.cli.command import Command
from soong_memoryd.cli.commands import changes, checks, control, edit, events, jobs, memories, origins, recall, sessions, status

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
    checks.VERIFY,
    checks.CONFIG,
    control.RELOAD,
    control.STOP,
)
