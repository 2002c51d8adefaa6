"""The plugin as opencode runs it, and whatever can go wrong around it."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from soong_memory_client.notes import Notes, session_of
from soong_memory_client.testing import FakeDaemon
from tests.clients.hooks.sessions import CATALOG
from tests.clients.opencode.play import Opencode, Step, answer, event, idle, prompt, session_info
from tests.support.node import needs_node

pytestmark = needs_node
S, CHILD = "ses_1", "ses_child"
LIMIT_MS = 250.0
BUSY_MS = 1500.0  # what a loaded test machine may add


@pytest.fixture
def daemon() -> Iterator[FakeDaemon]:
    with FakeDaemon(answers={"memory.catalog": CATALOG, "initialize": {}}) as daemon:
        yield daemon


def opencode_of(home: Path, **given: Any) -> Opencode:
    return Opencode({"home": str(home), "limit_ms": 20_000}, **given)


def hurried(home: Path, **given: Any) -> Opencode:
    """With the limit that a user has."""
    return Opencode({"home": str(home)}, **given)


def texts(daemon: FakeDaemon, session: str = S) -> list[tuple[str, str]]:
    return [(node["kind"], node["text"]) for node in daemon.nodes(f"opencode:{session}")[1:]]


def spooled(home: Path) -> list[dict[str, Any]]:
    files = sorted((home / "memoryd" / "outbox").glob("opencode-*"))
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def turn(session: str, message: str, asked: str, answered: str) -> list[Step]:
    return [
        session_info(session),
        prompt(session, message, asked),
        *answer(session, f"{message}a", message, answered),
        idle(session),
    ]


@pytest.mark.rule("client.opencode-order")
def test_events_of_a_message_may_come_in_any_order_and_only_what_is_complete_is_told(daemon: FakeDaemon) -> None:
    begun, piece, whole, done = answer(S, "m1a", "m1", "以后都用 uv，好的。")
    unfinished = event(
        "message.part.updated",
        sessionID=S,
        part={"id": "p9", "messageID": "m1a", "sessionID": S, "type": "text", "text": "half"},
    )
    with opencode_of(daemon.home) as opencode:
        opencode(session_info(S), prompt(S, "m1", "go"), done, whole, piece, whole, unfinished, begun, done, idle(S))
        opencode.settle()
    assert texts(daemon) == [("user_message", "go"), ("assistant_message", "以后都用 uv，好的。")]


@pytest.mark.rule("client.opencode-order")
def test_two_sessions_at_once_do_not_mix(daemon: FakeDaemon) -> None:
    one, two = turn("ses_a", "a1", "in a", "a's answer"), turn("ses_b", "b1", "in b", "b's answer")
    with opencode_of(daemon.home) as opencode:
        for first, second in zip(one, two, strict=True):
            opencode(first, second)
        opencode.settle()
    for session in ("a", "b"):
        assert texts(daemon, f"ses_{session}") == [
            ("user_message", f"in {session}"),
            ("assistant_message", f"{session}'s answer"),
        ]
        assert daemon.sessions[f"opencode:ses_{session}"].runs == {f"{session}1": "completed"}


@pytest.mark.rule("client.opencode-once")
def test_a_resumed_session_tells_nothing_twice(daemon: FakeDaemon) -> None:
    with opencode_of(daemon.home) as opencode:
        opencode(*turn(S, "m1", "one", "one it is"))
        opencode.settle()
    replayed = [step for step in turn(S, "m1", "one", "one it is") if step["hook"] == "event"]
    with opencode_of(daemon.home) as opencode:  # opencode reads its store when a session is resumed, and may say so
        opencode(*replayed, *turn(S, "m2", "two", "two it is"))
        opencode.settle()
    assert [text for _, text in texts(daemon)] == ["one", "one it is", "two", "two it is"]


@pytest.mark.rule("client.opencode-turn")
@pytest.mark.parametrize(
    ("error", "status"), [("MessageAbortedError", "cancelled"), ("APIError", "failed"), ("ProviderAuthError", "failed")]
)
def test_a_run_that_fails_or_is_stopped_is_said(daemon: FakeDaemon, error: str, status: str) -> None:
    with opencode_of(daemon.home) as opencode:
        opencode(session_info(S), prompt(S, "m1", "go"), event("session.error", sessionID=S, error={"name": error}), idle(S))
        opencode.settle()
    assert daemon.sessions[f"opencode:{S}"].runs == {"m1": status}


@pytest.mark.rule("client.opencode-turn")
def test_a_prompt_typed_while_the_model_works_ends_the_run_before(daemon: FakeDaemon) -> None:
    with opencode_of(daemon.home) as opencode:
        opencode(session_info(S), prompt(S, "m1", "one"), *answer(S, "m1a", "m1", "first"), prompt(S, "m2", "two"))
        opencode(*answer(S, "m2a", "m2", "second"), idle(S))
        opencode.settle()
    assert [text for _, text in texts(daemon)] == ["one", "first", "two", "second"]
    assert daemon.sessions[f"opencode:{S}"].runs == {"m1": "completed", "m2": "completed"}


@pytest.mark.rule("client.opencode-origin")
def test_only_what_a_person_typed_is_typed(daemon: FakeDaemon) -> None:
    synthetic = {"type": "text", "text": "Called the Read tool", "synthetic": True}
    ignored = {"type": "text", "text": "a note to the user", "ignored": True}
    command = {
        "hook": "command.execute.before",
        "input": {"sessionID": S, "command": "review", "arguments": ""},
        "output": {"parts": []},
    }
    with opencode_of(daemon.home, sessions={CHILD: {"id": CHILD, "parentID": S}, S: {"id": S}}) as opencode:
        opencode(prompt(S, "m1", "typed words", synthetic, ignored), idle(S))
        opencode(prompt(S, "m2", {"type": "text", "text": "reminder", "synthetic": True}), idle(S))
        opencode(command, prompt(S, "m3", "A template that nobody typed."), idle(S))
        opencode(prompt(CHILD, "c1", "Always look twice."), idle(CHILD))
        opencode(prompt("ses_nobody_knows", "x1", "whose is this"))
        opencode.settle()
    nodes = {node["node_id"]: node for name in (S, "ses_nobody_knows") for node in daemon.nodes(f"opencode:{name}")}
    assert {key: (nodes[key]["text"], nodes[key]["origin"]) for key in ("m1", "m3", "c1", "x1")} == {
        "m1": ("typed words", "typed"),
        "m3": ("A template that nobody typed.", "synthetic"),
        "c1": ("Always look twice.", "synthetic"),
        "x1": ("whose is this", "synthetic"),
    }
    assert "m2" not in nodes
    assert nodes["c1"]["agent_id"] == CHILD


@pytest.mark.rule("client.opencode-origin")
def test_what_a_program_says_by_opencode_run_is_nobodys_wish(daemon: FakeDaemon) -> None:
    with opencode_of(daemon.home, argv=("run", "Remember me.")) as opencode:
        opencode(session_info(S), prompt(S, "m1", "Remember me."))
        opencode.settle()
    assert daemon.nodes(f"opencode:{S}")[-1]["origin"] == "synthetic"


@pytest.mark.rule("client.opencode-tools")
def test_what_memory_gave_is_not_told_as_what_a_tool_found(daemon: FakeDaemon) -> None:
    def tool(part: str, name: str, **state: Any) -> Step:
        held = {"id": part, "messageID": "m1a", "sessionID": S, "type": "tool", "callID": part, "tool": name, "state": state}
        return event("message.part.updated", sessionID=S, part=held)

    read = {"status": "completed", "input": {"filePath": "/w/a.py"}, "output": "x" * 9000, "title": "a.py"}
    with opencode_of(daemon.home) as opencode:
        begun, *rest = answer(S, "m1a", "m1", "done")
        opencode(session_info(S), prompt(S, "m1", "go"), begun)
        opencode(tool("t1", "read", **read), tool("t2", "bash", status="error", input={"command": "false"}, error="exit 1"))
        opencode(tool("t3", "soong-memory_recall_memory", status="completed", input={"query": "x"}, output="<memory>"))
        opencode(tool("t4", "read_mcp_resource", status="completed", input={"server": "soong-memory"}, output="# Memory"))
        opencode(tool("t5", "bash", status="running", input={"command": "sleep"}), *rest, idle(S))
        opencode.settle()
    found = {node["node_id"]: node for node in daemon.nodes(f"opencode:{S}") if node["kind"] == "tool_result"}
    assert set(found) == {"t1", "t2"}
    assert (len(found["t1"]["text"]), found["t1"]["artifact_refs"], found["t1"]["metadata"]["original_chars"]) == (
        4000,
        ["/w/a.py"],
        9000,
    )
    assert found["t2"]["summary"] == "bash(false) failed, 1 lines: exit 1"


@pytest.mark.rule("client.opencode-rewind")
def test_going_back_to_the_first_prompt_leaves_nothing(daemon: FakeDaemon) -> None:
    daemon.answers["context.rewind"] = {"abandoned": 2}
    removed = [event("message.removed", sessionID=S, messageID=message) for message in ("m1", "m1a")]
    with opencode_of(daemon.home) as opencode:
        opencode(*turn(S, "m1", "one", "first"), *removed, *turn(S, "m2", "two", "second"))
        opencode.settle()
    rewound = [message["params"]["node_id"] for message in daemon.received if message["method"] == "context.rewind"]
    assert rewound == [f"{S}:0"] == [daemon.nodes(f"opencode:{S}")[0]["node_id"]]


@pytest.mark.rule("client.opencode-catalog")
def test_a_session_keeps_its_catalog_until_a_compaction_and_sub_agents_get_none(daemon: FakeDaemon) -> None:
    with opencode_of(daemon.home) as opencode:
        opencode(session_info(S), session_info(CHILD, parent=S), prompt(S, "m1", "go"))
        assert opencode.system(S) == ["You are opencode", CATALOG["text"]]
        daemon.answers["memory.catalog"] = {**CATALOG, "text": "# Memory\n- another\n"}
        assert opencode.system(S)[1:] == [CATALOG["text"]], "the same text again: the prompt stays cached"
        assert opencode.system(CHILD) == ["You are opencode"]
        assert opencode.system(S, "You are a title generator. You output") == ["You are a title generator. You output"]
        opencode(event("session.compacted", sessionID=S))
        assert opencode.system(S)[1:] == ["# Memory\n- another\n"]
        opencode.settle()
    summaries = [node for node in daemon.nodes(f"opencode:{S}") if node["kind"] == "compact_summary"]
    assert [node["text"] for node in summaries] == [""], "without its words too"


@pytest.mark.rule("client.opencode-catalog")
def test_an_empty_catalog_adds_nothing(daemon: FakeDaemon) -> None:
    daemon.answers["memory.catalog"] = {**CATALOG, "entries": 0}
    with opencode_of(daemon.home) as opencode:
        opencode(session_info(S))
        assert opencode.system(S) == ["You are opencode"]


@pytest.mark.rule("client.opencode-recall")
def test_a_recall_belongs_to_the_session_that_asks_and_a_sub_agent_is_refused(daemon: FakeDaemon) -> None:
    def asks(session: str) -> Step:
        return {
            "hook": "tool.execute.before",
            "input": {"tool": "soong-memory_recall_memory", "sessionID": session},
            "output": {},
        }

    with opencode_of(daemon.home) as opencode:
        opencode(session_info("ses_a"), session_info("ses_b"), session_info(CHILD, parent="ses_a"))
        for session in ("ses_a", "ses_b", "ses_a"):
            assert opencode(asks(session))["error"] is None
            note = Notes(daemon.home, "opencode").read(f"opencode:{session}")
            assert note.harness.pid == opencode.pid
            assert session_of(daemon.home, note.harness) == f"opencode:{session}"
        assert "main agent" in opencode(asks(CHILD))["error"]


@pytest.mark.rule("client.opencode-fails-open")
def test_without_a_daemon_the_words_wait_and_reach_it_later(daemon: FakeDaemon) -> None:
    daemon.stop()
    with hurried(daemon.home) as opencode:
        opencode(*turn(S, "m1", "以后都用 uv", "好的"))
        assert opencode.system(S) == ["You are opencode"]
        opencode.settle()
        assert not daemon.socket_path.exists(), "a plugin starts no daemon"
        assert len(spooled(daemon.home)) == 6
        daemon.start()
        opencode(*turn(S, "m2", "and more", "yes"))
        opencode.settle()
    assert [text for _, text in texts(daemon)] == ["以后都用 uv", "好的", "and more", "yes"]


@pytest.mark.rule("client.opencode-fails-open")
def test_a_daemon_that_hangs_holds_nobody_up(daemon: FakeDaemon) -> None:
    with daemon.paused(), hurried(daemon.home) as opencode:
        asked = prompt(S, "m1", "go")
        assert opencode(session_info(S), asked)["ms"] < LIMIT_MS + BUSY_MS
        assert opencode.system(S) == ["You are opencode"]
        recall = {"hook": "tool.execute.before", "input": {"tool": "x_recall_memory", "sessionID": S}, "output": {}}
        assert opencode(recall)["ms"] < LIMIT_MS + BUSY_MS
        opencode.kill()
    assert [message["method"] for message in spooled(daemon.home)] == [
        "session.open",
        "context.append",
        "run.started",
        "context.append",
    ]


@pytest.mark.rule("client.opencode-fails-open")
def test_a_socket_that_speaks_nonsense_is_no_daemon(tmp_path: Path) -> None:
    (tmp_path / "memoryd").mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(tmp_path / "memoryd" / "memoryd.sock"))
        listener.listen()
        with hurried(tmp_path) as opencode:
            opencode(session_info(S), prompt(S, "m1", "go"))
            for _ in range(2):  # one for what is said, one for the catalog
                connected, _ = listener.accept()
                with connected:
                    connected.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            opencode.settle()
    assert len(spooled(tmp_path)) == 4


@pytest.mark.rule("client.opencode-fails-open")
@pytest.mark.parametrize("home", ["missing/home", "a-file", "x" * 120])
def test_a_home_that_is_of_no_use_is_not_the_users_problem(tmp_path: Path, home: str) -> None:
    (tmp_path / "a-file").write_text("")
    with Opencode({"home": str(tmp_path / home)}) as opencode:
        opencode(*turn(S, "m1", "go", "gone"))
        assert opencode.system(S) == ["You are opencode"]


@pytest.mark.rule("client.opencode-fails-open")
def test_payloads_of_another_version_are_not_the_users_problem(daemon: FakeDaemon) -> None:
    strange: list[Step] = [
        {"hook": "event", "input": one}
        for one in (None, {}, {"type": "session.idle"}, {"type": "session.updated", "properties": {"sessionID": S}})
    ]
    strange += [
        {"hook": "chat.message", "input": {"sessionID": S}, "output": {}},
        {"hook": "chat.message", "input": {}, "output": {}},
    ]
    strange += [event("message.updated", sessionID=S, info={"role": "assistant"}), event("message.part.updated", sessionID=S)]
    with opencode_of(daemon.home) as opencode:
        for step in strange:
            assert opencode(step).get("error") is None
        opencode(*turn(S, "m1", "go", "gone"))
        opencode.settle()
    assert texts(daemon) == [("user_message", "go"), ("assistant_message", "gone")]


@pytest.mark.rule("client.opencode-fails-open")
def test_a_huge_text_is_cut_and_arrives(daemon: FakeDaemon) -> None:
    with opencode_of(daemon.home) as opencode:
        opencode(*turn(S, "m1", "长" * 200_000, "y" * 600_000))
        opencode.settle()
    asked, answered = daemon.nodes(f"opencode:{S}")[1:]
    assert asked["metadata"] == {"cut": True, "original_bytes": 600_000}
    assert answered["text"].endswith("\n[cut]")
    assert daemon.sessions[f"opencode:{S}"].runs == {"m1": "completed"}


@pytest.mark.rule("client.opencode-fails-open")
def test_it_can_be_switched_off(daemon: FakeDaemon) -> None:
    with opencode_of(daemon.home, SOONG_MEMORYD_HOOK="off") as opencode:
        assert opencode.hooks == []
    assert daemon.received == []


@pytest.mark.rule("client.opencode-fails-open")
def test_an_opencode_that_is_killed_loses_nothing_that_was_typed(daemon: FakeDaemon) -> None:
    with daemon.paused(), opencode_of(daemon.home) as opencode:
        opencode(session_info(S), prompt(S, "m1", "typed just before"))
        opencode.kill()
    daemon.received.clear()
    daemon.stop()
    with opencode_of(daemon.home) as opencode:
        opencode(*turn("ses_2", "m2", "later", "fine"))
        opencode.settle()
    waiting = [message["params"].get("nodes", [{}])[0].get("text") for message in spooled(daemon.home)]
    assert [text for text in waiting if text] == ["typed just before", "later", "fine"]
