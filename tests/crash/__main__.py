"""``make crash``: every attack on the promise of docs/durability.md, whole, with its figures. Ends with 1 if one got through.

``python -m tests.crash [--quick] [part…]``. Owns: the list of parts. Must not know what a part does.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from types import MappingProxyType

from tests.durability import namespaces
from tests.support.daemon import ROOT

PARTS = MappingProxyType(
    {  # name: (arguments of python -m, the same for --quick, needs mounts)
        "explorer": (["tests.crash.explore"], ["tests.crash.explore"], False),
        "mutants": (["tests.crash.mutants"], ["tests.crash.mutants"], False),
        "kills": (["tests.durability.rounds", "--rounds", "500"], ["tests.durability.rounds", "--rounds", "50"], False),
        "points": (["tests.durability.points"], ["tests.durability.points"], False),
        "system calls": (["tests.durability.syscalls"], ["tests.durability.syscalls", "--one-in", "5"], False),
        "power": (["tests.durability.power", "--cuts", "100"], ["tests.durability.power", "--cuts", "10"], True),
        "disks": (["tests.durability.disks"], ["tests.durability.disks"], True),
        "edits": (["tests.durability.editors", "--commits", "200"], ["tests.durability.editors", "--commits", "40"], False),
        "machine": (["tests.durability.test_machine", "300"], ["tests.durability.test_machine", "40"], False),
        "load": (["tests.durability.crowd"], ["tests.durability.crowd", "--sessions", "100"], False),
    }
)


def run(name: str, *, quick: bool) -> bool:
    """One part; its output goes where ours goes. True when it holds, or cannot be run here and says why."""
    whole, sample, needs_mounts = PARTS[name]
    refusal = namespaces.refusal() if needs_mounts else None
    if refusal is not None:
        print(f"{name}: skipped, {refusal}", flush=True)
        return True
    command = [*(["unshare", "--mount"] if needs_mounts else []), sys.executable, "-m", *(sample if quick else whole)]
    return (
        subprocess.run(command, cwd=ROOT, env=namespaces.environment(), stdin=subprocess.DEVNULL, check=False).returncode == 0
    )


def main() -> int:
    """Run the named parts (all) and say which of them held."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of everything that has a number")
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    arguments = parser.parse_args()
    began = time.monotonic()
    failed = [name for name in arguments.parts or PARTS if not run(name, quick=arguments.quick)]
    print(f"{'FAILED: ' + ', '.join(failed) if failed else 'all of it holds'} ({time.monotonic() - began:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
