"""Secrets that only the words around them give away: "my password is …", ``DB_PASSWORD=…``, 密码是 ….

Owns: how a noun, a link and a value make a statement, in every language of ``words``. Must not know: issued token shapes.
Text far from any telling word is never looked at; every look is bounded, so the cost is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from soong_memoryd.text.secrets.finding import Finding
from soong_memoryd.text.secrets.grammar import SEED_NOUN
from soong_memoryd.text.secrets.names import name_strength
from soong_memoryd.text.secrets.statements import find_statements
from soong_memoryd.text.secrets.values import (
    could_be_key,
    could_be_password,
    is_hash_like,
    is_test_count,
    looks_random,
    trimmed,
)
from soong_memoryd.text.secrets.words import STEMS

_NAME_REACH = (80, 80)
_NOUN_REACH = (28, 28)
_VALUE_REACH = (96, 128)
"""How far before and after a telling stem a name, a noun and a value may begin."""
_ASCII_STEMS = tuple(stem for stem in STEMS if stem.isascii())
_VALUE_SIGN = re.compile(r"[0-9!@#$%^&*+=?~\"`“„«「『]")

_NAME = re.compile(
    r"""(?x)
    (?<![A-Za-z0-9_.\-])(?<![0-9]:)(?P<name>-{0,2}[A-Za-z_][A-Za-z0-9_.\-]{1,63})
    (?:\[(?P<index>[^\]\n]{0,40})\])? \\?["'`]? \]? [ \t]{0,8} (?:value)?
    (?: :[ \t]{0,4}(?:str|string|String|SecretStr|bytes|final|const)(?:[ ]?\|[ ]?None)? [ \t]{0,4} (?==) )?
    (?: \?= | :=? | ={1,3}>? | -> | ： ) [ \t]{0,8}
    """
)
_GIVEN = re.compile(r"""(?x) \\?["'`] (?P<quoted>[^"'`\n]{1,512}?) \\?["'`] | (?P<bare>[!#-&(-;=?-_a-~À-ɏЀ-ӿ]{4,512})""")
_NEXT_FIELD = re.compile(r"[&;,|](?=[A-Za-z_.\-]{1,40}[=:])|[;,|&]{1,2}$|\\[nrt\"]|[)}\]]{1,3}[;,.]?$")


def find_contextual(text: str) -> Iterator[Finding]:
    """Yield what the words of ``text`` call a secret; findings may overlap."""
    lowered = _lowered(text)
    positions = _stem_positions(lowered)
    for start, end in _windows(positions, _NAME_REACH, len(text)):
        yield from _assignments(text, start, end)
    for start, end in _windows(positions, _NOUN_REACH, len(text)):
        signed = _VALUE_SIGN.search(text, max(0, start - _VALUE_REACH[0]), end + _VALUE_REACH[1])
        if signed or SEED_NOUN.search(text, start, end):
            yield from find_statements(text, lowered, start, end)


def _lowered(text: str) -> str:
    """Return ``text`` in lower case, each character in its place."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _stem_positions(lowered: str) -> list[int]:
    positions: list[int] = []
    for stem in _ASCII_STEMS if lowered.isascii() else STEMS:
        position = lowered.find(stem)
        while position >= 0:
            positions.append(position)
            position = lowered.find(stem, position + len(stem))
    return sorted(positions)


def _windows(positions: list[int], reach: tuple[int, int], size: int) -> list[tuple[int, int]]:
    """Return the stretches around the positions, merged where they touch."""
    windows: list[tuple[int, int]] = []
    for position in positions:
        start, end = max(0, position - reach[0]), min(size, position + reach[1])
        if windows and start <= windows[-1][1]:
            windows[-1] = (windows[-1][0], end)
        else:
            windows.append((start, end))
    return windows


def _assignments(text: str, start: int, end: int) -> Iterator[Finding]:
    reached = start
    for name in _NAME.finditer(text, start, end):
        strength = name_strength(name["name"]) or name_strength(name["index"] or "") if name.start() >= reached else None
        given = _GIVEN.match(text, name.end()) if strength else None
        if strength is None or given is None:
            continue
        quoted = given["quoted"] is not None
        value = given["quoted"] if quoted else _without_next_field(given["bare"])
        value_start = given.start("quoted" if quoted else "bare")
        if not quoted:
            reached = value_start + len(value)
        if is_assigned_secret(strength, value, quoted=quoted) and not is_test_count(name["name"], value):
            yield Finding(kind_of(strength), value_start, value_start + len(value), "contextual")


def _without_next_field(value: str) -> str:
    cut = _NEXT_FIELD.search(value)
    return trimmed(value[: cut.start()] if cut else value)


def kind_of(strength: str) -> str:
    """Return the kind that a finding of this strength is reported under."""
    return "key" if strength == "weak" else strength


def is_assigned_secret(strength: str, value: str, *, quoted: bool) -> bool:
    """Whether ``value``, given to a name of this strength, is a secret."""
    if strength == "password":
        return could_be_password(value, quoted=quoted)
    if strength == "pin":
        return value.isascii() and value.isdigit() and 4 <= len(value) <= 10
    if strength == "key":
        return could_be_key(value)
    return looks_random(value) or (is_hash_like(value) and len(value) >= 32 and "-" not in value)
