"""Wishes, keep wishes, bare assent, and the sentences that hold a wish."""

from __future__ import annotations

import pytest

from soong_memoryd.text.fold import fold
from soong_memoryd.text.intent import bare_assent, explicit_wish, keep_wish, wish_sentences
from soong_memoryd.text.intent.sentences import HEAD_CHARS, TAIL_CHARS, sentences
from soong_memoryd.text.typed import typed_text

WISH = "From now on always use tabs."
WRAPPED = {
    "a fence": f"what is this?\n```\n{WISH}\n```",
    "inline code": f"what does `{WISH}` mean?",
    "double quotes": f'what does "{WISH}" mean',
    "a block quote": f"> {WISH}\nwhat is this",
    "a diff": f"diff --git a/x b/x\n@@ -1 +1 @@\n+{WISH}\n\nok",
    "a log": f"2026-03-01 10:11:12 INFO {WISH}\n\nok",
    "a shell line": f"$ {WISH}\n\nok",
    "a comment": f"// {WISH}\n\nok",
    "an attachment": f"<document>{WISH}</document> ok",
    "a paste": f"ok\n\n{'word ' * 320}. {WISH}",
    "a text to translate": f"translate this: {WISH}",
    "a text to summarise": f"please summarise the text below:\n\n{WISH}\n\n{WISH}",
    "a brief": f"You are a sub-agent. {WISH} Task: list files.",
    "a transcript": f"ok\nHuman: hi\nAssistant: {WISH}",
}


@pytest.mark.rule("text.intent-typed-only")
@pytest.mark.parametrize("name", WRAPPED)
def test_a_wish_that_nobody_typed_does_not_count(name: str) -> None:
    assert explicit_wish(WISH)
    assert not explicit_wish(WRAPPED[name])
    assert not wish_sentences(WRAPPED[name])


def test_a_wish_beside_pasted_text_counts() -> None:
    assert explicit_wish(f"```\nx = 1\n```\nFix it. {WISH}")
    assert explicit_wish(f"{WISH}\n\n> quoted\n")
    assert explicit_wish(f"translate this: hello\n\n{WISH}")


@pytest.mark.rule("text.keep-wish")
@pytest.mark.parametrize(
    "text",
    [
        "yes, the wiki one is the right page, keep that link, I'll ask for it again",
        "save that",
        "Write that down, please.",
        "ok, bookmark this page for me",
        "can you remember this?",
        "记住这个",
        "好的,把这个链接记下来",
        "这个地址你也记下来吧",
        "その通り保存しておいて",
        "これ覚えておいて",
        "이거 기억해 둬",
        "Merk dir das bitte",
        "Garde ce lien pour la prochaine fois",
        "Guárdalo, por favor",
        "Guarda este link",
        "Запомни это",
        "Salva questo link",
        "احفظ هذا الرابط",
    ],
)
def test_asking_to_keep_what_was_said_before_is_a_keep_wish(text: str) -> None:
    assert keep_wish(text)
    assert explicit_wish(text)


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "save that file as report.csv",
        "write that down in the README",
        "> save that\nwhat is this?",
        "do you remember this?",
        "keep that function",
        "这个功能怎么记住滚动位置?",
        "把会议内容记下来写到 notes.md 里",
        "from now on use tabs",
    ],
)
def test_other_orders_and_questions_are_no_keep_wish(text: str) -> None:
    assert not keep_wish(text)


@pytest.mark.rule("text.bare-assent")
@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "Ok, go ahead!",
        "sure, thanks",
        "👍",
        "好的",
        "是的。",
        "はい",
        "네",
        "ja, klar",
        "oui, merci",
        "sí",
        "да, конечно",
        "tak",
        "evet",
        "vâng",
        "ок",
    ],
)
def test_agreement_alone_is_bare(text: str) -> None:
    assert bare_assent(text)
    assert not explicit_wish(text)


@pytest.mark.parametrize(
    "text", ["yes, use pnpm", "好的，用中文", "ok, my name is Ada", "ja, auf Deutsch bitte antworten", "yes " * 30]
)
def test_agreement_with_content_is_not_bare(text: str) -> None:
    assert not bare_assent(text)


@pytest.mark.rule("text.wish-sentences")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Fix the test. Also, for the future: I prefer pytest over unittest. Thanks!",
            ["Also, for the future: I prefer pytest over unittest."],
        ),
        ("先修这个 bug。以后都用中文回答。谢谢", ["以后都用中文回答。"]),
        ("My car is a C200, type 205. Remember this", ["My car is a C200, type 205."]),
        ("Please remember:\n- I use `uv`, not pip", ["Please remember: - I use `uv`, not pip"]),
        ("I prefer tabs.\nNever push without asking me.\nWhat is next?", ["I prefer tabs.", "Never push without asking me."]),
        ("Always use uv, never pip. That goes for every project of mine.", ["Always use uv, never pip."]),
        ("以后缩进用四个空格。这条对所有项目都适用。", ["以后缩进用四个空格。"]),
        ("keep that link", ["keep that link"]),
        ("just fix the bug", []),
        ("", []),
    ],
)
def test_wishing_sentences_come_in_the_persons_own_words(text: str, expected: list[str]) -> None:
    found = wish_sentences(text)
    assert found == expected
    assert all(fold(sentence) in fold(typed_text(text)) for sentence in found)


def test_a_message_wishes_if_and_only_if_it_has_a_wishing_sentence() -> None:
    for text in ("Remember that I use Arch.", "remember to bump the version", "I prefer option B here", "记住我喜欢简短的回答"):
        assert explicit_wish(text) == bool(wish_sentences(text))


@pytest.mark.rule("text.intent-bounded")
def test_long_prose_is_judged_by_its_head_and_its_tail_alone() -> None:
    filler = "\n\n".join(["The parser reads a line and then goes on to the next one."] * 200)
    judged = sentences(f"{filler}\n\n{WISH}\n\n{filler}")
    assert sum(len(sentence.folded) for sentence in judged) <= HEAD_CHARS + TAIL_CHARS
    assert explicit_wish(f"{WISH}\n\n{filler}")
    assert explicit_wish(f"{filler}\n\n{WISH}")
    assert not explicit_wish(f"{filler}\n\n{WISH}\n\n{filler}")


@pytest.mark.parametrize(
    "unit", ["remember that ", "<file ", "```\n", '"', "以后", "please always never ", "User: a\n", "\n", "[1:", "a@"]
)
def test_a_quarter_megabyte_of_anything_is_judged_on_a_few_thousand_characters(unit: str) -> None:
    text = (unit * (262_144 // len(unit) + 1))[:262_144]
    judged = sentences(text)
    assert sum(len(sentence.folded) for sentence in judged) <= HEAD_CHARS + TAIL_CHARS + len(judged)
    assert isinstance(explicit_wish(text), bool)


def test_wrapped_lines_and_abbreviations_do_not_cut_a_sentence() -> None:
    assert [sentence.folded for sentence in sentences("Remember that I\nuse tabs, e.g. in Go. Bye")] == [
        "remember that i use tabs, e.g. in go.",
        "bye",
    ]
