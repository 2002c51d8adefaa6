"""One made-up secret per kind and door, and the search for what is left of them: bytes of files, logs, replies, requests.

Owns: the secrets, the sentences that carry them, and the search. Must not know how a door is used (``sweep.py``).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from tests.text.secrets.corpus import ISSUED_SHAPES, Maker, private_key

NEEDLE_CHARS = 20
SENTENCES: Mapping[str, str] = {
    "password": "my password is {s}, please never show it",
    "password_zh": "数据库的密码是 {s} ，别告诉别人",
    "url": "connect to postgres://app:{s}@db.example.test:5432/app",
    "header": "curl -H 'Authorization: Bearer {s}' https://api.example.test/v1",
    "cookie": "Set-Cookie: session={s}; HttpOnly; Secure",
    "assignment": "export DATABASE_PASSWORD='{s}'",
}
ISSUED_SENTENCES = ("remember that the key is {s}, I need it daily", "令牌是{s}，别忘了", "use {s}.")


@dataclass(frozen=True, slots=True)
class Canary:
    """One secret: its ``kind``, the ``door`` it goes through, a sentence that holds it."""

    kind: str
    door: str
    secret: str
    sentence: str

    @property
    def needle(self) -> str:
        """A piece from its middle: what is left of a secret that was cut or redacted badly."""
        start = max(0, len(self.secret) // 2 - NEEDLE_CHARS // 2)
        return max(self.secret[start : start + NEEDLE_CHARS].split("\n"), key=len)

    def forms(self) -> Iterator[bytes]:
        """How the needle may be written."""
        needle = self.needle
        yield needle.encode()
        yield json.dumps(needle)[1:-1].encode()
        yield quote(needle, safe="").encode()
        yield base64.b64encode(self.secret.encode())[8:-8]


def for_door(door: str, seed: int) -> list[Canary]:
    """A canary of each kind for one door; another door has others."""
    maker = Maker(seed)
    made = [(kind, shape(maker), ISSUED_SENTENCES[n % 3]) for n, (kind, shape) in enumerate(ISSUED_SHAPES.items())]
    made += [(kind, _value(maker, kind), sentence) for kind, sentence in SENTENCES.items()]
    made.append(("private_key", private_key(maker, "RSA"), "the deploy key:\n{s}\nput it on the runner"))
    return [Canary(kind, door, secret, sentence.format(s=secret)) for kind, secret, sentence in made]


def _value(maker: Maker, kind: str) -> str:
    """Long enough that finding a piece of it is no accident."""
    return maker.some(32) if kind == "header" else f"{maker.some(6)}!{maker.some(8)}{maker.digits(2)}-{maker.some(8)}"


def found(canaries: Iterable[Canary], places: Mapping[str, bytes]) -> list[str]:
    """Every canary that stands somewhere, as ``door/kind in place``."""
    return [
        f"{canary.door}/{canary.kind} in {place}"
        for canary in canaries
        for place, data in places.items()
        if any(form and form in data for form in canary.forms())
    ]


def files_below(root: Path, exempt: Callable[[Path], bool]) -> dict[str, bytes]:
    """The bytes of every file, names included; ``exempt`` ones are a person's own."""
    places: dict[str, bytes] = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        places[f"name of {name}"] = name.encode()
        if path.is_file() and not path.is_symlink() and not exempt(path):
            places[name] = path.read_bytes()
    return places
