"""The golden sessions: for each dialect, payloads as its harness sends them, in order, and what must come back.

A case is ``<dialect>/<nn>-<what it shows>.json`` with ``stdin`` (the payload), ``stdout`` (an object, or null for nothing) and
``calls``: what the daemon hears of it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import soong_memory_hook
from soong_memory_hook_events import DIALECTS

HERE = Path(__file__).parent
HOOK_FILE = Path(soong_memory_hook.__file__)
CATALOG_TEXT = "# Memory\n- `mem_20261128091502_k3f2ab9x` [feedback] 用 uv 而不是 pip 管理 Python 依赖 (feedback/use-uv.md)\n"
CATALOG = {"text": CATALOG_TEXT, "entries": 1, "truncated": False, "revision": "0" * 64}


class Case(NamedTuple):
    """One event of a golden session."""

    path: Path
    stdin: dict[str, Any]
    stdout: dict[str, Any] | None
    calls: list[dict[str, Any]]


def cases(dialect: str) -> Iterator[Case]:
    """The events of a dialect's session, in order."""
    for path in sorted((HERE / dialect).glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        yield Case(path, content["stdin"], content["stdout"], content.get("calls", []))


# the same files, given the time that a busy test machine takes
PATIENT = """
import sys
sys.path += sys.argv.pop(1).split(":")
import soong_memory_hook as hook, soong_memory_hook_events as events
hook.LIMIT_SECONDS = events.CALL_SECONDS = 30.0
hook.main(sys.argv[1:])
"""


def run_file(dialect: str, home: Path, data: bytes, *, patient: bool = True, **env: str) -> subprocess.CompletedProcess[bytes]:
    """The hook as a harness runs it: a process of its own, without site-packages. An impatient one must end by itself."""
    run = partial(subprocess.run, capture_output=True, check=False, env=env, timeout=None if patient else 10)
    how = ["-c", PATIENT, f"{HOOK_FILE.parent}:{HOOK_FILE.parent.parent / 'python'}"] if patient else [str(HOOK_FILE)]
    command = [sys.executable, "-I", "-S", *how, dialect, "--home", str(home)]
    if DIALECTS[dialect].in_argv:
        return run([*command, data.decode()], stdin=subprocess.DEVNULL)
    return run(command, input=data)
