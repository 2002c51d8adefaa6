"""The fake daemon and the real one give an agent the same answers."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from soong_memory_client import MemoryClient, RpcError
from soong_memory_client.testing import FakeDaemon
from soong_memoryd.cli.demo.stage import Stage

CONFIG = '[model]\nprovider = "builtin"\n\n[memory]\nidle_seconds = 600\n'


@pytest.fixture(scope="module", params=["fake", "real"])
def client(request: pytest.FixtureRequest) -> Iterator[MemoryClient]:
    if request.param == "fake":
        with FakeDaemon() as daemon, MemoryClient("agent", home=daemon.home) as opened:
            yield opened
    else:
        with Stage(os.environ, CONFIG) as stage, MemoryClient("agent", home=stage.home) as opened:
            yield opened


@pytest.fixture
def session(client: MemoryClient) -> str:
    session_id = f"s-{uuid.uuid4()}"
    client.session_open(session_id)
    return session_id


def message(node_id: str, text: str = "hello there", **fields: Any) -> dict[str, Any]:
    return {"node_id": node_id, "kind": "user_message", "text": text, **fields}


def refused(call: Callable[[], object]) -> tuple[int, str, bool, object]:
    with pytest.raises(RpcError) as caught:
        call()
    error = caught.value
    return error.number, error.code, error.retryable, error.data.get("index")


@pytest.mark.rule("client.fake-is-faithful")
def test_a_session_is_opened_once_and_keeps_its_main_agent(client: MemoryClient) -> None:
    session_id = f"s-{uuid.uuid4()}"
    opened = {"session_id": session_id, "created": True, "durable_sequence": 0, "unscanned_messages": 0}
    assert client.session_open(session_id) == opened
    assert client.session_open(session_id) == {**opened, "created": False}
    assert refused(lambda: client.session_open(session_id, "other")) == (-32004, "agent_conflict", False, None)


@pytest.mark.rule("client.fake-is-faithful")
def test_an_agent_keeps_its_first_kind(client: MemoryClient, session: str) -> None:
    for _ in range(2):
        assert client.agent_register(session, "a", "sub", "main") == {"agent_id": "a", "kind": "sub"}
    assert refused(lambda: client.agent_register(session, "a", "fork", "main"))[1] == "agent_conflict"


@pytest.mark.rule("client.fake-is-faithful")
def test_the_same_node_is_a_duplicate_and_another_text_a_conflict_that_names_its_place(
    client: MemoryClient, session: str
) -> None:
    assert client.append(session, [message("1"), message("2")]) == {"durable_sequence": 2, "appended": 2, "duplicates": []}
    again = {"durable_sequence": 3, "appended": 1, "duplicates": ["2"]}
    assert client.append(session, [message("2"), message("3")]) == again
    assert refused(lambda: client.append(session, [message("4"), message("1", "other")])) == (-32005, "node_conflict", False, 1)
    assert client.append(session, [message("4")]) == {"durable_sequence": 4, "appended": 1, "duplicates": []}, "all or nothing"


@pytest.mark.rule("client.fake-is-faithful")
def test_a_node_of_an_unknown_agent_is_refused(client: MemoryClient, session: str) -> None:
    assert refused(lambda: client.append(session, [message("1", agent_id="ghost")]))[:2] == (-32002, "agent_unknown")


@pytest.mark.rule("client.fake-is-faithful")
def test_going_back_counts_what_leaves_the_path_once(client: MemoryClient, session: str) -> None:
    client.append(session, [message("1"), message("2"), message("3")])
    assert client.rewind(session, "1") == {"abandoned": 2}
    assert client.rewind(session, "1") == {"abandoned": 0}
    assert refused(lambda: client.rewind(session, "9"))[:2] == (-32006, "not_found")


@pytest.mark.rule("client.fake-is-faithful")
def test_a_run_may_be_said_twice_and_a_session_closed_twice(client: MemoryClient, session: str) -> None:
    for _ in range(2):
        assert client.run_started(session, "r") == {"cancelled_idle": False}
    for _ in range(2):
        assert client.run_completed(session, "r") == {"decision": None}
    for _ in range(2):
        assert client.session_close(session) == {}


@pytest.mark.rule("client.fake-is-faithful")
@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.session_close("nowhere"),
        lambda client: client.append("nowhere", [message("1")]),
        lambda client: client.run_started("nowhere", "r"),
        lambda client: client.run_completed("nowhere", "r"),
        lambda client: client.rewind("nowhere", "1"),
        lambda client: client.agent_register("nowhere", "a", "sub", "main"),
    ],
)
def test_a_session_that_was_never_opened_is_unknown(client: MemoryClient, call: Callable[[MemoryClient], object]) -> None:
    assert refused(lambda: call(client)) == (-32001, "session_unknown", False, None)


@pytest.mark.rule("client.fake-is-faithful")
def test_without_memories_catalog_and_recall_have_the_same_shape(client: MemoryClient, session: str) -> None:
    catalog = client.catalog(session)
    assert (catalog["entries"], catalog["truncated"], set(catalog)) == (0, False, {"text", "entries", "truncated", "revision"})
    recalled = client.recall("anything", session)
    shape = {"status", "message", "node", "recalled", "already_recalled", "omitted", "selected_by", "degraded"}
    assert (recalled["status"], recalled["message"], set(recalled)) == ("no_match", None, shape)
    assert set(client.call("initialize", protocol_version=1, client={"name": "t", "version": "1"})) == {
        *("protocol_version", "server", "limits", "memory_enabled")
    }


@pytest.mark.rule("client.fake-is-faithful")
def test_a_method_that_does_not_exist_is_not_found(client: MemoryClient) -> None:
    assert refused(lambda: client.call("memory.write", text="x"))[:2] == (-32601, "method_not_found")
