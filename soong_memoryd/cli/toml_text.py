"""Changing one key in the text of a TOML file, so that comments, order and spacing stay.

Owns: finding a key's place and the extent of its value. Must not know: which keys there are. Pure.
A value's extent is found by reading: the shortest text from there that TOML takes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any, NamedTuple

KeyPath = tuple[str, ...]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PART = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_HEADER = re.compile(rf"\s*\[\s*(?P<path>{_PART}(?:\s*\.\s*{_PART})*)\s*\]\s*(#.*)?")
_ASSIGNMENT = re.compile(rf"(?P<start>\s*(?P<path>{_PART}(?:\s*\.\s*{_PART})*)\s*=\s*)(?P<value>.*)", re.DOTALL)
_PARTS = re.compile(_PART)


class _Place(NamedTuple):
    """A table header or an assignment: its lines [first, last], its full path, and the text before and after the value."""

    first: int
    last: int
    path: KeyPath
    table: KeyPath
    before: str = ""
    after: str = ""
    is_header: bool = False


def literal(typed: str) -> str:
    """What a person typed as a TOML value: as it stands if TOML takes it, else as a string."""
    return typed if _parses(typed) else quoted(typed)


def quoted(text: str) -> str:
    """A TOML string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char >= " " and char != "\x7f" else f"\\u{ord(char):04x}" for char in escaped) + '"'


def set_key(text: str, path: KeyPath, value: str) -> str:
    """``text`` with the key at ``path`` set to the TOML literal ``value``.

    Raises:
        ValueError: the text is not TOML, or the key stands where this cannot reach it (inside an inline table).
    """
    lines = text.split("\n")
    places = list(_places(lines))
    new = "\n".join(_changed(lines, places, path, value))
    new = new if new.endswith("\n") else new + "\n"
    if _at(tomllib.loads(new), path) != _at(tomllib.loads(f"value = {value}"), ("value",)):
        raise ValueError("the key cannot be reached")
    return new


def _changed(lines: list[str], places: list[_Place], path: KeyPath, value: str) -> list[str]:
    for place in places:
        if place.path == path and not place.is_header:
            return [*lines[: place.first], f"{place.before}{value}{place.after}", *lines[place.last + 1 :]]
    for place in reversed(places):  # after the last key of its table
        if place.table == path[:-1] and (place.is_header or place.table):
            return [*lines[: place.last + 1], f"{_dotted(path[-1:])} = {value}", *lines[place.last + 1 :]]
    for place in reversed(places):  # beside other dotted keys of its table
        if not place.is_header and place.path[:-1] == path[:-1]:
            dotted = _dotted(path[len(place.table) :])
            return [*lines[: place.last + 1], f"{dotted} = {value}", *lines[place.last + 1 :]]
    kept = "\n".join(lines).rstrip("\n")
    return [*([kept, ""] if kept else []), f"[{_dotted(path[:-1])}]", f"{_dotted(path[-1:])} = {value}", ""]


def _places(lines: list[str]) -> Iterator[_Place]:
    table: KeyPath = ()
    number = 0
    while number < len(lines):
        header = _HEADER.fullmatch(lines[number])
        assignment = None if header else _ASSIGNMENT.fullmatch(lines[number])
        last = number
        if header:
            table = _split(header["path"])
            yield _Place(number, number, table, table, is_header=True)
        elif assignment:
            last, after = _extent(lines, number, assignment["value"])
            yield _Place(number, last, (*table, *_split(assignment["path"])), table, assignment["start"], after)
        elif lines[number].lstrip().startswith("[["):
            table = ("[[",)  # an array of tables: nothing in it can be named by a path
        number = last + 1


def _extent(lines: list[str], first: int, value: str) -> tuple[int, str]:
    """The last line of a value that begins on ``first``, and what stands behind the value there (a comment)."""
    for last in range(first, len(lines)):
        whole = "\n".join([value, *lines[first + 1 : last + 1]])
        if _parses(whole):
            for cut in (place for place, char in enumerate(whole) if char == "#"):
                if _parses(whole[:cut]) and "\n" not in whole[cut:]:
                    kept = whole[:cut].rstrip()
                    return last, whole[len(kept) :]
            return last, ""
    return first, ""


def _parses(value: str) -> bool:
    try:
        return bool(value.strip()) and tomllib.loads(f"value = {value}").keys() == {"value"}
    except (tomllib.TOMLDecodeError, RecursionError):
        return False


def _split(path: str) -> KeyPath:
    return tuple(part.strip("\"'") for part in _PARTS.findall(path))


def _dotted(path: KeyPath) -> str:
    return ".".join(part if _BARE.fullmatch(part) else quoted(part) for part in path)


def _at(tables: Any, path: KeyPath) -> Any:
    for part in path:
        tables = tables.get(part) if isinstance(tables, dict) else None
    return tables
