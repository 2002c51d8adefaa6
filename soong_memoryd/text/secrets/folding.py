"""A shadow of a text in which look-alike and invisible characters hide nothing, with the way back to the original.

Owns: which characters are dropped or replaced for scanning. Must not know: what a secret is.
Full-width punctuation (，。：！) stays as it is: it ends a token in Chinese and Japanese sentences, where its ASCII twin
might belong to the token; only ！ inside a run of letters and digits is taken for its twin.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass

_INVISIBLE = (
    "\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e007f\U000e0100-\U000e01ef"
)
_SPACES = "\u00a0\u2000-\u200a\u202f\u205f\u3000"
_LOOK_ALIKES = "\u24b6-\u24e9\uff10-\uff19\uff21-\uff3a\uff41-\uff5a＿－．＠＋／＝～＃＄％＆＊\U0001d400-\U0001d7ff"
_INNER_MARK = r"(?<=[A-Za-z0-9\uff10-\uff5a])！(?=[A-Za-z0-9\uff10-\uff5a])"
_FOLDABLE = re.compile(f"(?P<invisible>[{_INVISIBLE}]{{1,4096}})|[{_SPACES}{_LOOK_ALIKES}]|{_INNER_MARK}")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; ``original`` maps a position in it back.

    ``cuts`` are positions of the folded text before which characters were dropped, ``dropped`` how many in total.
    """

    text: str
    cuts: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()

    def original(self, position: int) -> int:
        """Return where the folded character at ``position`` stands in the original text."""
        index = bisect_right(self.cuts, position)
        return position + (self.dropped[index - 1] if index else 0)

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the original span of the non-empty folded span."""
        return self.original(start), self.original(end - 1) + 1


def fold_for_scanning(text: str) -> Folded:
    """Return ``text`` without invisible characters and with a plain one for each compatibility letter or space."""
    if text.isascii() or not _FOLDABLE.search(text):
        return Folded(text)
    pieces: list[str] = []
    cuts: list[int] = []
    dropped: list[int] = []
    position = total_dropped = 0
    for match in _FOLDABLE.finditer(text):
        pieces.append(text[position : match.start()])
        position = match.end()
        if match["invisible"]:
            total_dropped += match.end() - match.start()
            cuts.append(position - total_dropped)
            dropped.append(total_dropped)
        else:
            plain = unicodedata.normalize("NFKC", match[0])
            pieces.append(plain if len(plain) == 1 else match[0])
    pieces.append(text[position:])
    return Folded("".join(pieces), tuple(cuts), tuple(dropped))
