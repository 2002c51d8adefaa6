"""The sentences of a message that are judged.

Owns: cutting typed prose into sentences, and how much of a long message is read. Must not know languages or wishes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from soong_memoryd.text.attachments import GAP
from soong_memoryd.text.fold import fold_letters
from soong_memoryd.text.typed import STAND_IN, mask_prose

HEAD_CHARS = 1500
TAIL_CHARS = 1500
"""Of long prose only this much is judged, from its beginning and from its end."""
MAX_SENTENCE_CHARS = 400

_END = re.compile(r"[.!?;…‽]+(?=[\s\x00\"'”’)\]*_]|$)|[。！？；｡؟؛।…‥]+|\x00+|[ \t\r]*\n[\s]*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|z\.b|d\.h|p\.s|p\.d|p\.ej|vs|etc|bzw|usw|ca|nr|no|mr|mrs|ms|dr|т\.е|т\.к|напр|min|max|\d{1,2})\.$",
    re.I,
)
_STAND_INS = re.compile(f"{STAND_IN}+")
_LIST_MARK = re.compile(r"^(?:[-*•·–—+]|\d{1,2}[.)、]|\(\d{1,2}\)|[a-z]\))\s*")
_INNER_LIST_MARK = re.compile(r": (?:[-*•·–—+]|\d{1,2}[.)、]) ")
_OPENS_BLOCK = re.compile(r"[:：][ \t]{0,8}\r?\n")
_DECORATION = re.compile(r"(?<!\w)[*_~]{1,3}(?=\S)|(?<=\S)[*_~]{1,3}(?!\w)|[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: where it stands in the message, and its folded words with one ``STAND_IN`` for each removed part.

    ``opens_block``: a colon in it ends a line.
    """

    start: int
    end: int
    folded: str
    follows_blank_line: bool
    opens_block: bool

    @property
    def is_question(self) -> bool:
        """Whether it ends with a question mark."""
        return self.folded[-3:].rstrip("!.) ").endswith(("?", "؟"))


def sentences(text: str) -> list[Sentence]:
    """The judged sentences of a message's typed prose, in order: all of a short one, head and tail of a long one."""
    prose = mask_prose(text)
    spans = _spans(prose)
    return [_sentence(prose, start, end) for start, end in _head_and_tail(spans)]


def _spans(prose: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    for mark in _END.finditer(prose):
        if _goes_on(prose, start, mark):
            continue
        end = mark.start() if mark.group()[0] in f"{GAP}\n \t\r" else mark.end()
        if prose[start:end].strip(f"{GAP}{STAND_IN} \t\r\n"):
            spans.append((start, end))
        start = mark.end()
    if prose[start:].strip(f"{GAP}{STAND_IN} \t\r\n"):
        spans.append((start, len(prose)))
    return spans


def _goes_on(prose: str, start: int, mark: re.Match[str]) -> bool:
    """Whether a sentence runs on over ``mark``: an abbreviation, a colon before a line break, a wrapped line."""
    ending = mark.group()
    before = prose[max(start, mark.start() - 12) : mark.start()]
    if ending == ".":
        return _ABBREVIATION.search(before + ending) is not None
    if "\n" not in ending or mark.start() == start:
        return False
    if before.endswith((":", "：")):
        return True
    after = prose[mark.end() : mark.end() + 1]
    return ending.count("\n") == 1 and after.islower() and not before.endswith((".", "!", "?"))


def _head_and_tail(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    total = sum(end - start for start, end in spans)
    if total <= HEAD_CHARS + TAIL_CHARS:
        return spans
    head = _within(spans, HEAD_CHARS)
    tail = _within(spans[len(head) :][::-1], TAIL_CHARS)
    return head + tail[::-1]


def _within(spans: list[tuple[int, int]], budget_chars: int) -> list[tuple[int, int]]:
    taken: list[tuple[int, int]] = []
    for start, end in spans:
        budget_chars -= min(end - start, MAX_SENTENCE_CHARS)
        if budget_chars < 0:
            break
        taken.append((start, end))
    return taken


def _sentence(prose: str, start: int, end: int) -> Sentence:
    words = prose[start:end]
    shown = (
        words
        if len(words) <= MAX_SENTENCE_CHARS
        else words[: MAX_SENTENCE_CHARS // 2] + " " + words[-MAX_SENTENCE_CHARS // 2 :]
    )
    folded = _INNER_LIST_MARK.sub(": ", fold_letters(_DECORATION.sub("", _STAND_INS.sub(STAND_IN, shown))))
    gap = prose[max(0, start - 4) : start]
    return Sentence(
        start, end, _LIST_MARK.sub("", folded), gap.count("\n") > 1 or GAP in gap, _OPENS_BLOCK.search(words) is not None
    )
