"""A real daemon over its socket: the contract as a client sees it, line by line."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess

import pytest

from tests.support.daemon import DaemonProcess, RpcFailure


@pytest.fixture(scope="module")
def daemon(tmp_path_factory):
    with DaemonProcess(tmp_path_factory.mktemp("wire") / "home") as process:
        yield process


@pytest.fixture
def client(daemon):
    with daemon.client() as client:
        yield client


def refused(client, code, method, /, **params):
    with pytest.raises(RpcFailure) as caught:
        client.call(method, **params)
    assert caught.value.code == code
    return caught.value


@pytest.mark.rule("wire.no-handshake")
def test_a_shell_one_liner_works_and_is_answered_after_it_closed_its_side(daemon, client):
    client.send(b'\n{"jsonrpc":"2.0","id":"a","method":"daemon.status"}\n')
    client.finish_sending()
    answer = client.read()
    assert answer["id"] == "a" and answer["result"]["state"] == "ready"


@pytest.mark.rule("method.initialize")
def test_initialize_says_what_may_be_sent(client):
    result = client.call("initialize", protocol_version=1, client={"name": "t", "version": "1"})
    assert result["protocol_version"] == 1 and result["memory_enabled"] is True
    assert result["limits"] == {"max_message_bytes": 1048576, "max_batch": 16, "max_in_flight": 32, "max_nodes": 256}
    refused(client, "protocol_version", "initialize", protocol_version=2, client={"name": "t"})


@pytest.mark.rule("wire.private")
def test_the_socket_and_its_directory_are_the_users_alone(daemon):
    assert stat.S_IMODE(daemon.socket_path.stat().st_mode) == 0o600
    assert stat.S_IMODE(daemon.socket_path.parent.stat().st_mode) == 0o700
    for path in daemon.home.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path


@pytest.mark.rule("framing.refused")
@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b"nonsense\n", -32700),
        (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"daemon.status"}\n', -32700),
        (b"\xff\xfe\n", -32700),
        (b"[]\n", -32600),
        (b'{"id":1}\n', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"memory.write"}\n', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"session.open","params":{"session_id":1}}\n', -32602),
    ],
)
def test_a_bad_line_gets_its_coded_error_and_the_connection_goes_on(client, line, number):
    client.send(line)
    answer = client.read()
    assert answer["error"]["code"] == number and set(answer["error"]["data"]) >= {"code", "retryable", "hint"}
    assert client.call("daemon.status")["state"] == "ready"


@pytest.mark.rule("framing.line-limit", "error.message_too_large")
def test_an_over_long_line_is_answered_and_closed_and_others_go_on(daemon, client):
    with daemon.client() as other:
        other.send(b"x" * (1 << 20) + b"xx")
        assert other.read()["error"]["data"]["code"] == "message_too_large"
        with pytest.raises(ConnectionError):
            other.read()
    assert client.call("daemon.status")["state"] == "ready"


@pytest.mark.rule("envelope.batch", "error.method_not_found")
def test_a_batch_comes_back_as_one_array_in_order(client):
    client.send(
        [
            {"jsonrpc": "2.0", "id": 1, "method": "session.open", "params": {"session_id": "batch"}},
            {"jsonrpc": "2.0", "method": "run.started", "params": {"session_id": "batch", "run_id": "r"}},
            {"jsonrpc": "2.0", "id": 2, "method": "nope"},
            {
                "jsonrpc": "2.0",
                "id": 3,
                "method": "run.completed",
                "params": {"session_id": "batch", "run_id": "r", "status": "completed"},
            },
        ]
    )
    answers = client.read()
    assert [answer["id"] for answer in answers] == [1, 2, 3]
    assert answers[1]["error"]["data"]["code"] == "method_not_found" and answers[2]["result"] == {"decision": None}


@pytest.mark.rule("wire.order")
def test_notifications_and_requests_take_effect_in_the_order_they_were_sent(client):
    client.call("session.open", session_id="order")
    lines = []
    for i in range(50):
        node = {"node_id": f"n{i}", "kind": "user_message", "text": "x"}
        lines.append({"jsonrpc": "2.0", "method": "context.append", "params": {"session_id": "order", "nodes": [node]}})
    client.send(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    node = {"node_id": "last", "kind": "other"}
    assert client.call("context.append", session_id="order", nodes=[node])["durable_sequence"] == 51


@pytest.mark.rule("errors.no-echo", "error.invalid_params")
def test_no_error_repeats_what_was_refused(client):
    secret = "do-not-" + "repeat-me"
    for params in ({"session_id": "s", "colour": secret}, {"session_id": [secret]}, {"session_id": secret + "\n"}):
        with pytest.raises(RpcFailure) as caught:
            client.call("session.open", **params)
        assert secret not in repr(caught.value.data) + str(caught.value)


@pytest.mark.rule("node.too-large", "error.message_too_large")
def test_a_node_over_256_kib_is_refused_with_its_place(client):
    client.call("session.open", session_id="large")
    nodes = [{"node_id": "a", "kind": "other"}, {"node_id": "b", "kind": "other", "text": "语" * 100_000}]
    assert refused(client, "message_too_large", "context.append", session_id="large", nodes=nodes).data["index"] == 1
    assert client.call("session.open", session_id="large")["durable_sequence"] == 0


@pytest.mark.rule("roles.matrix", "error.role_denied", "rule.recall-only-reads")
@pytest.mark.parametrize("kind", ["sub", "fork", "worker", "compact"])
@pytest.mark.parametrize(("method", "params"), [("memory.recall", {"query": "x"}), ("memory.catalog", {})])
def test_only_the_main_agent_recalls_and_carries_the_catalog(client, kind, method, params):
    client.call("session.open", session_id="roles")
    client.call("agent.register", session_id="roles", agent_id=f"the-{kind}", kind=kind, parent_agent_id="main")
    refused(client, "role_denied", method, session_id="roles", agent_id=f"the-{kind}", **params)
    client.call("run.started", session_id="roles", run_id=f"run-{kind}", agent_id=f"the-{kind}")
    if method == "memory.recall":
        refused(client, "role_denied", method, session_id="roles", run_id=f"run-{kind}", **params)
        refused(client, "invalid_params", method, session_id="roles", run_id=f"run-{kind}", agent_id="main", **params)
    client.call(method, session_id="roles", **params)


@pytest.mark.rule("method.rpc-discover")
def test_the_daemon_describes_itself(client):
    assert len(client.call("rpc.discover")["methods"]) == 33


@pytest.mark.rule("method.events-subscribe")
def test_a_subscriber_gets_every_event_once_in_order(daemon, client):
    with daemon.client() as listener:
        listener.call("events.subscribe", after=0)
        client.call("session.open", session_id="watched")
        client.call("run.started", session_id="watched", run_id="r")
        node = {"node_id": "n", "kind": "user_message", "text": "Remember: I prefer tabs over spaces."}
        client.call("context.append", session_id="watched", nodes=[node])
        client.call("run.completed", session_id="watched", run_id="r", status="completed")
        seen = [listener.read()["params"]]
        while seen[-1]["type"] != "memory_extraction_completed":
            seen.append(listener.read()["params"])
    assert [event["sequence"] for event in seen] == list(range(1, len(seen) + 1))
    assert seen[0]["type"] == "daemon_started"
    listed = client.call("events.list", after=0, limit=1000)["events"]
    assert listed[: len(seen)] == seen


@pytest.mark.rule("method.events-subscribe")
def test_a_second_subscription_of_a_connection_takes_the_place_of_the_first(daemon, client):
    with daemon.client() as listener:
        listener.call("events.subscribe", after=0)
        last = listener.call("events.subscribe")["last"]
        client.call("session.open", session_id="twice")
        client.call("context.append", session_id="twice", nodes=[{"node_id": "n", "kind": "user_message", "text": "hello"}])
        client.call("extraction.trigger", session_id="twice", wait=True)
        until = client.call("events.list", after=0, limit=1)["last"]
        seen = [listener.read()["params"]["sequence"]]
        while seen[-1] < until:
            seen.append(listener.read()["params"]["sequence"])
    assert seen == list(range(last + 1, until + 1))


@pytest.mark.rule("method.daemon-verify")
def test_a_file_whose_name_is_no_text_is_named_and_nobody_is_hurt(daemon, client):
    folder = daemon.home / "memory" / "user"
    folder.mkdir(mode=0o700, exist_ok=True)
    strange = os.fsencode(folder) + b"/caf\xe9.md"
    with open(strange, "wb"):
        pass
    named = [problem["path"] for problem in client.call("daemon.verify")["problems"] if problem["code"] == "foreign_file"]
    assert named == ["user/caf\\xe9.md"] and os.path.exists(strange)
    assert client.call("daemon.status")["state"] == "ready"
    os.unlink(strange)


@pytest.mark.rule("daemon.single-instance")
def test_a_second_daemon_for_the_same_home_ends_with_73_and_says_what_to_do(daemon):
    second = DaemonProcess(daemon.home)
    assert second.run_to_end() == 73
    assert "already running" in second.output and "soong-memoryctl status" in second.output


@pytest.mark.rule("wire.many-connections")
def test_connections_beyond_the_limit_wait_and_nobody_else_is_hurt(daemon, client):
    idle = [daemon.client() for _ in range(254)]
    assert client.call("daemon.status")["state"] == "ready"
    for connection in idle:
        connection.close()
    assert client.call("daemon.status")["state"] == "ready"


@pytest.mark.rule("wire.pipelining")
def test_a_client_that_sends_without_pause_is_answered_completely(client):
    count = 200
    client.send(b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"session.list"}\n' % i for i in range(count)))
    assert sorted(client.read()["id"] for _ in range(count)) == list(range(count))


@pytest.mark.rule("wire.many-connections")
def test_a_client_that_vanishes_mid_line_leaves_nothing_behind(daemon, client):
    before = len(os.listdir(f"/proc/{daemon.pid}/fd"))
    for _ in range(20):
        gone = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        gone.connect(str(daemon.socket_path))
        gone.sendall(b'{"jsonrpc":"2.0","id":1,"meth')
        gone.close()
    for _ in range(100):
        client.call("daemon.status")
        if len(os.listdir(f"/proc/{daemon.pid}/fd")) <= before:
            break
    assert len(os.listdir(f"/proc/{daemon.pid}/fd")) <= before


@pytest.mark.rule("wire.other-uid")
@pytest.mark.skipif(os.geteuid() != 0, reason="another uid can only be tried as root")
def test_another_uid_cannot_reach_the_socket(daemon):
    script = f"import socket;s=socket.socket(socket.AF_UNIX);s.connect({str(daemon.socket_path)!r})"
    done = subprocess.run(["python3", "-c", script], user=65534, capture_output=True, check=False)
    assert b"PermissionError" in done.stderr
