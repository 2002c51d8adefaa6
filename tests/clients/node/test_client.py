"""The Node client with node's own test runner against a real daemon, and the outbox that it shares with the Python one."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from soong_memory_client import MemoryClient
from soong_memory_client.outbox import Outbox, client_names
from soong_memoryd import __version__
from tests import node_types
from tests.support.daemon import DaemonProcess
from tests.support.node import needs_node, run_node

HERE = Path(__file__).parent
CLIENT = HERE.parents[2] / "clients" / "node" / "index.js"
SPOOL = """
import { MemoryClient } from "%s";
const memory = new MemoryClient("shared", { home: process.env.HOME_OF_IT });
const node = (id) => ({ node_id: id, kind: "user_message", text: `这是 ${id}。` });
const said = (id) => ["context.append", { session_id: "n:1", nodes: [node(id)] }];
await memory.enqueue([["session.open", { session_id: "n:1" }], said("a"), said("b")]);
await memory.enqueue([["context.rewind", { session_id: "n:1", node_id: "a" }], said("c")]);
await memory.flush();
"""


def spool(home: Path) -> None:
    done = run_node("--input-type=module", "-e", SPOOL % CLIENT, HOME_OF_IT=str(home))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@needs_node
@pytest.mark.rule("client.outbox-drained", "client.outbox-keeps", "client.node")
def test_the_daemon_takes_what_node_left_and_nodes_own_tests_pass_against_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    spool(home)
    with DaemonProcess(home) as daemon, daemon.client() as client:
        deadline = time.monotonic() + 15
        while any(not Outbox(home / "memoryd/outbox", name).is_empty() for name in client_names(home / "memoryd/outbox")):
            assert time.monotonic() < deadline, "the daemon drains outboxes when it starts"
            time.sleep(0.02)
        told = client.call("session.list")["sessions"][0]
        assert (told["session_id"], told["last_sequence"], told["unscanned_messages"]) == ("n:1", 3, 2)
        done = run_node("--test", HERE / "client.test.mjs", MEMORYD_HOME=str(home))
    assert done.returncode == 0, done.stdout[-6000:]


@needs_node
@pytest.mark.rule("client.outbox-format", "client.node")
def test_a_python_client_can_take_what_node_left_and_both_keep_their_own(tmp_path: Path) -> None:
    spool(tmp_path)
    directory = tmp_path / "memoryd" / "outbox"
    with MemoryClient("shared", home=tmp_path) as client:
        assert client.session_open("p:1") is None
    methods = []
    for name in client_names(directory):
        with Outbox(directory, name).claim() as claim:
            assert claim is not None
            for line in claim.pending():
                assert line.request is not None
                methods.append(line.request["method"])
                claim.acknowledge(line)
    assert methods[0] == "session.open"  # of shared.jsonl
    assert methods[1:] == ["session.open", "context.append", "context.append", "context.rewind", "context.append"]
    spool(tmp_path)
    assert all(path.stat().st_size for path in directory.glob("shared-*.jsonl")), "what was taken is cleaned away"


@pytest.mark.rule("client.node")
def test_each_form_of_schema_has_its_type() -> None:
    for schema, expected in (
        ({"$ref": "#/components/schemas/Node"}, "Node"),
        ({"enum": ["a", "b"], "type": "string"}, '"a" | "b"'),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}, {"type": "null"}]}, "number | null"),
        (
            {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "string"}}},
            "Array<Record<string, string>>",
        ),
        ({"type": "object", "additionalProperties": True}, "Record<string, unknown>"),
        ({}, "unknown"),
    ):
        assert node_types.type_of(schema) == expected
    with pytest.raises(KeyError):
        node_types.type_of({"type": "tuple"})
    assert node_types.method_name("rpc.discover") == "rpcDiscover"


@pytest.mark.rule("client.node")
@pytest.mark.parametrize("name", ["node", "opencode"])
def test_the_package_carries_the_same_version_and_no_dependency(name: str) -> None:
    package = json.loads((CLIENT.parents[1] / name / "package.json").read_text(encoding="utf-8"))
    assert package["private"] is True and package["version"] == __version__
    assert not package.keys() & {"dependencies", "devDependencies", "scripts"}
