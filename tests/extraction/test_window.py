from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soong_memoryd.extraction.window import fix_window
from soong_memoryd.state.rows import NodeRow, Scan
from soong_memoryd.text.tokens import estimate_tokens
from tests.extraction.nodes import node, source

ROOM = 10_000


def shown(nodes: Scan, budget: int = ROOM, halvings: int = 0) -> dict[str, str]:
    window = fix_window(nodes, budget, halvings)
    assert window is not None
    return {each.row.node_id: each.use for each in window.nodes}


def test_nothing_unscanned_gives_no_window() -> None:
    assert fix_window(source(node(1, "user", "scanned"), node(2, "assistant", "fine"), cursor=2), ROOM) is None


@pytest.mark.rule("extraction.window-of-main-agent")
def test_only_the_main_agents_nodes_enter_whatever_others_say() -> None:
    kinds = ["sub", "fork", "worker", "compact"]
    others = [node(i, "assistant", "the user prefers X", agent_kind=kind) for i, kind in enumerate(kinds, 3)]
    assert shown(source(node(1, "user", "hello"), node(2, "assistant", "hi"), *others)) == {"n1": "new", "n2": "context"}


@pytest.mark.rule("extraction.abandoned-never-enters")
def test_abandoned_nodes_never_enter() -> None:
    gone = [node(2, "user", "taken back", abandoned=True), node(3, "assistant", "x", abandoned=True)]
    assert shown(source(node(1, "user", "one"), *gone)) == {"n1": "new"}


@pytest.mark.rule("extraction.open-run-waits")
def test_nodes_of_an_open_run_stay_for_the_next_window() -> None:
    nodes = source(node(1, "user", "one"), node(2, "user", "still running"), limit=1)
    window = fix_window(nodes, ROOM)
    assert window is not None
    assert [each.row.node_id for each in window.nodes] == ["n1"]
    assert (window.from_sequence, window.to_sequence, window.more) == (1, 1, False)


@pytest.mark.rule("extraction.that-has-a-that")
def test_scanned_messages_and_their_answers_explain_the_first_new_one() -> None:
    nodes = source(
        node(1, "user", "old story"),
        node(2, "user", "where is the style guide?"),
        node(3, "tool", "https://wiki.example.test/style"),
        node(4, "assistant", "It is in the wiki."),
        node(5, "user", "keep that link"),
        cursor=4,
    )
    assert shown(nodes) == {"n1": "scanned", "n2": "scanned", "n3": "context", "n4": "context", "n5": "new"}


def test_a_message_that_may_not_be_extracted_explains_but_proves_nothing() -> None:
    window = fix_window(source(node(1, "user", "memory was off", candidate=False), node(2, "user", "now it is on")), ROOM)
    assert window is not None
    first, second = (each.as_source() for each in window.nodes)
    assert not first.is_root_user_message
    assert second.is_root_user_message


@pytest.mark.rule("extraction.tool-summaries-only")
def test_a_tool_is_seen_by_its_summary_and_artifacts_never_by_its_text() -> None:
    raw = node(2, "tool", "RAW OUTPUT", summary="3 tests failed", artifact_refs=("report.html",))
    bare = node(3, "tool", "RAW OUTPUT", summary=None)
    window = fix_window(source(node(1, "user", "run the tests"), raw, bare), ROOM)
    assert window is not None
    assert [each.text for each in window.nodes] == ["run the tests", "3 tests failed\nreport.html"]


@pytest.mark.rule("extraction.no-feedback-loop")
def test_recalled_memories_are_seen_by_id_only() -> None:
    recalled = node(2, "memory", "THE TEXT", metadata={"recalled_memory_ids": ["mem_1", "mem_2"]})
    window = fix_window(source(node(1, "user", "go on"), recalled), ROOM)
    assert window is not None
    assert window.nodes[1].text == "recalled: mem_1, mem_2"
    assert not window.nodes[1].as_source().is_context


@pytest.mark.rule("extraction.compact-summary")
def test_the_current_compact_summary_comes_along_and_is_no_node() -> None:
    nodes = source(node(1, "user", "a"), node(2, "summary", "first"), node(3, "user", "b"), node(4, "summary", "current"))
    window = fix_window(nodes, ROOM)
    assert window is not None
    assert window.summary == "current"
    assert [each.row.node_id for each in window.nodes] == ["n1", "n3"]


@pytest.mark.rule("extraction.path-digest")
def test_the_recent_path_before_the_window_is_a_digest_since_the_last_compaction() -> None:
    talk = [node(1, "user", "before the compaction"), node(2, "summary", "what was")]
    talk += [node(i, "user", f"message {i}\nmore") for i in range(3, 9)]
    window = fix_window(source(*talk, cursor=7), ROOM)
    assert window is not None
    assert window.digest == ("message 3 more", "message 4 more", "message 5 more")


@pytest.mark.rule("extraction.never-skip-oversized")
def test_a_message_larger_than_the_budget_is_cut_and_marked_never_left_out() -> None:
    long = "remember my desk is by the window. " + "word " * 4_000 + "the end"
    window = fix_window(source(node(1, "user", long), node(2, "user", "next")), 500)
    assert window is not None
    (only,) = window.nodes
    assert only.text.startswith("remember my desk is by the window.")
    assert only.text.endswith("the end")
    assert "characters left out]" in only.text
    assert estimate_tokens(only.text) <= 500
    assert only.as_source().text == long
    assert (window.to_sequence, window.more) == (1, True)


def test_what_a_person_wrote_around_a_huge_paste_outlives_the_paste() -> None:
    log = "```\n" + "ERROR boom\n" * 2_000 + "```"
    window = fix_window(source(node(1, "user", f"look at this\n\n{log}\n\nand from now on answer in French")), 600)
    assert window is not None
    assert "from now on answer in French" in window.nodes[0].text
    assert "boom" not in window.nodes[0].text


def test_halving_bites_on_a_short_window_too() -> None:
    nodes = [node(i, "user", f"message {i} " + "word " * 200) for i in range(1, 9)]
    sizes = []
    for halvings in range(5):
        window = fix_window(source(*nodes), 100_000, halvings)
        assert window is not None
        sizes.append(len(window.messages))
    assert sizes[0] == 8
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[1] <= 4
    assert sizes[-1] == 1


def test_of_a_long_run_only_what_is_nearest_to_the_next_message_is_shown() -> None:
    steps = [node(i, "tool", f"step {i}") for i in range(2, 60)]
    names = shown(source(node(1, "user", "go"), *steps, node(60, "user", "thanks")))
    assert "n2" not in names
    assert "n59" in names


KIND = st.sampled_from(["user", "user", "assistant", "tool", "summary", "memory", "other", "sub"])


@st.composite
def sessions(draw: st.DrawFn) -> tuple[list[NodeRow], int, int]:
    nodes = []
    for sequence, kind in enumerate(draw(st.lists(KIND, min_size=1, max_size=30)), 1):
        text = "words 单词 " * draw(st.integers(0, 120))
        agent_kind = "sub" if kind == "sub" else "main"
        role = "assistant" if kind == "sub" else kind
        abandoned = draw(st.integers(0, 9)) == 0
        nodes.append(node(sequence, role, text, agent_kind=agent_kind, abandoned=abandoned))
    return nodes, draw(st.integers(0, len(nodes))), draw(st.integers(0, 2_000))


@pytest.mark.rule("extraction.each-message-once")
@settings(max_examples=150, deadline=None)
@given(sessions(), st.integers(0, 5))
def test_over_successive_windows_each_message_is_examined_once_in_order(
    session: tuple[list[NodeRow], int, int], halvings: int
) -> None:
    nodes, limit, budget = session
    cursor, seen = 0, []
    for _ in range(len(nodes) + 1):
        window = fix_window(source(*nodes, cursor=cursor, limit=limit), budget, halvings)
        if window is None:
            break
        assert window.messages, "at least one message a window"
        assert all(each.row.sequence <= limit and each.row.agent_kind == "main" for each in window.nodes)
        assert cursor < window.to_sequence <= limit
        assert [each.row.sequence for each in window.nodes] == sorted(each.row.sequence for each in window.nodes)
        seen += [each.row.sequence for each in window.messages]
        if not window.more:
            assert window.to_sequence == limit
        cursor = window.to_sequence
    assert seen == [each.sequence for each in nodes if each.candidate and not each.abandoned and each.sequence <= limit]


@settings(max_examples=100, deadline=None)
@given(sessions())
def test_a_window_keeps_to_its_budget(session: tuple[list[NodeRow], int, int]) -> None:
    nodes, limit, budget = session
    window = fix_window(source(*nodes, limit=limit), budget)
    if window is not None:
        assert sum(estimate_tokens(each.text) for each in window.nodes) <= max(budget, 256)
