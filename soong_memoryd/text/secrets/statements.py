"""Sentences that say what a secret is: noun, link, value, in either order, and values that stand right beside their noun.

Owns: which value a noun names, and how sure that is. Must not know: identifiers, configuration files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from soong_memoryd.text.secrets.finding import Finding
from soong_memoryd.text.secrets.grammar import (
    BACKLINK,
    BESIDE,
    CODE_GROUPS,
    FORWARD,
    LOGIN_PAIR,
    MAX_VALUE_CHARS,
    NEAR_CHARS,
    NOUN,
    OTHER_MATTER,
    PIN,
    QUOTE,
    SEED_WORDS,
    UNIT_AFTER,
    VALUE,
    WORD_BEFORE,
)
from soong_memoryd.text.secrets.names import is_harmless_phrase
from soong_memoryd.text.secrets.values import (
    could_be_key,
    could_be_password,
    has_digit_and_letter,
    is_hash_like,
    is_technical,
    is_test_count,
    looks_generated,
    looks_random,
    trimmed,
)


@dataclass(frozen=True, slots=True)
class _Noun:
    """A word for a secret at ``text[start:end]``."""

    words: str
    start: int
    end: int


def find_statements(text: str, lowered: str, start: int, end: int) -> Iterator[Finding]:
    """Yield the secrets that sentences name whose noun is between ``start`` and ``end``; a value may reach beyond.

    ``lowered`` is ``text`` in lower case, character for character: without regard to case the nouns cost five times as much.
    """
    reached = start
    for match in NOUN.finditer(lowered, start, end):
        noun = _Noun(text[match.start() : match.end()], match.start(), match.end())
        before = WORD_BEFORE.search(text, max(0, noun.start - 24), noun.start)
        if noun.start < reached or is_harmless_phrase((before[0] if before else "") + noun.words):
            continue
        for finding in _JUDGES[str(match.lastgroup).partition("_")[0]](text, noun):
            reached = max(reached, finding.end)
            yield finding


def _found(kind: str, start: int, value: str) -> Finding:
    return Finding(kind, start, start + len(value), "contextual")


def _password(text: str, noun: _Noun) -> Iterator[Finding]:
    found = (
        _after_link(text, noun, "password", _is_linked_password)
        or _beside(text, noun, "password", lambda v: looks_generated(v) or (could_be_key(v) and not is_hash_like(v)))
        or _digits_beside(text, noun)
        or _near(text, noun, "password", looks_generated)
        or _before(text, noun, "password", looks_generated, _is_back_linked_password)
    )
    if found:
        yield found


def _key(text: str, noun: _Noun) -> Iterator[Finding]:
    found = (
        _after_link(text, noun, "key", lambda value, _quoted: could_be_key(value))
        or _beside(text, noun, "key", _is_long_key)
        or _near(text, noun, "key", looks_random)
        or _before(text, noun, "key", looks_random, lambda v: could_be_key(v) and len(v) >= 16)
    )
    if found:
        yield found


def _pin(text: str, noun: _Noun) -> Iterator[Finding]:
    forward = FORWARD.match(text, noun.end)
    digits = PIN.match(text, forward.start("value") if forward else noun.end)
    plain = noun.words.isupper() or not noun.words.isascii() or "code" in noun.words.lower()
    if digits and (forward or plain):
        yield _found("pin", digits.start("value"), digits["value"])
        return
    found = _after_link(text, noun, "pin", lambda value, _quoted: could_be_key(value)) or _before(
        text, noun, "pin", lambda _: False, lambda v: v.isascii() and v.isdigit() and 4 <= len(v) <= 8
    )
    if found:
        yield found


def _login(text: str, noun: _Noun) -> Iterator[Finding]:
    match = LOGIN_PAIR.match(text, noun.end)
    value = trimmed(match["value"]) if match else ""
    if match and _is_back_linked_password(value):
        found: Finding | None = _found("password", match.start("value"), value)
    else:
        found = _near(text, noun, "password", looks_generated) or _before(
            text, noun, "password", looks_generated, lambda _: False
        )
    if found:
        yield found


def _codes(text: str, noun: _Noun) -> Iterator[Finding]:
    match = CODE_GROUPS.match(text, noun.end)
    if match and (has_digit_and_letter(match["value"]) or match["value"].count("-") >= 2):
        yield _found("code", match.start("value"), match["value"])
    else:
        yield from _pin(text, noun)


def _seed(text: str, noun: _Noun) -> Iterator[Finding]:
    match = SEED_WORDS.match(text, noun.end)
    if match:
        yield _found("seed_phrase", match.start("value"), match["value"])


_JUDGES: dict[str, Callable[[str, _Noun], Iterator[Finding]]] = {
    "passwords": _password,
    "keys": _key,
    "pins": _pin,
    "logins": _login,
    "codes": _codes,
    "seeds": _seed,
}


def _is_linked_password(value: str, quoted: bool) -> bool:
    return could_be_password(value, quoted=quoted)


def _is_back_linked_password(value: str) -> bool:
    return (
        len(value) >= 6 and has_digit_and_letter(value) and could_be_password(value, quoted=False) and not is_hash_like(value)
    )


def _is_long_key(value: str) -> bool:
    return could_be_key(value) and (looks_random(value) or (is_hash_like(value) and len(value) >= 24 and "-" not in value))


def _after_link(text: str, noun: _Noun, kind: str, accepts: Callable[[str, bool], bool]) -> Finding | None:
    """The value that a link ties to the noun: ``password for the wiki is Ab3…``, 密码：Ab3…."""
    match = FORWARD.match(text, noun.end)
    if match is None:
        return None
    value = trimmed(match["value"])
    if value.isdigit() and UNIT_AFTER.match(text, match.start("value") + len(value)):
        return None
    if is_test_count(noun.words, value):
        return None
    quoted = bool(QUOTE.search(match["opening"]))
    return _found(kind, match.start("value"), value) if accepts(value, quoted) else None


def _beside(text: str, noun: _Noun, kind: str, accepts: Callable[[str], bool]) -> Finding | None:
    """The value right after the noun, without a link: ``密码Ab3…``, ``pw Ab3…``."""
    match = BESIDE.match(text, noun.end)
    if match and accepts(trimmed(match["value"])) and not is_technical(trimmed(match["value"])):
        return _found(kind, match.start("value"), trimmed(match["value"]))
    return None


def _digits_beside(text: str, noun: _Noun) -> Finding | None:
    """Bare digits after a noun of a script without capitals or word borders: 门锁密码 4821."""
    match = PIN.match(text, noun.end) if noun.words[0] >= "\u1100" else None
    return _found("pin", match.start("value"), match["value"]) if match else None


def _near(text: str, noun: _Noun, kind: str, accepts: Callable[[str], bool]) -> Finding | None:
    """A value later in the sentence that can be nothing else."""
    for match in VALUE.finditer(text, noun.end, min(len(text), noun.end + NEAR_CHARS + MAX_VALUE_CHARS)):
        if match.start() > noun.end + NEAR_CHARS:
            return None
        if accepts(trimmed(match[0])):
            other = OTHER_MATTER.search(text, noun.end, match.start())
            return None if other else _found(kind, match.start(), trimmed(match[0]))
    return None


def _before(text: str, noun: _Noun, kind: str, certain: Callable[[str], bool], linked: Callable[[str], bool]) -> Finding | None:
    """The last value before the noun: ``Ab3… is the password``, 用 Ab3… 作为密码."""
    found = None
    for match in VALUE.finditer(text, max(0, noun.start - NEAR_CHARS - MAX_VALUE_CHARS), noun.start):
        value = trimmed(match[0])
        end = match.start() + len(value)
        if end < noun.start - NEAR_CHARS:
            continue
        if (certain(value) and not OTHER_MATTER.search(text, end, noun.start)) or (
            linked(value) and BACKLINK.fullmatch(text, end, noun.start)
        ):
            found = _found(kind, match.start(), value)
    return found
