"""A clock that stands still until it is told."""

from __future__ import annotations


class ManualClock:
    """Implements ``soong_memoryd.clock.Clock``; ``advance`` moves both, ``jump`` only the wall, ``reboot`` starts anew."""

    def __init__(self, wall_seconds: float = 1_796_000_000.0) -> None:
        self._wall = wall_seconds
        self._boot = 1000.0
        self._boots = 1

    def wall_seconds(self) -> float:
        return self._wall

    def boot_seconds(self) -> float:
        return self._boot

    def boot_id(self) -> str:
        return f"boot-{self._boots}"

    def advance(self, seconds: float) -> None:
        self._wall += seconds
        self._boot += seconds

    def jump(self, seconds: float) -> None:
        self._wall += seconds

    def reboot(self, off_seconds: float = 60.0) -> None:
        self._wall += off_seconds
        self._boot = 5.0
        self._boots += 1
