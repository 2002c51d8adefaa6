"""What a text must hold for a pattern to match: found in the pattern, so that most patterns are never tried.

Owns: that derivation. Must not know phrases, languages, or who looks for the literals (``literals.py``).
The idea is that of FilteredRE2 and of Russ Cox, "Regular Expression Matching with a Trigram Index" (2012): every match of a
pattern holds one of a few literals, and looking for literals is many times cheaper than matching.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Literals = frozenset[str]


def required_literals(pattern: str) -> Literals | None:
    """Texts of which every match of ``pattern`` holds at least one; None when there is nothing to go by.

    ``pattern`` has no flags. Texts that a look-around asks for are not counted.
    """
    return _of_sequence(parser.parse(pattern))


def _of_sequence(items: Iterable[tuple[Any, Any]]) -> Literals | None:
    """The most telling of what the parts of a sequence require: all parts must match, so any of them will do."""
    return max(_of_parts(items), key=_telling, default=None)


def _of_parts(items: Iterable[tuple[Any, Any]]) -> Iterator[Literals]:
    run = ""
    for code, argument in items:
        if code is op.LITERAL:
            run += chr(argument)
            continue
        if run:
            yield frozenset({run})
            run = ""
        found = _of_part(code, argument)
        if found is not None:
            yield found
    if run:
        yield frozenset({run})


def _of_part(code: Any, argument: Any) -> Literals | None:
    if code is op.SUBPATTERN:
        return _of_sequence(argument[-1])
    if code is op.BRANCH:
        branches = [_of_sequence(branch) for branch in argument[1]]
        return frozenset[str]().union(*(b for b in branches if b is not None)) if None not in branches else None
    if code in (op.MAX_REPEAT, op.MIN_REPEAT) and argument[0] > 0:
        return _of_sequence(argument[2])
    return None


def _telling(literals: Literals) -> tuple[int, int]:
    """The shortest literal decides, in bytes: a Chinese character tells more than a Latin one. Then fewer are better."""
    return min(len(literal.encode()) for literal in literals), -len(literals)
