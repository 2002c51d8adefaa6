"""Every row of the method table on a real daemon: what goes in, exactly what comes out, and the errors it documents."""

from __future__ import annotations

import hashlib

import pytest

from soong_memoryd.protocol.methods import METHODS
from tests.e2e.scene import UNKNOWN_MEMORY, CheckedClient, Scene, create, until, update
from tests.support.daemon import BUILTIN, DaemonProcess

JOB = {
    "job_id", "session_id", "reason", "requested_by", "status", "attempt", "due_at", "from_sequence", "to_sequence",
    "created_at", "started_at", "finished_at", "result", "error",
}  # fmt: skip
ENTRY = {
    "id", "category", "summary", "tags", "created_at", "updated_at", "source_session_id", "source_node_ids",
    "confirmed_by_node_id", "evidence", "path", "sha256",
}  # fmt: skip
RFC3339 = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"


def sha256_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# Every method


@pytest.mark.rule("envelope.unknown-params", "error.invalid_params")
@pytest.mark.parametrize("method", METHODS)
def test_every_method_refuses_a_parameter_that_it_does_not_have(scene, method):
    assert scene.refused("invalid_params", method, colour="blue").data["field"] in {"colour", *METHODS[method].params.model_fields}


@pytest.mark.rule("session.unknown", "error.session_unknown")
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
    scene.call("context.append", session_id=session, nodes=[{"node_id": f"{session}-u1", "kind": "user_message", "text": "hello"}])
    again = scene.call("session.open", session_id=session, agent_id="orchestrator")
    assert again == {"session_id": session, "created": False, "durable_sequence": 1, "unscanned_messages": 1}
    assert scene.refused("agent_conflict", "session.open", session_id=session).number == -32004


@pytest.mark.rule("method.session-close", "session.close")
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
    scene.refused("agent_conflict", "agent.register", session_id=session, agent_id="the-sub", kind="fork", parent_agent_id="main")
    scene.refused("invalid_params", "agent.register", session_id=session, agent_id="x", kind="main", parent_agent_id="main")
    orphan = {"session_id": session, "agent_id": "x", "kind": "sub", "parent_agent_id": "nobody"}
    assert scene.refused("agent_unknown", "agent.register", **orphan).number == -32002


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


@pytest.mark.rule("method.memory-catalog", "error.role_denied", "roles.matrix")
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


@pytest.mark.rule("method.memory-recall", "recall.own-profile")
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


# What the operator calls


@pytest.mark.rule("method.memory-list")
def test_memory_list_filters_and_pages_the_newest_first(scene, session):
    mine = [scene.learn(f"{session}-{i}", f"I own {['a kayak', 'a canoe', 'a raft'][i]}.", tags=["boats"]) for i in range(3)]
    listed = scene.call("memory.list", tag="boats")
    assert listed["total"] == 3 and {m["id"] for m in listed["memories"]} == {m["id"] for m in mine}
    assert all(set(memory) == ENTRY for memory in listed["memories"])
    assert [m["created_at"] for m in listed["memories"]] == sorted((m["created_at"] for m in mine), reverse=True)
    page = scene.call("memory.list", tag="boats", limit=1, offset=1)
    assert (page["memories"], page["total"]) == (listed["memories"][1:2], 3)
    assert scene.call("memory.list", tag="boats", category="reference") == {"memories": [], "total": 0}
    scene.refused("invalid_params", "memory.list", category="project")


@pytest.mark.rule("method.memory-get")
def test_memory_get_shows_frontmatter_body_and_the_hash_of_the_file(scene, session):
    memory = scene.learn(session, "I collect maps of islands.")
    got = scene.call("memory.get", memory_id=memory["id"])
    assert set(got) == {"frontmatter", "body", "path", "sha256"}
    assert got["sha256"] == memory["sha256"] == sha256_of(scene.path_of(memory).read_bytes())
    assert got["body"] == "The user says: I collect maps of islands." and got["path"] == memory["path"]
    assert list(got["frontmatter"]) == [
        "id", "category", "summary", "tags", "created_at", "updated_at", "source_session_id", "source_node_ids",
    ]  # fmt: skip
    assert (got["frontmatter"]["source_session_id"], got["frontmatter"]["source_node_ids"]) == (session, [f"{session}-u1"])


@pytest.mark.rule("method.memory-search", "recall.search")
def test_memory_search_ranks_by_words_without_a_model(scene, session):
    memory = scene.learn(session, "I brew elderflower lemonade.")
    before = scene.server.calls + scene.selector.calls
    matches = scene.call("memory.search", query="elderflower", limit=3)["matches"]
    assert matches[0] == {**{k: memory[k] for k in ("id", "summary", "path")}, "score": matches[0]["score"]}
    assert matches[0]["score"] > 0 and scene.server.calls + scene.selector.calls == before
    assert scene.call("memory.search", query="quaternion") == {"matches": []}


@pytest.mark.rule("method.memory-why")
def test_memory_why_names_the_messages_and_what_happened(scene, session):
    memory = scene.learn(session, "I live on a houseboat.")
    why = scene.call("memory.why", memory_id=memory["id"])
    assert set(why) == {"sources", "events"}
    (source,) = why["sources"]
    assert (source["session_id"], source["node_id"], source["kind"]) == (session, f"{session}-u1", "user_message")
    assert source["excerpt"] == "I live on a houseboat." and source["created_at"] is not None
    assert [event["type"] for event in why["events"]] == ["memory_extraction_completed"]


@pytest.mark.rule("method.memory-forget", "error.memory_changed", "memory.purge")
def test_memory_forget_removes_what_the_person_saw_and_bars_its_sources(scene, session):
    text = "I am learning to juggle."
    memory = scene.learn(session, text)
    stale = scene.refused("memory_changed", "memory.forget", memory_id=memory["id"], sha256="0" * 64)
    assert stale.number == -32012 and scene.path_of(memory).exists()
    done = scene.call("memory.forget", memory_id=memory["id"], sha256=memory["sha256"], purge=True)
    assert done == {"memory_id": memory["id"], "path": memory["path"]}
    assert not scene.path_of(memory).exists() and memory["id"] not in scene.call("memory.catalog")["text"]
    scene.refused("not_found", "memory.history", memory_id=memory["id"])
    scene.say(session, "And I juggle clubs too.", "u2")
    job = scene.extract(session, create(text, f"{session}-u1"))
    assert [ignored["reason"] for ignored in job["result"]["ignored"]] == ["refused_forgotten"]


@pytest.mark.rule("method.memory-history", "method.memory-undo", "rule.reads-before-it-writes")
def test_memory_history_lists_what_was_displaced_and_undo_puts_it_back(scene, session):
    memory = scene.learn(session, "I drink my coffee black.")
    scene.say(session, "No more black coffee, I take it with milk now.", "u2")
    job = scene.extract(session, update(memory["id"], "I take it with milk now.", f"{session}-u2", "conflict"))
    assert job["result"]["conflicts"] == [{"memory_id": memory["id"], "source_node_ids": [f"{session}-u2"]}]
    now = scene.entry(memory["id"])
    assert (now["path"], now["created_at"], now["source_node_ids"]) == (memory["path"], memory["created_at"], [f"{session}-u2"])
    (version,) = scene.call("memory.history", memory_id=memory["id"])["versions"]
    assert set(version) == {"version_id", "at", "cause", "sha256"}
    assert (version["cause"], version["sha256"]) == ("conflict", memory["sha256"])
    undone = scene.call("memory.undo", version_id=version["version_id"])
    assert undone == {"memory_id": memory["id"], "path": memory["path"], "sha256": memory["sha256"]}
    assert scene.entry(memory["id"]) == memory


@pytest.mark.rule("method.memory-adopt", "rule.writer-belongs-to-jobs")
def test_memory_adopt_takes_the_text_that_was_left_for_it(scene, session):
    memory = scene.learn(session, "I row every morning.")
    edits = scene.home / "memoryd" / "edits"
    edits.mkdir(mode=0o700, exist_ok=True)
    edited = scene.path_of(memory).read_bytes() + b"\nExcept on Mondays.\n"
    (edits / "mine.md").write_bytes(edited)
    scene.refused("memory_changed", "memory.adopt", edit_id="mine.md", sha256="0" * 64)
    adopted = scene.call("memory.adopt", edit_id="mine.md", sha256=memory["sha256"])
    assert adopted == {"memory_id": memory["id"], "path": memory["path"], "sha256": sha256_of(edited)}
    assert scene.path_of(memory).read_bytes() == edited and not (edits / "mine.md").exists()
    (edits / "bad.md").write_bytes(b"no frontmatter at all")
    scene.refused("invalid_params", "memory.adopt", edit_id="bad.md")
    assert (edits / "bad.md").exists(), "a person's text is never thrown away"


@pytest.mark.rule("method.extraction-trigger", "extraction.trigger")
def test_extraction_trigger_looks_now_and_waits_when_asked(scene, session):
    assert scene.call("session.open", session_id=session)["created"]
    assert scene.call("extraction.trigger", session_id=session) == {"jobs": []}, "nothing is unscanned"
    scene.say(session, "hello")
    (waiting,) = scene.call("extraction.list", session_id=session)["jobs"]
    (job,) = scene.call("extraction.trigger", session_id=session, wait=True)["jobs"]
    assert set(job) == JOB and job["job_id"] == waiting["job_id"], "it merges with the job that waits"
    assert (job["status"], job["reason"], job["requested_by"], job["attempt"]) == ("completed", "explicit", "operator", 1)
    assert (job["from_sequence"], job["to_sequence"], job["error"]) == (1, 1, None)
    assert job["result"]["created"] == [] and scene.call("session.open", session_id=session)["unscanned_messages"] == 0


@pytest.mark.rule("wire.order", "extraction.trigger")
def test_a_trigger_sees_all_that_its_connection_sent_before(scene, session):
    node = {"node_id": f"{session}-u1", "kind": "user_message", "text": "I speak Frisian at home."}
    scene.mind.says = [create(node["text"], node["node_id"]), ("finish", {"ignored": [], "duplicates": []})]
    scene.line.send(
        [
            {"jsonrpc": "2.0", "method": "context.append", "params": {"session_id": session, "nodes": [node]}, "id": 2},
            {"jsonrpc": "2.0", "method": "session.open", "params": {"session_id": session}, "id": 1},
        ][::-1]
    )
    scene.line.send({"jsonrpc": "2.0", "method": "extraction.trigger", "params": {"session_id": session, "wait": True}, "id": 3})
    scene.line.read()
    (job,) = scene.line.read()["result"]["jobs"]
    assert len(job["result"]["created"]) == 1


@pytest.mark.rule("method.extraction-list", "method.extraction-get")
def test_extraction_list_and_get_show_jobs_by_session_and_status(scene, session):
    scene.say(session, "hello")
    done = scene.extract(session)
    scene.say(session, "hello again", "u2")
    newest, older = scene.call("extraction.list", session_id=session)["jobs"]
    assert (newest["status"], older) == ("pending", done)
    assert scene.call("extraction.list", session_id=session, status="completed")["jobs"] == [done]
    assert scene.call("extraction.list", session_id=session, limit=1)["jobs"] == [newest]
    assert scene.call("extraction.get", job_id=done["job_id"]) == done
    assert scene.call("extraction.list", session_id="never-opened") == {"jobs": []}
    scene.refused("invalid_params", "extraction.list", status="lost")


@pytest.mark.rule("method.extraction-retry", "schedule.parking")
def test_extraction_retry_takes_a_session_out_of_parking(scene, session):
    parked = scene.park(session, "My shed is painted red.")
    assert (parked["attempt"], parked["error"]["code"]) == (6, "refused_form") and set(parked["error"]) >= {"code", "text"}
    assert {s["session_id"]: s["state"] for s in scene.call("session.list", limit=1000)["sessions"]}[session] == "parked"
    scene.mind.says = [create("My shed is painted red.", f"{session}-u1"), ("finish", {"ignored": [], "duplicates": []})]
    (job,) = scene.call("extraction.retry", session_id=session)["jobs"]
    assert job["job_id"] == parked["job_id"]
    until(lambda: scene.call("extraction.get", job_id=job["job_id"])["status"] == "completed")


@pytest.mark.rule("method.extraction-skip", "extraction.skip")
def test_extraction_skip_gives_up_the_messages_of_the_stalled_window(scene, session):
    scene.say(session, "hello")
    scene.refused("not_found", "extraction.skip", session_id=session)
    scene.park(session, "hello")
    assert scene.call("extraction.skip", session_id=session) == {"skipped_node_ids": [f"{session}-u1"]}
    assert scene.call("session.open", session_id=session)["unscanned_messages"] == 0
    (job,) = scene.call("extraction.list", session_id=session, status="failed")["jobs"]
    assert job["error"] is not None


@pytest.mark.rule("method.events-list")
def test_events_list_is_read_in_order_from_any_point(scene, session):
    scene.learn(session, "I knit in winter.")
    mine = scene.call("events.list", session_id=session)["events"]
    assert [event["type"] for event in mine] == ["memory_extraction_started", "memory_extraction_completed"]
    assert all(set(event) == {"sequence", "type", "session_id", "job_id", "at", "payload"} for event in mine)
    everything = scene.call("events.list", limit=1000)
    assert everything["last"] == everything["events"][-1]["sequence"]
    after = scene.call("events.list", after=mine[0]["sequence"], limit=1)
    assert after == {"events": mine[1:], "last": everything["last"]}
    completed = scene.call("events.list", session_id=session, type="memory_extraction_completed")
    assert completed["events"] == mine[1:]


@pytest.mark.rule("method.events-subscribe")
def test_events_subscribe_sends_what_was_and_what_comes_on_this_connection(scene, session):
    with scene.daemon.client() as line:
        listener = CheckedClient(line)
        last = listener.call("events.subscribe")["last"]
        scene.learn(session, "I whistle when I work.")
        started, completed = (line.read()["params"] for _ in range(2))
    assert (started["sequence"], started["type"]) == (last + 1, "memory_extraction_started")
    assert completed["payload"]["created"]
    with scene.daemon.client() as line:
        line.call("events.subscribe", after=last)
        assert line.read() == {"jsonrpc": "2.0", "method": "event", "params": started}


@pytest.mark.rule("method.daemon-status")
def test_daemon_status_has_everything_on_one_screen(scene, session):
    scene.learn(session, "I bake rye bread.")
    status = scene.call("daemon.status")
    assert set(status) == {
        "version", "protocol_version", "pid", "started_at", "home", "socket", "state", "memory", "models", "sessions", "jobs",
        "tokens_today", "counters",
    }  # fmt: skip
    assert (status["pid"], status["home"], status["state"]) == (scene.daemon.pid, str(scene.home), "ready")
    assert status["memory"].keys() >= {"enabled", "total", "by_category", "catalog_tokens", "revision"}
    assert status["memory"]["total"] == sum(status["memory"]["by_category"].values()) > 0
    assert status["memory"]["revision"] == scene.call("memory.catalog")["revision"]
    assert [model["use"] for model in status["models"]] == ["extract", "recall"]
    assert all(model.keys() >= {"use", "provider", "name", "state", "since", "error"} for model in status["models"])
    assert set(status["sessions"]) == {"open", "unscanned_messages", "next_due_at"}
    assert set(status["jobs"]) == {"pending", "running", "parked", "last_failure"}
    assert set(status["tokens_today"]) == {"calls", "prompt_tokens", "completion_tokens"}
    assert status["tokens_today"]["prompt_tokens"] > status["tokens_today"]["calls"] > 0
    assert set(status["counters"]) == {"nodes", "runs_completed", "jobs_completed", "jobs_failed"}


@pytest.mark.rule("method.daemon-verify", "method.daemon-repair", "memory.verify")
def test_daemon_verify_names_problems_and_repair_mends_the_safe_ones(scene, session):
    memory = scene.learn(session, "I sing in a choir.")
    scene.path_of(memory).chmod(0o644)
    (scene.home / "memory" / "user" / "note.txt").write_text("not a memory", encoding="utf-8")
    found = scene.call("daemon.verify")["problems"]
    assert all({"code", "text", "fix", "safe"} <= set(p) <= {"code", "path", "memory_id", "text", "fix", "safe"} for p in found)
    mine = {p["code"]: p for p in found if p.get("path") in (memory["path"], "user/note.txt")}
    assert (mine["file_mode"]["safe"], mine["foreign_file"]["safe"]) == (True, False)
    repaired = scene.call("daemon.repair", codes=["file_mode", "foreign_file"])["problems"]
    mended = {p["code"] for p in repaired if p.get("mended")}
    assert mended == {"file_mode"} and scene.path_of(memory).stat().st_mode & 0o777 == 0o600
    assert "foreign_file" in {p["code"] for p in repaired if not p.get("mended")}
    (scene.home / "memory" / "user" / "note.txt").unlink()
    scene.refused("invalid_params", "daemon.repair", codes=[])


@pytest.mark.rule("method.config-check", "job.own-profile")
def test_config_check_makes_one_tiny_call_for_each_profile(scene):
    before = scene.server.calls, scene.selector.calls
    extract, recall = scene.call("config.check")["profiles"]
    assert (scene.server.calls, scene.selector.calls) == (before[0] + 1, before[1] + 1)
    for profile in (extract, recall):
        assert profile.keys() >= {"use", "provider", "name", "rung", "key_source", "state", "error"}
        assert (profile["state"], profile["rung"], profile["error"]) == ("ok", "tools", None)
    assert [(p["use"], p["name"]) for p in (extract, recall)] == [("extract", "scripted"), ("recall", "small")]
    assert "not-a-key" not in str((extract, recall))


@pytest.mark.rule("method.rpc-discover", "rpc.discover")
def test_rpc_discover_describes_every_row(scene):
    document = scene.call("rpc.discover")
    assert [method["name"] for method in document["methods"]] == list(METHODS)
    assert document["openrpc"] and document["components"]["schemas"]["Node"]


@pytest.mark.rule("method.daemon-reload", "method.daemon-stop", "error.memory_disabled", "error.model_unconfigured")
def test_daemon_reload_reads_the_config_again_and_daemon_stop_answers_before_it_ends(tmp_path):
    with DaemonProcess(tmp_path / "home", "") as daemon, daemon.client() as line:
        client = CheckedClient(line)
        client.call("session.open", session_id="s")
        client.refused("model_unconfigured", "extraction.trigger", session_id="s")
        client.refused("model_unconfigured", "extraction.retry", session_id="s")
        daemon.configure(f"{BUILTIN}[memory]\nenabled = false\n")
        assert client.call("daemon.reload") == {}
        client.refused("memory_disabled", "extraction.trigger", session_id="s")
        client.refused("memory_disabled", "extraction.retry", session_id="s")
        daemon.configure("[memory]\nidle_second = 5\n")
        client.refused("internal", "daemon.reload")
        assert client.call("daemon.status")["memory"]["enabled"] is False, "a config that cannot be used changes nothing"
        assert client.call("daemon.stop") == {}
        assert daemon.wait() == 0 and not daemon.socket_path.exists()
