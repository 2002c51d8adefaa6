"""What a language's phrases are made of.

Owns: the shape of a phrase table and its compiled form. Must not know any language, nor how sentences are found.

Patterns are regular expressions over folded sentences (``fold_letters``: lower case, no accents, ASCII punctuation where
NFKC gives one, ``'`` for every apostrophe); they are stripped of accents as well, so they may be written with them.
Gaps are bounded (``.{0,40}``) and so are the sentences they meet: matching takes a bounded time for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from soong_memoryd.text.fold import plain_letters

_NOTHING = r"(?!)"

CLAUSE = "<clause>"
"""At the head of a pattern: it holds where a clause may start, after any of ``clause_starts``."""


@dataclass(frozen=True)
class Phrases:
    """How one language asks for memory, and how it sounds when it does not.

    ``hints``: literals, with ``|`` between them, of which every sentence worth a look holds one (a cheap first question).
    ``clause_starts``: what may stand before a clause that a pattern with ``CLAUSE`` describes.
    ``wishes``: asks to keep something; void in a question or when it concerns one step only.
    ``rules``: sets how things are to be done from now on; void in a question.
    ``preferences``: says what the person generally wants; void in a question, a choice at hand, or for one step only.
    ``requests``: wishes and rules in the form of a question.
    ``keeps``: asks to keep what was just said; may be a question or not.
    ``one_off``: limits a sentence to the work at hand. ``choices``: picks one of several things at hand.
    ``vetoes``: the sentence is about something else whatever it holds (a role, a product, somebody else's words).
    ``roles``: the whole message is a role or a brief when it begins so.
    ``handovers``: what follows the colon is material, not the person's word.
    ``asks``: marks a question without a question mark. ``tags``: question endings that ask nothing.
    ``assents``: words, with ``|`` between them, of messages that only agree.
    """

    language: str
    hints: str
    clause_starts: str = "^"
    wishes: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    one_off: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    vetoes: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    handovers: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    assents: str = ""

    @cached_property
    def compiled_starts(self) -> re.Pattern[str]:
        """What may stand before a clause."""
        return _any_of([self.clause_starts])

    @cached_property
    def folded_hints(self) -> tuple[str, ...]:
        """The hints as they appear in folded text."""
        return tuple(plain_letters(hint) for hint in self.hints.split("|"))

    def clause_heads(self, sentence: str) -> tuple[int, ...]:
        """Where in a folded sentence a clause may start."""
        return tuple(dict.fromkeys(start.end() for start in self.compiled_starts.finditer(sentence)))

    def says(self, kind: str, sentence: str, clause_heads: tuple[int, ...] = ()) -> bool:
        """Whether a folded sentence holds a phrase of this kind: anywhere, or for clause patterns at one of the heads."""
        if self.find(kind, sentence):
            return True
        clause = self._pattern(kind, at_clauses=True)
        return any(clause.match(sentence, head) for head in clause_heads)

    def find(self, kind: str, sentence: str) -> re.Match[str] | None:
        """The first phrase of this kind that may stand anywhere in a folded sentence."""
        return self._pattern(kind, at_clauses=False).search(sentence)

    def _pattern(self, kind: str, *, at_clauses: bool) -> re.Pattern[str]:
        """All phrases of a kind as one pattern, compiled when first asked for: most languages are never seen."""
        key = (kind, at_clauses)
        if key not in self._compiled:
            chosen = (phrase for phrase in getattr(self, kind) if phrase.startswith(CLAUSE) == at_clauses)
            self._compiled[key] = _any_of(phrase.removeprefix(CLAUSE) for phrase in chosen)
        return self._compiled[key]

    @cached_property
    def _compiled(self) -> dict[tuple[str, bool], re.Pattern[str]]:
        return {}

    def hinted_places(self, folded: str) -> Iterator[int]:
        """Where in folded text its hints stand, in no order."""
        for hint in self.folded_hints:
            place = folded.find(hint)
            while place >= 0:
                yield place
                place = folded.find(hint, place + len(hint))


KINDS = (
    "wishes",
    "rules",
    "preferences",
    "requests",
    "keeps",
    "one_off",
    "choices",
    "vetoes",
    "roles",
    "handovers",
    "asks",
    "tags",
)


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{plain_letters(pattern)})" for pattern in patterns) or _NOTHING)
