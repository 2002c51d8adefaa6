"""Explores what a commit leaves behind: ``python -m tests.crash.explore`` looks at every state it can reach.

Each exploration yields one case a state: run, break it, recover as the next process would, look what does not hold.
"""

from __future__ import annotations

import argparse
import errno
import itertools
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator

from soong_memoryd.memories.ports import CATALOG_PATH
from tests.crash.disk import ModelFiles
from tests.crash.trace import Fault
from tests.crash.world import CREATED, DELETED, UPDATED, Edit, Protocol, World

ERRNOS = (errno.ENOSPC, errno.EIO, errno.EROFS)
POWER_STATES = 192
Case = tuple[str, list[str]]


class WithoutExchange(ModelFiles):
    """A file system without ``RENAME_EXCHANGE``."""

    can_exchange = False

    def exchange(self, first: str, second: str) -> None:
        raise OSError(errno.EINVAL, "exchange")


def crashes(protocol: Protocol, rng: random.Random, pick: Callable[[int], bool]) -> Iterator[Case]:
    """``kill -9`` and a power cut before every change, and after the last."""
    for point in _points(protocol, pick):
        for kind, state in _states(_crashed(protocol, point), rng, POWER_STATES):
            state.recover()
            yield f"{kind} at {point}", state.violations()


def crashes_in_recovery(protocol: Protocol, rng: random.Random, pick: Callable[[int], bool]) -> Iterator[Case]:
    """A second crash before every change that recovery makes."""
    for point in _points(protocol, pick):
        states = list(_states(_crashed(protocol, point), rng, 24))
        for kind, state in states[:: max(1, len(states) // 8)]:
            for second in itertools.count(1):
                again = state.killed()
                again.trace.crash_at = second
                if again.recover() != "crash":
                    break
                if second not in again.trace.changes:
                    continue
                for kind_2, last in _states(again, rng, 8):
                    last.recover()
                    yield f"{kind} at {point}, {kind_2} at {second} of recovery", last.violations()


def faults(protocol: Protocol, rng: random.Random, pick: Callable[[int], bool]) -> Iterator[Case]:
    """Every errno at every operation, once and from then on, before and after it took effect; then a new process."""
    length = _length(protocol)
    for number, sticky, late in itertools.product(ERRNOS, (False, True), (False, True)):
        for point in (point for point in range(1, length + 40) if pick(point)):
            world = World.new(protocol)
            world.trace.fault = Fault(point, number, sticky, late)
            outcome = world.commit()
            world.trace.fault = None
            for kind, state in _states(world, rng, 6):
                what = f"{errno.errorcode[number]}{' from' if sticky else ''} at {point}{' late' if late else ''}, {kind}"
                if outcome not in ("done", "degraded") and state.completed():
                    yield what, ["reported as failed, but done"]
                before = state.completed()
                state.recover()
                found = state.violations()
                if outcome == "done" and not before:
                    found.append("reported as done, but not durable")
                if outcome not in ("done", "degraded") and state.completed():
                    found.append("reported as failed, but recovery did it")
                yield what, found


def faults_that_pass(protocol: Protocol, rng: random.Random, pick: Callable[[int], bool]) -> Iterator[Case]:
    """A disk that is full or read-only from some operation on; then the process that left a commit open decides it."""
    length = _length(protocol)
    for number, late in itertools.product((errno.ENOSPC, errno.EROFS), (False, True)):
        for point, tries in ((point, tries) for point in range(1, length + 40) if pick(point) for tries in (0, 1)):
            world = World.new(protocol)
            world.trace.fault = Fault(point, number, sticky=True, late=late)
            outcome = world.commit()
            assert world.committer is not None
            if outcome != "degraded" or world.committer.needs_restart:  # a sync that failed is for the next process
                continue
            what = f"{errno.errorcode[number]} from {point}{' late' if late else ''}"
            for _ in range(tries):
                world.recover_here()
            world.trace.fault = None
            decided = world.recover_here()
            yield what, world.violations() if decided == "done" else [f"recovery in the same process ends with {decided}"]
            for kind, state in _states(world, rng, 6):
                state.recover()
                yield f"{what}, decided, {kind}", state.violations()


def faults_in_recovery(protocol: Protocol, rng: random.Random, pick: Callable[[int], bool]) -> Iterator[Case]:
    """An errno at every operation of a recovery; then another one without."""
    for point in _points(protocol, pick):
        crashed = _crashed(protocol, point).killed()
        for number, late in itertools.product((errno.ENOSPC, errno.EIO), (False, True)):
            for second in itertools.count(1):
                state = crashed.killed()
                state.trace.fault = Fault(second, number, late=late)
                state.recover()
                if state.trace.count < second:
                    break
                for kind, last in _states(state, rng, 2):
                    last.recover()
                    yield f"kill at {point}, {errno.errorcode[number]} at {second} of recovery, {kind}", last.violations()


def edits(protocol: Protocol, rng: random.Random, pick: Callable[[int], bool]) -> Iterator[Case]:
    """Somebody writes a file before every operation; the commit goes on, is killed at one of the next, or the power goes."""
    length = _length(protocol)
    for make in EDITS:
        for point in (point for point in range(1, length + 1) if pick(point)):
            for crash_after in (None, 0, 1, 2, 3, 5, 8):
                world = World.new(protocol)
                edit = make(world)
                world.trace.crash_at = None if crash_after is None else point + crash_after
                world.trace.hook = lambda count, at=point, edit=edit, world=world: (
                    edit.apply(world.files) if count == at else None
                )
                world.commit()
                for kind, state in _states(world, rng, 4 if crash_after in (None, 0, 1, 5) else 0):
                    state.recover()
                    found = state.violations(edit, moved=kind != "kill")
                    yield f"{edit.how} {edit.path} at {point}, {kind} {crash_after} later", found


def edits_in_recovery(protocol: Protocol, rng: random.Random, pick: Callable[[int], bool]) -> Iterator[Case]:
    """Somebody writes a file before every operation of a recovery, which may be killed next and run again."""
    for point in _points(protocol, pick):
        crashed = _crashed(protocol, point)
        for make in EDITS:
            for second in itertools.count(1):
                for crash_after in (None, 1):
                    state = crashed.killed()
                    edit = make(state)
                    if edit.how == "descriptor" and edit.inode is None:
                        continue
                    state.trace.crash_at = None if crash_after is None else second + crash_after
                    state.trace.hook = lambda count, at=second, edit=edit, state=state: (
                        edit.apply(state.files) if count == at else None
                    )
                    state.recover()
                    for kind, last in _states(state, rng, 2 if edit.applied and second % 5 == 0 else 0):
                        last.recover()
                        if edit.applied:
                            found = last.violations(edit, moved=kind != "kill")
                            yield f"kill at {point}, {edit.how} {edit.path} at {second} of recovery, {kind}", found
                if state.trace.count < second:
                    break


EXPLORATIONS = {
    "crash": crashes,
    "crash in recovery": crashes_in_recovery,
    "errno": faults,
    "errno that passes": faults_that_pass,
    "errno in recovery": faults_in_recovery,
    "edit": edits,
    "edit in recovery": edits_in_recovery,
}
SURVIVABLE_WITHOUT_EXCHANGE = ("crash", "crash in recovery", "errno", "errno that passes", "errno in recovery")


def _edit(path: str, data: bytes | None, how: str) -> Callable[[World], Edit]:
    return lambda world: Edit(path, data, how, world.files.inode(path))


EDITS = (
    *(_edit(path, b"edited late", "descriptor") for path in (UPDATED, DELETED)),
    *(
        _edit(path, b"edited by hand!", how)
        for how in ("in_place", "rename")
        for path in (CATALOG_PATH, CREATED, UPDATED, DELETED)
    ),
    *(_edit(path, None, "rename") for path in (UPDATED, DELETED, CREATED, CATALOG_PATH)),
)


def _points(protocol: Protocol, pick: Callable[[int], bool]) -> list[int]:
    world = World.new(protocol)
    world.commit()
    return [point for point in (*world.trace.changes, world.trace.count + 1) if pick(point)]


def _length(protocol: Protocol) -> int:
    world = World.new(protocol)
    outcome = world.commit()
    assert outcome == "done", outcome
    return world.trace.count


def _crashed(protocol: Protocol, point: int) -> World:
    world = World.new(protocol)
    world.trace.crash_at = point
    world.commit()
    world.trace.crash_at = None
    return world


def _states(world: World, rng: random.Random, limit: int) -> Iterator[tuple[str, World]]:
    yield "kill", world.killed()
    if limit == 0:
        return
    for state in world.power_cuts(limit, rng):
        yield "power cut", state


def explore(
    protocol: Protocol,
    names: tuple[str, ...] = tuple(EXPLORATIONS),
    *,
    pick: Callable[[int], bool] = lambda _: True,
    seed: int = 1,
) -> tuple[Counter[str], Counter[str]]:
    """Run explorations; returns states visited by exploration, and violations by kind with an example each."""
    visited: Counter[str] = Counter()
    violations: Counter[str] = Counter()
    with protocol.patch:
        for name in names:
            rng = random.Random(seed)
            for what, found in EXPLORATIONS[name](protocol, rng, pick):
                visited[name] += 1
                for violation in found:
                    violations[f"{name}: {violation}"] += 1
                    if violations[f"{name}: {violation}"] == 1:
                        violations[f"{name}: {violation}, e.g. {what}"] = 0
    return visited, violations


def first_violation(protocol: Protocol, names: tuple[str, ...] = tuple(EXPLORATIONS), *, seed: int = 1) -> str | None:
    """What goes wrong first, None when nothing does. A protocol that trips over its own state is wrong as well."""
    with protocol.patch:
        for name in names:
            try:
                for what, found in EXPLORATIONS[name](protocol, random.Random(seed), lambda _: True):
                    if found:
                        return f"{name}: {what}: {found[0]}"
            except (AssertionError, KeyError) as error:
                return f"{name}: {type(error).__name__}"
    return None


def main() -> int:
    """Explore everything and say what was seen."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument(
        "--mutants", action="store_true", help="also take one thing out at a time and see whether it is noticed"
    )
    arguments = parser.parse_args()
    failed = False
    for protocol, names in (
        (Protocol("with exchange"), tuple(EXPLORATIONS)),
        (Protocol("without exchange", files=WithoutExchange), SURVIVABLE_WITHOUT_EXCHANGE),
    ):
        began = time.monotonic()
        visited, violations = explore(protocol, names)
        failed = failed or bool(violations)
        print(f"{protocol.name}: {visited.total()} states {dict(visited)} in {time.monotonic() - began:.0f} s")
        print(f"  violations: {sum(violations.values())}")
        for violation, count in sorted(violations.items()):
            print(f"  {count:6} {violation}")
    if arguments.mutants:
        from tests.crash.mutants import report

        failed = not report() or failed
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
