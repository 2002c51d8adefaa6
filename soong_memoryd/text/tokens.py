"""How large a text is to a model, without the model's tokenizer.

Owns: the estimate that budgets use and the lower bound that unmasks a silently cut prompt. Must not know models or budgets.
"""

from __future__ import annotations

import math
import re

_WIDE = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U0001f300-\U0001faff\U00020000-\U0003ffff]"
)
_ESTIMATED_OTHERS_PER_TOKEN = 4
_LOWEST_WIDE_TOKENS = 0.25
_LOWEST_OTHERS_PER_TOKEN = 8


def estimate_tokens(text: str) -> int:
    """Tokens, give or take: one a CJK character, kana, Hangul syllable or emoji, a quarter any other; 0 only for no text."""
    wide = _wide_characters(text)
    return wide + math.ceil((len(text) - wide) / _ESTIMATED_OTHERS_PER_TOKEN)


def lower_bound_tokens(text: str) -> int:
    """Fewer tokens than any known tokenizer needs: 0.25 a CJK character, an eighth any other, rounded down."""
    wide = _wide_characters(text)
    return math.floor(wide * _LOWEST_WIDE_TOKENS + (len(text) - wide) / _LOWEST_OTHERS_PER_TOKEN)


def _wide_characters(text: str) -> int:
    return 0 if text.isascii() else sum(1 for _ in _WIDE.finditer(text))
