"""``make bench``: how fast the daemon is, beside baselines of the same run. A table, and JSON beside it.

    python -m bench [--quick] [--only append,memories,…] [--dir DIR] [--json FILE]

Every part is bounded in time: a whole run takes under four minutes, a quick one under forty seconds.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from bench import appending, commands, filling, growing, idling, requests, working
from bench.report import Report, machine

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True)
class Effort:
    """How long each part may measure."""

    append_seconds: float
    request_rounds: int
    read_seconds: float
    repeats: int
    jobs: int
    command_rounds: int
    idle_seconds: float
    ledger_rounds: int
    ledger_share: float


WHOLE = Effort(append_seconds=1.5, request_rounds=10, read_seconds=1.5, repeats=3, jobs=8, command_rounds=5, idle_seconds=30,
               ledger_rounds=300, ledger_share=1.0)  # fmt: skip
QUICK = Effort(append_seconds=0.4, request_rounds=3, read_seconds=0.3, repeats=1, jobs=2, command_rounds=1, idle_seconds=3,
               ledger_rounds=30, ledger_share=0.1)  # fmt: skip

PARTS: dict[str, Callable[[Report, Path, Effort], None]] = {
    "append": lambda report, scratch, effort: appending.measure(report, scratch, effort.append_seconds),
    "requests": lambda report, scratch, effort: requests.measure(report, scratch, effort.request_rounds),
    "memories": lambda report, scratch, effort: growing.measure(report, scratch, effort.read_seconds, effort.repeats),
    "ledger": lambda report, scratch, effort: filling.measure(report, scratch, effort.ledger_rounds, effort.ledger_share),
    "job": lambda report, scratch, effort: working.measure(report, scratch, effort.jobs),
    "commands": lambda report, scratch, effort: commands.measure(report, scratch, effort.command_rounds),
    "idle": lambda report, scratch, effort: idling.measure(report, scratch, effort.idle_seconds),
}


def main() -> None:
    parser = argparse.ArgumentParser("python -m bench", description="Measure soong-memoryd on this machine.")
    parser.add_argument("--quick", action="store_true", help="a shorter run; figures are rough")
    parser.add_argument("--only", type=_parts, default=tuple(PARTS), metavar="PART,…", help=f"of: {', '.join(PARTS)}")
    parser.add_argument("--dir", type=Path, help="where the homes are made: on the disk that is measured")
    parser.add_argument("--json", type=Path, default=RESULTS / "latest.json", help="where the figures go")
    parser.add_argument("--idle-seconds", type=float, help="how long the idle part looks (30)")
    options = parser.parse_args()
    effort = QUICK if options.quick else WHOLE
    if options.idle_seconds is not None:
        effort = replace(effort, idle_seconds=options.idle_seconds)
    report, began = Report(), time.perf_counter()
    scratch = Path(tempfile.mkdtemp(prefix="soong-bench-", dir=options.dir))
    print(f"{machine()['cpu']}, {machine()['system']}, Python {machine()['python']}, load {machine()['load'][0]}")
    if _file_system(scratch) == "tmpfs":
        report.note(f"{scratch.parent} is in memory: an fsync costs nothing there; --dir names a directory on a disk")
    try:
        for name in options.only:
            PARTS[name](report, scratch, effort)
    finally:
        shutil.rmtree(scratch)
    report.close(options.json, time.perf_counter() - began)


def _parts(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if unknown := set(names) - set(PARTS):
        raise argparse.ArgumentTypeError(f"no such part: {', '.join(sorted(unknown))}")
    return names


def _file_system(path: Path) -> str:
    """The type of the file system that a path is on."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines()]
    holding = [mount for mount in mounts if path.is_relative_to(mount[1])]
    return max(holding, key=lambda mount: len(mount[1]))[2] if holding else ""


if __name__ == "__main__":
    main()
