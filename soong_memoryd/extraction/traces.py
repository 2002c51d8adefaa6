"""Whether a text was taken from another one: by its telling words, by a run of words, by an address in it.

Owns: these comparisons and their thresholds. Must not know: who wrote the texts, nodes, memories, proposals. Pure.
Of three texts one is judged (``written``), one may speak in it (``own``), and the others may not (``foreign``). A text whose
words stand nowhere is never taken from anywhere.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping

from soong_memoryd.memories.quoting import comparable, weight
from soong_memoryd.text.fold import strip_controls
from soong_memoryd.text.terms import Term, terms

MIN_BORROWED_WEIGHT = 1.5
"""Fewer telling words may be shared by chance."""
MIN_BORROWED_SHARE = 0.5
"""So much of the telling words must stand in one foreign text."""
BORROWED_TO_OWN = 2.0
"""And they must outweigh those that stand in ``own`` so many times."""
ALL_BUT_NOTHING = 0.9
"""What repeats so much of a text says nothing new."""
MIN_TERM_WEIGHT = 0.3
"""Words that occur in notes about anything tell nothing."""
MIN_RUN_WEIGHT = 24
"""Letters (``quoting.weight``) of a run of words that is copied, not met by chance."""

_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]{1,15}://[!-~]+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+"
    r"|(?:[\w-]{1,64}\.)+[a-z]{2,24}/[!-~]+|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]))",
    re.ASCII,
)
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]{1,15}://")
_UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_UNIT = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
_MIXED_WORD = re.compile(r"(?=\w*[a-z])(?=\w*[Α-ϿЀ-ӿ])\w+", re.IGNORECASE)
_LOOK_ALIKES = str.maketrans("аеорсухіјѕԁԛԝһӏοαικτρΑВЕКМНОРСТХаϲ", "aeopcyxijsdqwhloaiktpabekmhopctxac")


class Traces:
    """Compares texts; what one call found out about a text serves the next.

    Foreign texts are many and long: none is taken apart before there is something in ``written`` that could be from it.
    """

    def __init__(self) -> None:
        self._telling: dict[str, dict[str, Term]] = {}
        self._plain: dict[str, str] = {}

    def is_borrowed(self, written: str, own: str, foreign: Iterable[str]) -> bool:
        """Whether most telling words stand in one foreign text, and hardly any in ``own``."""
        telling, supported = self._terms(written), self.supported(written, own)
        enough = max(
            MIN_BORROWED_WEIGHT,
            MIN_BORROWED_SHARE * _sum(telling, telling),
            BORROWED_TO_OWN * _sum(telling, supported),
        )
        loose = telling.keys() - supported
        if _sum(telling, loose) < enough:  # no text holds more of them than all
            return False
        return any(_sum(telling, loose & self._terms(text).keys()) >= enough for text in foreign)

    def repeats(self, written: str, known: str) -> bool:
        """Whether nearly all telling words stand in ``known``."""
        telling = self._terms(written)
        return _sum(telling, telling.keys() & self._terms(known).keys()) >= ALL_BUT_NOTHING * _sum(telling, telling)

    def supported(self, text: str, own: str) -> Collection[str]:
        """The telling words of a text that stand in ``own``, or are about the same topic as one there."""
        given = self._terms(own)
        topics = {topic for term in given.values() for topic, _ in term.also}
        found = self._terms(text).items()
        return {key for key, term in found if key in given or any(topic in topics for topic, _ in term.also)}

    def is_copied(self, written: str, own: str, foreign: Iterable[str], said: str) -> bool:
        """Whether a run of words stands so in a foreign text and not in ``own``, and not all of it was ``said``."""
        given = self._comparable(own)
        runs = [run for run in _runs(self._comparable(written)) if run not in given]
        elsewhere = self._comparable("\n".join(foreign)) if runs else ""
        return any(run in elsewhere and len(self.supported(run, said)) < len(self._terms(run)) for run in runs)

    def has_foreign_address(self, written: str, own: str, foreign: Iterable[str]) -> bool:
        """Whether a web, mail or IP address stands in a foreign text and not in ``own``."""
        given = self._comparable(own)
        found = (_SCHEME.sub("", address) for address in _ADDRESS.findall(self._comparable(written)))
        stripped = (address.rstrip("/.,;:!?)]}>'\"") for address in found)
        addresses = [address for address in stripped if address and address not in given]
        elsewhere = self._comparable("\n".join(foreign)) if addresses else ""
        return any(address in elsewhere for address in addresses)

    def _terms(self, text: str) -> dict[str, Term]:
        if text not in self._telling:
            self._telling[text] = {term.key: term for term in terms(_readable(text)) if term.weight >= MIN_TERM_WEIGHT}
        return self._telling[text]

    def _comparable(self, text: str) -> str:
        if text not in self._plain:
            self._plain[text] = comparable(_readable(text))
        return self._plain[text]


def _runs(text: str) -> Iterator[str]:
    """Every shortest run of whole words that weighs enough."""
    units = [match.span() for match in _UNIT.finditer(text)]
    weights = [weight(text[start:end]) for start, end in units]
    last, total = 0, 0
    for first, (start, _) in enumerate(units):
        while last < len(units) and total < MIN_RUN_WEIGHT:
            total += weights[last]
            last += 1
        if total < MIN_RUN_WEIGHT:
            return
        yield text[start : units[last - 1][1]]
        total -= weights[first]


def _readable(text: str) -> str:
    """A text without characters that nobody sees, and words that mix alphabets in Latin letters."""
    shown = strip_controls(unicodedata.normalize("NFKC", text))
    return shown if shown.isascii() else _MIXED_WORD.sub(lambda word: word[0].translate(_LOOK_ALIKES), shown)


def _sum(among: Mapping[str, Term], keys: Iterable[str]) -> float:
    return math.fsum(among[key].weight for key in keys)  # in any order the same, and never more for fewer of them
