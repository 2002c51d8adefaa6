"""Every type of event, provoked on a real daemon: when it is written, what it carries, and what it never carries."""

from __future__ import annotations

import itertools
import json
import re
import signal
from collections import Counter

import pytest

from tests.e2e.scene import CheckedClient, create, until
from tests.support.daemon import DaemonProcess, remote
from tests.support.model_server import ModelServer, calls

STARTED = {"reason", "requested_by", "from_sequence", "to_sequence", "model"}
COMPLETED = STARTED | {
    "created", "updated", "ignored", "duplicates", "conflicts", "source_node_ids", "files_changed", "usage", "duration_ms",
}  # fmt: skip
FAILED = STARTED | {"error", "attempt", "next_attempt_at"}
AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


@pytest.mark.rule("event.memory_extraction_started", "event.memory_extraction_completed")
def test_an_attempt_that_ends_well_is_a_started_and_a_completed_event(scene, session):
    memory = scene.learn(session, "I keep a diary in Esperanto.")
    started, completed = scene.call("events.list", session_id=session)["events"]
    assert (started["type"], completed["type"]) == ("memory_extraction_started", "memory_extraction_completed")
    assert set(started["payload"]) == STARTED and set(completed["payload"]) == COMPLETED
    assert started["payload"].items() <= completed["payload"].items()
    assert started["job_id"] == completed["job_id"] is not None and AT.fullmatch(completed["at"])
    assert completed["payload"]["created"] == [memory["id"]]
    assert completed["payload"]["files_changed"] == [memory["path"], "MEMORY.md"]
    assert completed["payload"]["source_node_ids"] == [f"{session}-u1"]
    assert set(completed["payload"]["usage"]) == {"calls", "prompt_tokens", "completion_tokens"}
    assert completed["payload"] == scene.call("extraction.get", job_id=completed["job_id"])["result"]


@pytest.mark.rule("event.memory_extraction_failed", "cursor.failure-keeps-it")
def test_an_attempt_that_fails_says_why_in_our_words_and_when_it_is_tried_again(scene, session):
    text = "I lost my umbrella again."
    scene.say(session, text)
    job = scene.extract(session, create(text, f"{session}-u1", summary="x" * 201))
    assert (job["status"], job["attempt"]) == ("pending", 1)
    payload = scene.last_event("memory_extraction_failed", session)["payload"]
    assert set(payload) == FAILED and set(payload["error"]) == {"code", "text"}
    assert (payload["attempt"], payload["next_attempt_at"]) == (1, job["due_at"])
    assert {k: job["error"][k] for k in ("code", "text")} == payload["error"] and "umbrella" not in str(payload)
    assert scene.call("session.open", session_id=session)["unscanned_messages"] == 1
    assert scene.call("daemon.status")["jobs"]["last_failure"]["code"] == payload["error"]["code"]
    scene.give_up(session)


@pytest.mark.rule("event.started-then-one-end")
def test_every_started_attempt_has_exactly_one_end_and_events_are_in_order(scene, session):
    scene.learn(session, "I climb on weekends.")
    events = scene.all_events()
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
    by_job: dict[str, list[str]] = {}
    for event in events:
        if event["type"].startswith("memory_extraction_"):
            by_job.setdefault(event["job_id"], []).append(event["type"].removeprefix("memory_extraction_"))
    for ends in by_job.values():
        assert all(one == "started" and two in ("completed", "failed") for one, two in zip(ends[::2], ends[1::2], strict=True))


@pytest.mark.rule("event.memory_recalled", "recall.internal")
def test_a_recall_is_an_internal_event_that_names_ids_only(scene, session):
    memory = scene.learn(session, "I speak Welsh with my grandmother.")
    scene.mind.chooses = [memory["id"]]
    answer = scene.call("memory.recall", session_id=session, query="Welsh")
    assert scene.last_event("memory_recalled", session)["payload"] == {
        "internal": True, "node_id": answer["node"]["node_id"], "memory_ids": [memory["id"]],
    }  # fmt: skip


@pytest.mark.rule("event.memory_forgotten")
def test_forgetting_is_an_event_that_says_what_went(scene, session):
    memory = scene.learn(session, "I am allergic to walnuts.")
    scene.call("memory.forget", memory_id=memory["id"])
    payload = scene.last_event("memory_forgotten")["payload"]
    assert payload == {"memory_id": memory["id"], "path": memory["path"], "purged": False}


@pytest.mark.rule("event.memory_edited")
def test_a_persons_edit_and_its_undoing_are_events_with_their_cause(scene, session):
    memory = scene.learn(session, "I paint with oils.")
    edits = scene.home / "memoryd" / "edits"
    edits.mkdir(mode=0o700, exist_ok=True)
    (edits / "oils.md").write_bytes(scene.path_of(memory).read_bytes() + b"\nAnd with chalk.\n")
    scene.call("memory.adopt", edit_id="oils.md")
    edited = {"memory_id": memory["id"], "path": memory["path"], "cause": "edit"}
    assert scene.last_event("memory_edited")["payload"] == edited
    (version,) = scene.call("memory.history", memory_id=memory["id"])["versions"]
    scene.call("memory.undo", version_id=version["version_id"])
    assert scene.last_event("memory_edited")["payload"] == {
        **edited, "cause": "undo", "version_id": version["version_id"],
    }  # fmt: skip


@pytest.mark.rule("event.memory_edited_outside", "memory.outside-edit")
def test_what_an_editor_does_to_a_file_is_an_event(scene, session):
    memory = scene.learn(session, "I cycle to work.")
    path = scene.path_of(memory)

    def seen() -> list[str]:
        found = scene.events("memory_edited_outside")
        return [event["payload"]["change"] for event in found if event["payload"]["memory_id"] == memory["id"]]

    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}\nIn winter by tram.\n", encoding="utf-8")
    until(lambda: seen() == ["changed"])
    path.unlink()
    until(lambda: seen() == ["changed", "deleted"])
    path.write_text(text, encoding="utf-8")
    until(lambda: seen() == ["changed", "deleted", "created"])


@pytest.mark.rule("event.catalog_edit_kept", "memory.catalog-edit-kept")
def test_a_hand_edit_of_the_catalog_is_kept_beside_and_the_catalog_made_anew(scene, session):
    scene.learn(session, "I roast my own coffee.")
    catalog = scene.home / "memory" / "MEMORY.md"
    rendered = catalog.read_text(encoding="utf-8")
    catalog.write_text(f"{rendered}\nMy own note about {session}.\n", encoding="utf-8")
    payload = scene.last_event("catalog_edit_kept")["payload"]
    assert payload["path"] == "MEMORY.md"
    kept = scene.home / "memoryd" / payload["kept"]
    assert f"My own note about {session}." in kept.read_text(encoding="utf-8")
    until(lambda: catalog.read_text(encoding="utf-8") == rendered)


@pytest.mark.rule("event.session_parked", "event.session_unparked")
def test_parking_a_session_and_taking_it_out_again_are_events(scene, session):
    text = "I have a parrot that talks."
    job = scene.park(session, text)
    parked = scene.last_event("session_parked", session)
    assert (parked["job_id"], parked["payload"]) == (job["job_id"], {"failures": 6})
    scene.mind.says = [create(text, f"{session}-u1"), ("finish", {"ignored": [], "duplicates": []})]
    scene.call("extraction.retry", session_id=session)
    assert scene.last_event("session_unparked", session)["payload"] == {"cause": "operator"}


@pytest.mark.rule("event.session_unparked", "schedule.parked")
def test_an_explicit_wish_takes_a_session_out_of_parking(scene, session):
    scene.park(session, "I have a gecko that hides.")
    scene.mind.says = [("finish", {"ignored": [], "duplicates": []})]
    scene.call("run.started", session_id=session, run_id="r")
    scene.say(session, "Remember that I feed the gecko at noon.", "u2")
    assert scene.call("run.completed", session_id=session, run_id="r", status="completed")["decision"]["reason"] == "explicit"
    assert scene.last_event("session_unparked", session)["payload"] == {"cause": "explicit"}


@pytest.mark.rule("event.extraction_skipped", "schedule.skip")
def test_messages_that_are_given_up_are_an_event_that_names_them(scene, session):
    scene.park(session, "I have a tortoise that climbs.")
    scene.call("extraction.skip", session_id=session)
    assert scene.last_event("extraction_skipped", session)["payload"] == {"source_node_ids": [f"{session}-u1"]}


@pytest.mark.rule("event.model_paused", "event.model_resumed", "schedule.profile-pause")
def test_a_provider_that_refuses_pauses_its_profile_until_it_answers(scene, session):
    scene.say(session, "I fix old radios.")
    scene.server.queue("http_401")
    assert scene.extract(session)["status"] == "pending"
    payload = scene.last_event("model_paused")["payload"]
    assert set(payload) == {"use", "code", "until"} and payload["use"] == "extract" and AT.fullmatch(payload["until"])
    extract = scene.call("daemon.status")["models"][0]
    assert (extract["state"], extract["error"]) == ("paused", payload["code"])
    assert scene.extract(session)["status"] == "completed", "the operator does not wait for the pause"
    assert scene.last_event("model_resumed")["payload"] == {"use": "extract"}
    assert scene.call("daemon.status")["models"][0]["state"] == "ok"


@pytest.mark.rule("event.daemon_started", "event.daemon_stopped")
def test_start_and_stop_are_events_however_the_daemon_was_stopped(tmp_path):
    daemon = DaemonProcess(tmp_path / "home").start()
    with daemon.client() as line:
        line.call("daemon.stop")
        assert daemon.wait() == 0
    assert daemon.start().end(signal.SIGTERM) == 0
    with daemon.start(), daemon.client() as line:
        events = CheckedClient(line).call("events.list")["events"]
    assert [event["type"] for event in events] == [*["daemon_started", "daemon_stopped"] * 2, "daemon_started"]
    assert list(events[0]["payload"]) == ["version"] and events[1]["payload"] == {}


@pytest.mark.rule("event.memory_dir_suspect", "error.read_only", "memory.mass-loss")
def test_when_the_memories_vanish_together_nothing_is_written_until_a_person_accepts_it(tmp_path):
    with DaemonProcess(tmp_path / "home") as daemon, daemon.client() as line:
        client = CheckedClient(line)
        client.call("session.open", session_id="s")
        wishes = ("Remember that I use Helix.", "Remember that I live in Graz.", "Remember that my cat is called Momo.")
        nodes = [{"node_id": f"u{i}", "kind": "user_message", "text": wish} for i, wish in enumerate(wishes)]
        client.call("context.append", session_id="s", nodes=nodes)
        client.call("extraction.trigger", session_id="s", wait=True)
        forgotten, *others = client.call("memory.list")["memories"]
        client.call("memory.forget", memory_id=forgotten["id"])
        (version,) = client.call("memory.history", memory_id=forgotten["id"])["versions"]
        for memory in others:
            (daemon.home / "memory" / memory["path"]).unlink()
        assert client.last_event("memory_dir_suspect")["payload"] == {"known": 2, "missing": 2}
        assert client.call("daemon.status")["state"] == "degraded"
        assert client.refused("read_only", "memory.undo", version_id=version["version_id"]).number == -32010
        said = {"node_id": "u9", "kind": "user_message", "text": "hello"}
        assert client.call("context.append", session_id="s", nodes=[said])["appended"] == 1, "what is said is kept all the same"
        assert client.call("extraction.trigger", session_id="s", wait=True)["jobs"][0]["status"] == "pending"
        assert "memory_dir_suspect" in {problem["code"] for problem in client.call("daemon.verify")["problems"]}
        client.call("daemon.repair", codes=["memory_dir_suspect"])
        assert client.call("daemon.status")["state"] == "ready" and client.call("memory.list")["total"] == 0
        assert client.call("memory.undo", version_id=version["version_id"])["memory_id"] == forgotten["id"]


@pytest.mark.rule("event.no-text", "errors.no-echo")
def test_no_event_holds_a_body_a_message_or_a_providers_words(scene, session):
    memory = scene.learn(session, "My canary is called Zephyrine.", body="Zephyrine sings at dawn.")
    scene.mind.chooses = [memory["id"]]
    scene.call("memory.recall", session_id=session, query="Zephyrine")
    scene.say(session, "Zephyrine moulted.", "u2")
    scene.server.queue("http_403")
    scene.extract(session)
    scene.give_up(session)
    scene.park(f"{session}-2", "Zephyrine moulted twice.")
    assert "you may not use this model" not in json.dumps(scene.all_events())
    for event in scene.all_events():
        assert "zephyrine" not in json.dumps(event["payload"]).casefold().replace("my-canary-is-called-zephyrine", ""), event


TRIGGERS = """
[memory]
extract_every_messages = 3
extract_every_tokens = 200
idle_seconds = 1
"""


@pytest.mark.rule(
    "trigger.reason-in-events",
    "trigger.explicit",
    "trigger.message-backlog",
    "trigger.token-backlog",
    "trigger.idle",
    "trigger.explicit-may-be-empty",
)
def test_the_events_of_an_extraction_carry_the_reason_that_triggered_it(tmp_path):
    said = {
        "explicit": ["Remember that I write British English."],
        "message_backlog": ["one", "two", "three"],
        "token_backlog": ["The cat sat on the mat and looked at the moon. " * 30],
        "idle": ["hello"],
    }
    with ModelServer(calls(("finish", {"ignored": [], "duplicates": []}))) as server:
        config = remote(server.base_url).replace("[memory]\n", "") + TRIGGERS
        with DaemonProcess(tmp_path / "home", config) as daemon, daemon.client() as line:
            client = CheckedClient(line)
            numbers = itertools.count()
            for reason, texts in said.items():
                client.call("session.open", session_id=reason)
                client.call("run.started", session_id=reason, run_id="r")
                nodes = [{"node_id": f"n{next(numbers)}", "kind": "user_message", "text": text} for text in texts]
                client.call("context.append", session_id=reason, nodes=nodes)
                ended = client.call("run.completed", session_id=reason, run_id="r", status="completed")
                assert ended["decision"]["reason"] == reason
            until(lambda: len(client.events("memory_extraction_completed")) == len(said))
            assert all(event["payload"]["created"] == [] for event in client.events("memory_extraction_completed"))
            for reason in said:
                found = client.call("events.list", session_id=reason)["events"]
                assert Counter((e["type"], e["payload"]["reason"], e["payload"]["requested_by"]) for e in found) == {
                    ("memory_extraction_started", reason, "schedule"): 1,
                    ("memory_extraction_completed", reason, "schedule"): 1,
                }
