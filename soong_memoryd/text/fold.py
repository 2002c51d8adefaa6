"""How texts are compared and shortened.

Owns: folding for comparison, one-line form, cutting without breaking a character. Must not know what a text means,
who wrote it, or where it goes.
"""

from __future__ import annotations

import re
import unicodedata

_SPACE = re.compile(r"\s+")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "´": "'", "＇": "'", "`": "'"})
_MARKS = re.compile("[\u0300-\u036f\u0610-\u061a\u0640\u064b-\u065f\u0670]")
_PLAIN = str.maketrans(
    "記後從開時會說請幫給別這個條點鏈結連網習慣歡寫問檔碼註釋測試復覆應該實現總務須還嗎沒經許準動隨來當對規則話語轉讓過無壞變專案體長簡單詳細煩麼為與麻訊設誤預議確認檢執討厭傾愛輸繁麗蘇頁鍵錄傳遠終統導號稱呼讀詞聽見隻",
    "记后从开时会说请帮给别这个条点链结连网习惯欢写问档码注释测试复复应该实现总务须还吗没经许准动随来当对规则话语转让过无坏变专案体长简单详细烦么为与麻讯设误预议确认检执讨厌倾爱输繁丽苏页键录传远终统导号称呼读词听见只",
)
_JOINER = "\u200d"
_LAYOUT = str.maketrans("\n\t", "  ")
_VIRAMA = 9  # the combining class of the signs that tie two Indic consonants together
_ELLIPSIS = "…"


def fold(text: str) -> str:
    """The form in which two texts are compared: NFKC, no format characters, one space for any whitespace, casefolded."""
    composed = unicodedata.normalize("NFKC", text)
    plain = composed.isascii() or composed.translate(_LAYOUT).isprintable()
    visible = composed if plain else "".join(c for c in composed if unicodedata.category(c) != "Cf")
    return _SPACE.sub(" ", visible).strip().casefold()


def fold_letters(text: str) -> str:
    """``fold`` and, on top, without accents, Arabic vowel signs and typographic apostrophes: how people type in a hurry.

    Letters that differ by more than a mark (``ł``, ``đ``, ``ı``) stay, and so do the signs of Japanese, Korean and Hindi.
    """
    return plain_letters(fold(text.translate(_APOSTROPHES)))


def plain_letters(text: str) -> str:
    """``text`` without accents and Arabic vowel signs, frequent traditional Chinese characters simplified, ``ß`` as ``ss``.

    Nothing else changes; phrase patterns go through it as well, so that both sides meet in one form.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", text))).translate(_PLAIN).replace("ß", "ss")


def strip_controls(text: str) -> str:
    """``text`` without control and format characters; line breaks and tabs stay, so does the joiner inside an emoji."""
    if text.translate(_LAYOUT).isprintable():
        return text
    return "".join(c for c in text if c in "\n\t\u200d" or unicodedata.category(c) not in ("Cc", "Cf"))


def one_line(text: str) -> str:
    """``text`` on one line: any run of whitespace or control characters is one space, none at the ends."""
    spaced = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text)
    return _SPACE.sub(" ", spaced).strip()


def truncate(text: str, max_chars: int) -> str:
    """At most ``max_chars`` code points, ``…`` included, never ending inside a combined character or a joined emoji.

    Raises:
        ValueError: ``max_chars`` is below 1.
    """
    if max_chars < 1:
        raise ValueError("max_chars must be at least 1")
    if len(text) <= max_chars:
        return text
    cut = max_chars - 1
    while cut > 0 and _splits_character(text, cut):
        cut -= 1
    return text[:cut].rstrip() + _ELLIPSIS


def _splits_character(text: str, cut: int) -> bool:
    """Whether the characters on both sides of ``cut`` are seen as one."""
    before, after = text[cut - 1], text[cut]
    if (
        _JOINER in (before, after)
        or unicodedata.combining(before) == _VIRAMA
        or unicodedata.category(after) in ("Mn", "Me", "Mc")
    ):
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff":  # skin tones colour what stands before them
        return True
    if "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff":
        return True
    return _is_flag_letter(after) and _flag_letters_before(text, cut) % 2 == 1


def _flag_letters_before(text: str, cut: int) -> int:
    start = cut
    while start > 0 and _is_flag_letter(text[start - 1]):
        start -= 1
    return cut - start


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
