"""Words, stems and CJK pieces of a text, for finding and comparing texts by the words they share.

Owns: how a text of any script falls apart into terms. Must not know: what is searched, weights of fields, scores.
Pure: no I/O, no clock.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from soong_memoryd.text.synonyms import SYNONYMS
from soong_memoryd.text.topics import TOPICS
from soong_memoryd.text.vocabulary import COMMON_PIECES, COMMON_WORDS, STOP_PIECES, STOP_WORDS

# Scripts written without spaces (Thai to Khmer, kana, Han) and Hangul, whose particles stick to the word.
_JOINED = (
    "\u0e00-\u0eff\u1100-\u11ff\u1780-\u17ff\u3005\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
_CHUNK = re.compile(rf"(?P<joined>[{_JOINED}]+)|(?:(?![{_JOINED}])[^\W_])+(?:['’\-](?:(?![{_JOINED}])[^\W_])+)*")
_ADDRESS = re.compile(
    r"\b[a-z][a-z0-9+.]{1,15}://(?P<site>[^\s/?#]*)"
    r"|(?<![a-z0-9_.+-])(?P<login>[a-z0-9_.+-]{1,64})@(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)+)",  # of people, or git over ssh
    re.IGNORECASE,
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SEAM = re.compile(r"['’]s\b|['’\-]")
_ONLY_HIRAGANA = re.compile(r"[\u3040-\u309f]+")
_MAX_WORD_CHARS = 40  # longer ones are hashes, keys or noise: nobody asks for them by name
_MAX_CHUNK_CHARS = 200  # the same for words joined by hyphens

_COMMON_WEIGHT = 0.25
_NUMBER_WEIGHT = 0.5
_PART_WEIGHT = 0.5  # parts of one name: PowerShell is above all PowerShell
_PAIR_WEIGHT = 0.5  # two neighbouring characters: often a word, sometimes the seam of two
_SINGLE_WEIGHT = 0.3
_KNOWN_SINGLE_WEIGHT = 0.8  # one character that is a known word: 删, 图
_GRAMMAR_WEIGHT = 0.1  # pairs of hiragana are mostly endings
_SYNONYM_WORTH = 0.85  # a word that means the same, against the word itself
_TOPIC_WORTH = 0.55  # another word of the same topic, against the word itself

# (ending, what replaces it, how many characters must stay). Light: two forms of a word are to meet, no dictionary word
# need come out. Plurals as in Harman's S stemmer (1991), then the endings of verbs and of nouns made from verbs.
_PLURALS = (("ies", "y", 2), ("sses", "ss", 2), ("shes", "sh", 2), ("ches", "ch", 2), ("xes", "x", 2), ("s", "", 3))
_VERBALS = (("ation", "", 7), ("ment", "", 4), ("ing", "", 3), ("ied", "y", 2), ("ed", "", 3), ("ly", "", 4), ("ion", "", 5))
_FORMS = """
written:writ wrote:writ ran:run sent:send built:build flew:fly flown:fly taught:teach learnt:learn ate:eat met:meet
meeting:meeting meetings:meeting setting:setting settings:setting evening:evening evenings:evening
indices:index axes:axi children:child people:person spent:spend paid:pay bought:buy news:news windows:windows
"""
_IRREGULAR = MappingProxyType(dict(pair.split(":") for pair in _FORMS.split()))


@dataclass(frozen=True, slots=True)
class Term:
    """One findable piece of a text. ``weight`` says how much it tells (1: an ordinary word).

    ``also``: the words that mean the same, as one key (``=meeting``), and the topics that it names (``~meeting``), each with
    what a match by it is worth against the word itself.
    """

    key: str
    weight: float
    also: tuple[tuple[str, float], ...] = ()


def is_topic(key: str) -> bool:
    """Whether a key stands for a topic, not for a word or what means the same."""
    return key.startswith("~")


@lru_cache(maxsize=32768)
def stem(word: str) -> str:
    """The stem of a case-folded English word; words in other letters pass unchanged."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not (word.isascii() and word.isalpha()):
        return word
    singular = word if word.endswith(("ss", "us", "is")) else _strip(word, _PLURALS)
    stripped = _strip(singular, _VERBALS)
    if stripped != singular and len(stripped) > 3 and stripped[-1] == stripped[-2] and stripped[-1] not in "aeioulsz":
        stripped = stripped[:-1]  # planning, planned: plan
    return stripped[:-1] if len(stripped) > 3 and stripped.endswith("e") else stripped


def terms(text: str) -> Iterator[Term]:
    """The terms of a text in order, addresses first, function words left out. What occurs twice comes twice."""
    previous = ""
    normal = unicodedata.normalize("NFKC", text)
    if "@" in normal or "://" in normal:
        for address in _ADDRESS.finditer(normal):
            yield from (Term(term.key, term.weight) for word in _address_words(address) for term in _word_terms(word, False))
        normal = _ADDRESS.sub(" ", normal)
    before: tuple[Term, ...] = ()  # of the word before, held back: it may be half of a name
    for match in _CHUNK.finditer(normal):
        chunk = match.group()
        if match["joined"] or len(chunk) > _MAX_CHUNK_CHARS:
            yield from before
            yield from _joined_terms(chunk) if match["joined"] else ()
            before, previous = (), ""
            continue
        folded = _folded(chunk)
        found = _word_terms(chunk, bool(previous) and chunk[0].isupper())
        pair = stem(previous + folded) if previous else ""
        if pair in _KNOWN:
            yield Term(pair, 1.0, _KNOWN[pair])
            before, found = _as_parts(before), _as_parts(found)
        yield from before
        before, previous = found, folded
    yield from before


def _as_parts(found: Iterable[Term]) -> tuple[Term, ...]:
    """Parts of a known name: an on-call rota is no phone call, so they name no topic of their own and tell less."""
    return tuple(Term(term.key, term.weight * _PART_WEIGHT) for term in found)


def _address_words(address: re.Match[str]) -> list[str]:
    """The host without port, ``www`` and top-level domain, and before a URL's without login; they name no topic.

    A wiki is where a note's subject is written down, not what it is about.
    """
    host = address["host"] or address["site"].rpartition("@")[2].partition(":")[0]
    labels = host.split(".")[:-1] or [host]
    login = re.split(r"[._+-]+", address["login"] or "")
    return [part for part in login if part] + [label for label in labels if label.casefold() not in {"www", "example"}]


@lru_cache(maxsize=32768)
def _word_terms(chunk: str, is_name: bool) -> tuple[Term, ...]:
    """A word, or several joined by hyphens; ``is_name``: it is written with a capital letter inside a text."""
    if _folded(chunk.replace("’", "'")) in STOP_WORDS:
        return ()
    parts = [part for part in _SEAM.split(chunk) if part]
    compound = stem("".join(map(_folded, parts)))
    if len(parts) == 1 or "-" not in chunk or len(compound) > _MAX_WORD_CHARS:
        return tuple(term for part in parts for term in _part_terms(part, is_name))
    whole = Term(compound, 1.0, _KNOWN.get(compound, ()))
    if whole.also:
        return (whole, *_as_parts(term for part in parts for term in _one_word(part, False)))
    return (whole, *(term for part in parts for term in _part_terms(part, is_name)))


def _part_terms(part: str, is_name: bool) -> Iterator[Term]:
    yield from _one_word(part, is_name)
    humps = _HUMP.split(part)
    for hump in humps if len(humps) > 1 else ():
        for term in _one_word(hump, False):
            yield Term(term.key, term.weight * _PART_WEIGHT, term.also)


def _one_word(word: str, is_name: bool) -> Iterator[Term]:
    folded = _folded(word)
    if folded in STOP_WORDS or len(folded) > _MAX_WORD_CHARS or (len(folded) == 1 and folded.isascii()):
        return
    weight = 1.0
    if folded in COMMON_WORDS and not is_name:  # "go on" says nothing, "learn Go" does
        weight = _COMMON_WEIGHT
    elif folded.isdigit():
        weight = _NUMBER_WEIGHT
    key = stem(folded)
    yield Term(key, weight, _KNOWN.get(key, ()))


def _joined_terms(run: str) -> Iterator[Term]:
    """Known words as they are, and pairs of neighbouring characters between function words (bigrams, as search engines do)."""
    start, at = 0, 0
    while at < len(run):
        word = _known_word_at(run, at)
        if not word:
            at += 1
            continue
        yield from _pairs(run[start:at])
        if word not in STOP_PIECES:
            weight = 1.0 if len(word) > 1 else _KNOWN_SINGLE_WEIGHT
            yield Term(word, _COMMON_WEIGHT if word in COMMON_PIECES else weight, _KNOWN.get(word, ()))
        at += len(word)
        start = at
    yield from _pairs(run[start:])


def _known_word_at(run: str, at: int) -> str:
    for length in range(min(_LONGEST_KNOWN, len(run) - at), 0, -1):
        piece = run[at : at + length]
        if piece in STOP_PIECES or piece in COMMON_PIECES or piece in _KNOWN:
            return piece
    return ""


def _pairs(run: str) -> Iterator[Term]:
    if len(run) == 1:
        yield Term(run, _SINGLE_WEIGHT)
    for first, second in pairwise(run):
        pair = first + second
        yield Term(pair, _GRAMMAR_WEIGHT if _ONLY_HIRAGANA.fullmatch(pair) else _PAIR_WEIGHT)


@lru_cache(maxsize=32768)
def _folded(word: str) -> str:
    """Case and accents taken off: ``Réunion`` and ``reunion`` are one word."""
    folded = word.casefold()
    if folded.isascii():
        return folded
    bare = "".join(c for c in unicodedata.normalize("NFD", folded) if unicodedata.category(c) != "Mn")
    return unicodedata.normalize("NFC", bare)


def _strip(word: str, endings: tuple[tuple[str, str, int], ...]) -> str:
    for ending, replacement, must_stay in endings:
        if word.endswith(ending):
            return word[: -len(ending)] + replacement if len(word) - len(ending) >= must_stay else word
    return word


def _known_words() -> MappingProxyType[str, tuple[tuple[str, float], ...]]:
    found: dict[str, dict[str, float]] = {}
    for group in SYNONYMS:
        for word in group:
            found.setdefault(stem(_folded(word.replace("-", ""))), {})[f"={group[0]}"] = _SYNONYM_WORTH
    for topic, words in TOPICS:
        for word in words.split():
            found.setdefault(stem(_folded(word.replace("-", ""))), {})[f"~{topic}"] = _TOPIC_WORTH
    return MappingProxyType({word: tuple(topics.items()) for word, topics in found.items()})


_KNOWN = _known_words()
_LONGEST_KNOWN = 6  # characters of the longest known word that is looked for
