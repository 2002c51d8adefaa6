"""The daemon under ``strace``: killed at the N-th call of a system call, or the call fails; for N = 1, 2, … until none is left.

``python -m tests.durability.syscalls`` sweeps all of them. Owns: the sweep. Must not know what a commit does.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.durability.history import Acknowledged, memory_files, violations
from tests.durability.minds import wish
from tests.durability.nursery import Born, Nursery
from tests.durability.rounds import recovered, settle
from tests.support.daemon import LineClient, RpcFailure

OFTEN = {"openat": 7, "pwrite64": 2}
"""Of these, one call in so many is enough: most of them only read, or write one page of many."""

ERRNOS_ONE_IN = 3
"""Six errors for each call: of those, one call in so many."""

CHANGING = ("fsync", "fdatasync", "renameat2", "linkat", "unlinkat", "mkdirat", "pwrite64", "openat")
ERRNOS = ("ENOSPC", "EIO", "EROFS")
WORK_SECONDS = 2.0
TAKING_EXITS = (0, 75, 1, -signal.SIGKILL)
"""How a daemon may end whose disk failed; 75 asks for a restart."""


def refusal() -> str | None:
    """Why strace cannot be used here, None when it can."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    done = subprocess.run(["strace", "-qq", "-e", "trace=none", "true"], capture_output=True, check=False)
    return None if done.returncode == 0 else "ptrace is refused here"


@dataclass
class Figures:
    """What was injected, by system call, and what did not hold."""

    injected: Counter[str] = field(default_factory=Counter)
    found: list[str] = field(default_factory=list)


@contextmanager
def traced(daemon: Born, inject: str) -> Iterator[None]:
    """Trace a running daemon with one injection until the block is left."""
    call = inject.partition(":")[0]
    with tempfile.TemporaryFile() as out:
        arguments = ["strace", "-f", "-p", str(daemon.pid), "-e", f"trace={call}", "-e", f"inject={inject}", "-o", "/dev/null"]
        tracer = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        try:
            deadline = time.monotonic() + 5
            threads = len(os.listdir(f"/proc/{daemon.pid}/task"))
            while time.monotonic() < deadline:
                if _traced_threads(daemon.pid) >= threads or tracer.poll() is not None:
                    break
                time.sleep(0.002)
            yield
        finally:
            tracer.terminate()
            with suppress(subprocess.TimeoutExpired):
                tracer.wait(0.15)
            tracer.kill()  # it may wait for ever for a thread that its own signal killed
            tracer.wait(10)


def _traced_threads(pid: int) -> int:
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
        states = [Path(f"/proc/{pid}/task/{task}/status").read_text() for task in tasks]
    except OSError:
        return 1 << 30
    return sum("TracerPid:\t0" not in state for state in states)


def sweep(
    root: Path, figures: Figures, calls: tuple[str, ...], errors: tuple[str, ...], one_in: int = 1, offset: int = 0
) -> None:
    """Kills at every ``one_in``-th call of ``calls`` where ``errors`` is empty, else each error, once and from then on."""
    modes = [f"error={error}:when={{}}{more}" for error in errors for more in ("", "+")] or ["signal=KILL:when={}"]
    with Nursery() as nursery:
        for call in calls:
            for mode in modes:
                _count_up(nursery, root, figures, call, mode, one_in, offset)


def _count_up(nursery: Nursery, root: Path, figures: Figures, call: str, mode: str, one_in: int, offset: int) -> None:
    one_in *= OFTEN.get(call, 1)
    number = 1 + offset % one_in
    while True:
        what = f"{call}:{mode.format(number)}"
        home = root / f"home{number}"
        reached = _try(nursery, home, what, figures)
        shutil.rmtree(home, ignore_errors=True)
        if not reached:
            return
        figures.injected[call] += 1
        number += one_in


def _try(nursery: Nursery, home: Path, inject: str, figures: Figures) -> bool:
    """One home, one injection; False when the work was done before it was reached."""
    acknowledged = Acknowledged()
    daemon = nursery.born(home, mind="writer").ready()
    _say(daemon, "s", 1, acknowledged)
    with traced(daemon, inject):
        finished = _work(daemon, acknowledged)
    killed = daemon.ended()
    code = daemon.kill() if killed or not finished else daemon.stop()
    reached = not finished or killed
    found = [] if code in TAKING_EXITS else [f"ended with {code}"]
    daemon = recovered(nursery, home)
    settle(daemon)
    daemon.stop()
    found += violations(home, acknowledged, settled=True)
    figures.found += [f"{inject}: {problem}" for problem in found]
    return reached


def _work(daemon: Born, acknowledged: Acknowledged) -> bool:
    """One create and one update, each through the whole of a commit; whether both were seen to be done undisturbed."""
    try:
        _say(daemon, "s", 2, acknowledged)
        return _say(daemon, "s", 1, acknowledged, "again")
    except (OSError, ValueError, RpcFailure):
        return False


def _say(daemon: Born, session: str, topic: int, acknowledged: Acknowledged, value: str = "first") -> bool:
    with daemon.client() as client:
        client.call("session.open", session_id=session)
        name, text = f"{topic}-{value}", wish(topic, value)
        node = {"node_id": name, "kind": "user_message", "text": text}
        reply = client.call("context.append", session_id=session, nodes=[node])
        acknowledged.note(session, name, text, reply["durable_sequence"])
        return _kept(client, daemon, f"topic-{topic} is value-{value}.")


def _kept(client: LineClient, daemon: Born, sentence: str) -> bool:
    deadline = time.monotonic() + WORK_SECONDS
    while time.monotonic() < deadline:
        if any(sentence.encode() in data for data in memory_files(daemon.home).values()):
            jobs = client.call("extraction.list", limit=5)["jobs"]
            if all(job["status"] == "completed" for job in jobs):
                return not client.call("events.list", type="memory_extraction_failed")["events"]
        if client.call("events.list", type="memory_extraction_failed")["events"]:
            return False
        time.sleep(0.005)
    return False


def main() -> int:
    """Sweep and print the figures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--one-in", type=int, default=1)
    arguments = parser.parse_args()
    if (reason := refusal()) is not None:
        print(f"system calls: skipped, {reason}")
        return 0
    failed = False
    for name, calls, errors, one_in in (("kills", CHANGING, (), 1), ("errno injections", CHANGING, ERRNOS, ERRNOS_ONE_IN)):
        began, figures = time.monotonic(), Figures()
        with tempfile.TemporaryDirectory(prefix="soong-strace-") as root:
            sweep(Path(root), figures, calls, errors, one_in * arguments.one_in)
        print(
            f"system calls: {figures.injected.total()} {name} {dict(figures.injected)}, {len(figures.found)} violations"
            f" in {time.monotonic() - began:.0f} s"
        )
        for problem in figures.found:
            print(f"  VIOLATION {problem}")
        failed = failed or bool(figures.found)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
