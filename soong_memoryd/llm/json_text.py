"""Finding the JSON object that a model meant, in what it wrote around it.

Owns: thinking, fences, prose, balanced braces. Must not know tools, requests or providers.
An object that was cut is never mended: what is missing cannot be guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from pydantic_core import from_json

MAX_TEXT_CHARS = 262_144
MAX_MARKS = 200_000  # braces, quotes and backslashes that are looked at, all tries together; bounds hostile text

_THOUGHT_MARK = re.compile(
    r"(?P<open><(?:think|thinking|thought|reasoning)>|<\|channel\|>analysis)"
    r"|</(?:think|thinking|thought|reasoning)>|<\|channel\|>final<\|message\|>",
    re.IGNORECASE,
)
_MARK = re.compile(r'["{}\\]')


def parse(text: str | bytes) -> Any:
    """JSON as a value: UTF-8, no NaN, no lone surrogates, depth bounded.

    Raises:
        ValueError: anything else.
    """
    return from_json(text, allow_inf_nan=False)


def without_thoughts(text: str) -> str:
    """The answer without what the model thought aloud; a thought that never ends leaves nothing after it.

    Templates that open the thought in the prompt leave only its end in the answer: then all before it is thought.
    """
    kept: list[str] = []
    at, thinking = 0, False
    for mark in _THOUGHT_MARK.finditer(text):
        if mark["open"]:
            if not thinking:
                kept.append(text[at : mark.start()])
            thinking = True
        else:
            if not thinking:
                kept.clear()
            at, thinking = mark.end(), False
    if not thinking:
        kept.append(text[at:])
    return "".join(kept).strip()


def find_object(text: str, wanted: frozenset[str]) -> dict[str, Any] | None:
    """The object that a text holds: all of it, or else the last outermost one with a wanted key, or else the last.

    ``wanted`` are keys of which the answer has at least one.
    """
    if len(text) > MAX_TEXT_CHARS:
        return None
    whole = _object(text.strip())
    if whole is not None:
        return whole
    found = list(_objects(without_thoughts(text)))
    fitting = [value for value in found if wanted & value.keys()]
    return fitting[-1] if fitting else found[-1] if found else None


def _objects(text: str) -> Iterator[dict[str, Any]]:
    start, marks_left = text.find("{"), MAX_MARKS
    while start >= 0 and marks_left > 0:
        end, marks = _balanced_end(text, start, marks_left)
        marks_left -= marks
        value = _object(text[start:end]) if end else None
        if value is not None:
            yield value
        start = text.find("{", start + 1 if value is None else end)


def _balanced_end(text: str, start: int, max_marks: int) -> tuple[int, int]:
    """(index after the brace that closes the one at ``start``, marks looked at); index 0 when none closes it."""
    depth, in_string, escaped_at, marks = 0, False, -1, 0
    for mark in islice(_MARK.finditer(text, start), max_marks):
        marks += 1
        sign, at = mark.group(), mark.start()
        if at == escaped_at:
            continue
        if sign == "\\":
            escaped_at = at + 1 if in_string else -1
        elif sign == '"':
            in_string = not in_string
        elif not in_string:
            depth += 1 if sign == "{" else -1
            if depth == 0:
                return at + 1, marks
    return 0, marks


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = parse(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
