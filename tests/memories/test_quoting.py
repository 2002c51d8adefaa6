from __future__ import annotations

import html
import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soong_memoryd.memories.quoting import stands_in, weight

TYPED = "great. also, for the future: I'd say “never” use tabs — run `ruff check` first… it's the *only* way"


@pytest.mark.rule("memory.quote-typography")
@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("never use tabs", "You should NEVER  use\n tabs, please"),
        ('I’d say "never" use tabs - run ruff check first... it’s the only way', TYPED),
        ("'never' use tabs", TYPED),
        ("use tabs — run `ruff check` first…", TYPED),
        ("for the future: I'd say.", TYPED),
        ("...for the future", TYPED),
        ("以后都用中文回答。", "记住，以后都用中文回答！"),
        ("以后都用中文回答,代码注释用英文", "以后都用中文回答，代码注释用英文。"),
        ("以后都用 pnpm 而不是 npm", "以后都用pnpm而不是npm"),
        ("以后都用pnpm而不是npm", "以后都用 pnpm 而不是 npm"),
        ("ｕｓｅ　ｐｎｐｍ　ａｌｗａｙｓ", "use pnpm always"),
        ('use the \\"strict\\" mode\\nalways', 'use the "strict" mode\nalways'),
        ("if a &lt; b then swap", "if a < b then swap"),
        ("vor\u00adlieben sind tabs", "Vorlieben sind Tabs"),
        ("STRASSE 12 ist mein", "straße 12 ist mein Büro"),
        ("café au lait", "cafe\u0301 au lait"),
        ("코드 리뷰는 한국어로", "코드 리뷰는 한국어로 해줘"),
        ("ใช้ภาษาไทย", "กรุณาใช้ภาษาไทยเสมอ"),
    ],
)
def test_a_quote_may_differ_in_typography_and_escapes(quote, text):
    assert stands_in(quote, text)


@pytest.mark.rule("memory.quote-words")
@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("always use tabs", "never use tabs"),
        ("ever use tabs please", "never use tabs please"),
        ("I never use tab", "I never use tabs"),
        ("I use tabs ... never spaces", "I use tabs and almost never spaces"),
        ("do use tabs here", "do not use tabs here"),
        ("use pnpm, npm is slow", "use pnpm, I think npm is slow"),
        ("以后都用英文回答", "以后都用中文回答"),
        ("", "anything at all"),
        ("...!?", "anything...!?"),
        ("tabs", "never use tabs"),
        ("用中文", "请用中文回答"),
    ],
)
def test_a_quote_never_differs_in_words(quote, text):
    assert not stands_in(quote, text)


@pytest.mark.rule("memory.quote-weight")
@pytest.mark.parametrize(
    ("quote", "text"),
    [("use vi", "Use vi!"), ("用中文", "用中文。"), ("abcd efgh", "x abcd efgh y"), ("都用中文", "请都用中文吧")],
)
def test_a_short_quote_counts_when_it_is_the_whole_message(quote, text):
    assert stands_in(quote, text)


@pytest.mark.parametrize(
    ("text", "letters"), [("a-b c!", 3), ("中文 ok", 6), ("日本語", 6), ("한국", 4), ("2026", 4), ("、。", 0)]
)
def test_an_east_asian_character_weighs_two(text, letters):
    assert weight(text) == letters


@settings(max_examples=200, deadline=None)
@given(st.lists(st.from_regex(r"[a-zé用中文ü0-9]{2,9}", fullmatch=True), min_size=4, max_size=12), st.data())
def test_every_run_of_words_stands_in_its_text_however_it_was_escaped(words, data):
    text = " ".join(words)
    start = data.draw(st.integers(0, len(words) - 4))
    quote = " ".join(words[start : start + data.draw(st.integers(4, len(words)))])
    for said in (quote, f"“{quote}…”", html.escape(quote), json.dumps(quote, ensure_ascii=False)[1:-1], quote.upper()):
        assert stands_in(said, f"Note: {text}, thanks")


def test_comparing_a_long_message_is_fast():
    text = "the quick brown fox 跳过 " * 5000
    began = time.thread_time()
    assert not stands_in("the quick brown foxes", text)
    assert time.thread_time() - began < 2
