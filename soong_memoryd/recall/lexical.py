"""Which memories fit a question by their words alone: BM25 with fields, synonyms, topics, and bars for what is too weak.

Owns: weights of fields and of parts of a question, the ranking, what is too weak to be shown.
Must not know: files, models, sessions, how words are taken apart (``text.terms``).
Ranking after Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields" (2004): the weights of
fields are summed before saturation, so a word that stands in summary and tags does not count as two words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from soong_memoryd.text.terms import is_topic, terms

NAME_WEIGHT = 1.6
TAG_WEIGHT = 1.6
SUMMARY_WEIGHT = 2.0
BODY_WEIGHT = 0.8
_SATURATION = 1.2  # k1 of BM25
_BODY_TERMS = 60  # in a longer body a word counts for less, as with BM25's b, but without knowing the other bodies

_REQUEST_WEIGHT = 0.6  # what the person asks now, beside the query that was made for the search
_PATH_WEIGHT = 0.2  # what the session was about lately

_PRIOR_MEMORIES = 60  # words are judged as if there were at least so many memories: three memories know no rare words
_RAREST = 4.5  # above some size of the store "rare" says nothing more about relevance
_NEGLIGIBLE = 0.15  # what counts less is left out: it stands in very many memories and costs most of the time
MIN_SCORE = 3.2  # about one telling word in summary, tags or name
MIN_SCORE_OF_MOST = 1.5  # enough where most of what was asked is met
_MOST = 0.5

# Shares of the best score, by what a memory has in common with the question.
MIN_SHARE_BY_WORDS = 0.42  # a telling word itself
MIN_SHARE_BY_TOPIC = 0.5  # little more than topics: neighbours of the subject
MIN_SHARE_OF_SAME = 0.7  # nothing but what the best memory has in common with it too, and more so
_BY_WORDS_SCORE = 4.0  # how much must come from words, not topics: about one that tells something

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
            for key in (term.key, *(key for key, _ in term.also)):
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
        facets = _facets(question)
        gains = [self._gains(facet) for facet in facets]
        scores = _sums(gains)
        best_score, best_id = max(((score, memory_id) for memory_id, score in scores.items()), default=(0.0, ""))
        weakest = max(MIN_SCORE_OF_MOST, MIN_SHARE_BY_WORDS * best_score)
        related: list[tuple[str, float]] = []
        for memory_id, score in _best_first({memory_id: score for memory_id, score in scores.items() if score >= weakest}):
            if len(related) == limit:
                break
            enough = score >= MIN_SCORE or _meets_most(memory_id, facets, gains)
            if enough and score >= self._share(memory_id, best_id, facets, gains) * best_score:
                related.append((memory_id, score))
        return related

    def score(self, question: Question) -> list[tuple[str, float]]:
        """``(memory id, score)`` of all that have anything in common with the question, best first, however little it is."""
        return _best_first(_sums(self._gains(facet) for facet in _facets(question)))

    def _share(self, memory_id: str, best_id: str, facets: Sequence[_Facet], gains: Sequence[TermWeights]) -> float:
        """Which share of the best memory's score this one must reach."""
        if all(gain.get(memory_id, 0.0) <= gain.get(best_id, 0.0) for gain in gains):
            return MIN_SHARE_OF_SAME
        by_words = 0.0
        for facet in facets:
            by_words += max(self._gain(facet.weight, *answer, memory_id) for answer in facet.answers if not is_topic(answer[0]))
            if by_words >= _BY_WORDS_SCORE:
                return MIN_SHARE_BY_WORDS
        return MIN_SHARE_BY_TOPIC

    def _gain(self, facet_weight: float, key: str, worth: float, memory_id: str) -> float:
        found = self._postings.get(key, {})
        return facet_weight * worth * self._rarity(len(found)) * found.get(memory_id, 0.0)

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


def _sums(gains: Iterable[TermWeights]) -> dict[str, float]:
    scores: dict[str, float] = {}
    for gain in gains:
        for memory_id, value in gain.items():
            scores[memory_id] = scores.get(memory_id, 0.0) + value
    return scores


def _meets_most(memory_id: str, facets: Sequence[_Facet], gains: Sequence[TermWeights]) -> bool:
    met = sum(facet.weight for facet, gain in zip(facets, gains, strict=True) if memory_id in gain)
    return met >= _MOST * sum(facet.weight for facet in facets)


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
