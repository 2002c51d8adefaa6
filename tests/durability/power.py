"""Power cuts: the home lies on a loop-mounted ext4 image; the image is copied while the daemon works, and the copy recovered.

What was not synced is in the page cache and not in the copy, as after a real cut. The daemon is stopped for the moment of the
copy, so that the copy is one moment and not several. Runs in a mount namespace of its own:
``unshare --mount python -m tests.durability.power --cuts 100``.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.durability.history import Acknowledged, violations
from tests.durability.load import Talker
from tests.durability.nursery import Nursery, make_home
from tests.durability.rounds import CLIENTS, recovered, settle

IMAGE_MIB = 48
CUTS_PER_LIFE = 10


@dataclass
class Figures:
    """What was cut and what did not hold."""

    cuts: int = 0
    acknowledged: int = 0
    found: list[str] = field(default_factory=list)


@contextmanager
def mounted(image: Path, at: Path) -> Iterator[None]:
    """The image at a directory, until the block is left."""
    at.mkdir(exist_ok=True)
    subprocess.run(["mount", "-o", "loop", str(image), str(at)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(at)], check=True)


def new_image(path: Path, mebibytes: int = IMAGE_MIB) -> Path:
    """An empty ext4 image."""
    subprocess.run(["truncate", "-s", f"{mebibytes}M", str(path)], check=True)
    subprocess.run(["mkfs.ext4", "-q", "-m", "0", str(path)], check=True)
    return path


def sweep(root: Path, cuts: int, seed: int) -> Figures:
    """Cut the power ``cuts`` times, at random moments."""
    figures = Figures()
    with Nursery() as nursery:
        for first in range(0, cuts, CUTS_PER_LIFE):
            image = new_image(root / "disk.img")
            with mounted(image, root / "disk"):
                _life(nursery, root, image, min(CUTS_PER_LIFE, cuts - first), random.Random(f"{seed} {first}"), figures)
            image.unlink()
    return figures


def _life(nursery: Nursery, root: Path, image: Path, cuts: int, rng: random.Random, figures: Figures) -> None:
    acknowledged = Acknowledged()
    make_home(root / "disk" / "home")
    os.sync()  # the config is the user's, and older than the cut
    daemon = nursery.born(root / "disk" / "home", mind="writer").ready()
    talkers = [Talker(daemon.socket_path, f"s{n}", rng.randrange(1 << 30), acknowledged) for n in range(CLIENTS)]
    for talker in talkers:
        talker.start()
    for number in range(cuts):
        time.sleep(rng.uniform(0.02, 0.35))
        daemon.signal(signal.SIGSTOP)
        known = acknowledged.copy()  # what is on its way to a client is no promise yet
        shutil.copyfile(image, root / "cut.img")
        daemon.signal(signal.SIGCONT)
        with mounted(root / "cut.img", root / "cut"):
            found = _check(nursery, root / "cut" / "home", known)
        figures.found += [f"cut {number}: {problem}" for problem in found]
        figures.cuts += 1
    daemon.kill()
    for talker in talkers:
        talker.join(20)
    figures.acknowledged += len(acknowledged.nodes)


def _check(nursery: Nursery, home: Path, known: Acknowledged) -> list[str]:
    with contextlib.suppress(FileNotFoundError):
        (home / "memoryd" / "memoryd.sock").unlink()
    try:
        daemon = recovered(nursery, home)
    except AssertionError as error:
        return [str(error)]
    found = []
    settle(daemon)
    if daemon.stop() != 0:
        found.append("the recovered daemon did not end well")
    return found + violations(home, known, settled=True)


def main() -> int:
    """Cut and print the figures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--cuts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="soong-power-") as root:
        figures = sweep(Path(root), arguments.cuts, arguments.seed)
    print(
        f"power cuts: {figures.cuts}, {figures.acknowledged} acknowledged nodes, {len(figures.found)} violations"
        f" in {time.monotonic() - began:.0f} s"
    )
    for problem in figures.found:
        print(f"  VIOLATION {problem}")
    return 1 if figures.found else 0


if __name__ == "__main__":
    sys.exit(main())
