"""The names of memories: the part that a model chooses, ids, and file names.

Owns: which names may exist. Must not know: the directory, or what a memory says.
A name must mean the same file on every system that the directory is synced to, and must not pass for another one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

MAX_NAME_BYTES = 80
MAX_FILE_NAME_BYTES = 255
MEMORY_SUFFIX = ".md"

NAME_PROBLEMS: Mapping[str, str] = MappingProxyType(
    {
        "empty": "it is empty",
        "long": f"it is longer than {MAX_NAME_BYTES} bytes",
        "form": "it is not in Unicode normal form (or uses full-width or ligature characters)",
        "character": "it may hold only letters of any script, the digits 0-9 and single -",
        "dash": "a - may stand only between letters or digits, one at a time",
        "reserved": "it is a device name on Windows",
        "script": "a word of it mixes alphabets that look alike",
    }
)
"""Problem code → what is wrong with a name, in words for the model that chose it."""

_DEVICE = re.compile(r"(?:con|prn|aux|nul|clock|conin|conout|com[0-9]|lpt[0-9])", re.IGNORECASE)
_ID = re.compile(r"mem_(?P<stamp>[0-9]{14})_[a-z0-9]{4,32}")
_FILE = re.compile(r"(?P<name>[^/]+)-(?P<date>[0-9]{8})-(?P<id>mem_[0-9]{14}_[a-z0-9]{4,32})\.md")
_TRAILING_ID = re.compile(r"(?:^|-)(?P<id>mem_[0-9]{14}_[a-z0-9]{4,32})\.md")
_NAME_DIGITS = frozenset("0123456789")
_LETTERS = frozenset({"Lu", "Ll", "Lo", "Lm"})
_MARKS = frozenset({"Mn", "Mc"})
_HAND_WRITTEN_EXTRA = frozenset("-_. +,")
_PLAIN_STEM = re.compile(r"[A-Za-z0-9_. +,-]+")
_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC"})


@dataclass(frozen=True, slots=True)
class FileName:
    """The parts of ``<name>-<YYYYMMDD>-<id>.md``."""

    name: str
    date: str
    memory_id: str


def check_name(name: str) -> str | None:
    """A key of ``NAME_PROBLEMS``, or None when a model may call a memory so.

    Letters of either case are accepted (a refusal for ``Use-pnpm`` would cost a round and gain nothing);
    names that differ only in case are told apart by ``collision_key``.
    """
    if not name:
        return "empty"
    if any(unicodedata.category(char) == "Cs" for char in name):
        return "character"
    if len(name.encode("utf-8")) > MAX_NAME_BYTES:
        return "long"
    if unicodedata.normalize("NFC", name) != name or unicodedata.normalize("NFKC", name) != name:
        return "form"
    if not all(char == "-" or char in _NAME_DIGITS or _is_letter(char) for char in name):
        return "character"
    words = name.split("-")
    if not all(words):
        return "dash"
    if _DEVICE.fullmatch(name):
        return "reserved"
    return None if all(len(_scripts(word) - _EAST_ASIAN) <= 1 for word in words) else "script"


def is_memory_id(text: str) -> bool:
    """Whether a text is ``mem_<YYYYMMDDHHMMSS>_<4 to 32 of a-z0-9>`` with a moment that exists."""
    return _moment(text) is not None


def id_time(memory_id: str) -> str:
    """The moment in an id as RFC 3339 UTC; ValueError for anything that ``is_memory_id`` denies."""
    moment = _moment(memory_id)
    if moment is None:
        raise ValueError("not a memory id")
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0")


def new_memory_id(wall_seconds: float, rand8: str) -> str:
    """An id for a memory made at ``wall_seconds``; ``rand8`` is 8 random characters of ``a-z0-9``."""
    return f"mem_{datetime.fromtimestamp(wall_seconds, UTC):%Y%m%d%H%M%S}_{rand8}"


def file_name(name: str, created_at: str, memory_id: str) -> str:
    """``<name>-<YYYYMMDD>-<id>.md``; ``created_at`` is RFC 3339."""
    return f"{name}-{created_at[:10].replace('-', '')}-{memory_id}{MEMORY_SUFFIX}"


def parse_file_name(text: str) -> FileName | None:
    """The parts of a file name in the daemon's own form, else None."""
    found = _FILE.fullmatch(text)
    return FileName(found["name"], found["date"], found["id"]) if found else None


def trailing_id(text: str) -> str | None:
    """The memory id at the end of a file name, whatever stands before it, else None."""
    found = _TRAILING_ID.search(text)
    return found["id"] if found and found.end() == len(text) else None


def is_memory_file_name(text: str) -> bool:
    """Whether a file of this name may be a memory: also what people call theirs, as long as it is plain.

    Letters, marks and digits of any script and ``- _ . + ,`` and inner spaces, ending in ``.md``, not hidden, not over
    255 bytes. No brackets or quotes: the name stands in a catalog line.
    """
    stem = text.removesuffix(MEMORY_SUFFIX)
    if stem == text or not stem or stem[0] in ". " or stem[-1] == " ":
        return False
    if text.isascii():
        return len(text) <= MAX_FILE_NAME_BYTES and _PLAIN_STEM.fullmatch(stem) is not None
    if any(unicodedata.category(char) == "Cs" for char in text) or len(text.encode("utf-8")) > MAX_FILE_NAME_BYTES:
        return False
    return all(char in _HAND_WRITTEN_EXTRA or unicodedata.category(char)[0] in "LMN" for char in stem)


def printable(name: str) -> str:
    """A name as the system gave it, as text that can be written down: bytes that are no UTF-8 become ``\\xe9`` and the like."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def collision_key(file_name_or_path: str) -> str:
    """Equal for names that some file system treats as one (case, Unicode form)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", file_name_or_path).casefold())


def _is_letter(char: str) -> bool:
    category = unicodedata.category(char)
    if category in _MARKS:  # vowel signs of Thai, Devanagari … belong to words; free combining marks only disguise them
        return _script(char) not in {"COMBINING", "VARIATION", "?"}
    return category in _LETTERS


def _script(char: str) -> str:
    return unicodedata.name(char, "?").split(" ", 1)[0]


def _scripts(word: str) -> frozenset[str]:
    return frozenset(_script(char) for char in word if char not in _NAME_DIGITS)


def _moment(memory_id: str) -> datetime | None:
    found = _ID.fullmatch(memory_id)
    if found is None:
        return None
    year = int(found["stamp"][:4])
    month, day, hour, minute, second = (int(found["stamp"][at : at + 2]) for at in range(4, 14, 2))
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None
