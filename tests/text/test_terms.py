from __future__ import annotations

import time

import pytest

from soong_memoryd.text.synonyms import SYNONYMS
from soong_memoryd.text.terms import is_topic, stem, terms
from soong_memoryd.text.topics import TOPICS


def keys(text: str) -> set[str]:
    return {term.key for term in terms(text)}


def topics(text: str) -> set[str]:
    return {key for term in terms(text) for key, _ in term.also if is_topic(key)}


def meanings(text: str) -> set[str]:
    return {key for term in terms(text) for key, _ in term.also if not is_topic(key)}


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


@pytest.mark.parametrize("text", ["pull request", "pull-request", "Pull Requests"])
def test_parts_of_a_compound_tell_less_and_name_no_topic_of_their_own(text: str) -> None:
    weights = {term.key: term.weight for term in terms(text)}
    assert weights["request"] < weights["pullrequest"]
    assert "~review" in topics(text)
    assert "~api" in topics("request") - topics(text)


def test_only_the_words_of_a_compound_become_its_parts() -> None:
    found = [(term.key, term.weight) for term in terms("staging pull request database")]
    assert found == [("stag", 1.0), ("pullrequest", 1.0), ("pull", 0.5), ("request", 0.5), ("databas", 1.0)]


@pytest.mark.parametrize(("noun", "verb"), [("meeting", "meet"), ("settings", "set"), ("evening", "even")])
def test_a_noun_is_not_taken_for_a_verb_of_another_meaning(noun: str, verb: str) -> None:
    assert not keys(noun) & keys(verb)


def test_names_in_code_fall_into_their_parts() -> None:
    assert {"powershell", "power", "shell"} <= keys("PowerShell")
    assert {"http", "server"} <= keys("HTTPServer")


def test_of_an_address_the_telling_parts_remain() -> None:
    found = keys("see https://user@www.wiki.example.test:8080/eng/api-guide?x=1")
    assert {"wiki", "eng", "api", "guid"} <= found
    assert not {"https", "www", "test", "8080", "user"} & found


def test_where_something_is_written_down_is_no_topic() -> None:
    assert "~notes" in topics("the wiki") - topics("https://wiki.example.test/hiring")
    assert "wiki" in keys("https://wiki.example.test/hiring")
    assert not topics("git@git.example.test:me/site")
    assert {"anna", "lee", "corp"} <= keys("anna.lee@corp.example.test")
    assert "邮箱" in keys("用户的邮箱anna@corp.example.test")


@pytest.mark.parametrize("text", ["写周报", "今年的目标", "write a letter", "check the logs"])
def test_words_of_any_errand_tell_less_in_either_language(text: str) -> None:
    first, *others = terms(text)
    assert first.weight < min(term.weight for term in others)


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


@pytest.mark.parametrize(
    ("one", "other"),
    [("message queues", "消息队列"), ("meeting notes", "会议纪要"), ("unit-tests", "单元测试"), ("virtual machine", "虚拟机"),
     ("vm", "virtual-machine"), ("invoices", "发票"), ("deployments", "部署")],
)  # fmt: skip
def test_what_means_the_same_is_one_key_in_both_languages(one: str, other: str) -> None:
    assert meanings(one) & meanings(other)


def test_a_synonym_is_worth_more_than_a_topic_and_less_than_the_word() -> None:
    worth = next(dict(term.also) for term in terms("菜谱"))
    assert worth["~food"] < worth["=recipe"] < 1.0


def test_a_neighbour_in_the_same_topic_is_no_synonym() -> None:
    assert topics("recipe") & topics("restaurant")
    assert not meanings("recipe") & meanings("restaurant")


def test_groups_of_synonyms_have_several_words_and_no_word_has_two_meanings() -> None:
    assert all(len(group) > 1 for group in SYNONYMS)
    by_word: dict[str, set[str]] = {}
    for group in SYNONYMS:
        for word in group:
            by_word.setdefault(stem(word.replace("-", "")), set()).add(group[0])
    assert {word: groups for word, groups in by_word.items() if len(groups) > 1} == {}


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
