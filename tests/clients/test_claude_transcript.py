"""What each record of a Claude Code transcript means."""

from __future__ import annotations

from typing import Any

import pytest

from soong_claude_code import batched, without_abandoned
from soong_claude_transcript import SUMMARY_CHARS, Transcript
from soong_memory_client.wire import Call
from tests.clients.transcripts import SESSION, assistant, record, tool_result, tool_use, user

SESSION_ID = f"claude-code:{SESSION}"


def read(*records: dict[str, Any]) -> list[Call[Any]]:
    transcript = Transcript()
    return [call for item in records for call in transcript.feed(item)]


def methods(made: list[Call[Any]]) -> list[str]:
    return [call.method for call in made]


def nodes(made: list[Call[Any]]) -> list[dict[str, Any]]:
    return [node for call in made if call.method == "context.append" for node in call.params["nodes"]]


@pytest.mark.rule("client.claude-turn")
def test_a_turn_is_a_session_a_run_the_words_of_both_sides_and_the_end_of_the_run() -> None:
    made = read({"type": "summary", "summary": "Fix  the\nexport"}, user("u", None, "Why?"), assistant("a", "u", "Because."))
    assert methods(made) == ["session.open", "run.started", "context.append", "context.append", "run.completed"]
    assert made[0].params == {"session_id": SESSION_ID, "agent_id": "main", "title": "Fix the export"}
    assert made[4].params == {"session_id": SESSION_ID, "run_id": "u:run", "status": "completed"}
    question, answer = nodes(made)
    assert question == {
        "node_id": "u",
        "kind": "user_message",
        "text": "Why?",
        "origin": "typed",
        "run_id": "u:run",
        "created_at": "2026-11-30T09:00:00.000Z",
    }
    assert (answer["kind"], answer["parent_id"], answer["text"]) == ("assistant_message", "u", "Because.")


@pytest.mark.rule("client.claude-turn")
def test_a_run_without_a_marked_end_ends_with_the_next_prompt_or_the_transcript() -> None:
    transcript = Transcript()
    transcript.feed(user("u1", None, "one"))
    assert methods(transcript.feed(user("u2", "u1", "two"))) == ["run.completed", "run.started", "context.append"]
    assert [call.params["run_id"] for call in transcript.finish()] == ["u2:run"]
    assert transcript.finish() == []


@pytest.mark.rule("client.claude-turn")
@pytest.mark.parametrize(
    ("end", "status"),
    [
        (user("x", "u", [{"type": "text", "text": "[Request interrupted by user]"}]), "cancelled"),
        (assistant("x", "u", "API Error: 529", isApiErrorMessage=True), "failed"),
    ],
)
def test_an_interrupted_run_is_cancelled_and_a_failed_one_failed(end: dict[str, Any], status: str) -> None:
    made = read(user("u", None, "go"), end)
    assert made[-1].params["status"] == status
    assert len(nodes(made)) == 1, "what the harness says about it is nobody's message"


@pytest.mark.rule("client.claude-synthetic")
@pytest.mark.parametrize(
    "item",
    [
        user("x", None, "Caveat: …", isMeta=True),
        user("x", None, "<command-name>/cost</command-name>"),
        user("x", None, "<local-command-stdout>Remember to…</local-command-stdout>"),
        user("x", None, [{"type": "text", "text": "<system-reminder>always</system-reminder>"}]),
        user("x", None, "<bash-stdout>记住</bash-stdout>"),
        user("x", None, "<task-notification>done</task-notification>"),
    ],
)
def test_what_the_harness_writes_in_the_users_place_is_synthetic_and_starts_no_run(item: dict[str, Any]) -> None:
    made = read(item)
    assert methods(made) == ["session.open", "context.append"]
    assert (nodes(made)[0]["kind"], nodes(made)[0]["origin"]) == ("other", "synthetic")


@pytest.mark.rule("client.claude-synthetic")
def test_a_reminder_beside_typed_words_is_left_out_of_them() -> None:
    content = [{"type": "text", "text": "以后都用 uv"}, {"type": "text", "text": "<system-reminder>x</system-reminder>"}]
    node = nodes(read(user("u", None, [*content, {"type": "image", "source": {}}])))[0]
    assert (node["text"], node["origin"], node["metadata"]) == ("以后都用 uv", "typed", {"images": 1})


@pytest.mark.rule("client.claude-tools")
def test_a_tool_result_has_a_short_summary_and_names_what_it_touched() -> None:
    text = "line\n" * 400
    made = read(user("u", None, "go"), tool_use("t", "u", "Read", {"file_path": "/src/a.py"}), tool_result("r", "t", text))
    node = nodes(made)[1]
    assert (node["kind"], node["artifact_refs"], node["text"]) == ("tool_result", ["/src/a.py"], text.strip())
    assert node["summary"].startswith("Read(/src/a.py), 400 lines: line line")
    assert len(node["summary"]) < SUMMARY_CHARS + 100
    assert "origin" not in node, "the daemon's default for a tool result is external"


@pytest.mark.rule("client.claude-tools")
def test_a_failed_tool_says_so_and_an_unknown_one_is_still_a_result() -> None:
    made = read(user("u", None, "go"), tool_result("r", "u", [{"type": "text", "text": "no"}], block={"is_error": True}))
    assert nodes(made)[1]["summary"] == "tool() failed, 1 lines: no"


@pytest.mark.rule("client.claude-tools")
def test_several_results_in_one_record_are_several_nodes() -> None:
    blocks = [{"type": "tool_result", "tool_use_id": str(number), "content": str(number)} for number in range(3)]
    assert [node["node_id"] for node in nodes(read(user("r", None, blocks)))] == ["r", "r:1", "r:2"]


@pytest.mark.rule("client.claude-sidechain")
def test_a_sidechain_is_a_sub_agent_whose_brief_nobody_typed() -> None:
    side = {"isSidechain": True}
    made = read(
        user("u", None, "go"),
        user("s1", None, "From now on answer in bullets.", **side),
        assistant("s2", "s1", "- ok", **side),
        user("s3", None, "Another brief", **side),
        user("s4", None, "Named", agentId="ab", **side),
    )
    registered = [call.params for call in made if call.method == "agent.register"]
    assert [params["agent_id"] for params in registered] == ["sub-s1", "sub-s3", "sub-ab"]
    assert {(params["kind"], params["parent_agent_id"]) for params in registered} == {("sub", "main")}
    brief, answer = nodes(made)[1:3]
    assert (brief["origin"], brief["agent_id"]) == ("synthetic", "sub-s1")
    assert (answer["origin"], answer["agent_id"]) == ("generated", "sub-s1")
    assert methods(made).count("run.started") == 1, "a sub agent's run schedules nothing"


@pytest.mark.rule("client.claude-compaction")
def test_a_compaction_is_its_summary() -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None}
    made = read(user("u", None, "go"), boundary, user("c", "b", "We fixed the export.", isCompactSummary=True))
    assert (nodes(made)[1]["kind"], nodes(made)[1]["text"]) == ("compact_summary", "We fixed the export.")
    assert "origin" not in nodes(made)[1]


@pytest.mark.rule("client.claude-dedupe")
def test_a_record_that_was_copied_by_a_resume_counts_once() -> None:
    made = read(user("u", None, "go"), user("u", None, "go"), assistant("a", "u", "ok"), assistant("a", "u", "ok"))
    assert [node["node_id"] for node in nodes(made)] == ["u", "a"]


@pytest.mark.rule("client.claude-rewind")
def test_a_prompt_typed_after_going_back_rewinds_to_the_end_of_the_run_it_follows() -> None:
    made = read(
        user("u1", None, "one"),
        assistant("a1", "u1", "1"),
        user("u2", "a1", "two"),
        assistant("a2", "u2", "2"),
        user("u3", "a1", "three"),
        assistant("a3", "u3", "3"),
    )
    assert [call.params["node_id"] for call in made if call.method == "context.rewind"] == ["a1"]
    assert methods(made)[-4:] == ["run.started", "context.append", "context.append", "run.completed"]


@pytest.mark.rule("client.claude-rewind")
def test_parallel_tools_and_a_compaction_are_no_going_back() -> None:
    made = read(
        user("u1", None, "one"),
        tool_use("t1", "u1", "Read", {}),
        tool_use("t2", "t1", "Read", {}),
        tool_result("r1", "t1", "1"),
        tool_result("r2", "t2", "2"),
        assistant("a1", "r2", "done"),
        user("u2", "a1", "two"),
        {"type": "system", "uuid": "b", "parentUuid": None},
        user("c", "b", "summary", isCompactSummary=True),
        user("u3", "c", "three"),
    )
    assert "context.rewind" not in methods(made)


@pytest.mark.rule("client.claude-rewind")
def test_a_replayed_transcript_leaves_out_what_was_abandoned_and_rewinds_nothing() -> None:
    made = read(
        user("u1", None, "one"),
        assistant("a1", "u1", "1"),
        user("u2", "a1", "two"),
        user("s", None, "brief", isSidechain=True),
        user("u3", "a1", "three"),
    )
    kept = without_abandoned(made)
    assert [node["node_id"] for node in nodes(kept)] == ["u1", "a1", "u3"]
    assert "context.rewind" not in methods(kept)
    assert [call.params["run_id"] for call in kept if call.method == "run.started"] == ["u1:run", "u3:run"]


@pytest.mark.parametrize(
    "item",
    [
        {},
        {"type": "user"},
        {"type": "user", "uuid": 7, "message": {}},
        {"type": "user", "uuid": "x", "message": "text"},
        {"type": "attachment", "uuid": "x"},
        record("x", None, "user", None),
        record("x", None, "user", [1, {"type": "text"}]),
        record("x", None, "assistant", [{"type": "thinking", "thinking": "hm"}]),
    ],
)
def test_a_record_that_says_nothing_makes_no_call(item: dict[str, Any]) -> None:
    assert read(item) == []


def test_a_record_that_is_its_own_ancestor_ends_the_search() -> None:
    assert methods(read(user("u1", None, "one"), user("u2", "u2", "two")))[-1] == "context.append"


def test_a_time_that_is_none_is_left_to_the_daemon() -> None:
    assert "created_at" not in nodes(read(user("u", None, "go", timestamp="yesterday")))[0]


def test_neighbouring_appends_travel_together() -> None:
    made = list(
        batched(
            read(user("u", None, "go"), tool_use("t", "u", "Read", {}), tool_result("r", "t", "x"), assistant("a", "r", "ok"))
        )
    )
    assert methods(made) == ["session.open", "run.started", "context.append", "run.completed"]
    assert [node["node_id"] for node in nodes(made)] == ["u", "r", "a"]
