"""The MCP server: its protocol, and what its answers say."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from soong_memory_client.notes import Note, Notes, harness_process
from soong_memory_client.testing import FakeDaemon, refusal
from soong_memory_mcp import SESSION_VARIABLES, session_from
from soong_memory_mcp_offer import VERSIONS
from tests.clients.mcp.sessions import ANSWERS, CATALOG, MEMORY, RECALLED, UV, LineClient, server_command


@pytest.fixture
def daemon() -> Iterator[FakeDaemon]:
    with FakeDaemon(answers=dict(ANSWERS)) as running:
        yield running


@pytest.fixture
def mcp(daemon: FakeDaemon) -> Iterator[LineClient]:
    with LineClient(daemon.home) as client:
        yield client


def text_of(result: dict[str, object]) -> str:
    (content,) = result["content"]  # type: ignore[misc]
    assert content["type"] == "text"
    return str(content["text"])


@pytest.mark.rule("mcp.versions")
@pytest.mark.parametrize(("asked", "given"), [*((version, version) for version in VERSIONS), ("1999-01-01", VERSIONS[0])])
def test_a_client_gets_the_version_that_it_asks_for_or_the_newest(tmp_path: Path, asked: str, given: str) -> None:
    with LineClient(tmp_path, version=asked) as client:
        assert client.hello["result"]["protocolVersion"] == given


@pytest.mark.rule("mcp.read-only")
def test_the_one_tool_says_that_it_only_reads(mcp: LineClient) -> None:
    (tool,) = mcp.call("tools/list")["result"]["tools"]
    assert tool["name"] == "recall_memory"
    hints = {name: value for name, value in tool["annotations"].items() if name != "title"}
    assert hints == {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
    assert tool["inputSchema"]["required"] == ["query"]


@pytest.mark.rule("mcp.says-its-limits")
def test_a_model_is_told_that_a_sub_agent_cannot_be_told_from_the_main_one(mcp: LineClient) -> None:
    assert "cannot tell a sub agent" in mcp.hello["result"]["instructions"]
    (tool,) = mcp.call("tools/list")["result"]["tools"]
    assert "main agent only" in tool["description"]


@pytest.mark.rule("mcp.recall")
def test_recall_returns_the_message_of_the_daemon_as_it_is(daemon: FakeDaemon, mcp: LineClient) -> None:
    result = mcp.recall("which package manager", top_k=2)
    assert (text_of(result), result["isError"]) == (RECALLED["message"]["content"], False)
    assert daemon.received[-1]["params"] == {"query": "which package manager", "top_k": 2}


@pytest.mark.rule("mcp.recall")
@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({**RECALLED, "status": "no_match", "message": None}, "No memory matters"),
        ({**RECALLED, "status": "already_recalled", "message": None, "already_recalled": [UV]}, UV),
    ],
)
def test_that_there_is_nothing_new_is_said(daemon: FakeDaemon, mcp: LineClient, answer: object, says: str) -> None:
    daemon.answers["memory.recall"] = answer
    result = mcp.recall("anything")
    assert says in text_of(result)
    assert result["isError"] is False


@pytest.mark.rule("mcp.errors")
@pytest.mark.parametrize(
    "arguments", [{}, {"query": " "}, {"query": 1}, {"query": "x", "top_k": "2"}, {"query": "x", "top_k": 0}]
)
def test_wrong_arguments_are_an_error_that_the_model_can_mend(
    daemon: FakeDaemon, mcp: LineClient, arguments: dict[str, object]
) -> None:
    result = mcp.call("tools/call", name="recall_memory", arguments=arguments)["result"]
    assert result["isError"] is True
    assert daemon.received == []


@pytest.mark.rule("mcp.errors")
def test_without_a_daemon_the_server_lives_and_says_what_helps(daemon: FakeDaemon, mcp: LineClient) -> None:
    daemon.stop()
    result = mcp.recall("x")
    assert result["isError"] is True
    assert "soong-memoryctl service start" in text_of(result)
    assert mcp.call("resources/read", uri="memory://catalog")["error"]["code"] == -32002
    daemon.start()
    assert mcp.recall("x")["isError"] is False


@pytest.mark.rule("mcp.errors")
def test_a_refusal_of_the_daemon_is_told_to_the_model(daemon: FakeDaemon, mcp: LineClient) -> None:
    daemon.answers["memory.recall"] = refusal("role_denied", "only the main agent may recall")
    result = mcp.recall("x")
    assert result["isError"] is True
    assert "only the main agent may recall" in text_of(result)


@pytest.mark.rule("mcp.errors")
@pytest.mark.parametrize(
    ("line", "number"),
    [(b"{", -32700), (b"\xff", -32700), (b"7", -32600), (b"[]", -32600), (b'{"id":1,"method":7}', -32600)],
)
def test_a_line_that_is_no_message_gets_an_error_and_the_next_one_an_answer(mcp: LineClient, line: bytes, number: int) -> None:
    mcp.send(line)
    assert mcp.read()["error"]["code"] == number
    assert mcp.call("ping")["result"] == {}


@pytest.mark.rule("mcp.errors")
@pytest.mark.parametrize(
    ("method", "params", "number"),
    [
        ("tools/nothing", {}, -32601),
        ("tools/call", {"name": "create_memory", "arguments": {}}, -32602),
        ("resources/read", {"uri": "file:///etc/passwd"}, -32002),
        ("prompts/get", {"name": "nothing"}, -32602),
        ("prompts/get", {"name": "recall", "arguments": {}}, -32602),
    ],
)
def test_what_there_is_not_is_an_error(mcp: LineClient, method: str, params: dict[str, object], number: int) -> None:
    assert mcp.call(method, **params)["error"]["code"] == number


@pytest.mark.rule("mcp.batch")
def test_an_array_of_messages_gets_an_array_of_answers(mcp: LineClient) -> None:
    ping = {"jsonrpc": "2.0", "method": "ping"}
    mcp.send([{**ping, "id": "a"}, {"jsonrpc": "2.0", "method": "notifications/cancelled"}, {**ping, "id": "b"}])
    assert [reply["id"] for reply in mcp.read()] == ["a", "b"]


@pytest.mark.rule("mcp.resources")
def test_the_catalog_and_each_memory_can_be_read(mcp: LineClient) -> None:
    assert [one["uri"] for one in mcp.call("resources/list")["result"]["resources"]] == ["memory://catalog"]
    templates = mcp.call("resources/templates/list")["result"]["resourceTemplates"]
    assert [one["uriTemplate"] for one in templates] == ["memory://memory/{id}"]
    for uri, text in (("memory://catalog", CATALOG["text"]), (f"memory://memory/{UV}", MEMORY["body"])):
        (content,) = mcp.call("resources/read", uri=uri)["result"]["contents"]
        assert content == {"uri": uri, "mimeType": "text/markdown", "text": text}


@pytest.mark.rule("mcp.prompts")
def test_a_prompt_is_a_text_for_the_user_to_send(daemon: FakeDaemon, mcp: LineClient) -> None:
    listed = mcp.call("prompts/list")["result"]["prompts"]
    assert {prompt["name"]: [one["name"] for one in prompt["arguments"]] for prompt in listed} == {
        "recall": ["query"],
        "remember": ["fact"],
    }
    result = mcp.call("prompts/get", name="remember", arguments={"fact": "以后都用 uv {x}"})["result"]
    assert result["messages"] == [{"role": "user", "content": {"type": "text", "text": "Remember this: 以后都用 uv {x}"}}]
    assert daemon.received == [], "nothing is written"


@pytest.mark.rule("mcp.session-of-parent")
def test_the_questions_belong_to_the_session_that_the_hook_of_the_same_harness_saw(daemon: FakeDaemon, mcp: LineClient) -> None:
    mcp.recall("before any hook")
    Notes(daemon.home, "codex").write(Note("codex:s", harness=harness_process(os.getpid())))
    mcp.recall("after it")
    assert [message["params"].get("session_id") for message in daemon.received] == [None, "codex:s"]


@pytest.mark.rule("mcp.session-of-parent")
def test_a_session_in_the_environment_comes_first_and_one_that_the_daemon_does_not_know_is_left_out(daemon: FakeDaemon) -> None:
    daemon.answers["memory.recall"] = lambda params: refusal("session_unknown") if "session_id" in params else RECALLED
    with LineClient(daemon.home, SOONG_MEMORY_SESSION="my-agent:1") as client:
        assert client.recall("x")["isError"] is False
    assert [message["params"].get("session_id") for message in daemon.received] == ["my-agent:1", None]


@pytest.mark.rule("mcp.session-of-parent")
def test_a_harness_names_its_session_without_our_prefix() -> None:
    assert session_from({}) is None
    assert session_from({"CLAUDE_CODE_SESSION_ID": "7f3a"}) == "claude-code:7f3a"
    assert session_from({"CODEX_THREAD_ID": "0199", "SOONG_MEMORY_SESSION": "mine:1"}) == "mine:1"
    assert SESSION_VARIABLES[0] == "SOONG_MEMORY_SESSION"


@pytest.mark.rule("mcp.command")
def test_soong_memoryctl_mcp_is_the_same_server(daemon: FakeDaemon) -> None:
    command = [sys.executable, "-m", "soong_memoryd.cli.ctl", "mcp", "--home", str(daemon.home)]
    done = subprocess.run(command, input=b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n', capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"jsonrpc": "2.0", "id": 1, "result": {}}\n', b"")


@pytest.mark.rule("mcp.starts-fast")
def test_the_server_loads_nothing_that_has_to_be_installed(tmp_path: Path) -> None:
    command = server_command(tmp_path)
    command[3:3] = ["-X", "importtime"]
    done = subprocess.run(command, input=b"", capture_output=True, check=True)
    loaded = {line.rpartition(b"|")[2].strip().decode().partition(".")[0] for line in done.stderr.splitlines()}
    assert "soong_memory_client" in loaded
    assert loaded & {"asyncio", "argparse", "typing_extensions", "pydantic", "mcp", "subprocess", "logging"} == set()
