"""What is counted and broken while a commit runs, shared by the disk and the log so that they have one clock."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field


class Crash(BaseException):
    """The process is gone."""


@dataclass(frozen=True)
class Fault:
    """An errno at one operation, or from it on; ``late``: the operation took effect all the same."""

    at: int
    number: int
    sticky: bool = False
    late: bool = False


@dataclass
class Trace:
    """What is counted and injected while operations run; shared by disk and log, so that they have one clock."""

    count: int = 0
    changes: list[int] = field(default_factory=list)
    crash_at: int | None = None
    fault: Fault | None = None
    hook: Callable[[int], None] | None = None

    def enter(self, *, changes: bool) -> bool:
        """Begin an operation; True when it is to take effect and fail afterwards."""
        self.count += 1
        if changes:
            self.changes.append(self.count)
        if self.hook is not None:
            self.hook(self.count)
        if self.crash_at == self.count:
            raise Crash
        fault = self.fault
        if fault is None or not (self.count == fault.at or (fault.sticky and self.count > fault.at)):
            return False
        if fault.late and changes:
            return True
        raise OSError(fault.number, os.strerror(fault.number))

    def fail_late(self) -> None:
        assert self.fault is not None
        raise OSError(self.fault.number, os.strerror(self.fault.number))
