"""Places at which a daemon dies, by name. They are wrapped from outside, in the process that is to die: the product has none.

Owns: the table. Must not know what is expected afterwards.
"""

from __future__ import annotations

import importlib
import os
import signal
import time
from collections.abc import Callable
from typing import Any

from soong_memoryd.memories.commit import STEPS, Committer, OnStep, no_step

COMMIT_POINTS = STEPS
"""Reached inside ``Committer.commit``."""

_WRAPPED = {
    "before the group commit": ("soong_memoryd.state.database", "_commit_group", "before"),
    "after the group commit": ("soong_memoryd.state.database", "_commit_group", "after"),
    "before the attempt is counted": ("soong_memoryd.sessions.attempts", "begin", "before"),
    "after the attempt is counted": ("soong_memoryd.sessions.attempts", "begin", "after"),
    "before the model is asked": ("soong_memoryd.llm.builtin", "BuiltinModel.ask", "before"),
    "before the intent is written": ("soong_memoryd.memories.intent_log", "SqlIntentLog.prepare", "before"),
    "after the first file went live": ("soong_memoryd.memories.commit", "publish", "after"),
    "before the catalog is swapped": ("soong_memoryd.memories.catalog_file", "swap", "before"),
    "after the catalog is swapped": ("soong_memoryd.memories.catalog_file", "swap", "after"),
    "before the finishing transaction": ("soong_memoryd.memories.intent_log", "SqlIntentLog.finish", "before"),
    "before a version is kept": ("soong_memoryd.memories.cleaning", "Cleaner._keep_version", "before"),
    "before staging is removed": ("soong_memoryd.memories.cleaning", "Cleaner._remove_directory", "before"),
}
WORK_POINTS = tuple(_WRAPPED)
"""Reached while the daemon works."""

_AT_START = {
    "start: lock taken": ("soong_memoryd.server.lock", "HomeLock.take", "after"),
    "start: database open": ("soong_memoryd.state.database", "migrate", "after"),
    "start: before recovery": ("soong_memoryd.memories.shelf", "recover", "before"),
    "start: an intent went forward": ("soong_memoryd.memories.recovery", "_roll_forward", "after"),
    "start: files published again": ("soong_memoryd.memories.commit", "Committer.publish", "after"),
    "start: after recovery": ("soong_memoryd.memories.shelf", "recover", "after"),
    "start: before the interrupted are told": ("soong_memoryd.sessions.attempts", "recover_interrupted", "before"),
    "start: after the interrupted are told": ("soong_memoryd.sessions.attempts", "recover_interrupted", "after"),
    "start: before the socket": ("soong_memoryd.server.listener", "bind", "before"),
    "start: after the socket": ("soong_memoryd.server.listener", "bind", "after"),
}
START_POINTS = tuple(_AT_START)
"""Reached while a daemon starts; the ones about intents only where an earlier one left some."""

NAMES = (*COMMIT_POINTS, *WORK_POINTS, *START_POINTS)
SLOW_SECONDS = 0.8


def arm(name: str, at: int = 1, action: str = "kill") -> None:
    """Let this process die (``kill``) or wait for ``SLOW_SECONDS`` (``slow``) when it gets to a point the ``at``-th time."""
    visit = _Visits(at, action).visit
    if name in COMMIT_POINTS:
        _watch_steps(name, visit)
        return
    module_name, attribute, when = (_WRAPPED | _AT_START)[name]
    owner: Any = importlib.import_module(module_name)
    *classes, last = attribute.split(".")
    for part in classes:
        owner = getattr(owner, part)
    setattr(owner, last, _wrapped(getattr(owner, last), when, visit))


class _Visits:
    def __init__(self, at: int, action: str) -> None:
        self._left = at
        self._action = action

    def visit(self) -> None:
        self._left -= 1
        if self._left == 0:
            if self._action == "slow":
                time.sleep(SLOW_SECONDS)
            else:
                os.kill(os.getpid(), signal.SIGKILL)


def _watch_steps(name: str, visit: Callable[[], None]) -> None:
    commit = Committer.commit

    def watched(self: Committer, txn: str, changes: Any, effects: Any, on_step: OnStep = no_step) -> None:
        commit(self, txn, changes, effects, lambda reached: visit() if reached == name else None)

    Committer.commit = watched  # type: ignore[method-assign]


def _wrapped(function: Callable[..., Any], when: str, visit: Callable[[], None]) -> Callable[..., Any]:
    def wrapper(*arguments: Any, **named: Any) -> Any:
        if when == "before":
            visit()
        result = function(*arguments, **named)
        if when == "after":
            visit()
        return result

    return wrapper
