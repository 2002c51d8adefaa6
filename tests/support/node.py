"""Node, where there is one that is new enough: the clients written in JavaScript are tested with it."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

OLDEST = 18


@cache
def why_no_node() -> str:
    """What keeps a test from using node; empty when nothing does."""
    found = shutil.which("node")
    if found is None:
        return "no node on this machine"
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    major = version.removeprefix("v").partition(".")[0]
    return "" if major.isdigit() and int(major) >= OLDEST else f"node {version} is older than {OLDEST}"


needs_node = pytest.mark.skipif(bool(why_no_node()), reason=why_no_node() or "node is there")


def run_node(*arguments: str | Path, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """Run node to its end; nothing of our own environment but the path leads it to a home."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SOONG_")}
    command = ["node", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, env={**clean, **env}, timeout=50, check=False)
