"""Whether a memory is an order in disguise: text that would steer an agent instead of telling it something.

Owns: how a text is looked at. Must not know: evidence, secrets, who proposed the memory. The patterns are data
(``instruction_patterns``). What a user wants from agents is full of imperatives ("always run ruff before committing"), so an
imperative alone is never suspicious; what is refused is what no preference needs.
"""

from __future__ import annotations

import re
import unicodedata

from soong_memoryd.memories.instruction_patterns import INSTRUCTION_PATTERNS
from soong_memoryd.text.fold import fold

MAX_ENCODED_CHARS = 80
"""A longer unbroken run of base64 characters is content that nobody reads."""


def suspicious(text: str) -> str | None:
    """The name of the rule that a text breaks (``hidden_text``, ``encoded``, or a pattern's), or None.

    It is looked at line by line and as a whole, and with letters of other alphabets that look like Latin ones replaced.
    """
    if _HIDDEN.search(text):
        return "hidden_text"
    if any(_is_mixed(run) for run in _ENCODED.findall(unicodedata.normalize("NFKC", text))):
        return "encoded"
    lines = "\n".join(fold(line) for line in text.splitlines())
    whole = lines.replace("\n", " ")
    views = dict.fromkeys((lines, whole, lines.translate(_LOOK_ALIKES), whole.translate(_LOOK_ALIKES)))
    return next((rule for rule, pattern in _COMPILED if any(pattern.search(view) for view in views)), None)


def _is_mixed(run: str) -> bool:
    """Whether a run of base64 characters is base64: a path has more slashes, a word or hash fewer kinds of characters."""
    kinds = (str.isupper, str.islower, str.isdigit)
    return all(any(kind(char) for char in run) for kind in kinds) and run.count("/") * 12 < len(run)


_COMPILED = tuple((rule, re.compile(pattern)) for rule, patterns in INSTRUCTION_PATTERNS.items() for pattern in patterns)
_ENCODED = re.compile(rf"[A-Za-z0-9+/_-]{{{MAX_ENCODED_CHARS + 1},}}={{0,2}}")
# Changed reading direction, tag characters (a flag has fewer), runs without width: they show one text and hold another.
_HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0001]|[\U000e0020-\U000e007f]{8,}|[\u200b\u2060-\u2064\ufeff]{4,}")
_LOOK_ALIKES = str.maketrans("аеорсухіјѕԁԛԝһӏοαικτρ", "aeopcyxijsdqwhloaiktp")
