"""Judging one candidate: could these characters be a secret, or are they one of the known look-alikes?

Owns: what made-up and issued values look like. Must not know: where the candidate stood.
"""

from __future__ import annotations

import math
import re
from collections import Counter

from soong_memoryd.text.secrets.lookalikes import (
    FIELD_PAIR,
    FILE,
    FILLER,
    HEX,
    MAIL,
    MEMORY_ID,
    ORDINARY_WORDS,
    PLACEHOLDER,
    SLUG,
    STAND_IN,
    TECHNICAL,
    UUID,
    WORDS,
)

_CODE = re.compile(r"[(){}\[\]<>]|=>|::|\\[nrtdws]|==")
_SYMBOL = re.compile(r"[!@#$%^&*?~+=,;:|]")
_STRONG_SYMBOL = re.compile(r"[!@#$%^&*?~+=]")
_CLASSES = (re.compile(r"[a-zа-я]"), re.compile(r"[A-ZА-Я]"), re.compile(r"[0-9]"))
_RUNS = re.compile(r"[a-z]{1,512}|[A-Z]{1,512}|[0-9]{1,512}|[^A-Za-z0-9]{1,512}")
_NOT_ALNUM = re.compile(r"[^A-Za-z0-9]{1,128}")
_WORDLIKE_RUN = re.compile(r"[a-z]{9}|[A-Z][a-z]{3,20}[A-Z][a-z]{3}")
_CLOSING = ".,;:?)]}>…"


def trimmed(value: str) -> str:
    """Return ``value`` without the punctuation that a sentence put after it."""
    return value.rstrip(_CLOSING)


def shannon_bits(value: str) -> float:
    """Return the entropy of the characters of ``value`` in bits per character (Shannon 1948)."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values())


def character_classes(value: str) -> int:
    """Return how many of lower case, upper case and digits occur."""
    return sum(1 for pattern in _CLASSES if pattern.search(value))


def has_digit_and_letter(value: str) -> bool:
    """Whether both a digit and a letter occur."""
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def is_issued(value: str) -> bool:
    """Whether a token of a known shape was really issued: not a documentation example, a row of x or a slug of words."""
    if FILLER.search(value) or len(set(value)) < 9 or SLUG.fullmatch(value):
        return False
    return any(c.isdigit() or c.isupper() for c in value)


def is_placeholder(value: str) -> bool:
    """Whether ``value`` stands for a secret without being one: ``<your key>``, ``$VAR``, ``os.environ[…]``, a path."""
    return bool(PLACEHOLDER.fullmatch(value) or STAND_IN.search(value))


def is_technical(value: str) -> bool:
    """Whether ``value`` is a version, date, quantity, algorithm, memory id, file name or mail address."""
    return any(p.fullmatch(value) for p in (TECHNICAL, MEMORY_ID, FILE, MAIL))


def is_hash_like(value: str) -> bool:
    """Whether ``value`` is bare hex or a UUID: a commit, a digest, an id, unless something calls it a key."""
    return bool(HEX.fullmatch(value) or UUID.fullmatch(value))


def is_test_count(noun: str, value: str) -> bool:
    """Whether this is the "pass: 1204" of a test report."""
    return noun.lower() == "pass" and value.isdigit()


def is_plain_words(value: str) -> bool:
    """Whether ``value`` is made of words alone: ``stored``, ``db-credentials``, ``user.password``."""
    return bool(WORDS.fullmatch(value))


def looks_random(value: str) -> bool:
    """Whether a long value (20 and more) was generated: three classes, high entropy, no words in it."""
    return (
        len(value) >= 20
        and character_classes(value) == 3
        and shannon_bits(value) >= 3.6
        and not _WORDLIKE_RUN.search(value)
        and not is_technical(value)
        and not is_hash_like(value)
    )


def looks_generated(value: str) -> bool:
    """Whether a value of 8 to 128 characters is plainly a made-up password, whatever the sentence says."""
    if not 8 <= len(value) <= 128 or not has_digit_and_letter(value) or _CODE.search(value) or "://" in value:
        return False
    if is_placeholder(value) or is_technical(value) or is_hash_like(value) or SLUG.fullmatch(value):
        return False
    if _STRONG_SYMBOL.search(value[1:].rstrip("!?=")):
        return not FIELD_PAIR.fullmatch(value) and character_classes(value) >= 2
    parts = _NOT_ALNUM.split(value)
    return any(len(part) >= 8 and character_classes(part) == 3 and len(_RUNS.findall(part)) >= 5 for part in parts) and not (
        _WORDLIKE_RUN.search(value)
    )


def could_be_password(value: str, *, quoted: bool) -> bool:
    """Whether a value that something calls a password may be one: short and wordy ones count, stock phrases do not."""
    if not 4 <= len(value) <= 128 or is_placeholder(value):
        return False
    if value.isdigit():
        return 4 <= len(value) <= 12
    if is_technical(value):
        return False
    if is_plain_words(value):
        return quoted and len(value) >= 6 and value.isalpha() and value.lower() not in ORDINARY_WORDS
    if has_digit_and_letter(value):
        return True
    return len(value) >= 6 and bool(_SYMBOL.search(value)) and not _CODE.search(value)


def could_be_key(value: str) -> bool:
    """Whether a value that something calls a key or token may be one: 8 and more, letters and digits, no name or slug."""
    if len(value) < 8 or is_placeholder(value) or is_technical(value) or is_plain_words(value) or SLUG.fullmatch(value):
        return False
    if not has_digit_and_letter(value) or _CODE.search(value):
        return False
    return len(value) >= 16 or character_classes(value) == 3 or looks_generated(value) or bool(HEX.fullmatch(value))
