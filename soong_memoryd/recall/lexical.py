"""Which memories fit a question by their words alone: BM25 with fields, topics and an absolute bar.

Owns: weights of fields and of parts of a question, the ranking, what is too weak to be shown.
Must not know: files, models, sessions, how words are taken apart (``text.terms``).
Ranking after Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields" (2004): the weights of
fields are summed before saturation, so a word that stands in summary and tags does not count as two words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from soong_memoryd.text.terms import terms

NAME_WEIGHT = 1.6
TAG_WEIGHT = 1.6
SUMMARY_WEIGHT = 2.0
BODY_WEIGHT = 1.0
_SATURATION = 1.2  # k1 of BM25
_BODY_TERMS = 60  # in a longer body a word counts for less, as with BM25's b, but without knowing the other bodies

_REQUEST_WEIGHT = 0.6  # what the person asks now, beside the query that was made for the search
_PATH_WEIGHT = 0.2  # what the session was about lately

_PRIOR_MEMORIES = 60  # words are judged as if there were at least so many memories: three memories know no rare words
_RAREST = 4.5  # above some size of the store "rare" says nothing more about relevance
_NEGLIGIBLE = 0.15  # what counts less is left out: it stands in very many memories and costs most of the time
MIN_SCORE = 2.6  # about one telling word in summary, tags or name
MIN_SCORE_OF_MOST = 1.5  # enough where most of what was asked is met
_MOST = 0.5
MIN_SHARE_OF_BEST = 0.4

TermWeights = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for: the query, the person's current request, a digest of the recent path. Any may be empty."""

    query: str
    user_request: str = ""
    path_summary: str = ""


@dataclass(frozen=True, slots=True)
class _Facet:
    """One word of the question with the terms that answer it, each with what it is worth."""

    weight: float
    answers: tuple[tuple[str, float], ...]


def memory_terms(name: str, summary: str, tags: Iterable[str], body: str) -> dict[str, float]:
    """The terms of one memory with their saturated weights. They depend on this memory only: made once per file version."""
    weights: dict[str, float] = {}
    body_terms = list(terms(body))
    body_weight = BODY_WEIGHT * min(1.0, math.sqrt(_BODY_TERMS / max(1, len(body_terms))))
    tagged = terms("\n".join(tags))
    fields = ((terms(name), NAME_WEIGHT), (terms(summary), SUMMARY_WEIGHT), (tagged, TAG_WEIGHT), (body_terms, body_weight))
    for found, field_weight in fields:
        for term in found:
            for key in (term.key, *(topic for topic, _ in term.also)):
                weights[key] = weights.get(key, 0.0) + term.weight * field_weight
    return {key: weight * (_SATURATION + 1) / (weight + _SATURATION) for key, weight in weights.items()}


class LexicalIndex:
    """Postings of all memories in memory; one changed memory costs its own words only."""

    def __init__(self) -> None:
        self._postings: dict[str, dict[str, float]] = {}
        self._terms: dict[str, TermWeights] = {}

    @staticmethod
    def build(memories: Iterable[tuple[str, TermWeights]]) -> LexicalIndex:
        """An index over ``(memory id, memory_terms(…))``."""
        index = LexicalIndex()
        for memory_id, weights in memories:
            index.put(memory_id, weights)
        return index

    def put(self, memory_id: str, weights: TermWeights) -> None:
        """Add a memory, or replace its terms."""
        if memory_id in self._terms:
            self.remove(memory_id)
        self._terms[memory_id] = weights
        for key, weight in weights.items():
            self._postings.setdefault(key, {})[memory_id] = weight

    def remove(self, memory_id: str) -> None:
        """Forget a memory; nothing happens when it is not there."""
        for key in self._terms.pop(memory_id, {}):
            del self._postings[key][memory_id]
            if not self._postings[key]:
                del self._postings[key]

    def rank(self, question: Question, limit: int) -> list[tuple[str, float]]:
        """At most ``limit`` of ``(memory id, score)``, best first; none at all when nothing is related enough."""
        scores, enough = self._scores(question)
        near_best = MIN_SHARE_OF_BEST * max(scores.values(), default=0.0)
        related = {memory_id: score for memory_id, score in scores.items() if score >= max(near_best, enough[memory_id])}
        return _best_first(related)[:limit]

    def score(self, question: Question) -> list[tuple[str, float]]:
        """``(memory id, score)`` of all that have anything in common with the question, best first, however little it is."""
        return _best_first(self._scores(question)[0])

    def _scores(self, question: Question) -> tuple[dict[str, float], dict[str, float]]:
        """Scores by memory id, and the score that each memory must reach to be related."""
        scores: dict[str, float] = {}
        met: dict[str, float] = {}
        facets = _facets(question)
        for facet in facets:
            for memory_id, gain in self._gains(facet).items():
                scores[memory_id] = scores.get(memory_id, 0.0) + gain
                met[memory_id] = met.get(memory_id, 0.0) + facet.weight
        most = _MOST * sum(facet.weight for facet in facets)
        return scores, {memory_id: MIN_SCORE_OF_MOST if weight >= most else MIN_SCORE for memory_id, weight in met.items()}

    def _gains(self, facet: _Facet) -> dict[str, float]:
        """What each memory gets for one word of the question: the best of its answers, not their sum."""
        best: dict[str, float] = {}
        for key, worth in facet.answers:
            found = self._postings.get(key, {})
            value = facet.weight * worth * self._rarity(len(found))
            if value < _NEGLIGIBLE:
                continue
            for memory_id, weight in found.items():
                if value * weight > best.get(memory_id, 0.0):
                    best[memory_id] = value * weight
        return best

    def _rarity(self, memories_with_it: int) -> float:
        """Inverse document frequency as BM25 has it, bounded."""
        known = max(len(self._terms), _PRIOR_MEMORIES)
        return min(_RAREST, math.log(1 + (known - memories_with_it + 0.5) / (memories_with_it + 0.5)))


def _best_first(scores: Mapping[str, float]) -> list[tuple[str, float]]:
    """By score; of equals the newer memory first (ids begin with their time)."""
    return sorted(scores.items(), key=lambda item: (item[1], item[0]), reverse=True)


def _facets(question: Question) -> list[_Facet]:
    """One facet a word; said in several parts of the question, it counts once, where it counts most."""
    facets: dict[str, _Facet] = {}
    parts = ((question.query, 1.0), (question.user_request, _REQUEST_WEIGHT), (question.path_summary, _PATH_WEIGHT))
    for text, part_weight in parts:
        for term in terms(text):
            weight = part_weight * term.weight
            if term.key not in facets or facets[term.key].weight < weight:
                facets[term.key] = _Facet(weight, ((term.key, 1.0), *term.also))
    return list(facets.values())
