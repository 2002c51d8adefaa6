"""Which known memories a job gets to see: all while they fit, else those that what was said may be about.

Owns: the score of a likely duplicate and the choice of the offered ids. Must not know: files, prompts, the model. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from soong_memoryd.extraction.window import Window
from soong_memoryd.memories.document import Frontmatter
from soong_memoryd.text.terms import terms
from soong_memoryd.text.tokens import estimate_tokens

LIKELY_SCORE = 0.3  # from here on a memory's body comes along
MAX_LIKELY = 8
_REMEMBERED_TEXTS = 32_768  # every job takes the same summaries apart
_LINK = re.compile(r"\b[a-z][a-z0-9+.-]*://", re.IGNORECASE)

WEIGHTS = {  # what adds to the share of a memory's words that was said again
    "tag": 0.15,  # each tag that was said, at most two
    "source": 0.4,  # it came from a message of this window
    "session": 0.05,  # or at least from this conversation
    "category": 0.05,  # a reference, and a link was given; feedback or user, and none was
}


@dataclass(frozen=True, slots=True)
class Screening:
    """``offered``: what may be updated, oldest first; ``likely``: the ids whose bodies are wanted, best first; ``total``."""

    offered: tuple[Frontmatter, ...]
    likely: tuple[str, ...]
    total: int


def line(memory: Frontmatter) -> str:
    """A memory's frontmatter as the model reads it, on one line."""
    tags = f" ({', '.join(memory.tags)})" if memory.tags else ""
    return f"{memory.id} [{memory.category}] {memory.summary}{tags}"


def screen(memories: Iterable[Frontmatter], window: Window, budget_tokens: int) -> Screening:
    """Choose among all memories; ``budget_tokens`` is the room for their frontmatter.

    The offered ones stand oldest first: a new memory then extends the list at its end, and a provider's prompt cache still
    knows everything before it.
    """
    known = sorted(memories, key=lambda memory: (memory.created_at, memory.id))
    said = _Said(window)
    scores = {memory.id: said.score(memory) for memory in known}
    newest_first = list(reversed(known))
    best_first = sorted(newest_first, key=lambda memory: -scores[memory.id])
    offered = _within(best_first, budget_tokens)
    likely = [memory.id for memory in best_first if memory.id in offered and scores[memory.id] >= LIKELY_SCORE]
    return Screening(tuple(m for m in known if m.id in offered), tuple(likely[:MAX_LIKELY]), len(known))


def _within(memories: Sequence[Frontmatter], budget_tokens: int) -> set[str]:
    chosen: set[str] = set()
    for memory in memories:
        budget_tokens -= estimate_tokens(line(memory)) + 1
        if budget_tokens < 0:
            break
        chosen.add(memory.id)
    return chosen


class _Said:
    """What the messages of a window say, ready to be compared."""

    def __init__(self, window: Window) -> None:
        text = "\n".join(node.text for node in window.messages)
        self._keys = _keys(text)
        self._category = {"reference"} if _LINK.search(text) else {"user", "feedback"}
        self._session_id = window.session_id
        self._node_ids = {node.row.node_id for node in window.nodes}

    def score(self, memory: Frontmatter) -> float:
        """0 for nothing in common; about 1 when the whole summary was said again."""
        weighed = _weights(memory.summary)
        common = sum(weight for key, weight in weighed if key in self._keys)
        tags = sum(1 for tag in memory.tags if (keys := _keys_of_tag(tag)) and keys <= self._keys)
        from_session = memory.source_session_id == self._session_id
        found = {
            "tag": min(tags, 2),
            "source": from_session and not self._node_ids.isdisjoint(memory.source_node_ids),
            "session": from_session,
            "category": memory.category in self._category,
        }
        share = common / total if (total := sum(weight for _, weight in weighed)) else 0.0
        return share + sum(WEIGHTS[name] * value for name, value in found.items())


@lru_cache(_REMEMBERED_TEXTS)
def _weights(text: str) -> tuple[tuple[str, float], ...]:
    return tuple({term.key: term.weight for term in terms(text)}.items())


@lru_cache(_REMEMBERED_TEXTS)
def _keys_of_tag(tag: str) -> frozenset[str]:
    return frozenset(_keys(tag))


def _keys(text: str) -> set[str]:
    return {key for term in terms(text) for key in (term.key, *(name for name, _ in term.also))}
