"""What an extraction and a recall do not do: no place in an agent tree, no file elsewhere, no change where none was asked."""

from __future__ import annotations

import json
import re

import pytest

from tests.e2e.scene import CheckedClient, create, until
from tests.support.daemon import BUILTIN, DaemonProcess

OF_THE_DAEMON = {
    "lock", "memoryd.sock", "state.db", "state.db-wal", "state.db-shm", "staging", "conflicts", "history", "edits", "outbox",
}  # fmt: skip
MEMORY_PATH = re.compile(r"(user|feedback|reference)/[^/]+-\d{8}-mem_\d{14}_[a-z0-9]{8}\.md")
TREE = ("sessions", "agents", "runs", "nodes")


def tree(scene):
    return {table: scene.rows(f"SELECT count(*) FROM {table}")[0][0] for table in TREE}


def memory_files(home):
    """Path → (bytes, modification time) of everything in the memory directory."""
    files = (path for path in (home / "memory").rglob("*") if path.is_file())
    return {str(path.relative_to(home / "memory")): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.mark.rule("job.no-agent", "rule.job-is-internal")
def test_an_extraction_has_no_agent_no_run_and_no_node(scene, session):
    scene.say(session, "I restore old bicycles.")
    before = tree(scene)
    job = scene.extract(session, create("I restore old bicycles.", f"{session}-u1"))
    assert job["result"]["created"] and tree(scene) == before
    assert set(job) & {"agent_id", "run_id", "parent_agent_id"} == set()


@pytest.mark.rule("job.no-slot", "rule.job-is-internal")
def test_an_extraction_that_waits_for_its_model_holds_nobody_up(scene, session):
    scene.say(session, "hello")
    asked = scene.server.calls
    scene.server.queue("hang:20")
    with scene.daemon.client() as waiting:
        params = {"session_id": session, "wait": True}
        waiting.send({"jsonrpc": "2.0", "id": 1, "method": "extraction.trigger", "params": params})
        until(lambda: scene.server.calls == asked + 1)
        other = f"{session}-other"
        scene.call("session.open", session_id=other)
        for kind in ("sub", "fork", "worker", "compact"):
            scene.call("agent.register", session_id=other, agent_id=kind, kind=kind, parent_agent_id="main")
            scene.call("run.started", session_id=other, run_id=f"{kind}-1", agent_id=kind)
        assert scene.say(other, "and I go on")["appended"] == 1
        assert scene.call("memory.recall", session_id=other, query="anything")["status"] in ("recalled", "no_match")
        assert scene.call("extraction.list", session_id=session)["jobs"][0]["status"] == "running"
        assert {s["session_id"]: s["state"] for s in scene.call("session.list")["sessions"]}[session] == "running"
        scene.server.release()
        assert waiting.read()["result"]["jobs"][0]["status"] == "completed"


@pytest.mark.rule("method.extraction-trigger")
def test_leaving_the_connection_that_waits_for_a_job_stops_nothing(scene, session):
    scene.say(session, "hello")
    asked = scene.server.calls
    scene.server.queue("hang:20")
    with scene.daemon.client() as leaving:
        params = {"session_id": session, "wait": True}
        leaving.send({"jsonrpc": "2.0", "id": 1, "method": "extraction.trigger", "params": params})
        until(lambda: scene.server.calls == asked + 1)
    scene.server.release()
    until(lambda: scene.call("extraction.list", session_id=session)["jobs"][0]["status"] == "completed")


@pytest.mark.rule("job.briefing", "extraction.window-of-main-agent", "extraction.tool-summaries-only")
def test_a_job_sees_catalog_frontmatter_and_what_is_new_and_nothing_of_other_agents(scene, session):
    memory = scene.learn(session, "I keep chameleons in a terrarium.")
    scene.call("agent.register", session_id=session, agent_id="helper", kind="sub", parent_agent_id="main")
    nodes = [
        {"node_id": f"{session}-a1", "kind": "assistant_message", "text": "Noted, the terrarium."},
        {"node_id": f"{session}-h1", "kind": "assistant_message", "agent_id": "helper", "text": "words of a helper"},
        {
            "node_id": f"{session}-t1",
            "kind": "tool_result",
            "text": "raw output",
            "summary": "looked up",
            "artifact_refs": ["t.md"],
        },
        {"node_id": f"{session}-u2", "kind": "user_message", "text": "My chameleons eat crickets."},
    ]
    scene.call("context.append", session_id=session, nodes=nodes)
    scene.extract(session)
    prompt = json.dumps(scene.server.requests[-1]["messages"])
    for seen in (memory["id"], memory["summary"], "My chameleons eat crickets.", "Noted, the terrarium.", "looked up", "t.md"):
        assert seen in prompt
    assert "words of a helper" not in prompt and "raw output" not in prompt
    assert re.search(r'id=\\"[^"]*-u1\\" role=\\"user\\" origin=\\"typed\\" use=\\"scanned\\"', prompt)
    assert re.search(r'id=\\"[^"]*-u2\\" role=\\"user\\" origin=\\"typed\\" use=\\"new\\"', prompt)


@pytest.mark.rule("source.of-other-agents", "rule.sources-are-named", "memory.evidence-reference")
def test_what_a_sub_agent_found_becomes_a_reference_once_main_shows_it_and_the_user_confirms_it(scene, session):
    address = "https://mirror.example.test/packages"
    scene.say(session, "Find me a mirror that works.")
    scene.call("agent.register", session_id=session, agent_id="finder", kind="sub", parent_agent_id="main")
    found = {"node_id": f"{session}-f1", "kind": "assistant_message", "agent_id": "finder", "text": f"It is {address}"}
    scene.call("context.append", session_id=session, nodes=[found])
    scene.say(session, "Thanks, keep that link.", "u2")
    fields = {"category": "reference", "confirmed_by": f"{session}-u2"}
    by_the_sub = create(address, f"{session}-f1", name="mirror", **fields)
    job = scene.extract(session, by_the_sub)
    assert [i["reason"] for i in job["result"]["ignored"]] == ["refused_evidence"] and job["result"]["created"] == []
    shown = {"node_id": f"{session}-t1", "kind": "tool_result", "summary": f"The finder says: {address}"}
    scene.call("context.append", session_id=session, nodes=[shown])
    scene.say(session, "Great, keep that link for later.", "u3")
    fields["confirmed_by"] = f"{session}-u3"
    job = scene.extract(session, create(address, f"{session}-t1", name="mirror", **fields))
    (memory_id,) = job["result"]["created"]
    head = scene.call("memory.get", memory_id=memory_id)["frontmatter"]
    assert head["source_node_ids"] == [f"{session}-t1", f"{session}-u3"] and head["confirmed_by_node_id"] == f"{session}-u3"
    assert head["evidence"] == [
        {"node_id": f"{session}-t1", "kind": "tool_result"},
        {"node_id": f"{session}-u3", "kind": "user_message"},
    ]


@pytest.mark.rule("scope.one-directory", "scope.three-categories", "memory.file-names")
def test_the_memory_directory_holds_the_catalog_and_three_categories_and_nothing_else(scene, session):
    for category in ("user", "feedback", "reference"):
        scene.learn(f"{session}-{category}", f"I note a {category} thing about lighthouses.", category=category)
    files = memory_files(scene.home)
    assert all(name == "MEMORY.md" or MEMORY_PATH.fullmatch(name) for name in files)
    assert {path.name for path in (scene.home / "memory").iterdir()} == {"MEMORY.md", "user", "feedback", "reference"}


@pytest.mark.rule("recall.read-only", "rule.recall-only-reads")
def test_recalling_changes_no_file_and_no_date(scene, session):
    memory = scene.learn(session, "I sail a small dinghy.")
    scene.mind.chooses = [memory["id"]]
    before = memory_files(scene.home)
    assert scene.call("memory.recall", session_id=session, query="dinghy")["status"] == "recalled"
    scene.call("memory.search", query="dinghy")
    scene.call("memory.catalog", session_id=session)
    assert memory_files(scene.home) == before and scene.entry(memory["id"]) == memory


@pytest.mark.rule("recall.in-memory-index", "rule.files-are-the-truth")
def test_what_recall_knows_of_memories_is_in_memory_alone(scene, session):
    scene.learn(session, "I press wildflowers.")
    scene.call("memory.search", query="wildflowers")
    assert {path.name for path in (scene.home / "memoryd").iterdir()} <= OF_THE_DAEMON
    columns = scene.rows(
        "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY 1, 2"
    )
    assert not [column for column in columns if re.search(r"embedding|vector|term|token_|body", "/".join(column))]


@pytest.mark.rule("cursor.in-sqlite", "rule.cursor-moves-last", "extraction.completed-before-cursor")
def test_the_cursor_is_kept_in_the_database_and_moves_with_a_completed_job_alone(scene, session):
    def cursor() -> int:
        return scene.rows("SELECT cursor FROM sessions WHERE session_id = ?", session)[0][0]

    scene.say(session, "My bees swarm in May.")
    scene.extract(session, create("My bees swarm in May.", f"{session}-u1", name="../bees"))
    assert cursor() == 0
    scene.extract(session, create("My bees swarm in May.", f"{session}-u1"))
    assert cursor() == 1
    scene.say(session, "thanks", "u2")
    assert scene.extract(session)["result"]["files_changed"] == [] and cursor() == 2


@pytest.mark.rule("scope.no-project-directory", "rule.user-level-only")
def test_a_projects_own_directory_is_neither_read_nor_written(tmp_path):
    project = tmp_path / "project"
    own = project / ".soong-agent" / "memory" / "user"
    own.mkdir(parents=True)
    memory_id = "mem_20260101000000_abcd"
    note = f"---\nid: {memory_id}\ncategory: user\nsummary: of the project\n---\n\nA project's note.\n"
    (own / f"note-20260101-{memory_id}.md").write_text(note, encoding="utf-8")
    (project / ".soong-agent" / "memoryd.toml").write_text("[memory]\nenabled = false\n", encoding="utf-8")
    (project / "memoryd.toml").write_text("[memory]\nenabled = false\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    with DaemonProcess(tmp_path / "home", BUILTIN, cwd=project) as daemon, daemon.client() as line:
        client = CheckedClient(line)
        assert client.call("daemon.status")["memory"]["enabled"] is True
        assert client.call("memory.list")["total"] == 0
        client.call("session.open", session_id="s")
        node = {"node_id": "u1", "kind": "user_message", "text": "Remember that I work in Lisbon."}
        client.call("context.append", session_id="s", nodes=[node])
        client.call("extraction.trigger", session_id="s", wait=True)
        (memory,) = client.call("memory.list")["memories"]
        assert (daemon.home / "memory" / memory["path"]).is_file()
    assert {path: path.read_bytes() for path in project.rglob("*") if path.is_file()} == before
