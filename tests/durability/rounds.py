"""Rounds of ``kill -9`` on one home under load: ``python -m tests.durability.rounds --rounds 500 --seed 1``.

Each round lets clients talk, kills the daemon at a random moment or at a named point, sometimes kills the recovery too, and
holds what is there then against what was acknowledged.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.durability.failpoints import COMMIT_POINTS, START_POINTS, WORK_POINTS
from tests.durability.history import Acknowledged, violations
from tests.durability.load import Talker
from tests.durability.nursery import Born, Ended, Nursery

CLIENTS = 3
ROUNDS_PER_HOME = 25
QUIET_SECONDS = 30.0
REACHED_SECONDS = 0.8


@dataclass
class Figures:
    """What a sweep did and found."""

    rounds: int = 0
    kills: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    completed: int = 0
    found: list[str] = field(default_factory=list)


def sweep(root: Path, rounds: int, seed: int) -> Figures:
    """Rounds in homes of ``ROUNDS_PER_HOME`` each."""
    figures = Figures()
    with Nursery() as nursery:
        for first in range(0, rounds, ROUNDS_PER_HOME):
            _life(
                nursery, root / f"home{first}", min(ROUNDS_PER_HOME, rounds - first), random.Random(f"{seed} {first}"), figures
            )
    return figures


def _life(nursery: Nursery, home: Path, rounds: int, rng: random.Random, figures: Figures) -> None:
    acknowledged = Acknowledged()
    pending: dict[str, list[dict[str, object]]] = {f"s{number}": [] for number in range(CLIENTS)}
    for number in range(rounds):
        point = rng.choice([*COMMIT_POINTS, *WORK_POINTS]) if rng.random() < 0.6 else None
        daemon = nursery.born(home, failpoint=point, at=rng.randint(1, 3), mind="writer")
        with contextlib.suppress(Ended):  # some points are reached before it is ready
            daemon.ready()
        talkers = [
            Talker(daemon.socket_path, session, rng.randrange(1 << 30), acknowledged, waiting)
            for session, waiting in pending.items()
        ]
        for talker in talkers:
            talker.start()
        reached = daemon.ended(REACHED_SECONDS if point else rng.uniform(0.0, 0.25))
        figures.kills[point if reached and point else "at random"] += 1
        daemon.kill()
        for talker in talkers:
            talker.join(20)
        if rng.random() < 0.3:
            figures.kills[_killed_at_start(nursery, home, rng)] += 1
        found = _check(nursery, home, acknowledged, settled=number == rounds - 1)
        figures.found += [f"{home.name} round {number} ({point}): {problem}" for problem in found]
        figures.rounds += 1
    figures.acknowledged += len(acknowledged.nodes)


def _killed_at_start(nursery: Nursery, home: Path, rng: random.Random) -> str:
    """A daemon that dies while it recovers, or, where its point is not reached, soon after."""
    point = rng.choice([*START_POINTS, *COMMIT_POINTS[-3:]])
    daemon = nursery.born(home, failpoint=point, mind="writer")
    reached = daemon.ended(0.3)
    daemon.kill()
    return point if reached else "soon after a start"


def _check(nursery: Nursery, home: Path, acknowledged: Acknowledged, *, settled: bool) -> list[str]:
    """What does not hold once a daemon has recovered (``settled``: and worked off what was left) and stopped."""
    daemon = recovered(nursery, home)
    if settled:
        settle(daemon)
    if (code := daemon.stop()) != 0:
        return [f"the daemon ended with {code}"]
    return violations(home, acknowledged, settled=settled)


def recovered(nursery: Nursery, home: Path) -> Born:
    """A daemon on a home that another one left."""
    try:
        return nursery.born(home, mind="writer").ready()
    except Ended as ended:
        raise AssertionError(f"recovery ended with {ended}") from None


def settle(daemon: Born) -> None:
    """End the runs that nobody will end any more and wait until nothing is left to scan."""
    with daemon.client() as client:
        for session in client.call("session.list")["sessions"]:
            client.call("session.close", session_id=session["session_id"])
        deadline = time.monotonic() + QUIET_SECONDS
        while time.monotonic() < deadline:
            for job in client.call("extraction.trigger", wait=True)["jobs"]:
                if job["error"]:
                    time.sleep(0.05)
            if client.call("daemon.status")["sessions"]["unscanned_messages"] == 0:
                return
    raise AssertionError("it does not come to rest")


def main() -> int:
    """Run rounds and print the figures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="soong-kill-") as root:
        figures = sweep(Path(root), arguments.rounds, arguments.seed)
    print(
        f"kill -9: {figures.rounds} rounds, {figures.kills.total()} kills, {figures.acknowledged} acknowledged nodes,"
        f" {len(figures.found)} violations in {time.monotonic() - began:.0f} s"
    )
    for point, count in sorted(figures.kills.items()):
        print(f"  {count:4} {point}")
    for problem in figures.found:
        print(f"  VIOLATION {problem}")
    return 1 if figures.found else 0


if __name__ == "__main__":
    sys.exit(main())
