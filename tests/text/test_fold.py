"""Folding, shortening and cleaning of text."""

from __future__ import annotations

import pytest

from soong_memoryd.text.fold import fold, fold_letters, one_line, strip_controls, truncate

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
FLAG = "\U0001f1e9\U0001f1ea"
THUMB = "\U0001f44d\U0001f3fd"


@pytest.mark.rule("text.fold")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I prefer  tabs\u200b over\nspaces", "i PREFER tabs over spaces"),
        ("ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
        ("记住：我喜欢\t茶", "记住:我喜欢 茶"),
        ("Straße", "STRASSE"),
        ("\ufeffhello\u2060", "hello"),
        ("cafe\u0301", "café"),
    ],
)
def test_texts_that_read_the_same_fold_to_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_folding_keeps_what_is_different_apart() -> None:
    assert fold("resume") != fold("résumé")
    assert fold("用 tab") != fold("用 tabs")


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("Não ESQUEÇA", "nao esqueca"),
        ("don’t", "don't"),
        ("تذكّر أنني", "تذكر انني"),
        ("從今以後記住", "从今以后记住"),
        ("ё и й", "е и и"),
        ("がぎぐ 기억", "がぎぐ 기억"),
    ],
)
def test_letters_fold_without_accents_vowel_signs_and_traditional_forms(typed: str, plain: str) -> None:
    assert fold_letters(typed) == plain


@pytest.mark.rule("text.truncate")
@pytest.mark.parametrize("character", ["e\u0301", FAMILY, FLAG, THUMB, "क्षि", "字", "\u1112\u1161\u11ab"[:1] + "\u0301"])
def test_a_cut_never_falls_inside_a_character(character: str) -> None:
    text = "a" + character + "b" + character * 3
    whole = {"a" + character * 0, "a" + character, "a" + character + "b"} | {
        "a" + character + "b" + character * count for count in range(4)
    }
    for size in range(1, len(text) + 2):
        cut = truncate(text, size)
        assert len(cut) <= size
        assert cut == text or cut.endswith("…")
        assert cut == "…" or cut.removesuffix("…") in whole


def test_a_short_text_is_left_alone_and_a_size_below_one_is_an_error() -> None:
    assert truncate("短い", 2) == "短い"
    assert truncate("短い文", 2) == "短…"
    with pytest.raises(ValueError, match="at least 1"):
        truncate("x", 0)


def test_one_line_has_no_breaks_and_no_controls() -> None:
    assert one_line(" a\r\nb\x1b[0m\u2028c\t d\x00 ") == "a b [0m c d"


def test_controls_go_but_breaks_and_joined_emoji_stay() -> None:
    assert strip_controls(f"a\x07\u202eb\n\t{FAMILY}\x7f") == f"ab\n\t{FAMILY}"
