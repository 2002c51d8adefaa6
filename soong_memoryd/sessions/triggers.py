"""Which trigger holds at the end of a root run.

Owns: the four triggers and their order. Must not know clocks, due times, jobs or the database.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Reason = Literal["explicit", "message_backlog", "token_backlog", "idle"]


@dataclass(frozen=True, slots=True)
class TriggerInput:
    """What is known when a root run has ended.

    ``unscanned_messages`` and ``unscanned_tokens`` count the root user messages after the scan cursor; ``explicit`` says
    whether one of this run asks to keep something.
    """

    enabled: bool
    unscanned_messages: int
    unscanned_tokens: int
    explicit: bool


@dataclass(frozen=True, slots=True)
class TriggerLimits:
    """How much may wait before a job is worth it: ``[memory]`` of the config."""

    extract_every_messages: int
    extract_every_tokens: int


_TRIGGERS: tuple[tuple[Reason, Callable[[TriggerInput, TriggerLimits], bool]], ...] = (
    ("explicit", lambda seen, limits: seen.explicit),
    ("message_backlog", lambda seen, limits: seen.unscanned_messages >= limits.extract_every_messages),
    ("token_backlog", lambda seen, limits: seen.unscanned_tokens >= limits.extract_every_tokens),
    ("idle", lambda seen, limits: True),
)
REASONS: tuple[Reason, ...] = tuple(reason for reason, _ in _TRIGGERS)
"""All reasons, the strongest first."""


def evaluate(seen: TriggerInput, limits: TriggerLimits) -> Reason | None:
    """The first trigger that holds; None while memory is disabled or nothing is unscanned."""
    if not seen.enabled or seen.unscanned_messages < 1:
        return None
    return next(reason for reason, holds in _TRIGGERS if holds(seen, limits))
