"""The rows of the method table that agents call, on a real daemon: what goes in, exactly what comes out, and each error."""

from __future__ import annotations

import pytest

from soong_memoryd.protocol.methods import METHODS
from tests.e2e.scene import UNKNOWN_MEMORY, sha256_of

# Every method


@pytest.mark.rule("envelope.unknown-params", "error.invalid_params")
@pytest.mark.parametrize("method", METHODS)
def test_every_method_refuses_a_parameter_that_it_does_not_have(scene, method):
    fields = {"colour", *METHODS[method].params.model_fields}
    assert scene.refused("invalid_params", method, colour="blue").data["field"] in fields


@pytest.mark.rule("error.session_unknown")
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("session.close", {}),
        ("agent.register", {"agent_id": "a", "kind": "sub", "parent_agent_id": "main"}),
        ("context.append", {"nodes": [{"node_id": "n", "kind": "other"}]}),
        ("context.rewind", {"node_id": "n"}),
        ("run.started", {"run_id": "r"}),
        ("run.completed", {"run_id": "r", "status": "completed"}),
        ("memory.catalog", {}),
        ("memory.recall", {"query": "anything"}),
        ("extraction.trigger", {}),
        ("extraction.retry", {}),
        ("extraction.skip", {}),
    ],
)
def test_a_session_that_was_never_opened_is_unknown(scene, method, params):
    assert scene.refused("session_unknown", method, session_id="never-opened", **params).number == -32001


@pytest.mark.rule("error.not_found")
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("memory.get", {"memory_id": UNKNOWN_MEMORY}),
        ("memory.why", {"memory_id": UNKNOWN_MEMORY}),
        ("memory.forget", {"memory_id": UNKNOWN_MEMORY}),
        ("memory.history", {"memory_id": UNKNOWN_MEMORY}),
        ("memory.undo", {"version_id": "no-such-version"}),
        ("memory.adopt", {"edit_id": "no-such-edit.md"}),
        ("memory.adopt", {"edit_id": "../state.db"}),
        ("extraction.get", {"job_id": "job_nowhere"}),
    ],
)
def test_what_is_not_there_is_not_found(scene, method, params):
    assert scene.refused("not_found", method, **params).number == -32006


@pytest.mark.rule("error.method_not_found")
def test_a_method_that_is_not_in_the_table_is_not_found(scene):
    assert scene.refused("method_not_found", "memory.write", text="x").number == -32601


# What agents call


@pytest.mark.rule("method.initialize", "error.protocol_version")
def test_initialize_agrees_on_the_version(scene):
    result = scene.call("initialize", protocol_version=1, client={"name": "contract", "version": "0"})
    assert set(result) == {"protocol_version", "server", "limits", "memory_enabled"}
    assert result["server"]["name"] == "soong-memoryd"
    assert set(result["limits"]) == {"max_message_bytes", "max_batch", "max_in_flight", "max_nodes"}
    assert scene.refused("protocol_version", "initialize", protocol_version=2, client={"name": "c"}).number == -32011


@pytest.mark.rule("method.session-open", "error.agent_conflict")
def test_session_open_creates_once_and_says_what_is_on_disk(scene, session):
    first = scene.call("session.open", session_id=session, agent_id="orchestrator", title="A title")
    assert first == {"session_id": session, "created": True, "durable_sequence": 0, "unscanned_messages": 0}
    node = {"node_id": f"{session}-u1", "kind": "user_message", "text": "hello"}
    scene.call("context.append", session_id=session, nodes=[node])
    again = scene.call("session.open", session_id=session, agent_id="orchestrator")
    assert again == {"session_id": session, "created": False, "durable_sequence": 1, "unscanned_messages": 1}
    assert scene.refused("agent_conflict", "session.open", session_id=session).number == -32004


@pytest.mark.rule("method.session-close")
def test_session_close_abandons_the_open_run_and_leaves_the_idle_clock(scene, session):
    scene.call("session.open", session_id=session)
    scene.call("run.started", session_id=session, run_id="r")
    scene.say(session, "hello")
    assert scene.call("session.close", session_id=session) == {}
    (job,) = scene.call("extraction.list", session_id=session)["jobs"]
    assert (job["reason"], job["status"]) == ("idle", "pending")
    assert scene.call("run.completed", session_id=session, run_id="r", status="completed")["decision"]["reason"] == "idle"


@pytest.mark.rule("method.session-list")
def test_session_list_pages_and_shows_where_each_session_stands(scene, session):
    for name in ("a", "b"):
        scene.call("session.open", session_id=f"{session}-{name}", title=name)
    scene.say(f"{session}-b", "hello")
    page = scene.call("session.list", limit=2, offset=0)
    assert page["total"] >= 2 and len(page["sessions"]) == 2
    found = {s["session_id"]: s for s in scene.call("session.list", limit=1000)["sessions"]}
    quiet, waiting = found[f"{session}-a"], found[f"{session}-b"]
    assert quiet == {
        "session_id": f"{session}-a", "title": "a", "unscanned_messages": 0, "cursor": 0, "last_sequence": 0,
        "next_due_at": None, "state": "idle",
    }  # fmt: skip
    assert (waiting["state"], waiting["unscanned_messages"], waiting["last_sequence"]) == ("waiting", 1, 1)
    assert waiting["next_due_at"] is not None
    assert scene.call("session.list", limit=1, offset=1)["sessions"] == scene.call("session.list", limit=2)["sessions"][1:]


@pytest.mark.rule("method.agent-register", "error.agent_unknown")
def test_agent_register_takes_the_first_kind_and_no_other(scene, session):
    scene.call("session.open", session_id=session)
    for kind in ("sub", "fork", "worker", "compact"):
        params = {"session_id": session, "agent_id": f"the-{kind}", "parent_agent_id": "main"}
        for _ in range(2):
            assert scene.call("agent.register", kind=kind, **params) == {"agent_id": f"the-{kind}", "kind": kind}
    new = {"session_id": session, "agent_id": "new", "kind": "sub", "parent_agent_id": "main"}
    scene.refused("agent_conflict", "agent.register", **{**new, "agent_id": "the-sub", "kind": "fork"})
    scene.refused("invalid_params", "agent.register", **{**new, "kind": "main"})
    assert scene.refused("agent_unknown", "agent.register", **{**new, "parent_agent_id": "nobody"}).number == -32002


@pytest.mark.rule("method.context-append", "state.result-after-commit")
def test_context_append_answers_when_the_nodes_are_on_disk(scene, session):
    scene.call("session.open", session_id=session)
    nodes = [
        {"node_id": "u1", "kind": "user_message", "text": "hello", "created_at": "2026-12-01T08:00:00Z", "metadata": {"a": 1}},
        {"node_id": "a1", "kind": "assistant_message", "text": "hi", "parent_id": "never-sent"},
        {"node_id": "t1", "kind": "tool_result", "text": "raw", "summary": "ran it", "artifact_refs": ["out.txt"]},
    ]
    first = scene.call("context.append", session_id=session, nodes=nodes)
    assert first == {"durable_sequence": 3, "appended": 3, "duplicates": []}
    stored = scene.rows("SELECT node_id, sequence, origin FROM nodes WHERE session_id = ? ORDER BY sequence", session)
    assert stored == [("u1", 1, "typed"), ("a1", 2, "generated"), ("t1", 3, "external")]
    more = [*nodes, {"node_id": "o1", "kind": "other"}]
    assert scene.call("context.append", session_id=session, nodes=more) == {
        "durable_sequence": 4, "appended": 1, "duplicates": ["u1", "a1", "t1"],
    }  # fmt: skip


@pytest.mark.rule("method.context-append", "error.node_conflict", "error.message_too_large")
def test_context_append_refuses_all_of_it_and_names_the_node(scene, session):
    scene.say(session, "hello")
    good = {"node_id": "n", "kind": "other"}
    for code, bad in (
        ("node_conflict", {"node_id": f"{session}-u1", "kind": "user_message", "text": "something else"}),
        ("agent_unknown", {"node_id": "x", "kind": "other", "agent_id": "nobody"}),
        ("message_too_large", {"node_id": "x", "kind": "other", "text": "x" * (256 * 1024 + 1)}),
        ("invalid_params", {"node_id": "x", "kind": "unheard-of"}),
    ):
        assert scene.refused(code, "context.append", session_id=session, nodes=[good, bad]).data["index"] == 1
    for count in (0, 257):
        nodes = [{"node_id": f"n{i}", "kind": "other"} for i in range(count)]
        assert scene.refused("invalid_params", "context.append", session_id=session, nodes=nodes).data["field"] == "nodes"
    assert scene.call("session.open", session_id=session)["durable_sequence"] == 1


@pytest.mark.rule("method.context-rewind")
def test_context_rewind_counts_what_leaves_the_path(scene, session):
    for index in range(1, 4):
        scene.say(session, f"message {index}", f"u{index}")
    assert scene.call("context.rewind", session_id=session, node_id=f"{session}-u1") == {"abandoned": 2}
    assert scene.call("context.rewind", session_id=session, node_id=f"{session}-u1") == {"abandoned": 0}
    assert scene.call("session.open", session_id=session)["unscanned_messages"] == 1
    scene.refused("not_found", "context.rewind", session_id=session, node_id="never-sent")


@pytest.mark.rule("method.run-started", "run.idempotent")
def test_run_started_says_whether_it_cancelled_the_idle_job(scene, session):
    scene.say(session, "hello")
    assert scene.call("run.started", session_id=session, run_id="r1") == {"cancelled_idle": True}
    assert scene.call("run.started", session_id=session, run_id="r1") == {"cancelled_idle": False}
    (job,) = scene.call("extraction.list", session_id=session)["jobs"]
    assert job["status"] == "cancelled"
    scene.refused("agent_unknown", "run.started", session_id=session, run_id="r2", agent_id="nobody")


@pytest.mark.rule("method.run-completed")
@pytest.mark.parametrize("status", ["completed", "failed", "cancelled"])
def test_run_completed_says_why_and_when_it_will_look(scene, session, status):
    scene.call("session.open", session_id=session)
    nothing = {"decision": None}
    assert scene.call("run.completed", session_id=session, run_id="r0", status=status) == nothing
    scene.call("run.started", session_id=session, run_id="r1")
    scene.say(session, "hello")
    decision = scene.call("run.completed", session_id=session, run_id="r1", status=status)["decision"]
    assert set(decision) == {"reason", "due_at", "job_id"} and decision["reason"] == "idle"
    assert scene.call("extraction.get", job_id=decision["job_id"])["due_at"] == decision["due_at"]
    assert scene.call("run.completed", session_id=session, run_id="r1", status=status) == nothing
    scene.refused("invalid_params", "run.completed", session_id=session, run_id="r2", status="abandoned")


@pytest.mark.rule("method.memory-catalog", "error.role_denied", "roles.matrix", "recall.catalog-resident")
def test_memory_catalog_is_the_file_as_it_goes_into_the_system_prompt(scene, session):
    for index in range(2):
        scene.learn(f"{session}-{index}", f"I keep {['bees', 'goats'][index]} behind the house.")
    result = scene.call("memory.catalog", session_id=f"{session}-0")
    assert result["text"] == (scene.home / "memory" / "MEMORY.md").read_text(encoding="utf-8")
    assert result["revision"] == sha256_of(result["text"].encode()) and result["entries"] >= 2 and not result["truncated"]
    assert scene.call("memory.catalog") == result, "an operator names no session"
    short = scene.call("memory.catalog", max_tokens=60)
    assert short["truncated"] and short["entries"] < result["entries"] and short["text"] != result["text"]
    scene.call("agent.register", session_id=f"{session}-0", agent_id="sub", kind="sub", parent_agent_id="main")
    denied = scene.refused("role_denied", "memory.catalog", session_id=f"{session}-0", agent_id="sub")
    assert denied.number == -32003


@pytest.mark.rule("method.memory-recall", "recall.own-profile", "recall.node-metadata", "recall.message", "recall.limits")
def test_memory_recall_answers_with_a_message_a_node_and_what_was_left_out(scene, session):
    memory = scene.learn(session, "I play the hurdy-gurdy on Sundays.", category="user")
    other = scene.learn(f"{session}-2", "I tune the hurdy-gurdy to G.", category="user")
    scene.mind.chooses = [memory["id"], other["id"]]
    extracted, selected = scene.server.calls, scene.selector.calls
    answer = scene.call("memory.recall", session_id=session, query="hurdy-gurdy", top_k=1)
    assert (scene.server.calls, scene.selector.calls) == (extracted, selected + 1)
    assert set(answer) == {
        "status", "message", "node", "recalled", "already_recalled", "omitted", "selected_by", "degraded",
    }  # fmt: skip
    shown = {key: memory[key] for key in ("id", "category", "summary", "path", "sha256")}
    assert (answer["status"], answer["recalled"], answer["selected_by"], answer["degraded"]) == (
        "recalled", [shown], "model", None,
    )  # fmt: skip
    assert answer["omitted"] == [{"id": other["id"], "reason": "top_k"}]
    assert answer["message"]["role"] == "user" and "The user says: I play" in answer["message"]["content"]
    node = answer["node"]
    assert (node["kind"], node["text"]) == ("memory_context", answer["message"]["content"])
    assert node["metadata"] == {
        "recalled_memory_ids": [memory["id"]], "categories": ["user"], "query": "hurdy-gurdy", "selected_by_model": True,
        "source_paths": [memory["path"]], "file_hashes": [memory["sha256"]],
    }  # fmt: skip
    again = scene.call("memory.recall", session_id=session, query="hurdy-gurdy", top_k=1)
    assert (again["already_recalled"], [m["id"] for m in again["recalled"]]) == ([memory["id"]], [other["id"]])
    dry = scene.call("memory.recall", query="hurdy-gurdy", user_request="play", path_summary="music", token_budget=5000)
    assert dry["status"] == "recalled" and dry["node"] is None, "an operator's dry run stores nothing"
    for wrong in ({"top_k": 0}, {"token_budget": 0}, {"query": ""}):
        scene.refused("invalid_params", "memory.recall", **{"query": "x", **wrong})


@pytest.mark.rule("recall.path-after-compaction", "recall.already-recalled")
def test_what_a_compaction_or_a_rewind_took_out_of_view_may_be_recalled_again(scene, session):
    memory = scene.learn(session, "I mend clocks in the evening.")
    scene.mind.chooses = [memory["id"]]

    def status() -> str:
        return scene.call("memory.recall", session_id=session, query="clocks")["status"]

    assert [status(), status()] == ["recalled", "already_recalled"]
    summary = {"node_id": "c1", "kind": "compact_summary", "text": "They spoke of clocks."}
    scene.call("context.append", session_id=session, nodes=[summary])
    assert [status(), status()] == ["recalled", "already_recalled"]
    scene.call("context.rewind", session_id=session, node_id="c1")
    assert [status(), status()] == ["recalled", "already_recalled"]


# Lines that are no request


@pytest.mark.rule("error.parse_error", "error.invalid_request")
@pytest.mark.parametrize(
    ("line", "code", "number"),
    [
        (b'{"jsonrpc": "2.0", "id": 1, "method": \n', "parse_error", -32700),
        (b'{"id": 1, "method": "daemon.status"}\n', "invalid_request", -32600),
        (b"[" + b",".join([b'{"jsonrpc":"2.0","id":1,"method":"daemon.status"}'] * 17) + b"]\n", "invalid_request", -32600),
    ],
    ids=["no JSON", "no version", "17 in a batch"],
)
def test_what_is_no_request_is_answered_with_its_error(scene, line, code, number):
    scene.line.send(line)
    error = scene.line.read()["error"]
    assert (error["code"], error["data"]["code"], error["data"]["retryable"]) == (number, code, False)
    assert scene.call("daemon.status")["state"] == "ready"
