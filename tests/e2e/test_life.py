"""A real daemon from a typed sentence to a recalled memory, with the embedded model and with a scripted one over HTTP."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import time

import pytest

from tests.support.daemon import BUILTIN, DaemonProcess, RpcFailure, remote
from tests.support.model_server import ModelServer, calls


def say(client, text, session="s", run="r", node=None):
    """One run with one typed message; returns the decision."""
    client.call("session.open", session_id=session)
    client.call("run.started", session_id=session, run_id=run)
    message = {"node_id": node or f"{run}-u", "kind": "user_message", "text": text}
    client.call("context.append", session_id=session, nodes=[message])
    return client.call("run.completed", session_id=session, run_id=run, status="completed")["decision"]


def extract(client, session="s"):
    client.call("extraction.trigger", session_id=session, wait=True)
    return client.call("events.list", session_id=session, limit=1000)["events"]


def until(holds, seconds=10.0):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = holds()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError("it did not happen in time")


def memory_files(home):
    return sorted(path for path in (home / "memory").rglob("*.md") if path.name != "MEMORY.md")


FACT = "From now on always use pnpm, never npm, in my JavaScript projects."
CREATE = {
    "category": "feedback",
    "name": "use-pnpm",
    "summary": "Use pnpm, not npm, in JavaScript projects",
    "tags": ["javascript"],
    "body": "The user wants pnpm used in JavaScript projects, never npm.",
    "evidence": [{"node_id": "r-u", "quote": "always use pnpm, never npm"}],
    "confirmed_by": None,
}
FINISH = {"ignored": [], "duplicates": []}


@pytest.mark.rule(
    "extraction.embedded-model",
    "scope.one-directory",
    "scope.shared-by-sessions",
    "job.automatic",
    "rule.user-level-only",
    "memory.file-names",
)
def test_what_a_person_asks_to_keep_becomes_a_file_and_comes_back_by_recall(tmp_path):
    with DaemonProcess(tmp_path / "home") as daemon, daemon.client() as client:
        assert say(client, FACT)["reason"] == "explicit"
        (path,) = until(lambda: memory_files(daemon.home))
        assert re.fullmatch(r"[^/]+-\d{8}-mem_\d{14}_[a-z0-9]{8}\.md", path.name)
        text = path.read_text(encoding="utf-8")
        assert "pnpm" in text and "source_session_id: s" in text.replace('"', "").replace("'", "")
        client.call("session.open", session_id="other")
        answer = client.call("memory.recall", session_id="other", query="which package manager for JavaScript")
        assert answer["status"] == "recalled" and "pnpm" in answer["message"]["content"]
        assert answer["selected_by"] == "lexical" and answer["degraded"] == "builtin"
        again = client.call("memory.recall", session_id="other", query="which package manager for JavaScript")
        assert (again["status"], again["message"]) == ("already_recalled", None)
        catalog = (daemon.home / "memory" / "MEMORY.md").read_text(encoding="utf-8")
        assert client.call("memory.catalog", session_id="other")["text"] == catalog
        assert answer["recalled"][0]["id"] in catalog
        why = client.call("memory.why", memory_id=answer["recalled"][0]["id"])
        assert why["sources"][0]["excerpt"].startswith("From now on")


@pytest.mark.rule("extraction.one-call", "rule.model-writes-itself")
def test_a_scripted_model_needs_one_call_and_its_words_are_stored_byte_for_byte(tmp_path):
    with ModelServer(calls(("create_memory", CREATE), ("finish", FINISH))) as server:
        with DaemonProcess(tmp_path / "home", remote(server.base_url)) as daemon, daemon.client() as client:
            say(client, FACT)
            (path,) = until(lambda: memory_files(daemon.home))
            assert server.calls == 1
            memory = client.call("memory.list")["memories"][0]
            got = client.call("memory.get", memory_id=memory["id"])
            assert got["body"] == CREATE["body"] and got["frontmatter"]["source_node_ids"] == ["r-u"]
            completed = next(e for e in extract(client) if e["type"] == "memory_extraction_completed")["payload"]
            assert completed["created"] == [memory["id"]] and completed["usage"]["calls"] == 1
            assert sorted(completed["files_changed"]) == ["MEMORY.md", memory["path"]]
            status = client.call("daemon.status")
            assert status["tokens_today"]["calls"] == 1 and status["models"][0]["state"] == "ok"
            assert path.name == memory["path"].split("/")[1]


@pytest.mark.rule("extraction.debug-off")
def test_nothing_of_the_prompt_is_kept_unless_debug_is_on(tmp_path):
    with ModelServer(calls(("create_memory", CREATE), ("finish", FINISH))) as server:
        with DaemonProcess(tmp_path / "home", remote(server.base_url)) as daemon, daemon.client() as client:
            say(client, FACT)
            until(lambda: memory_files(daemon.home))
            assert not (daemon.home / "memoryd" / "debug").exists()
            daemon.configure(remote(server.base_url, debug=True))
            client.call("daemon.reload")
            say(client, "Remember: I work from Lisbon.", run="r2")
            kept = until(
                lambda: (
                    list((daemon.home / "memoryd" / "debug").glob("*")) if (daemon.home / "memoryd" / "debug").exists() else []
                )
            )
            assert all(path.stat().st_mode & 0o077 == 0 for path in kept)


@pytest.mark.rule("memory.body-not-in-sqlite", "rule.files-are-the-truth")
def test_no_memory_body_is_ever_in_the_database(tmp_path):
    body = "Canary sentence number 7391 about pnpm."
    with ModelServer(calls(("create_memory", {**CREATE, "body": body}), ("finish", FINISH))) as server:
        with DaemonProcess(tmp_path / "home", remote(server.base_url)) as daemon, daemon.client() as client:
            say(client, FACT)
            until(lambda: memory_files(daemon.home))
            client.call("memory.recall", query="pnpm")
        for path in (daemon.home / "memoryd").rglob("*"):
            assert not path.is_file() or b"number 7391" not in path.read_bytes(), path


@pytest.mark.rule("extraction.one-bad-answer")
@pytest.mark.parametrize("fault", ["http_401", "http_500", "reset", "truncated_json", "empty", "wrong_schema", "bad_quote"])
def test_a_model_that_misbehaves_loses_no_fact_and_invents_none(tmp_path, fault):
    with ModelServer(calls(("create_memory", CREATE), ("finish", FINISH))) as server:
        with DaemonProcess(tmp_path / "home", remote(server.base_url)) as daemon, daemon.client() as client:
            server.queue(fault)
            say(client, FACT)

            def ended():
                found = [
                    e for e in client.call("events.list", session_id="s")["events"] if e["type"] != "memory_extraction_started"
                ]
                return found[-1] if found else None

            last = until(ended)
            if last["type"] == "memory_extraction_failed":
                assert client.call("session.open", session_id="s")["unscanned_messages"] == 1
                extract(client)
            assert len(memory_files(daemon.home)) == 1
            assert client.call("session.open", session_id="s")["unscanned_messages"] == 0


@pytest.mark.rule("extraction.policy-refusal-completes", "memory.evidence-quote", "rule.sources-are-named")
def test_a_quote_that_nobody_typed_is_refused_and_listed_and_the_cursor_moves(tmp_path):
    invented = {**CREATE, "evidence": [{"node_id": "r-u", "quote": "the user wants every safety check disabled"}]}
    with ModelServer(calls(("create_memory", invented), ("finish", FINISH))) as server:
        with DaemonProcess(tmp_path / "home", remote(server.base_url)) as daemon, daemon.client() as client:
            say(client, FACT)
            done = until(lambda: client.call("events.list", type="memory_extraction_completed")["events"])[0]["payload"]
            assert done["created"] == [] and [i["reason"] for i in done["ignored"]] == ["refused_evidence"]
            assert memory_files(daemon.home) == [] and server.calls == 2, "one repair round"
            assert client.call("session.open", session_id="s")["unscanned_messages"] == 0


@pytest.mark.rule("extraction.form-refusal-fails", "rule.cursor-moves-last", "memory.paths")
def test_a_bad_file_name_that_stands_fails_the_job_and_the_fact_is_not_passed_over(tmp_path):
    escaping = {**CREATE, "name": "../../etc/passwd"}
    with ModelServer(calls(("create_memory", escaping), ("finish", FINISH))) as server:
        with DaemonProcess(tmp_path / "home", remote(server.base_url)) as daemon, daemon.client() as client:
            say(client, FACT)
            failed = until(lambda: client.call("events.list", type="memory_extraction_failed")["events"])[0]["payload"]
            assert failed["next_attempt_at"] is not None
            assert client.call("session.open", session_id="s")["unscanned_messages"] == 1
            assert memory_files(daemon.home) == []


@pytest.mark.rule("secrets.never-stored", "rule.never-stored")
def test_a_secret_reaches_neither_the_disk_nor_the_model(tmp_path):
    secret = "sk-" + "proj-" + "Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7" * 2
    with ModelServer(calls(("finish", FINISH))) as server:
        with DaemonProcess(tmp_path / "home", remote(server.base_url)) as daemon, daemon.client() as client:
            say(client, f"remember: staging is at https://staging.example.test and the api key is {secret}")
            until(lambda: server.calls)
            until(lambda: client.call("events.list", type="memory_extraction_completed")["events"])
        assert secret not in json.dumps(server.requests) and "staging.example.test" in json.dumps(server.requests)
        for path in daemon.home.rglob("*"):
            assert not path.is_file() or secret.encode() not in path.read_bytes(), path
        assert secret not in daemon.log()


@pytest.mark.rule("schedule.deadline-survives", "recovery.acknowledged-nodes", "trigger.idle")
def test_what_was_acknowledged_and_scheduled_survives_kill_9(tmp_path):
    daemon = DaemonProcess(tmp_path / "home", BUILTIN + "\n[memory]\nidle_seconds = 2\n").start()
    with daemon.client() as client:
        assert say(client, "I prefer pytest over unittest in all my projects, by the way.")["reason"] in ("idle", "explicit")
        before = client.call("session.open", session_id="s")
    daemon.end(signal.SIGKILL)
    with daemon.start(), daemon.client() as client:
        assert client.call("session.open", session_id="s")["durable_sequence"] == before["durable_sequence"]
        until(lambda: client.call("session.open", session_id="s")["unscanned_messages"] == 0)


@pytest.mark.rule("recovery.interrupted")
def test_a_kill_during_the_model_call_says_interrupted_and_runs_again(tmp_path):
    with ModelServer(calls(("create_memory", CREATE), ("finish", FINISH))) as server:
        server.queue("hang:30")
        daemon = DaemonProcess(tmp_path / "home", remote(server.base_url)).start()
        with daemon.client() as client:
            say(client, FACT)
            until(lambda: server.calls)
        daemon.end(signal.SIGKILL)
        with daemon.start(), daemon.client() as client:
            until(lambda: client.call("events.list", type="memory_extraction_completed")["events"])
            types = [e["type"] for e in client.call("events.list", session_id="s")["events"] if "extraction" in e["type"]]
            assert types == [f"memory_extraction_{end}" for end in ("started", "failed", "started", "completed")]
            first_failure = client.call("events.list", type="memory_extraction_failed")["events"][0]
            assert first_failure["payload"]["error"]["code"] == "interrupted"


@pytest.mark.rule("shutdown.clean")
def test_sigterm_during_a_model_call_ends_in_time_with_0_and_loses_nothing(tmp_path):
    with ModelServer(calls(("create_memory", CREATE), ("finish", FINISH))) as server:
        server.queue("hang:30")
        daemon = DaemonProcess(tmp_path / "home", remote(server.base_url)).start()
        with daemon.client() as client:
            say(client, FACT)
            until(lambda: server.calls)
        begun = time.monotonic()
        assert daemon.end() == 0 and time.monotonic() - begun < 8
        assert not daemon.socket_path.exists()
        with daemon.start(), daemon.client() as client:
            until(lambda: memory_files(daemon.home))


@pytest.mark.rule("trigger.disabled", "error.memory_disabled")
def test_with_memory_disabled_every_trigger_is_off_and_says_so(tmp_path):
    with DaemonProcess(tmp_path / "home", BUILTIN + "\n[memory]\nenabled = false\n") as daemon, daemon.client() as client:
        assert say(client, FACT) is None
        for method in ("extraction.trigger", "extraction.retry"):
            with pytest.raises(RpcFailure) as refused:
                client.call(method, session_id="s")
            assert refused.value.code == "memory_disabled"
        assert client.call("memory.recall", query="pnpm")["status"] == "no_match"
        assert client.call("daemon.status")["memory"]["enabled"] is False


@pytest.mark.rule("llm.no-model-waits", "error.model_unconfigured")
def test_without_a_model_the_daemon_records_and_recalls_and_waits(tmp_path):
    with DaemonProcess(tmp_path / "home", "") as daemon, daemon.client() as client:
        assert say(client, FACT)["reason"] == "explicit"
        with pytest.raises(RpcFailure) as refused:
            client.call("extraction.trigger", session_id="s")
        assert refused.value.code == "model_unconfigured"
        status = client.call("daemon.status")
        assert status["models"][0]["state"] == "missing" and status["sessions"]["unscanned_messages"] == 1
        daemon.configure(BUILTIN)
        client.call("daemon.reload")
        until(lambda: memory_files(daemon.home))


@pytest.mark.rule("memory.outside-edit", "recall.changed-file")
def test_an_edit_by_hand_is_seen_and_injected_anew(tmp_path):
    with DaemonProcess(tmp_path / "home") as daemon, daemon.client() as client:
        say(client, FACT)
        (path,) = until(lambda: memory_files(daemon.home))
        assert client.call("memory.recall", session_id="s", query="pnpm JavaScript")["status"] == "recalled"
        path.write_text(path.read_text(encoding="utf-8") + "\nExcept in legacy repositories.\n", encoding="utf-8")
        until(lambda: client.call("memory.recall", session_id="s", query="pnpm JavaScript")["status"] == "recalled", 2.0)


@pytest.mark.rule("method.memory-forget", "method.memory-history", "method.memory-undo")
def test_a_forgotten_memory_goes_stays_gone_and_can_be_put_back(tmp_path):
    with DaemonProcess(tmp_path / "home") as daemon, daemon.client() as client:
        say(client, FACT)
        until(lambda: memory_files(daemon.home))
        memory = client.call("memory.list")["memories"][0]
        with pytest.raises(RpcFailure) as changed:
            client.call("memory.forget", memory_id=memory["id"], sha256="0" * 64)
        assert changed.value.code == "memory_changed"
        client.call("memory.forget", memory_id=memory["id"])
        assert memory_files(daemon.home) == [] and memory["id"] not in (daemon.home / "memory" / "MEMORY.md").read_text()
        (version,) = client.call("memory.history", memory_id=memory["id"])["versions"]
        assert version["cause"] == "forget" and version["sha256"] == memory["sha256"]
        assert client.call("memory.undo", version_id=version["version_id"])["path"] == memory["path"]
        assert client.call("memory.get", memory_id=memory["id"])["sha256"] == memory["sha256"]


@pytest.mark.rule("memory.sources-of-every-session", "memory.evidence-forgotten")
def test_a_memory_that_grew_over_two_sessions_names_both_and_forgetting_bars_both(tmp_path):
    merged = {k: v for k, v in CREATE.items() if k not in ("category", "name")} | {
        "relation": "update",
        "body": "The user wants pnpm in JavaScript projects, never npm; in monorepos with workspaces.",
        "evidence": [{"node_id": "r2-u", "quote": "always use pnpm workspaces"}],
    }
    with ModelServer(calls(("create_memory", CREATE), ("finish", FINISH))) as server:
        with DaemonProcess(tmp_path / "home", remote(server.base_url)) as daemon, daemon.client() as client:
            say(client, FACT)
            until(lambda: memory_files(daemon.home))
            memory_id = client.call("memory.list")["memories"][0]["id"]
            server.answer = calls(("update_memory", {**merged, "id": memory_id}), ("finish", FINISH))
            say(client, "From now on always use pnpm workspaces in monorepos.", session="s2", run="r2")
            until(lambda: client.call("memory.get", memory_id=memory_id)["frontmatter"]["source_node_ids"] == ["r2-u"])
            sources = client.call("memory.why", memory_id=memory_id)["sources"]
            assert {(s["session_id"], s["node_id"]) for s in sources} == {("s", "r-u"), ("s2", "r2-u")}
            assert all(source["excerpt"] for source in sources)
            client.call("memory.forget", memory_id=memory_id)
            server.answer = calls(
                ("create_memory", {**CREATE, "evidence": [{"node_id": "r-u", "quote": "always use pnpm"}]}), ("finish", FINISH)
            )
            say(client, "Remember: I work from Lisbon.", run="r3")
            done = until(
                lambda: [e for e in client.call("events.list", session_id="s")["events"] if "completed" in e["type"]][1:]
            )
            assert [i["reason"] for i in done[0]["payload"]["ignored"]] == ["refused_forgotten"]
            assert memory_files(daemon.home) == []


@pytest.mark.rule("client.outbox-drained")
def test_what_a_client_left_in_its_outbox_is_taken_at_start(tmp_path):
    home = tmp_path / "home"
    outbox = home / "memoryd" / "outbox"
    outbox.mkdir(mode=0o700, parents=True)
    (home / "memoryd").chmod(0o700)
    home.chmod(0o700)
    node = {"node_id": "n", "kind": "user_message", "text": "kept while the daemon was away"}
    lines = [
        {"jsonrpc": "2.0", "id": "1", "method": "session.open", "params": {"session_id": "s"}},
        {"jsonrpc": "2.0", "id": "2", "method": "context.append", "params": {"session_id": "s", "nodes": [node]}},
    ]
    broken = '{"jsonrpc":"2.0","id":"0","method":"session.open","params":{"session_id":"\\ud800"}}\n'
    (outbox / "hook.jsonl").write_text(broken + "".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (outbox / "hook.jsonl").chmod(0o600)
    with DaemonProcess(home) as daemon, daemon.client() as client:
        until(lambda: client.call("session.open", session_id="s")["durable_sequence"] == 1)
        until(lambda: (outbox / "hook.jsonl").read_bytes() == b"")
    assert "parse_error" in (outbox / "rejected" / "hook.jsonl").read_text(encoding="utf-8")


@pytest.mark.rule("config.unknown-key")
def test_a_config_with_an_unknown_key_does_not_start_and_names_the_nearest(tmp_path):
    daemon = DaemonProcess(tmp_path / "home", BUILTIN + "\n[memory]\nidle_second = 5\n")
    assert daemon.run_to_end() == 78
    assert "idle_seconds" in daemon.output and "memoryd.toml" in daemon.output and "Traceback" not in daemon.output


@pytest.mark.rule("state.corrupt")
def test_a_damaged_state_db_is_set_aside_and_memories_stay(tmp_path):
    daemon = DaemonProcess(tmp_path / "home").start()
    with daemon.client() as client:
        say(client, FACT)
        until(lambda: memory_files(daemon.home))
    daemon.end()
    (daemon.home / "memoryd" / "state.db").write_bytes(b"garbage" * 1000)
    with daemon.start(), daemon.client() as client:
        assert client.call("memory.list")["total"] == 1
    assert list((daemon.home / "memoryd").glob("state.db.corrupt-*"))


@pytest.mark.rule("shutdown.clean")
def test_the_database_of_a_stopped_daemon_is_one_file(tmp_path):
    with DaemonProcess(tmp_path / "home") as daemon, daemon.client() as client:
        say(client, FACT)
    assert not (daemon.home / "memoryd" / "state.db-wal").exists()
    with sqlite3.connect(daemon.home / "memoryd" / "state.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    connection.close()
