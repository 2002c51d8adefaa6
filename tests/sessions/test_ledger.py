"""What agents say is kept exactly once, in order, under the rules of the wire contract."""

from __future__ import annotations

import pytest

from soong_memoryd.errors import RequestError
from soong_memoryd.state.queries import nodes
from tests.support.ledger import LedgerBench


@pytest.fixture
def bench():
    bench = LedgerBench()
    bench.open()
    yield bench
    bench.close()


def refused(code, call, *args, **kwargs):
    with pytest.raises(RequestError) as caught:
        call(*args, **kwargs)
    assert caught.value.code == code
    return caught.value


@pytest.mark.rule("method.session-open")
def test_a_session_is_created_once_and_reopened_afterwards(bench):
    assert bench.open("new", title="t") == {
        "session_id": "new",
        "created": True,
        "durable_sequence": 0,
        "unscanned_messages": 0,
    }
    bench.say("n1", session_id="new")
    again = bench.open("new")
    assert (again["created"], again["durable_sequence"], again["unscanned_messages"]) == (False, 1, 1)


@pytest.mark.rule("session.main-agent")
def test_the_main_agent_of_a_session_never_changes(bench):
    refused("agent_conflict", bench.open, "s", "other")


@pytest.mark.rule("error.session_unknown")
@pytest.mark.parametrize("verb", ["say", "start", "complete", "rewind"])
def test_an_unknown_session_is_refused(bench, verb):
    assert refused("session_unknown", getattr(bench, verb), "x", session_id="nowhere").field == "session_id"


@pytest.mark.rule("method.agent-register", "error.agent_conflict", "error.agent_unknown")
def test_the_first_registration_of_an_agent_wins(bench):
    assert bench.register("a", "sub") == {"agent_id": "a", "kind": "sub"}
    assert bench.register("a", "sub") == {"agent_id": "a", "kind": "sub"}
    refused("agent_conflict", bench.register, "a", "worker")
    refused("agent_conflict", bench.register, "main", "sub")
    refused("agent_unknown", bench.register, "b", "sub", "nobody")


@pytest.mark.rule("node.sequence", "method.context-append")
def test_nodes_get_a_sequence_of_their_session(bench):
    assert bench.append({"node_id": "a", "kind": "user_message"}, {"node_id": "b", "kind": "other"})["durable_sequence"] == 2
    bench.open("t")
    assert bench.say("a", session_id="t")["durable_sequence"] == 1


@pytest.mark.rule("node.idempotent", "error.node_conflict")
def test_the_same_node_again_is_a_duplicate_and_other_content_a_conflict(bench):
    bench.say("a", "one")
    assert bench.say("a", "one") == {"durable_sequence": 1, "appended": 0, "duplicates": ["a"]}
    error = refused(
        "node_conflict",
        bench.append,
        {"node_id": "b", "kind": "other"},
        {"node_id": "a", "kind": "user_message", "text": "two"},
    )
    assert error.index == 1
    assert nodes.get(bench.connection, "s", "b") is None, "an append is all or nothing"


@pytest.mark.rule("node.hash-as-received")
def test_identity_is_decided_on_the_content_as_received_not_as_stored(bench):
    bench.say("a", "my password is hunter2")
    assert bench.say("a", "my password is hunter2")["duplicates"] == ["a"]
    refused("node_conflict", bench.say, "a", "my password is [REDACTED:test]")
    refused("node_conflict", bench.say, "a", "my password is hunter2", origin="synthetic")


@pytest.mark.rule("node.redacted-before-storage")
def test_secrets_are_redacted_before_a_node_is_stored(bench):
    bench.append(
        {
            "node_id": "a",
            "kind": "tool_result",
            "text": "hunter2",
            "summary": "hunter2",
            "artifact_refs": ["hunter2"],
            "metadata": {"k": ["hunter2"]},
        }
    )
    row = nodes.get(bench.connection, "s", "a")
    assert "hunter2" not in repr(row) and row.summary == "[REDACTED:test]" and row.metadata == {"k": ["[REDACTED:test]"]}


@pytest.mark.rule("node.default-origin")
@pytest.mark.parametrize(
    ("kind", "origin"),
    [
        ("user_message", "typed"),
        ("assistant_message", "generated"),
        ("compact_summary", "generated"),
        ("tool_result", "external"),
        ("memory_context", "synthetic"),
        ("other", "synthetic"),
    ],
)
def test_an_origin_left_out_follows_from_the_kind(bench, kind, origin):
    bench.append({"node_id": "a", "kind": kind, "text": "x"})
    assert nodes.get(bench.connection, "s", "a").origin == origin


@pytest.mark.rule("node.memory-context-text")
def test_the_text_of_a_memory_context_is_never_stored(bench):
    bench.append({"node_id": "a", "kind": "memory_context", "text": "the body", "summary": "the body", "metadata": {"m": 1}})
    row = nodes.get(bench.connection, "s", "a")
    assert (row.text, row.summary, row.metadata) == ("", None, {"m": 1})


@pytest.mark.rule("node.tool-excerpt")
def test_a_tools_raw_text_is_cut_to_an_excerpt(bench):
    bench.append({"node_id": "a", "kind": "tool_result", "text": "x" * 100_000})
    assert len(nodes.get(bench.connection, "s", "a").text) < 3_000


@pytest.mark.rule("node.agent")
def test_a_node_belongs_to_the_main_agent_unless_it_names_a_registered_one(bench):
    bench.register("helper", "sub")
    bench.append({"node_id": "a", "kind": "other"}, {"node_id": "b", "kind": "other", "agent_id": "helper"})
    assert [nodes.get(bench.connection, "s", i).agent_kind for i in "ab"] == ["main", "sub"]
    assert refused("agent_unknown", bench.append, {"node_id": "c", "kind": "other", "agent_id": "nobody"}).index == 0


@pytest.mark.rule("node.run-default")
def test_a_run_left_out_is_the_open_root_run(bench):
    bench.say("a")
    bench.start("r1")
    bench.say("b")
    assert [nodes.get(bench.connection, "s", i).run_id for i in "ab"] == [None, "r1"]


@pytest.mark.rule("source.root-user-message")
def test_only_what_a_person_typed_to_the_main_agent_is_a_root_user_message(bench):
    bench.register("helper", "sub")
    bench.append(
        {"node_id": "typed", "kind": "user_message"},
        {"node_id": "brief", "kind": "user_message", "origin": "synthetic"},
        {"node_id": "sub", "kind": "user_message", "agent_id": "helper"},
        {"node_id": "answer", "kind": "assistant_message"},
        {"node_id": "tool", "kind": "tool_result"},
    )
    assert [i for i in ("typed", "brief", "sub", "answer", "tool") if nodes.get(bench.connection, "s", i).candidate] == [
        "typed"
    ]
    assert bench.open()["unscanned_messages"] == 1


@pytest.mark.rule("source.resumed-transcript")
def test_a_message_known_from_another_session_is_never_a_candidate(bench):
    bench.say("a", "I use uv")
    bench.open("resumed")
    bench.say("a", "I use uv", session_id="resumed")
    bench.say("b", "I use uv", session_id="resumed")
    assert bench.open("resumed")["unscanned_messages"] == 1


@pytest.mark.rule("source.disabled")
def test_what_arrives_while_memory_is_disabled_is_kept_and_never_extracted_later(bench):
    from dataclasses import replace

    bench.policy = replace(bench.policy, enabled=False)
    bench.say("a")
    assert bench.complete("r") is None
    bench.policy = replace(bench.policy, enabled=True)
    assert bench.open()["unscanned_messages"] == 0 and bench.open()["durable_sequence"] == 1


@pytest.mark.rule("context.rewind")
def test_a_rewind_takes_later_nodes_off_the_path_and_out_of_the_count(bench):
    for node_id in "abc":
        bench.say(node_id)
    assert bench.rewind("a") == 2
    assert bench.rewind("a") == 0
    assert bench.open()["unscanned_messages"] == 1
    refused("not_found", bench.rewind, "z")


def test_a_rewind_that_leaves_nothing_cancels_the_waiting_job(bench):
    bench.append({"node_id": "a", "kind": "other"})
    bench.say("b")
    assert bench.complete("r")["reason"] == "idle"
    bench.rewind("a")
    assert bench.pending() == []
