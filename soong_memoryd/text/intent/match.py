"""Whether a message asks to keep something.

Owns: how phrase tables are applied to sentences. Must not know any phrase, nodes, jobs or memories. It decides only
whether to look now; a wrong yes costs one look, a wrong no some minutes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from soong_memoryd.text.fold import fold, fold_letters
from soong_memoryd.text.intent.languages import LANGUAGES
from soong_memoryd.text.intent.literals import LiteralIndex, shortest
from soong_memoryd.text.intent.phrases import Phrases
from soong_memoryd.text.intent.sentences import Sentence, sentences

_HINTS = LiteralIndex((hint, table) for table in LANGUAGES for hint in shortest(table.folded_hints))
_WORDS = re.compile(r"\w+(?:'\w+)?")
_KANA = re.compile("[\u3041-\u30ff]")
_ASSENTS = frozenset(word for table in LANGUAGES for word in _WORDS.findall(fold_letters(table.assents)))
_MAX_ASSENT_WORDS = 5
_MAX_ASSENT_CHARS = 60
_BACKWARD_MAX_CHARS = 60
_KINDS_OF_A_QUESTION = ("keeps", "requests")
_KINDS = (*_KINDS_OF_A_QUESTION, "rules", "wishes", "preferences")
_VOIDED_BY = {
    "keeps": ("vetoes", "roles", "one_off"),
    "requests": ("vetoes", "roles", "one_off"),
    "rules": ("vetoes", "roles"),
    "wishes": ("vetoes", "roles", "one_off"),
    "preferences": ("vetoes", "roles", "one_off", "choices"),
}
"""What makes a kind of phrase count for nothing."""


def explicit_wish(text: str) -> bool:
    """Whether typed prose of the message wishes something kept, sets a standing rule, or states a lasting preference."""
    return next(_wishing(sentences(text)), None) is not None


def keep_wish(text: str) -> bool:
    """Whether the message asks to keep what was said or shown before ("save that", "keep that link", 记住这个)."""
    judged = sentences(text)
    return any(_keeps(sentence, tables) for sentence, tables in zip(judged, _tables(judged), strict=True))


def wish_sentences(text: str) -> list[str]:
    """The sentences that hold a wish, a rule or a preference, in the person's own words, whitespace runs as one space.

    Where the wish only points back ("remember this"), the sentence before it in the same message stands for it.
    """
    judged = sentences(text)
    tables = _tables(judged)
    chosen: dict[str, None] = {}
    for index in _wishing(judged):
        points_back = len(judged[index].folded) <= _BACKWARD_MAX_CHARS and _keeps(judged[index], tables[index])
        sentence = judged[index - 1] if points_back and index else judged[index]
        chosen[" ".join(text[sentence.start : sentence.end].split())] = None
    return list(chosen)


def bare_assent(text: str) -> bool:
    """Whether the message only agrees or thanks ("yes", "ok, go ahead", 好的): alone it proves nothing."""
    folded = fold(text)
    if len(folded) > _MAX_ASSENT_CHARS:
        return False
    words = _WORDS.findall(fold_letters(folded))
    return len(words) <= _MAX_ASSENT_WORDS and all(word in _ASSENTS for word in words)


def _tables(judged: Sequence[Sentence]) -> list[list[Phrases]]:
    """For each sentence the tables worth asking: a hint is there, and not Chinese where kana say that it is Japanese."""
    text = "\n".join(sentence.folded for sentence in judged)
    starts = list(accumulate((len(sentence.folded) + 1 for sentence in judged), initial=0))
    left_out = "zh" if _KANA.search(text) else ""
    asked: list[dict[str, Phrases]] = [{} for _ in judged]
    for hint, table in _HINTS.found_in(text):
        if table.language != left_out:
            for place in _places(hint, text):
                asked[bisect_right(starts, place) - 1][table.language] = table
    return [list(tables.values()) for tables in asked]


def _places(literal: str, text: str) -> Iterator[int]:
    place = text.find(literal)
    while place >= 0:
        yield place
        place = text.find(literal, place + len(literal))


def _wishing(judged: Sequence[Sentence]) -> Iterator[int]:
    """Indices of the sentences that wish; none in a brief, nor in material that the person only hands over."""
    if not judged or any(table.says("roles", judged[0].folded) for table in LANGUAGES):
        return
    in_material = False
    for index, (sentence, tables) in enumerate(zip(judged, _tables(judged), strict=True)):
        in_material = in_material and not sentence.follows_blank_line
        if in_material:
            continue
        handover = _handover(sentence.folded)
        words = sentence.folded[:handover]
        if any(_wishes(words, sentence, table) for table in tables):
            yield index
        if handover is not None:
            if sentence.opens_block or not sentence.folded[handover:].strip():
                return
            in_material = True


def _wishes(words: str, sentence: Sentence, table: Phrases) -> bool:
    kinds = _KINDS_OF_A_QUESTION if _asks(sentence, table) else _KINDS
    heads = table.clause_heads(words)
    return any(table.says(kind, words, heads) and not _is_void(kind, words, table) for kind in kinds)


def _keeps(sentence: Sentence, tables: Sequence[Phrases]) -> bool:
    words = sentence.folded[: _handover(sentence.folded)]
    return any(
        table.says("keeps", words, table.clause_heads(words)) and not _is_void("keeps", words, table) for table in tables
    )


def _is_void(kind: str, words: str, table: Phrases) -> bool:
    return any(table.says(void, words) for void in _VOIDED_BY[kind])


def _asks(sentence: Sentence, table: Phrases) -> bool:
    asks = sentence.is_question or table.says("asks", sentence.folded)
    return asks and not table.says("tags", sentence.folded)


def _handover(folded: str) -> int | None:
    """Where in the sentence material begins that the person only hands over ("translate this: …")."""
    if ":" not in folded:
        return None
    ends = (found.end() for table in LANGUAGES if (found := table.find("handovers", folded)))
    return min(ends, default=None)
