"""When to look: the transition table of a session's waiting job, and what follows an attempt. Pure.

Owns: ``ARRIVALS`` (what happens to the waiting job when something is heard), ``endings`` (what follows an attempt), the
order of jobs, back-off, halving and parking. Must not know SQLite, clocks or models; the ledger carries decisions out.
``docs/schedule.md`` is drawn from these tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from soong_memoryd.sessions.triggers import REASONS

# The session's waiting job, as the table sees it.
EMPTY, IDLE, DUE, BACKOFF, PARKED = "empty", "idle", "due", "backoff", "parked"
SLOTS = (EMPTY, IDLE, DUE, BACKOFF, PARKED)

# What can be heard. The four reasons are a trigger that holds at the end of a root run.
RUN_STARTED, OPERATOR = "run_started", "operator"
ARRIVING = (RUN_STARTED, *REASONS, OPERATOR)

# What to do with the waiting job.
NOTHING = "nothing"
CANCEL = "cancel"  # the idle job goes; the run's end decides anew
NEW_NOW = "new_now"  # a new job, due at once
NEW_IDLE = "new_idle"  # a new job, due when the session has been quiet for idle_seconds
REARM = "rearm"  # the idle job waits from now on
HASTEN = "hasten"  # the waiting job is due at once, with the stronger reason
RENAME = "rename"  # the waiting job keeps its time and takes the stronger reason
UNPARK = "unpark"  # the parked job waits again, due at once

ARRIVALS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        (EMPTY, RUN_STARTED): NOTHING,
        (EMPTY, "idle"): NEW_IDLE,
        (EMPTY, "token_backlog"): NEW_NOW,
        (EMPTY, "message_backlog"): NEW_NOW,
        (EMPTY, "explicit"): NEW_NOW,
        (EMPTY, OPERATOR): NEW_NOW,
        (IDLE, RUN_STARTED): CANCEL,
        (IDLE, "idle"): REARM,
        (IDLE, "token_backlog"): HASTEN,
        (IDLE, "message_backlog"): HASTEN,
        (IDLE, "explicit"): HASTEN,
        (IDLE, OPERATOR): HASTEN,
        (DUE, RUN_STARTED): NOTHING,
        (DUE, "idle"): NOTHING,
        (DUE, "token_backlog"): RENAME,
        (DUE, "message_backlog"): RENAME,
        (DUE, "explicit"): RENAME,
        (DUE, OPERATOR): HASTEN,
        (BACKOFF, RUN_STARTED): NOTHING,
        (BACKOFF, "idle"): NOTHING,
        (BACKOFF, "token_backlog"): RENAME,
        (BACKOFF, "message_backlog"): RENAME,
        (BACKOFF, "explicit"): HASTEN,
        (BACKOFF, OPERATOR): HASTEN,
        (PARKED, RUN_STARTED): NOTHING,
        (PARKED, "idle"): NOTHING,
        (PARKED, "token_backlog"): NOTHING,
        (PARKED, "message_backlog"): NOTHING,
        (PARKED, "explicit"): UNPARK,
        (PARKED, OPERATOR): UNPARK,
    }
)

BACKOFF_SECONDS = (60, 300, 900, 3600, 3 * 3600, 6 * 3600)
FAILURES_UNTIL_HALVING = 2
FAILURES_UNTIL_PARKING = 6
UNPARK_AFTER_SECONDS = 24 * 3600


def slot(status: str | None, reason: str | None, attempt: int, failed: bool) -> str:
    """Where a waiting job stands: ``status`` is None when there is none, ``failed`` when its last attempt failed."""
    if status is None:
        return EMPTY
    if status == "parked":
        return PARKED
    if failed:
        return BACKOFF
    return IDLE if reason == "idle" and attempt == 0 else DUE


_RANKS: Mapping[str, int] = MappingProxyType({reason: rank for rank, reason in enumerate(REASONS)})


def rank(reason: str) -> int:
    """The place of a reason in the order in which jobs run: 0 is the strongest."""
    return _RANKS[reason]


def stronger(one: str, other: str) -> str:
    """The stronger of two reasons."""
    return min(one, other, key=rank)


def backoff_seconds(failures: int) -> int:
    """How long to wait after the n-th failure in a row (n ≥ 1)."""
    return BACKOFF_SECONDS[min(max(failures, 1), len(BACKOFF_SECONDS)) - 1]


@dataclass(frozen=True, slots=True)
class Ending:
    """What follows a failed attempt. Exactly one of ``parked`` and ``retry_after_seconds`` says how the job goes on."""

    window_failures: int
    window_halvings: int
    parked: bool
    retry_after_seconds: float | None
    pause_profile: bool


def after_failure(
    blame: str, *, attempt: int, window_failures: int, profile_failures: int, wished_seconds: float | None
) -> Ending:
    """The rule for a failed attempt, by who is to blame.

    ``window``: an invalid answer or overflow; counts, halves the window after every second one, parks after six.
    ``profile``: network, 429, 5xx, timeout, auth; the model profile pauses, the session pays nothing.
    ``none``: the ground moved (a file or a source changed, the disk is full, a clean stop): once more at once, then with
    growing waits, since every attempt may cost a model call.
    """
    if blame == "profile":
        wait = max(float(backoff_seconds(profile_failures + 1)), wished_seconds or 0.0)
        return Ending(window_failures, window_failures // FAILURES_UNTIL_HALVING, False, min(wait, BACKOFF_SECONDS[-1]), True)
    if blame == "none":
        wait = 0.0 if attempt <= 1 else float(backoff_seconds(attempt - 1))
        return Ending(window_failures, window_failures // FAILURES_UNTIL_HALVING, False, wait, False)
    failures = window_failures + 1
    halvings = failures // FAILURES_UNTIL_HALVING
    if failures >= FAILURES_UNTIL_PARKING:
        return Ending(failures, halvings, True, None, False)
    return Ending(failures, halvings, False, float(backoff_seconds(failures)), False)


def despite_failure(ending: Ending) -> Ending:
    """The same ending when somebody wished for a look meanwhile: once more at once, as if a parked session were woken."""
    failures = min(ending.window_failures, FAILURES_UNTIL_PARKING - 1)
    return Ending(failures, failures // FAILURES_UNTIL_HALVING, False, 0.0, ending.pause_profile)
