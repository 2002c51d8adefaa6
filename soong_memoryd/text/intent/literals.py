"""Which of very many literals a text holds.

Owns: the index that answers it. Must not know what the literals stand for.
Literals are looked up by their first three characters, as in trigram indexes for text search: most of them never have to be
searched for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import Generic, TypeVar

T = TypeVar("T")
_Head = tuple[str, ...]
_HEAD_CHARS = 3
_REMEMBERED_TEXTS = 8  # a sentence is held against many indexes in a row


class LiteralIndex(Generic[T]):
    """Literals, each with what it stands for; several may stand for one thing, and one for several."""

    def __init__(self, literals: Iterable[tuple[str, T]]) -> None:
        self._by_head: dict[_Head, list[tuple[str, T]]] = defaultdict(list)
        self._short: list[tuple[str, T]] = []
        for literal, meaning in literals:
            if len(literal) < _HEAD_CHARS:
                self._short.append((literal, meaning))
            else:
                self._by_head[tuple(literal[:_HEAD_CHARS])].append((literal, meaning))
        self._known_heads = frozenset(self._by_head)  # of two sets the smaller one is gone through, and nothing is hashed again

    def found_in(self, text: str) -> list[tuple[str, T]]:
        """The literals that a text holds, in no order."""
        heads = self._known_heads & _heads(text)
        found = [pair for head in heads for pair in self._by_head[head] if pair[0] in text] if heads else []
        if self._short:
            found += [pair for pair in self._short if pair[0] in text]
        return found


def shortest(literals: Iterable[str]) -> list[str]:
    """The literals without those that hold another one of them: where they are, the shorter one is."""
    distinct = sorted(set(literals), key=lambda literal: (len(literal), literal))
    return [each for index, each in enumerate(distinct) if not any(shorter in each for shorter in distinct[:index])]


@lru_cache(_REMEMBERED_TEXTS)
def _heads(text: str) -> frozenset[_Head]:
    return frozenset(zip(text, text[1:], text[2:], strict=False))
