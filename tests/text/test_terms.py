from __future__ import annotations

import time

import pytest

from soong_memoryd.text.terms import stem, terms
from soong_memoryd.text.topics import TOPICS


def keys(text: str) -> set[str]:
    return {term.key for term in terms(text)}


def topics(text: str) -> set[str]:
    return {topic for term in terms(text) for topic, _ in term.also}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tests", "testing"), ("written", "writing"), ("planned", "plans"), ("deploys", "deployment"), ("queries", "query"),
        ("configuration", "configure"), ("branches", "branch"), ("figure", "figures"), ("Réunion", "reunion"), ("boxes", "box"),
    ],
)  # fmt: skip
def test_forms_of_a_word_are_one_term(one: str, other: str) -> None:
    assert keys(one) == keys(other)


@pytest.mark.parametrize("word", ["status", "class", "analysis", "news", "is", "ring", "red", "windows", "42", "привет"])
def test_short_words_and_words_of_other_languages_keep_their_form(word: str) -> None:
    assert stem(word) == word


def test_function_words_are_no_terms_in_any_language() -> None:
    assert list(terms("what is the of and, don't; der das; le la les; и в не; 这个的了吗")) == []


def test_common_words_tell_less_unless_they_are_a_name() -> None:
    weights = {text: next(t.weight for t in terms(text) if t.key == "go") for text in ("please go on", "learn Go")}
    assert weights["please go on"] < weights["learn Go"] == 1.0


@pytest.mark.parametrize("text", ["on-call", "on call", "oncall", "On-Call"])
def test_a_compound_is_found_however_it_is_written(text: str) -> None:
    assert "oncal" in {key.removesuffix("l") for key in keys(text)}
    assert "~oncall" in topics(text)
    assert "~meeting" not in topics("on-call")


def test_names_in_code_fall_into_their_parts() -> None:
    assert {"powershell", "power", "shell"} <= keys("PowerShell")
    assert {"http", "server"} <= keys("HTTPServer")


def test_of_an_address_the_telling_parts_remain() -> None:
    found = keys("see https://user@www.wiki.example.test:8080/eng/api-guide?x=1")
    assert {"wiki", "eng", "api", "guid"} <= found
    assert not {"https", "www", "test", "8080", "user"} & found


def test_chinese_falls_into_known_words_and_pairs() -> None:
    assert {"前端", "指派"} <= keys("这个前端应该指派给谁")
    assert {"量子", "子纠", "纠缠"} <= keys("量子纠缠")
    assert keys("记忆") & keys("关于记忆的问题")


def test_one_topic_joins_words_and_languages() -> None:
    for one, other in [
        ("restaurant", "午饭"),
        ("screen", "显示器"),
        ("reimbursement", "报销"),
        ("meeting", "会议"),
        ("chart", "画图"),
    ]:
        assert topics(one) & topics(other), (one, other)


def test_other_scripts_have_terms_too() -> None:
    for text in ("привет мир", "γειά σου", "한국어 문서", "ひらがなとカタカナ", "ภาษาไทย", "مرحبا", "हिन्दी"):
        assert keys(text), text


def test_half_and_full_width_forms_are_one() -> None:
    assert keys("ＡＰＩ") == keys("api")


def test_hashes_and_other_endless_words_are_no_terms() -> None:
    assert keys("a" * 41) == set()
    assert keys("ab-" * 200 + "ab") == set()


def test_topics_have_names_of_their_own_and_words() -> None:
    names = [name for name, _ in TOPICS]
    assert len(names) == len(set(names)) > 50
    assert all(len(words.split()) >= 2 for _, words in TOPICS)


def test_time_grows_with_the_text_and_not_faster() -> None:
    def seconds(text: str) -> float:
        start = time.thread_time()
        list(terms(text))
        return time.thread_time() - start

    for piece in ("a-", "字", "x'", "-", "https://", "Aa", "の"):
        once, eightfold = (min(seconds(piece * count) for _ in range(3)) for count in (1_000, 8_000))
        assert eightfold < 30 * once + 0.01, piece
