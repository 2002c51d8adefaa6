"""Turns a sentence in which somebody asks to keep something into the words of a memory: theirs, nothing added.

Owns: category, name, summary and tags by rule, what of a sentence may be kept, when two texts say the same.
Must not know: nodes, tools, files. Pure.
"""

from __future__ import annotations

import re
import unicodedata

from soong_memoryd.llm.leads import ABOUT_SELF, LEADS, NEGATIONS, POINTERS, PROJECT, RULES, TAILS, TO_THE_AGENT
from soong_memoryd.text.terms import Term, terms
from soong_memoryd.text.vocabulary import COMMON_WORDS, STOP_PIECES, STOP_WORDS

MAX_SUMMARY_CHARS = 200
MAX_TAGS = 3
_MAX_TAG_CHARS = 24
_MAX_NAME_WORDS = 5
_MAX_NAME_BYTES = 60
_SAME_SHARE = 0.8
_MIN_LEFT_WEIGHT = 1.5  # of a sentence that held a secret: less is a remark about the secret

REDACTED = "[REDACTED"
_LINK = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,15}://[^\s，。；]+|(?<![\w/.])(?:~|\.{1,2})?/[\w.-]+/[\w./-]+|\b[a-z]:\\\S+", re.IGNORECASE
)
_AND = r"(?:and|but|also|und|et|y|e|и)\s"
_THAT = r"(?:that|dass|que|che|что)\s"
_CLAUSES = re.compile(rf"(?:[,，;；、。]\s*(?:{_AND}\s*)?|\s+{_AND}\s*)(?:{_THAT}\s*)?|还有|另外|而且|并且", re.IGNORECASE)
_WORDS = re.compile(r"[^\W_]+")
_JOINED_WORD = re.compile(r"[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_TELL_NOTHING = STOP_WORDS | COMMON_WORDS | POINTERS
_STOP_RUN = re.compile("|".join(sorted(map(re.escape, STOP_PIECES), key=lambda piece: (-len(piece), piece))))


def _any(patterns: tuple[str, ...], before: str = "", after: str = "") -> re.Pattern[str]:
    return re.compile("|".join(f"{before}(?:{pattern}){after}" for pattern in patterns), re.IGNORECASE)


_LEAD = _any(LEADS, before=r"^\W*", after=r"\s*[,，:：]?\s*")
_TAIL = _any(TAILS, after=r"\W*$")
_RULE, _SELF, _AGENT, _NEGATION = _any(RULES), _any(ABOUT_SELF), _any(TO_THE_AGENT), _any(NEGATIONS)
_PROJECT = _any(PROJECT)


def core(sentence: str) -> str:
    """The sentence without the words that only ask to keep it; empty when there is nothing else."""
    text = sentence.strip()
    while found := _LEAD.match(text):
        if not found.end():
            break
        text = text[found.end() :]
    text = _TAIL.sub("", text).strip()
    return text if _subject(text) else ""


def kept_clauses(sentence: str) -> tuple[str, ...]:
    """What of a sentence may be kept: all of it, or of one with a secret the clauses that say something else."""
    if REDACTED not in sentence:
        return (sentence,)
    return tuple(clause for part in _CLAUSES.split(sentence) if _says_something(clause := part.strip()))


def _says_something(clause: str) -> bool:
    """Whether a clause beside a secret is more than a remark about it: enough of its own, or something about the person."""
    subject = [] if REDACTED in clause else _subject(core(clause))
    return bool(subject) and (_SELF.search(clause) is not None or sum(term.weight for term in subject) >= _MIN_LEFT_WEIGHT)


def about_the_project(text: str) -> bool:
    """Whether the matter is the code at hand and not the person: a memory of the person is no place for it."""
    return _PROJECT.search(text) is not None and _SELF.search(text) is None


def category(text: str) -> str:
    """``feedback`` for a rule to the agent, ``reference`` where a link or path is the matter, else ``user``."""
    about_self = _SELF.search(text) and not _AGENT.search(text)
    if not about_self and (_RULE.search(text) or _AGENT.search(text)):
        return "feedback"
    return "reference" if _LINK.search(text) else "user"


def name(text: str) -> str:
    """A file name's words: the first that tell something, joined by ``-``; letters and digits of one script a word."""
    chosen: list[str] = []
    for word in _telling_words(text):
        if len("-".join([*chosen, word]).encode()) > _MAX_NAME_BYTES:
            break
        chosen.append(word)
        if len(chosen) == _MAX_NAME_WORDS:
            break
    return "-".join(chosen) or "note"


def tags(text: str) -> list[str]:
    """A few of the telling words, in lower case."""
    words = [word for word in _telling_words(text) if not word.isdigit() and len(word) <= _MAX_TAG_CHARS]
    return words[:MAX_TAGS]


def summary(text: str) -> str:
    """The text on one line, cut at a word if it is too long."""
    line = " ".join("".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text).split())
    if len(line) <= MAX_SUMMARY_CHARS:
        return line
    head = line[: MAX_SUMMARY_CHARS - 1]
    at_word = head.rfind(" ")
    return f"{head[:at_word] if at_word > MAX_SUMMARY_CHARS // 2 else head}…"


def says_the_same(text: str, known: str) -> bool:
    """Whether nearly all that ``text`` tells stands in ``known``, and neither denies what the other claims."""
    said = {term.key: term.weight for term in _subject(text)}
    if not said or bool(_NEGATION.search(text)) != bool(_NEGATION.search(known)):
        return False
    there = {term.key for term in terms(known)}
    return sum(weight for key, weight in said.items() if key in there) >= _SAME_SHARE * sum(said.values())


def _subject(text: str) -> list[Term]:
    """The terms of a text that are no mere pointers to something said before."""
    return [term for term in terms(text) if term.key not in POINTERS]


def _telling_words(text: str) -> list[str]:
    """Words and runs of CJK characters that tell something, folded, each once."""
    found: dict[str, None] = {}
    plain = unicodedata.normalize("NFKC", _LINK.sub(" ", text)).casefold()
    for match in _WORDS.finditer(plain):
        pieces = _STOP_RUN.split(match.group()) if _JOINED_WORD.search(match.group()) else [match.group()]
        for piece in pieces:
            word = unicodedata.normalize("NFKC", piece)
            if len(word) > 1 and word not in _TELL_NOTHING and _is_plain(word):
                found[word] = None
    return list(found)


def _is_plain(word: str) -> bool:
    """Letters of one script, or East Asian ones, and ASCII digits: what a file name may hold."""
    scripts = {unicodedata.name(c, "?").split(" ", 1)[0] for c in word if not (c.isascii() and c.isdigit())}
    western = scripts - {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "IDEOGRAPHIC"}
    return len(western) <= 1 and all(unicodedata.category(c)[0] == "L" or (c.isascii() and c.isdigit()) for c in word)
