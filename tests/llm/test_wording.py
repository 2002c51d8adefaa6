from __future__ import annotations

import pytest

from soong_memoryd.llm import wording
from soong_memoryd.memories.naming import check_name


@pytest.mark.parametrize(
    ("said", "core"),
    [
        ("Please remember that I'm vegetarian.", "I'm vegetarian."),
        ("Remember: the runbook is on the wiki", "the runbook is on the wiki"),
        ("and don't forget that my son is called Tom", "my son is called Tom"),
        ("Keep in mind that deploys are on Tuesdays", "deploys are on Tuesdays"),
        ("记住我住在柏林", "我住在柏林"),
        ("请帮我记一下：接口文档在内网", "接口文档在内网"),
        ("Bitte merk dir, dass ich in München wohne", "ich in München wohne"),
        ("N'oublie pas que je suis gaucher", "je suis gaucher"),
        ("запомни, что я живу в Берлине", "я живу в Берлине"),
        ("私はベジタリアンです、覚えておいてください", "私はベジタリアンです、"),
        ("기억해줘: 나는 채식주의자야", "나는 채식주의자야"),
        ("From now on use pnpm", "From now on use pnpm"),
        ("Keep answers short", "Keep answers short"),
        ("Save drafts as Markdown", "Save drafts as Markdown"),
    ],
)
def test_the_words_that_only_ask_to_keep_are_left_out(said: str, core: str) -> None:
    assert wording.core(said) == core


@pytest.mark.rule("llm.builtin-points-back")
@pytest.mark.parametrize(
    "said",
    [
        "save that",
        "Remember this!",
        "please keep that link",
        "记住这个",
        "把这个记下来",
        "note that down for later",
        "merk dir das",
    ],
)
def test_a_wish_that_only_points_at_something_else_holds_nothing(said: str) -> None:
    assert wording.core(said) == ""


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("I'm vegetarian", "user"),
        ("I prefer short answers", "user"),
        ("I always work from 10 to 18", "user"),
        ("我住在柏林", "user"),
        ("my editor is Helix", "user"),
        ("From now on always use pnpm", "feedback"),
        ("never push without asking", "feedback"),
        ("use British spelling", "feedback"),
        ("no GraphQL in my services, ever", "feedback"),
        ("I want you to answer in Chinese", "feedback"),
        ("以后提交信息都用英文写", "feedback"),
        ("我希望你先给结论", "feedback"),
        ("ab jetzt immer auf Deutsch", "feedback"),
        ("toujours répondre en français", "feedback"),
        ("the runbook is at https://wiki.example.test/oncall", "reference"),
        ("the schema lies in /srv/docs/schema.md", "reference"),
        ("文档在 https://wiki.example.test/a", "reference"),
        ("always test on https://dev.example.test", "feedback"),
    ],
)
def test_facts_rules_and_links_are_told_apart(text: str, category: str) -> None:
    assert wording.category(text) == category


@pytest.mark.parametrize(
    "text",
    [
        "use pnpm, never npm",
        "以后提交信息都用英文写",
        "me and you",
        "https://wiki.example.test/x",
        "x" * 500,
        "很" * 300,
        "con",
        "АBС мixed",
        "Ｆｕｌｌ width ﬁle",
        "🎉🎉",
        "данные за 2026 год",
        "नमस्ते दुनिया",
        "私はベジタリアンです",
        "a-b_c d.e",
    ],
)
def test_every_text_gets_a_name_that_a_file_may_have(text: str) -> None:
    assert check_name(wording.name(text)) is None


def test_a_name_holds_the_telling_words_of_either_language() -> None:
    assert wording.name("always use pnpm for JavaScript projects") == "pnpm-javascript"
    assert "提交信息" in wording.name("以后提交信息都用英文写")


def test_a_summary_is_the_persons_own_words_cut_at_a_word() -> None:
    assert wording.summary("short\n and  plain") == "short and plain"
    long = wording.summary("wordy " * 60)
    assert len(long) <= 200
    assert long.endswith("wordy…")
    assert len(wording.summary("长" * 400)) == 200


def test_tags_are_few_and_short() -> None:
    found = wording.tags("The quick brown fox jumps over the lazy dog 2026 " + "z" * 40)
    assert found == ["quick", "brown", "fox"]


@pytest.mark.rule("llm.builtin-secrets")
def test_of_a_sentence_with_a_secret_only_clauses_that_say_something_else_are_kept() -> None:
    said = "remember my password is [REDACTED:password], and that I use vim as my editor"
    assert wording.kept_clauses(said) == ("I use vim as my editor",)
    assert wording.kept_clauses("记住密码是[REDACTED:password]，我住在柏林的市中心") == ("我住在柏林的市中心",)
    assert wording.kept_clauses("remember my token [REDACTED:token], ok?") == ()
    assert wording.kept_clauses("no secret, none") == ("no secret, none",)


@pytest.mark.parametrize(
    ("said", "known", "same"),
    [
        ("always use pnpm for JavaScript", "JavaScript: pnpm, not npm or yarn\nUse pnpm for every JavaScript project.", False),
        ("use pnpm for JavaScript projects", "Use pnpm for every JavaScript project.", True),
        ("I prefer pytest over unittest", "Prefers pytest over unittest", True),
        ("never use tabs", "always use tabs", False),
        ("I live in Berlin", "Lives in Munich", False),
        ("以后提交信息都用英文", "提交信息用英文写", True),
        ("以后提交信息不用英文", "提交信息用英文写", False),
        ("", "anything", False),
    ],
)
def test_texts_that_tell_the_same_are_recognised(said: str, known: str, same: bool) -> None:
    assert wording.says_the_same(said, known) is same
