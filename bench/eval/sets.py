"""The labelled sets in ``tests/cases``: their rows, and what tells one state of a set from another.

Owns: reading them. Must not know what a row means.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from bench.eval.prompts import HASH_CHARS
from tests.support.placeholders import CASES

Json = dict[str, Any]


def rows(*names: str) -> list[Json]:
    """The rows of some files (JSON Lines), in order."""
    lines = [line for name in names for line in (CASES / name).read_text(encoding="utf-8").splitlines()]
    return [json.loads(line) for line in lines if line.strip()]


def state(name: str) -> str:
    """How many rows a set has and a fingerprint of them."""
    data = (CASES / name).read_bytes()
    return f"{len(data.splitlines())} rows ({hashlib.sha256(data).hexdigest()[:HASH_CHARS]})"
