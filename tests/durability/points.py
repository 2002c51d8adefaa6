"""A ``kill -9`` at each named point, one after the other: ``python -m tests.durability.points``."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.durability.disks import say, until
from tests.durability.failpoints import COMMIT_POINTS, NAMES, START_POINTS
from tests.durability.history import Acknowledged, violations
from tests.durability.nursery import Nursery
from tests.durability.rounds import recovered, settle

REACHED_SECONDS = 3.0


def kill_at(nursery: Nursery, home: Path, point: str) -> tuple[bool, list[str]]:
    """Create, update, die at the point (or at the start after a death in a commit); whether it was reached, what broke."""
    acknowledged = Acknowledged()
    first = COMMIT_POINTS[COMMIT_POINTS.index("prepared")] if point in START_POINTS else point
    daemon = nursery.born(home, mind="writer").ready()
    with daemon.client() as client:
        client.call("session.open", session_id="s")
        say(client, 1, acknowledged)
        until(lambda: client.call("events.list", type="memory_extraction_completed")["events"])
    daemon.stop()
    daemon = nursery.born(home, mind="writer", failpoint=first)
    try:
        with daemon.ready().client() as client:
            say(client, 2, acknowledged)
            text = "remember: topic-1 is value-new, please keep that"
            reply = client.call(
                "context.append", session_id="s", nodes=[{"node_id": "u", "kind": "user_message", "text": text}]
            )
            acknowledged.note("s", "u", text, reply["durable_sequence"])
    except Exception:
        pass
    reached = daemon.ended(REACHED_SECONDS)
    daemon.kill()
    if point in START_POINTS:
        daemon = nursery.born(home, mind="writer", failpoint=point)
        reached = daemon.ended(REACHED_SECONDS)
        daemon.kill()
    daemon = recovered(nursery, home)
    settle(daemon)
    daemon.stop()
    return reached, violations(home, acknowledged, settled=True)


def main() -> int:
    """Die everywhere and print the figures."""
    began, reached, found = time.monotonic(), 0, []
    with tempfile.TemporaryDirectory(prefix="soong-point-") as root, Nursery() as nursery:
        for number, point in enumerate(NAMES):
            there, problems = kill_at(nursery, Path(root) / f"home{number}", point)
            reached += there
            found += [f"{point}: {problem}" for problem in problems] + ([] if there else [f"{point}: never reached"])
    print(f"named points: {reached} of {len(NAMES)} reached, {len(found)} violations in {time.monotonic() - began:.0f} s")
    for problem in found:
        print(f"  VIOLATION {problem}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
