"""Whether a quote stands in a text, word for word, however a model has re-typed it.

Owns: what does not count as a difference. Must not know: nodes, roles, memories.
Both texts go through the same mapping, which merges spellings and never words. So width, case, spacing, quotation marks,
dashes, emphasis and escapes may differ; a word left out, added or changed may not.
"""

from __future__ import annotations

import html
import re
import unicodedata

from soong_memoryd.text.fold import fold

MIN_QUOTE_WEIGHT = 8
"""Letters and digits that a quote needs unless it is the whole text; a Chinese, Japanese or Korean character counts twice."""


def stands_in(quote: str, text: str) -> bool:
    """Whether ``quote`` is a run of whole words of ``text`` of enough weight, or all of it.

    Punctuation around the quote is not compared: a model may end it with a full stop or an ellipsis.
    """
    needle, hay = trimmed(comparable(quote)), comparable(text)
    if not needle:
        return False
    if weight(needle) < MIN_QUOTE_WEIGHT:
        return needle == trimmed(hay)
    # Cut inside a word it would be another word: "ever use tabs" of "never use tabs".
    before = f"(?<!{_SPACED})" if re.match(_SPACED, needle[0]) else ""
    after = f"(?!{_SPACED})" if re.match(_SPACED, needle[-1]) else ""
    return re.search(before + re.escape(needle) + after, hay) is not None


def comparable(text: str) -> str:
    """The form in which texts are compared."""
    plain = _ESCAPED_SPACE.sub(" ", unicodedata.normalize("NFKC", html.unescape(text)))
    return _GAP.sub("", fold(plain.translate(_TYPOGRAPHY)))


def trimmed(text: str) -> str:
    """A text without what is neither letter nor digit at both ends."""
    start, end = 0, len(text)
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return text[start:end]


def weight(text: str) -> int:
    """Letters and digits of a text; a Chinese, Japanese or Korean one counts twice."""
    return sum(2 if _CJK_CHAR.match(char) else 1 for char in text if char.isalnum())


_CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
_UNSPACED = _CJK + "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # and Thai, Lao, Burmese, Khmer: no spaces between words
_SPACED = rf"[^\W_{_UNSPACED}]"
_CJK_CHAR = re.compile(f"[{_CJK}]")
# Many models put a space between Chinese and Latin words where the user did not, or the other way round.
_GAP = re.compile(rf"(?<=[{_CJK}]) | (?=[{_CJK}])")
_ESCAPED_SPACE = re.compile(r"\\[nrt]")
_TYPOGRAPHY = str.maketrans(
    dict.fromkeys('"‘’‚‛“”„‟«»‹›「」『』′″´', "'")
    | dict.fromkeys("‐‑‒–—―−", "-")
    | {"。": ".", "、": ",", "〜": "~"}
    | dict.fromkeys("`*\\")  # emphasis, code marks and escapes come and go
)
