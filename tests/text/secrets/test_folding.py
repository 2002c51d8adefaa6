from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from soong_memoryd.text.secrets.folding import fold_for_scanning


def test_invisible_characters_go_and_full_width_letters_become_plain() -> None:
    folded = fold_for_scanning("ＡＢ\u200bc\u2060\u2060１　x")
    assert folded.text == "ABc1 x"
    assert folded.original_span(2, 4) == (3, 7)


def test_full_width_punctuation_ends_a_token_except_inside_one() -> None:
    assert fold_for_scanning("令牌是abc，好！").text == "令牌是abc，好！"
    assert fold_for_scanning("Ａ１！ｂ").text == "A1!b"


@given(st.text(alphabet=st.sampled_from("ab1，。\u200b\ufeffＡ１　𝐀é密"), max_size=60))
def test_every_folded_character_maps_to_where_it_came_from(text: str) -> None:
    folded = fold_for_scanning(text)
    places = [folded.original(position) for position in range(len(folded.text))]
    assert places == sorted(set(places))
    assert all(0 <= place < len(text) for place in places)
    for character, place in zip(folded.text, places, strict=True):
        if character in "ab，。é密":
            assert text[place] == character or not text[place].isascii()
