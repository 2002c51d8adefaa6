"""What a language's phrases are made of.

Owns: the shape of a phrase table and its compiled form. Must not know any language, nor how sentences are found.

Patterns are regular expressions over folded sentences (``fold_letters``: lower case, no accents, ASCII punctuation where
NFKC gives one, ``'`` for every apostrophe); they are stripped of accents as well, so they may be written with them.
Gaps are bounded (``.{0,40}``) and so are the sentences they meet: matching takes a bounded time for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from soong_memoryd.text.fold import plain_letters
from soong_memoryd.text.intent.literals import LiteralIndex, shortest
from soong_memoryd.text.intent.required import required_literals

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
        return re.compile(plain_letters(self.clause_starts))

    @cached_property
    def folded_hints(self) -> tuple[str, ...]:
        """The hints as they appear in folded text."""
        return tuple(plain_letters(hint) for hint in self.hints.split("|"))

    def clause_heads(self, sentence: str) -> tuple[int, ...]:
        """Where in a folded sentence a clause may start."""
        return tuple(dict.fromkeys(start.end() for start in self.compiled_starts.finditer(sentence)))

    def says(self, kind: str, sentence: str, clause_heads: tuple[int, ...] = ()) -> bool:
        """Whether a folded sentence holds a phrase of this kind: anywhere, or for clause patterns at one of the heads."""
        if any(phrase.compiled.search(sentence) for phrase in self._likely(kind, sentence, at_clauses=False)):
            return True
        clauses = self._likely(kind, sentence, at_clauses=True) if clause_heads else ()
        return any(clause.compiled.match(sentence, head) for clause in clauses for head in clause_heads)

    def find(self, kind: str, sentence: str) -> re.Match[str] | None:
        """The first phrase of this kind that may stand anywhere in a folded sentence."""
        likely = sorted(self._likely(kind, sentence, at_clauses=False), key=_Phrase.place)
        found = (phrase.compiled.search(sentence) for phrase in likely)
        return min((match for match in found if match), key=re.Match.start, default=None)

    def _likely(self, kind: str, sentence: str, *, at_clauses: bool) -> Iterable[_Phrase]:
        """The phrases of a kind that the sentence may hold, going by their literals."""
        key = (kind, at_clauses)
        if key not in self._indexes:  # taken apart when first asked for: most languages are never seen
            chosen = (phrase for phrase in getattr(self, kind) if phrase.startswith(CLAUSE) == at_clauses)
            phrases = [_Phrase(plain_letters(phrase.removeprefix(CLAUSE)), place) for place, phrase in enumerate(chosen)]
            self._indexes[key] = LiteralIndex((literal, phrase) for phrase in phrases for literal in phrase.literals())
        return dict.fromkeys([phrase for _, phrase in self._indexes[key].found_in(sentence)])

    @cached_property
    def _indexes(self) -> dict[tuple[str, bool], LiteralIndex[_Phrase]]:
        return {}


class _Phrase:
    """One pattern, compiled when it is first tried."""

    def __init__(self, pattern: str, place: int) -> None:
        self._pattern = pattern
        self._place = place

    def place(self) -> int:
        """Its place in the table: of two that begin at one character the earlier one counts."""
        return self._place

    def literals(self) -> list[str]:
        """One of them is in every sentence that holds the phrase; the empty one, which is in all, when there is no telling."""
        return shortest(required_literals(self._pattern) or [""])

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self._pattern)


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
