"""The header of a memory file as strings, lists and mappings of strings.

Owns: how much of YAML is understood. Must not know which keys there are or what they mean.
YAML's typed scalars turn ``no`` into a boolean and ``0123`` into 83, its aliases into bombs: here everything is a string, and
aliases, anchors and tags are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NoReturn

import yaml

from soong_memoryd.errors import InvalidDocument
from soong_memoryd.memories.schema import PROBLEMS

Value = str | list[Any] | dict[str, Any]

_MAX_DEPTH = 3  # header → list of evidence → its fields
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load(header: str) -> dict[str, Value]:
    """The keys of a header with their values.

    Raises:
        InvalidDocument: with a code of ``schema.PROBLEMS``.
    """
    plain = _load_plain(header)
    if plain is not None:
        return plain
    try:
        return _load_mapping(_yaml_events(header))
    except (yaml.YAMLError, ValueError):
        reject("yaml")


def reject(code: str) -> NoReturn:
    """Raise ``InvalidDocument`` with one of the problem codes."""
    # Raised away from the parser's own error, whose text quotes the file.
    raise InvalidDocument(PROBLEMS[code], code=code) from None


def _load_plain(header: str) -> dict[str, Value] | None:
    """What the daemon itself writes, some times faster than YAML reads it; None for whatever might mean anything else.

    Thousands of headers are read at a start. Every text that is read here is read the same by YAML, not the other way round.
    """
    fields: dict[str, Value] = {}
    for line in header.strip("\n").split("\n"):
        found = _PLAIN_LINE.fullmatch(line)
        if found is None or found["key"] in fields:
            return None
        if found["list"] is None:
            fields[found["key"]] = found["plain"] or found["quoted"] or ""
        else:
            fields[found["key"]] = [item.strip("'") for item in found["list"][1:-1].split(", ") if item]
    return fields


def _yaml_events(header: str) -> Iterator[Any]:
    """``yaml.parse`` without its look ahead: thousands of headers are read at the start."""
    loader = _LOADER(header)
    try:
        event = loader.get_event()
        while not isinstance(event, yaml.StreamEndEvent):
            yield event
            event = loader.get_event()
    finally:
        loader.dispose()


def _load_mapping(events: Iterator[Any]) -> dict[str, Value]:
    root: Value | None = None
    for event in events:
        if isinstance(event, yaml.NodeEvent):
            if root is not None:
                reject("mapping")
            root = _load(event, events, 1)
    if not isinstance(root, dict):
        reject("mapping")
    return root


def _load(event: Any, events: Iterator[Any], depth: int) -> Value:
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        reject("alias")
    if event.tag is not None:
        reject("tag")
    if isinstance(event, yaml.ScalarEvent):
        return str(event.value)
    if depth > _MAX_DEPTH:
        reject("nesting")
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Value] = []
        while not isinstance(inner := next(events), yaml.SequenceEndEvent):
            items.append(_load(inner, events, depth + 1))
        return items
    fields: dict[str, Value] = {}
    while not isinstance(inner := next(events), yaml.MappingEndEvent):
        key = _load(inner, events, depth + 1)
        if not isinstance(key, str):
            reject("mapping")
        if key in fields:
            reject("duplicate_key")
        fields[key] = _load(next(events), events, depth + 1)
    return fields


# One line of a header: a key with a plain text, a single-quoted one, or a list in brackets of both. In plain texts no colon
# or number sign, in lists no comma or bracket either, and nothing but a letter or digit first: nothing in which YAML sees
# structure.
_WIDE = r"\u3001-\u303f\uff01-\uff60"  # Chinese and Japanese punctuation
_END = rf"\w./+@=%;!()<>~^$&*|{_WIDE}-"
_ITEM = rf"\w(?:[ {_END}]*[{_END}])?"
_PLAIN_LINE = re.compile(
    rf"(?P<key>[a-z_]{{1,64}}): (?:(?P<plain>\w(?:[ ,?'\"{_END}]*[,?'\"{_END}])?)"
    rf"|'(?P<quoted>[ ,?:#\"\[\]{{}}{_END}]*)'"
    rf"|(?P<list>\[(?:(?:{_ITEM}|'[ ?:#\"{_END}]+')(?:, (?:{_ITEM}|'[ ?:#\"{_END}]+'))*)?\]))"
)
