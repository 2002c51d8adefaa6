"""What ``doctor`` looks at, in the order in which it is told.

Owns: the table of checks. Must not know: how findings are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from soong_memoryd.cli.checkup import clients, daemon, files, machine, models
from soong_memoryd.cli.checkup.facts import Facts, Finding

Check = Callable[[Facts], Iterator[Finding]]

CHECKS: tuple[Check, ...] = (
    daemon.answers,
    daemon.version,
    daemon.memories,
    files.socket,
    files.lock,
    files.permissions,
    machine.service,
    machine.linger,
    machine.disk,
    machine.landlock,
    models.config,
    models.health,
    models.keys,
    clients.outboxes,
    clients.never_heard,
    clients.rivals,
)


def examine(facts: Facts) -> Iterator[Finding]:
    """The findings of every check."""
    for check in CHECKS:
        yield from check(facts)
