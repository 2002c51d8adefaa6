"""Time, as the rest of the daemon is allowed to see it.

Owns: the clock port and the system clock. Must not know: who waits for what.
Wall time is for ids and timestamps only. Durations and deadlines use the boot clock, which counts suspend
(``time.monotonic`` and ``anyio.sleep`` do not) and does not jump when someone sets the date.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Protocol


class Clock(Protocol):
    """What the daemon needs to know about time; ``SystemClock`` for real, ``tests.support.clock.ManualClock`` in tests."""

    def wall_seconds(self) -> float:
        """Seconds since 1970-01-01 UTC; may jump."""
        ...

    def boot_seconds(self) -> float:
        """Seconds since boot, suspend included; never goes backwards within one boot."""
        ...

    def boot_id(self) -> str:
        """A name that changes with every boot; ``boot_seconds`` of two boots must not be compared."""
        ...


class SystemClock:
    """The clock of this machine."""

    def wall_seconds(self) -> float:
        """See ``Clock.wall_seconds``."""
        return time.time()

    def boot_seconds(self) -> float:
        """See ``Clock.boot_seconds``."""
        return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))

    def boot_id(self) -> str:
        """See ``Clock.boot_id``."""
        return _boot_id()


@cache
def _boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:  # not Linux: the wall clock of the boot tells boots apart well enough, to the minute
        return f"boot-{int((time.time() - time.monotonic()) // 60)}"


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment to act at, stored so that it survives restart, suspend and a clock that jumps."""

    boot_id: str
    boot_seconds: float
    wall_seconds: float

    @staticmethod
    def after(clock: Clock, seconds: float) -> Deadline:
        """The moment ``seconds`` from now."""
        return Deadline(clock.boot_id(), clock.boot_seconds() + seconds, clock.wall_seconds() + seconds)

    def remaining_seconds(self, clock: Clock, at_most_seconds: float) -> float:
        """Seconds left, 0 when due. After a reboot only wall time is left: then clamped to ``at_most_seconds``."""
        if self.boot_id == clock.boot_id():
            return max(0.0, self.boot_seconds - clock.boot_seconds())
        return min(max(0.0, self.wall_seconds - clock.wall_seconds()), at_most_seconds)


def timestamp(wall_seconds: float) -> str:
    """RFC 3339 UTC with ``Z``, to the second: ``2026-12-01T14:39:00Z``."""
    return datetime.fromtimestamp(wall_seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
