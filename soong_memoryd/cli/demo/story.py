"""The demo's transcript: a coding session in Claude Code's own format, with remarks on what each prompt shows.

Owns: reading the data file, and the secret that is put into it at run time. Must not know: the daemon.
"""

from __future__ import annotations

import json
import string
from collections.abc import Iterator
from importlib.resources import files
from random import SystemRandom
from typing import Any, NamedTuple

PLACEHOLDER = "{{TOKEN}}"


class Record(NamedTuple):
    """One transcript record, and the remark on it: what it shows, and whether only a real model can do it justice."""

    content: dict[str, Any]
    shows: str
    needs_model: bool


def made_up_token() -> str:
    """Shaped like a token of a code host, and none."""
    return "gh" + "p_" + "".join(SystemRandom().choices(string.ascii_letters + string.digits, k=36))


def read_story(token: str) -> Iterator[Record]:
    """The records in order, with ``token`` in place of the placeholder."""
    text = files(__package__).joinpath("transcript.jsonl").read_text(encoding="utf-8")
    for line in text.replace(PLACEHOLDER, token).splitlines():
        content = json.loads(line)
        remark = content.pop("demo", {})
        yield Record(content, remark.get("shows", ""), remark.get("needs_model", False))
