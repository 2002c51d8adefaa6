"""What needs mounts runs in a mount namespace of its own: nothing it mounts outlives it or is seen by others.

Owns: whether that is possible here, and running a module there. Must not know what is mounted.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from tests.support.daemon import ROOT

TRIAL = (
    "d=$(mktemp -d) && truncate -s 8M $d.img && mkfs.ext4 -q $d.img && mount -o loop $d.img $d && umount $d;"
    " r=$?; rm -rf $d $d.img; exit $r"
)
NEEDED = ("unshare", "mount", "umount", "mkfs.ext4")


def refusal() -> str | None:
    """Why nothing can be mounted here, None when it can."""
    if os.geteuid() != 0:
        return "mounting needs root"
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        return f"{missing[0]} is not installed"
    done = subprocess.run(["unshare", "--mount", "sh", "-c", TRIAL], capture_output=True, check=False)
    return None if done.returncode == 0 else "loop mounts are refused here"


def environment() -> dict[str, str]:
    """The variables under which a module of this tree runs."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "clients" / "python")])}


def run(module: str, *arguments: str, seconds: float = 600) -> subprocess.CompletedProcess[str]:
    """``python -m module`` in a mount namespace of its own."""
    return subprocess.run(
        ["unshare", "--mount", sys.executable, "-m", module, *arguments],
        env=environment(),
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
    )
