"""The rows of the method table that the operator calls, on a real daemon."""

from __future__ import annotations

import pytest

from soong_memoryd.protocol.methods import METHODS
from tests.e2e.scene import CheckedClient, Mind, Scene, create, sha256_of, until, update
from tests.support.daemon import BUILTIN, DaemonProcess, remote
from tests.support.model_server import ModelServer

JOB = {
    "job_id", "session_id", "reason", "requested_by", "status", "attempt", "due_at", "from_sequence", "to_sequence",
    "created_at", "started_at", "finished_at", "result", "error",
}  # fmt: skip
ENTRY = {
    "id", "category", "summary", "tags", "created_at", "updated_at", "source_session_id", "source_node_ids",
    "confirmed_by_node_id", "evidence", "path", "sha256",
}  # fmt: skip


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


@pytest.mark.rule("method.memory-search")
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


@pytest.mark.rule("method.memory-history", "method.memory-undo", "rule.reads-before-it-writes", "memory.writer-conflict")
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


@pytest.mark.rule("method.extraction-trigger")
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


@pytest.mark.rule("wire.order", "method.extraction-trigger")
def test_a_trigger_sees_all_that_its_connection_sent_before(scene, session):
    node = {"node_id": f"{session}-u1", "kind": "user_message", "text": "I speak Frisian at home."}
    scene.mind.says = [create(node["text"], node["node_id"]), ("finish", {"ignored": [], "duplicates": []})]
    calls = [
        ("session.open", {"session_id": session}),
        ("context.append", {"session_id": session, "nodes": [node]}),
        ("extraction.trigger", {"session_id": session, "wait": True}),
    ]
    for number, (method, params) in enumerate(calls):
        scene.line.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    *_, answer = (scene.line.read() for _ in calls)
    (job,) = answer["result"]["jobs"]
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


@pytest.mark.rule("method.extraction-skip", "schedule.skip")
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


@pytest.mark.rule("method.daemon-verify", "method.daemon-repair")
def test_daemon_verify_names_problems_and_repair_mends_the_safe_ones(scene, session):
    memory = scene.learn(session, "I sing in a choir.")
    scene.path_of(memory).chmod(0o644)
    (scene.home / "memory" / "user" / "note.txt").write_text("not a memory", encoding="utf-8")
    found = scene.call("daemon.verify")["problems"]
    assert all({"code", "text", "fix", "safe"} <= set(p) <= {"code", "path", "memory_id", "text", "fix", "safe"} for p in found)
    mine = {p["code"]: p for p in found if p.get("path") in (memory["path"], "user/note.txt")}
    assert (mine["loose_mode"]["safe"], mine["foreign_file"]["safe"]) == (True, False)
    repaired = scene.call("daemon.repair", codes=["loose_mode", "foreign_file"])["problems"]
    mended = {p["code"] for p in repaired if p.get("mended")}
    assert mended == {"loose_mode"} and scene.path_of(memory).stat().st_mode & 0o777 == 0o600
    assert "foreign_file" in {p["code"] for p in repaired if not p.get("mended")}
    (scene.home / "memory" / "user" / "note.txt").unlink()
    scene.refused("invalid_params", "daemon.repair", codes=[])


@pytest.mark.rule("method.config-check", "job.own-profile", "rule.job-is-internal")
def test_config_check_makes_one_tiny_call_for_each_profile(scene):
    before = scene.server.calls, scene.selector.calls
    extract, recall = scene.call("config.check")["profiles"]
    assert (scene.server.calls, scene.selector.calls) == (before[0] + 1, before[1] + 1)
    for profile in (extract, recall):
        assert profile.keys() >= {"use", "provider", "name", "rung", "key_source", "state", "error"}
        assert (profile["state"], profile["rung"], profile["error"]) == ("ok", "tools", None)
    assert [(p["use"], p["name"]) for p in (extract, recall)] == [("extract", "scripted"), ("recall", "small")]
    assert "not-a-key" not in str((extract, recall))


@pytest.mark.rule("method.rpc-discover")
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


@pytest.mark.rule("error.shutting_down", "shutdown.clean")
def test_a_daemon_that_stops_answers_what_is_under_way_and_refuses_what_still_comes(tmp_path):
    mind = Mind()
    with ModelServer(mind) as server, DaemonProcess(tmp_path / "home", remote(server.base_url)) as daemon:
        with daemon.client() as line, daemon.client() as other, daemon.client() as idle:
            scene = Scene(daemon, line, server, server, mind)
            mind.chooses = [scene.learn("s", "I write with my left hand.")["id"]]
            server.queue("hang:30")
            line.send({"jsonrpc": "2.0", "id": "recall", "method": "memory.recall", "params": {"query": "hand"}})
            until(lambda: server.calls == 2)
            assert other.call("daemon.stop") == {}
            for closed in (other, idle):
                with pytest.raises(ConnectionError):
                    closed.read()
            refused = scene.refused("shutting_down", "daemon.status")
            assert (refused.number, refused.data["retryable"]) == (-32014, True)
            server.release()
            answer = line.read()
            assert (answer["id"], answer["result"]["status"]) == ("recall", "recalled")
            assert daemon.wait() == 0


@pytest.mark.rule("error.busy", "memory.git")
def test_while_git_works_in_the_memory_directory_a_change_is_asked_to_come_again(scene, session):
    memory = scene.learn(session, "I swim in the lake.")
    git = scene.home / "memory" / ".git"
    git.mkdir()
    (git / "index.lock").touch()
    busy = scene.refused("busy", "memory.forget", memory_id=memory["id"])
    assert (busy.number, busy.data["retryable"]) == (-32008, True)
    (git / "index.lock").unlink()
    git.rmdir()
    scene.call("memory.forget", memory_id=memory["id"])
