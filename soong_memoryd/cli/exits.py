"""What a command's exit code means, and the error that carries one together with the command that helps.

Owns: the tables from error codes to exit codes and next steps. Must not know: commands, sockets. Pure.
"""

from __future__ import annotations

from enum import IntEnum

from soong_memory_client.errors import (
    DaemonUnavailable,
    DeadlineExceeded,
    MemoryClientError,
    RpcError,
    SocketPathError,
    UntrustedServer,
)


class Exit(IntEnum):
    """Exit codes; one that is not listed is to be taken as a failure."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NOT_RUNNING = 3
    REFUSED = 4
    NOT_FOUND = 5
    CONFLICT = 6
    PROBLEMS_FOUND = 7
    TIMED_OUT = 8
    PROTOCOL = 9
    INTERRUPTED = 130


MEANINGS = {
    Exit.OK: "done",
    Exit.FAILED: "failed",
    Exit.USAGE: "the command line is wrong",
    Exit.NOT_RUNNING: "the daemon cannot be reached",
    Exit.REFUSED: "the daemon refused",
    Exit.NOT_FOUND: "no such memory, session, job or version",
    Exit.CONFLICT: "the file changed meanwhile",
    Exit.PROBLEMS_FOUND: "the check found problems",
    Exit.TIMED_OUT: "no answer in time",
    Exit.PROTOCOL: "daemon and command line speak different versions",
    Exit.INTERRUPTED: "interrupted",
}

REMARKS = frozenset({"missing_sources", "loose_mode"})
"""What ``verify`` lists although nothing has to be done about it: no reason to end with ``PROBLEMS_FOUND``."""

STATUS = "soong-memoryctl status"
LOG = "the daemon's log has the cause: soong-memoryctl service logs"
RESTART = "restart the daemon: soong-memoryctl stop, then soong-memoryd serve"
START = "soong-memoryd serve   (or: systemctl --user start soong-memoryd)"

# error code of the wire -> exit code, and the command that helps
REPLIES: dict[str, tuple[Exit, str]] = {
    "parse_error": (Exit.FAILED, LOG),  # these three are a bug on one side
    "invalid_request": (Exit.FAILED, LOG),
    "internal": (Exit.FAILED, LOG),
    "invalid_params": (Exit.USAGE, "soong-memoryctl --help"),
    "method_not_found": (Exit.PROTOCOL, RESTART),
    "protocol_version": (Exit.PROTOCOL, RESTART),
    "session_unknown": (Exit.NOT_FOUND, STATUS),
    "agent_unknown": (Exit.NOT_FOUND, STATUS),
    "not_found": (Exit.NOT_FOUND, STATUS),
    "role_denied": (Exit.REFUSED, "soong-memoryctl sessions"),
    "memory_disabled": (Exit.REFUSED, "set memory.enabled = true in memoryd.toml, then: soong-memoryctl reload"),
    "read_only": (Exit.REFUSED, "soong-memoryctl verify"),
    "model_unconfigured": (Exit.REFUSED, "set [model] in memoryd.toml, then: soong-memoryctl config check"),
    "message_too_large": (Exit.REFUSED, "soong-memoryctl --help"),
    "agent_conflict": (Exit.CONFLICT, "soong-memoryctl sessions"),
    "node_conflict": (Exit.CONFLICT, "soong-memoryctl sessions"),
    "memory_changed": (Exit.CONFLICT, "look at it again: soong-memoryctl show ID"),
    "shutting_down": (Exit.NOT_RUNNING, "soong-memoryctl status"),
    "busy": (Exit.FAILED, "the same command, shortly"),
    "storage_full": (Exit.FAILED, "make room on the disk, then: soong-memoryctl verify"),
}


class CliError(Exception):
    """A command's failure: its exit code, one sentence, and the command that helps."""

    def __init__(self, exit_code: Exit, text: str, next_step: str = STATUS) -> None:
        super().__init__(text)
        self.exit_code = exit_code
        self.text = text
        self.next_step = next_step


def cli_error(error: MemoryClientError, not_found_step: str = STATUS) -> CliError:
    """What to say, and with which exit code to end, when a call failed; ``not_found_step`` lists what there is."""
    if isinstance(error, RpcError):
        exit_code, step = REPLIES.get(error.code, (Exit.FAILED, STATUS))
        step = not_found_step if exit_code == Exit.NOT_FOUND else step
        text = error.message or error.hint or error.code
        return CliError(exit_code, f"{text} ({error.code})", step)
    if isinstance(error, DeadlineExceeded):
        return CliError(Exit.TIMED_OUT, str(error), "the same command with a longer --timeout")
    if isinstance(error, SocketPathError):
        return CliError(Exit.USAGE, str(error), "export SOONG_MEMORYD_SOCKET=SHORTER-PATH")
    if isinstance(error, UntrustedServer):
        return CliError(Exit.REFUSED, str(error), "remove that socket, then: soong-memoryd serve")
    if isinstance(error, DaemonUnavailable):
        return CliError(Exit.NOT_RUNNING, f"soong-memoryd is not running: {error}", START)
    return CliError(Exit.FAILED, str(error))
