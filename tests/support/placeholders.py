"""Case files hold no secret: ``{{github_token}}`` and its like stand for one, made here anew from a seeded generator.

``{{name.head}}`` and ``{{name.tail}}`` are its first and last 12 characters; the same name in one line is the same value.
"""

from __future__ import annotations

import json
import random
import re
import string
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

CASES = Path(__file__).resolve().parent.parent / "cases"
ALNUM = string.digits + string.ascii_uppercase + string.ascii_lowercase
PLACEHOLDER = re.compile(r"\{\{([a-z_]+)(?:\.(head|tail))?\}\}")


class Shapes:
    """Makes values of each named shape from one random generator."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def some(self, length: int, alphabet: str = ALNUM) -> str:
        return "".join(self._random.choices(alphabet, k=length))

    def github_token(self) -> str:
        body = self.some(30)
        number, checksum = zlib.crc32(body.encode()), ""  # issued tokens end in a base-62 CRC-32 of what is before
        while number:
            number, digit = divmod(number, 62)
            checksum = ALNUM[digit] + checksum
        return "ghp_" + body + checksum.rjust(6, "0")

    def jwt(self) -> str:
        return f"eyJ{self.some(33)}.eyJ{self.some(60)}.{self.some(43)}"

    def password(self) -> str:
        return f"{self.some(4)}!{self.some(5)}{self.some(1, string.digits)}-{self.some(4)}"

    def pem(self) -> str:
        lines = "\n".join(self.some(64) for _ in range(6))
        return f"-----BEGIN PRIVATE KEY-----\n{lines}\n-----END PRIVATE KEY-----"

    def slack_token(self) -> str:
        return f"xoxb-{self.some(12, string.digits)}-{self.some(12, string.digits)}-{self.some(24)}"

    def make(self, name: str) -> str:
        """Return a fresh value of the shape ``name``."""
        makers: dict[str, Callable[[], str]] = {
            "github_token": self.github_token,
            "openai_key": lambda: "sk-" + "proj-" + self.some(64),
            "anthropic_key": lambda: "sk-" + "ant-api03-" + self.some(93) + "AA",
            "aws_key_id": lambda: "AKIA" + self.some(16, string.ascii_uppercase + "234567"),
            "aws_secret": lambda: self.some(40),
            "slack_token": self.slack_token,
            "gitlab_token": lambda: "glpat-" + self.some(20),
            "jwt": self.jwt,
            "hex_secret": lambda: self.some(32, "0123456789abcdef"),
            "password": self.password,
            "pem": self.pem,
        }
        return makers[name]()


def expand(line: str, shapes: Shapes, made: dict[str, str] | None = None) -> str:
    """Return one line of JSON with its placeholders replaced; ``made`` collects ``{name: value}``."""
    values = {} if made is None else made

    def value(match: re.Match[str]) -> str:
        name, part = match.groups()
        text = values.setdefault(name, shapes.make(name))
        return json.dumps({"head": text[:12], "tail": text[-12:]}.get(part, text))[1:-1]

    return PLACEHOLDER.sub(value, line)


def load_cases(name: str, seed: int = 0) -> list[dict[str, Any]]:
    """Return the cases of ``tests/cases/<name>`` (JSON Lines), expanded; each gets ``made``: its values by name."""
    shapes = Shapes(seed)
    cases: list[dict[str, Any]] = []
    for line in filter(str.strip, (CASES / name).read_text(encoding="utf-8").splitlines()):
        made: dict[str, str] = {}
        cases.append({**json.loads(expand(line, shapes, made)), "made": made})
    return cases
