"""A JSON text with another content: what stays stands there byte for byte, what is new is written as its surroundings are.

Owns: where each value stands in a text, and how a new one is laid out. Must not know: whose the values are. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_INDENT = re.compile(r"\n([ \t]+)\S")
_FIRST_LEVEL_COLON = re.compile(r'\{\s*"(?:[^"\\]|\\.)*"( *: *)(?=[^\s])')


@dataclass(frozen=True, slots=True)
class _Value:
    """A value's place in the text; ``items`` of a list or an object, ``tail``: the white space before its bracket."""

    start: int
    end: int
    items: tuple[_Item, ...] = ()
    tail: str = ""


@dataclass(frozen=True, slots=True)
class _Item:
    """A list's value, or an object's member, which starts with its name. ``lead`` and ``trail``: the white space around it."""

    lead: str
    start: int
    value: _Value
    trail: str


@dataclass(frozen=True, slots=True)
class _Style:
    """How the whole text is laid out; ``indent`` is None where it is all on one line."""

    indent: str | None
    newline: str
    colon: str

    @property
    def gap(self) -> str:
        """What follows a comma on a line."""
        return " " if self.colon.endswith(" ") else ""

    def written(self, value: Any, lead: str) -> str:
        """A new value where ``lead`` stands before it."""
        if "\n" not in lead:
            return json.dumps(value, ensure_ascii=False, separators=(f",{self.gap}", self.colon))
        text = json.dumps(value, ensure_ascii=False, indent=self.indent or "  ", separators=(",", self.colon))
        return text.replace("\n", self.newline + lead.rpartition("\n")[2])


def with_content(text: str, before: Any, after: Any) -> str:
    """``text``, whose content is ``before``, with the content ``after``. Raises ``RecursionError`` as ``json`` does."""
    found, colon = _INDENT.search(text), _FIRST_LEVEL_COLON.match(text.lstrip())
    style = _Style(
        indent=found[1] if found else "  " if "\n" in text or not colon else None,
        newline="\r\n" if "\r\n" in text else "\n",
        colon=colon[1] if colon else ": ",
    )
    root = _read(text, _white(text, 0)[1])
    return text[: root.start] + _Splice(text, style).value(root, before, after) + text[root.end :]


class _Splice:
    def __init__(self, text: str, style: _Style) -> None:
        self._text = text
        self._style = style

    def value(self, place: _Value, before: Any, after: Any) -> str:
        if _same(before, after):
            return self._text[place.start : place.end]
        if isinstance(before, dict) and isinstance(after, dict):
            return self._object(place, before, after)
        if isinstance(before, list) and isinstance(after, list):
            return self._list(place, before, after)
        return self._style.written(after, self._line_lead(place.start))

    def _object(self, place: _Value, before: dict[str, Any], after: dict[str, Any]) -> str:
        parts: list[tuple[_Item | None, str]] = []
        for item, (name, value) in zip(place.items, before.items(), strict=True):
            if name in after:
                parts.append((item, self._text[item.start : item.value.start] + self.value(item.value, value, after[name])))
        lead, _ = self._room(place)
        for name, value in after.items():
            if name not in before:
                named = json.dumps(name, ensure_ascii=False) + self._style.colon
                parts.append((None, named + self._style.written(value, lead)))
        return self._joined(place, parts)

    def _list(self, place: _Value, before: list[Any], after: list[Any]) -> str:
        parts: list[tuple[_Item | None, str]] = []
        lead, _ = self._room(place)
        for old, new in _pairs(before, after):
            if new is None:
                continue
            if old is None:
                parts.append((None, self._style.written(after[new], lead)))
            else:
                parts.append((place.items[old], self.value(place.items[old].value, before[old], after[new])))
        return self._joined(place, parts)

    def _joined(self, place: _Value, parts: Sequence[tuple[_Item | None, str]]) -> str:
        """These items in order; None for one that was not there: it stands as the last one of those that were."""
        opening, closing = self._text[place.start], self._text[place.end - 1]
        if not parts:
            return opening + closing
        lead, tail = self._room(place)
        first = place.items[0].lead if place.items else lead if "\n" in lead else ""
        body: list[str] = []
        for index, (item, written) in enumerate(parts):
            before = first if index == 0 else item.lead if item else lead
            behind = "" if item is None or item is place.items[-1] else item.trail
            body.append(before + written + (tail if index == len(parts) - 1 else behind))
        return opening + ",".join(body) + closing

    def _room(self, place: _Value) -> tuple[str, str]:
        """The white space before an item that is added behind others, and that before the bracket."""
        if place.items:
            lead = place.items[-1].lead
            return (lead if "\n" in lead or len(place.items) > 1 else self._style.gap), place.tail
        if self._style.indent is None:
            return self._style.gap, ""
        outer = self._line_lead(place.start)
        return outer + self._style.indent, outer

    def _line_lead(self, position: int) -> str:
        """The line feed and the white space that the line of a position begins with; nothing where all is on one line."""
        if self._style.indent is None:
            return ""
        start = self._text.rfind("\n", 0, position) + 1
        return self._style.newline + self._text[start : min(position, _white(self._text, start)[1])]


def _pairs(before: list[Any], after: list[Any]) -> Iterator[tuple[int | None, int | None]]:
    """Which item of one list is which of the other; what has no partner is gone or new."""
    old, new = ([json.dumps(item) for item in items] for items in (before, after))
    for _, start, end, other_start, other_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for step in range(max(end - start, other_end - other_start)):
            yield (
                start + step if start + step < end else None,
                other_start + step if other_start + step < other_end else None,
            )


def _same(one: Any, other: Any) -> bool:
    return json.dumps(one) == json.dumps(other)  # 1 and 1.0 and true are one thing for ==


def _read(text: str, start: int) -> _Value:
    """The value that begins there, of a text that is known to be JSON."""
    opening = text[start]
    if opening not in "{[":
        return _Value(start, _DECODER.raw_decode(text, start)[1])
    items: list[_Item] = []
    white, position = _white(text, start + 1)
    while text[position] not in "}]":
        first = position
        if opening == "{":
            position = _white(text, _DECODER.raw_decode(text, position)[1])[1]
            position = _white(text, position + 1)[1]
        value = _read(text, position)
        trail, position = _white(text, value.end)
        items.append(_Item(white, first, value, trail))
        if text[position] == ",":
            white, position = _white(text, position + 1)
    tail = items[-1].trail if items else white
    return _Value(start, position + 1, tuple(items), tail)


def _white(text: str, position: int) -> tuple[str, int]:
    found = _SPACE.match(text, position)
    end = found.end() if found else position
    return text[position:end], end
