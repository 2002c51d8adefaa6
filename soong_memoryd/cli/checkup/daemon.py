"""Checks of the daemon itself: is it there, is it well, is it the one that belongs to this command line.

Owns: these findings. Must not know: how they are shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from soong_memoryd import __version__
from soong_memoryd.cli.checkup.facts import Facts, Finding
from soong_memoryd.cli.exits import REMARKS


def answers(facts: Facts) -> Iterator[Finding]:
    """The daemon answers, and can write."""
    if facts.status is None:
        assert facts.failure is not None
        yield Finding("daemon", "fail", facts.failure.text, facts.failure.next_step)
    elif facts.status["state"] == "degraded":
        yield Finding("daemon", "fail", "it answers, but memory/ cannot be written", "soong-memoryctl verify")
    else:
        yield Finding("daemon", "ok", f"soong-memoryd {facts.status['version']} {facts.status['state']}")


def memories(facts: Facts) -> Iterator[Finding]:
    """The memory files are all readable, and nobody else is in the middle of changing them."""
    if facts.status is None:
        return
    if facts.failure is not None:  # it answered, and then did not: nothing is known of the files
        yield Finding("memories", "fail", facts.failure.text, facts.failure.next_step)
        return
    unsafe = _codes(facts, safe=False)
    safe = _codes(facts, safe=True)
    if unsafe:
        yield Finding("memories", "fail", f"there is something to decide: {unsafe}", "soong-memoryctl verify")
    elif safe:
        yield Finding("memories", "note", f"there is something to mend: {safe}", "soong-memoryctl verify --fix")
    else:
        yield Finding("memories", "ok", f"{facts.status['memory']['total']} in memory/, all of them readable")


def _codes(facts: Facts, *, safe: bool) -> str:
    found = Counter(problem["code"] for problem in facts.problems if problem["safe"] == safe)
    return ", ".join(f"{count} {code}" for code, count in found.items() if code not in REMARKS)


def version(facts: Facts) -> Iterator[Finding]:
    """The daemon that runs is the one that is installed."""
    if facts.status is not None and facts.status["version"] != __version__:
        text = f"the daemon is {facts.status['version']}, this command line {__version__}"
        yield Finding("version", "note", text, "soong-memoryctl stop, then start it again")
