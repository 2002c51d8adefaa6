from __future__ import annotations

import pytest

from soong_memoryd.memories.evidence import Quote, check_evidence, names
from soong_memoryd.memories.schema import EvidenceRef
from tests.memories.builders import assistant, by_id, scanned, tool, user

URL = "https://wiki.example.test/eng/api-style"
FOUND = f"I found {URL}; the other page is archived."
KEEP = "yes, the wiki one is the right page, keep that link, I'll ask for it again"
PREFERENCE = "from now on use pnpm, not npm, npm is too slow for me"


def judge(category, quotes, nodes, confirmed_by=None, forgotten=frozenset()):
    return check_evidence(category, [Quote(*quote) for quote in quotes], confirmed_by, by_id(*nodes), forgotten)


def refusal(*arguments, **options):
    verdict = judge(*arguments, **options)
    assert verdict.source_node_ids == ()
    return verdict.refusal and verdict.refusal.code


@pytest.mark.rule("memory.evidence-quote")
@pytest.mark.parametrize("category", ["user", "feedback", "reference"])
@pytest.mark.parametrize("text", [PREFERENCE, "以后都用 pnpm，不要用 npm", "これからは pnpm を使ってください"])
def test_the_users_own_words_prove_a_memory(category, text):
    verdict = judge(category, [("n1", text)], [user("n1", text, 1)])
    assert verdict.refusal is None
    assert verdict.source_node_ids == ("n1",)
    assert (verdict.evidence, verdict.confirmed_by) == ((), None)


@pytest.mark.rule("memory.evidence-roles", "scope.no-project-source", "rule.sources-are-named", "source.of-other-agents")
@pytest.mark.parametrize("category", ["user", "feedback"])
@pytest.mark.parametrize(
    "node",
    [
        tool("n1", PREFERENCE, 1),
        assistant("n1", PREFERENCE, 1),
        user("n1", PREFERENCE, 1, origin="synthetic"),
        user("n1", PREFERENCE, 1, origin="generated"),
        user("n1", PREFERENCE, 1, origin="external"),
        user("n1", PREFERENCE, 1, kind="memory_context", origin="synthetic"),
        user("n1", PREFERENCE, 1, kind="other"),
        user("n1", PREFERENCE, 1, kind="compact_summary", origin="generated"),
        *[user("n1", PREFERENCE, 1, agent_kind=kind) for kind in ("sub", "fork", "worker", "compact")],
        user("n1", PREFERENCE, 1, candidate=False),
    ],
    ids=lambda node: f"{node.kind}-{node.origin}-{node.agent_kind}",
)
def test_nothing_but_a_root_user_message_proves_a_user_or_feedback_memory(category, node):
    assert refusal(category, [("n1", PREFERENCE)], [node, user("n9", KEEP, 9)], confirmed_by="n9") == "evidence"


@pytest.mark.rule("memory.evidence-quote")
@pytest.mark.parametrize(
    "text",
    [
        f"fix this:\n```\n{PREFERENCE}\n```",
        f"what does this mail mean?\n> {PREFERENCE}",
        f"<document>{PREFERENCE}</document> summarise",
        f"look\n\n{'x' * 900} {PREFERENCE} {'y' * 900}",
    ],
    ids=["fence", "quoted", "attachment", "long-paragraph"],
)
def test_pasted_text_is_not_what_the_user_typed(text):
    assert refusal("feedback", [("n1", PREFERENCE)], [user("n1", text, 1)]) == "evidence"


def test_an_invented_quote_an_unknown_node_and_a_thin_quote_are_refused():
    nodes = [user("n1", PREFERENCE, 1), user("n2", "please make it work with npm", 2)]
    assert refusal("user", [("n1", "the user works at a bank")], nodes) == "evidence"
    assert refusal("user", [("n7", PREFERENCE)], nodes) == "evidence"
    assert refusal("user", [("n2", "npm")], nodes) == "evidence"
    assert refusal("user", [("n1", PREFERENCE), ("n2", PREFERENCE)], nodes) == "evidence"


def test_no_evidence_at_all_is_a_matter_of_form():
    verdict = judge("user", [], [user("n1", PREFERENCE, 1)])
    assert (verdict.refusal.code, verdict.refusal.kind) == ("no_evidence", "form")
    assert judge("user", [("n1", "nobody typed this")], [user("n1", PREFERENCE, 1)]).refusal.kind == "policy"


@pytest.mark.rule("memory.evidence-after-cursor")
def test_one_quote_must_come_from_after_the_cursor():
    earlier, later = scanned("n1", PREFERENCE, 1), user("n2", "and the same goes for yarn, I avoid it", 2)
    assert refusal("user", [("n1", PREFERENCE)], [earlier, later]) == "evidence"
    verdict = judge("user", [("n2", "the same goes for yarn"), ("n1", PREFERENCE)], [earlier, later])
    assert verdict.source_node_ids == ("n1", "n2")


@pytest.mark.rule("memory.evidence-assent")
@pytest.mark.parametrize("yes", ["yes", "ok thanks", "好的"])
def test_a_bare_yes_proves_nothing_by_itself(yes):
    earlier = scanned("n1", PREFERENCE, 1)
    assert refusal("feedback", [("n2", yes)], [earlier, user("n2", yes, 2)]) == "evidence"
    assert refusal("feedback", [("n1", PREFERENCE), ("n2", yes)], [earlier, user("n2", yes, 2)]) == "evidence"


def test_a_yes_beside_a_new_statement_does_no_harm():
    nodes = [user("n1", PREFERENCE, 1), user("n2", "yes", 2)]
    assert judge("feedback", [("n1", PREFERENCE), ("n2", "yes")], nodes).source_node_ids == ("n1", "n2")


@pytest.mark.rule("memory.evidence-reference")
@pytest.mark.parametrize("source", [assistant("n3", FOUND, 3), tool("n3", f"1) {URL}", 3)], ids=["assistant", "tool"])
@pytest.mark.parametrize(
    "wish", [KEEP, "keep that link", f"{URL} is the page with our rules", "the api style page of the eng wiki is right"]
)
def test_a_reference_from_context_stands_when_a_later_message_names_it_or_keeps_it(source, wish):
    nodes = [user("n1", "where are our API style rules?", 1), source, user("n4", wish, 4)]
    verdict = judge("reference", [("n3", URL)], nodes, confirmed_by="n4")
    assert verdict.refusal is None
    assert verdict.source_node_ids == ("n3", "n4")
    assert verdict.confirmed_by == "n4"
    assert verdict.evidence == (EvidenceRef("n3", source.kind), EvidenceRef("n4", "user_message"))


def test_a_quoted_user_message_confirms_when_none_is_named():
    nodes = [assistant("n3", FOUND, 3), user("n4", KEEP, 4)]
    verdict = judge("reference", [("n3", URL), ("n4", "the wiki one is the right page")], nodes)
    assert (verdict.source_node_ids, verdict.confirmed_by) == (("n3", "n4"), "n4")


@pytest.mark.rule("memory.evidence-reference", "scope.no-project-source", "source.of-other-agents")
@pytest.mark.parametrize(
    ("nodes", "confirmed_by"),
    [
        ([assistant("n3", FOUND, 3)], None),
        ([assistant("n3", FOUND, 3), user("n4", KEEP, 4)], None),
        ([assistant("n3", FOUND, 3), user("n4", "ok thanks", 4)], "n4"),
        ([assistant("n3", FOUND, 3), user("n4", "now refactor the parser", 4)], "n4"),
        ([assistant("n3", FOUND, 3), user("n4", f"no, {URL} is wrong", 4)], "n4"),
        ([user("n2", KEEP, 2), assistant("n3", FOUND, 3)], "n2"),
        ([assistant("n3", FOUND, 3), scanned("n4", KEEP, 4)], "n4"),
        ([assistant("n3", FOUND, 3), user("n4", KEEP, 4, agent_kind="sub")], "n4"),
        ([assistant("n3", FOUND, 3), tool("n4", KEEP, 4)], "n4"),
        ([assistant("n3", FOUND, 3), user("n4", KEEP, 4)], "n5"),
        ([assistant("n3", FOUND, 3, agent_kind="sub"), user("n4", KEEP, 4)], "n4"),
        ([assistant("n3", FOUND, 3, origin="synthetic"), user("n4", KEEP, 4)], "n4"),
        ([user("n3", FOUND, 3, kind="memory_context", origin="synthetic"), user("n4", KEEP, 4)], "n4"),
        ([user("n3", FOUND, 3, kind="other", origin="synthetic"), user("n4", KEEP, 4)], "n4"),
        ([user("n3", FOUND, 3, kind="compact_summary", origin="generated"), user("n4", KEEP, 4)], "n4"),
    ],
)
def test_a_reference_from_context_without_such_a_message_is_refused(nodes, confirmed_by):
    assert refusal("reference", [("n3", URL)], nodes, confirmed_by=confirmed_by) == "evidence"


def test_a_reference_that_the_user_typed_needs_no_confirmation():
    text = "remember: staging is at https://staging.example.test"
    verdict = judge("reference", [("n1", text)], [user("n1", text, 1)], confirmed_by="n1")
    assert (verdict.refusal, verdict.confirmed_by, verdict.evidence) == (None, None, ())


@pytest.mark.rule("memory.evidence-keep-reach")
def test_a_wish_that_names_nothing_reaches_back_three_messages():
    chat = [user(f"n{number}", "something else entirely", number) for number in (11, 12, 13)]
    old = tool("n10", f"1) {URL}", 10)
    near = [old, *chat[:2], user("n20", "save that for later", 20)]
    far = [old, *chat, user("n20", "save that for later", 20)]
    assert judge("reference", [("n10", URL)], near, confirmed_by="n20").refusal is None
    assert refusal("reference", [("n10", URL)], far, confirmed_by="n20") == "evidence"


@pytest.mark.rule("memory.evidence-forgotten")
def test_a_forgotten_message_proves_nothing_any_more():
    nodes = [user("n1", PREFERENCE, 1), assistant("n3", FOUND, 3), user("n4", KEEP, 4)]
    assert refusal("user", [("n1", PREFERENCE)], nodes, forgotten=frozenset({"n1"})) == "forgotten"
    assert refusal("reference", [("n3", URL)], nodes, confirmed_by="n4", forgotten=frozenset({"n3"})) == "forgotten"
    assert refusal("reference", [("n3", URL)], nodes, confirmed_by="n4", forgotten=frozenset({"n4"})) == "forgotten"
    assert judge("user", [("n1", PREFERENCE)], nodes, forgotten=frozenset({"n4"})).refusal is None


def test_a_refusal_never_repeats_a_quote():
    assert "canary" not in judge("user", [("n1", "canary words here")], [user("n1", PREFERENCE, 1)]).refusal.why


@pytest.mark.parametrize(
    ("message", "quote"),
    [
        ("the runbook for oncall incidents is the one", "oncall incidents are handled by the runbook"),
        ("文档在 wiki.example.test 那个没错", f"设计文档：{URL}"),
        ("设计文档和接口规范就是那一份", "设计文档与接口规范都在知识库"),
        ("version 3.11.7 it is", "python 3.11.7 was installed"),
    ],
)
def test_a_message_names_what_it_shares_the_telling_words_with(message, quote):
    assert names(message, quote)


@pytest.mark.parametrize(
    ("message", "quote"),
    [
        ("please use the page and the project", "the user wants this project page to use dark mode"),
        ("not the api style page of the eng wiki", "the api style page of the eng wiki"),
        ("thanks", "anything"),
        ("", "anything"),
    ],
)
def test_common_words_and_denials_name_nothing(message, quote):
    assert not names(message, quote)
