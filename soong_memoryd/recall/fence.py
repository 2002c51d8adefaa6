"""Makes foreign text harmless inside our tags: whatever it says, it opens and closes none of them.

Owns: what looks like a tag to a lenient reader, and how it is written instead. Must not know: memories, prompts, models.
Escapes, never deletes: a text from which something is cut can be made to close up to what was cut. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# What a reader may take for "<", and for ">".
_OPENERS = frozenset("<‹˂᚜ᐸ≺≪«⋖❬❮❰〈《⟨⟪⦑⧼⪡⪻﹤＜〈𝈶ᚲ")
_CLOSERS = frozenset(">›˃ᐳ≻≫»⋗❭❯❱〉》⟩⟫⦒⧽⪢⪼﹥＞〉𝈷")
_SKIPPED = frozenset("/\\⁄∕╱⧸／＼⟋⟍⧵﹨\"'`*_.:-\u3164\u115f\u1160\uffa0\u2800")  # slashes, quotes, blanks that are letters

# Letters of other scripts that look like the Latin ones our words are made of; compatibility forms are folded by NFKC.
_LOOKALIKES = {
    "a": "аɑαᴀꓮ", "b": "ьвʙ", "c": "сϲᴄꓚ", "d": "ԁᴅꓓ", "e": "еєҽε℮ᴇꓰᎬꭼ3", "f": "ꓝꬵ", "g": "ɡց", "h": "һհʜꓧ", "i": "іıɩιɪꓲ",
    "k": "кκᴋ", "l": "ӏʟꓡ1", "m": "мᴍꓟᎷꮇ", "n": "пոɴꓠ", "o": "оοօσᴏꓳ0", "p": "рρᴘꓑ", "r": "гᴦʀꭇꓣᎡꭱ", "s": "ѕꜱꓢ5", "t": "тτᴛꓔ",
    "u": "υսᴜꓴ", "v": "νѵᴠ", "x": "хχ", "y": "уγүʏꓬ",
}  # fmt: skip
_LATIN = {lookalike: letter for letter, lookalikes in _LOOKALIKES.items() for lookalike in lookalikes}
_LETTER_BLOCKS = (0x1F150, 0x1F170, 0x1F1E6)  # A to Z as signs that NFKC leaves alone: 🅐 🅰 🇦

_OUR_WORDS = ("memor",)  # ours: escaped even when spaced out
_ROLE_WORDS = (  # a model may take these for a change of speaker
    "system", "assistant", "user", "human", "developer", "tool", "function", "instruction", "inst", "imstart", "imend", "antml",
    "query", "request", "path", "|",
)  # fmt: skip
_HARMLESS = re.compile(r"[\t\n -%'-;=-~]*")  # most bodies
_ENTITY = re.compile(r"&(?=(?:amp;){0,8}(?:lt|#0{0,8}60|#x0{0,8}3c)(?![0-9a-z]))", re.IGNORECASE)
_KEPT_CONTROLS = "\n\t\u200c\u200d"  # the two joiners are part of words and emoji; the comparison skips them
_ESCAPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def escape(text: str) -> str:
    """``text`` in which nothing opens or closes a tag of ours, or one that pretends to be a role.

    A ``<`` or a look-alike before such a word becomes ``&lt;``, also when accents, invisible characters, other scripts or
    (for our own word) spaces hide the word. Invisible and control characters become visible (``\\u{202e}``), a literal
    ``&lt;`` becomes ``&amp;lt;``. Everything else, ``a < b`` and ``<div>`` included, stays as it is.
    """
    if _HARMLESS.fullmatch(text):
        return text
    plain = _ENTITY.sub("&amp;", text.replace("\r\n", "\n").replace("\r", "\n"))
    written: list[str] = []
    spaced: list[str] = []  # what a lenient reader sees, whitespace kept
    openers: list[tuple[int, int]] = []  # (index in written, index in spaced) of each "<"
    for character in plain:
        seen, shown = _read(character)
        if seen == "<":
            openers.append((len(written), len(spaced)))
        elif seen:
            spaced.append(seen)
        written.append(shown)
    if openers:
        for index in _tags("".join(spaced), openers):
            written[index] = "&lt;"
    return "".join(written)


def escape_attribute(text: str) -> str:
    """``text`` as the value of an attribute in double quotes."""
    return escape(text).replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


def escape_line(text: str) -> str:
    """``escape`` for what must stay on one line."""
    return " ".join(escape(text).split())


def _tags(spaced: str, openers: list[tuple[int, int]]) -> list[int]:
    """The openers (as indices of written characters) that begin a tag."""
    close_up, positions = [], [0]  # positions: of each character of ``spaced`` in the text without whitespace
    for character in spaced:
        if not character.isspace():
            close_up.append(character)
        positions.append(len(close_up))
    closed_up = "".join(close_up)
    return [
        index
        for index, at in openers
        if spaced.startswith(_ROLE_WORDS, at)
        or closed_up.startswith(_OUR_WORDS, positions[at])
        or any(closed_up.startswith(f"{word}>", positions[at]) for word in _ROLE_WORDS)
    ]


@lru_cache(maxsize=4096)
def _read(character: str) -> tuple[str, str]:
    """(what a lenient reader sees: "<", ">", a space, Latin letters, or "" for nothing; how the character is written)."""
    category = unicodedata.category(character)
    shown = character
    if category in _ESCAPED_CATEGORIES and character not in _KEPT_CONTROLS:
        shown = f"\\u{{{ord(character):x}}}"
    if character.isspace():
        return " ", shown
    if character in _SKIPPED or category in _ESCAPED_CATEGORIES:
        return "", shown
    bare = "".join(c for c in unicodedata.normalize("NFKD", character) if unicodedata.category(c) not in ("Mn", "Me"))
    if bare[:1] in _OPENERS and bare:
        return "<", shown
    if bare[:1] in _CLOSERS and bare:
        return ">", shown
    for first in _LETTER_BLOCKS:
        if first <= ord(character) < first + 26:
            return chr(ord("a") + ord(character) - first), shown
    return "".join(_LATIN.get(c, c) for c in bare.casefold() if c not in _SKIPPED), shown
