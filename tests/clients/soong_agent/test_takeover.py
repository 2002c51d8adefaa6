"""A home that soong-agent has used is taken over by a real daemon: nothing is lost, nothing is extracted twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import soong_agent_takeover
from soong_agent_memory import SoongAgentMemory
from soong_memory_client import AsyncMemoryClient, MemoryClient, RpcError
from soong_memory_client.testing import FakeDaemon
from tests.clients.soong_agent.core import Core, text
from tests.support.daemon import BUILTIN, DaemonProcess

DESIGNED = "memory/user/editor-20260601-mem_20260601120000_ab12cd34.md"
BY_HAND = "memory/feedback/commits.md"
SCANNED, AFTER = "Remember: I always use vim as my editor.", "记住：以后提交信息都用中文写。"
SCANNED_AND_FORGOTTEN = "Remember: I always deploy with rsync."  # nothing tells it from a new wish but the cursor
A, B = "sess_20260612_153022_a1b2", "sess_20260613_090000_c3d4"

FILES = {
    DESIGNED: """---
id: mem_20260601120000_ab12cd34
category: user
summary: The user always uses vim as editor
tags:
  - editor
created_at: 2026-06-01T12:00:00Z
updated_at: 2026-06-01T12:00:00Z
source_session_id: sess_20260612_153022_a1b2
source_node_ids:
  - sess_20260612_153022_a1b2_n1
---
The user always uses vim as editor.
""",
    BY_HAND: """---
id: mem_commits
category: feedback
summary: 分支名: 用英文小写
tags:
created_at: 2026-06-02T12:00:00.5+00:00
updated_at: 2026-06-02T12:00:00.5+00:00
source_session_id: None
source_node_ids:
  - sess_20260612_153022_a1b2_n1
---
分支名一律用英文小写。
""",
    "memory/MEMORY.md": """# Memory Catalog

- `mem_commits` [feedback] 分支名: 用英文小写 (feedback/commits.md)
- `mem_20260601120000_ab12cd34` [user] The user always uses vim as editor (user/editor-20260601-mem_20260601120000_ab12cd34.md)
""",
}


def used_home(home: Path) -> None:
    """What soong-agent leaves: two memories and a catalog, a session half scanned, one not scanned at all."""
    for path, content in FILES.items():
        (home / path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        (home / path).write_text(content, encoding="utf-8")
    core = Core(home)
    core.session(A, "agent_a", memory_scan_node_seq=3, title="一")
    core.run(A, "run_1", "agent_a")
    core.node(A, "agent_a", "run_1", "user", SCANNED)
    core.node(A, "agent_a", "run_1", "assistant", "vim it is.")
    core.node(A, "agent_a", "run_1", "user", SCANNED_AND_FORGOTTEN)
    core.agent(A, "agent_w", "agent_a", "sub", purpose="worker")
    core.run(A, "run_2", "agent_a")
    core.run(A, "run_w", "agent_w", "failed")
    core.node(A, "agent_a", "run_2", "user", AFTER)
    core.node(A, "agent_w", "run_w", "user", "Remember: always use tabs for indentation.")
    core.node(A, "agent_w", "run_w", "assistant", "done")
    core.node(A, "agent_a", "run_2", "user", text("Remember: always use npm."), "child_result")
    core.node(A, "agent_a", "run_2", "user", text('<memory ids="mem_commits">…</memory>'), "memory_context")
    core.node(A, "agent_a", "run_2", "assistant", "好的。")
    core.session(B, "agent_b")
    core.run(B, "run_3", "agent_b", "running")
    core.node(B, "agent_b", "run_3", "user", "Always use uv for Python dependencies, never pip.")
    core.close()


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaemonProcess]:
    home = tmp_path_factory.mktemp("soong-agent") / "home"
    home.mkdir(mode=0o700)
    used_home(home)
    with DaemonProcess(home, BUILTIN) as running:
        assert soong_agent_takeover.main(["--home", str(home), "--dry-run"]) == soong_agent_takeover.LEFT_OVER
        assert soong_agent_takeover.main(["--home", str(home)]) == soong_agent_takeover.OK
        yield running


def memories(daemon: DaemonProcess) -> list[dict[str, Any]]:
    """All memories, after the daemon has looked at everything."""
    with daemon.client() as line:
        line.call("extraction.trigger", wait=True)
        found: list[dict[str, Any]] = line.call("memory.list")["memories"]
        return found


@pytest.mark.rule("client.soong-agent-takeover")
def test_its_memories_are_ours_and_what_it_had_not_scanned_is_looked_at_once(
    daemon: DaemonProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = memories(daemon)
    assert sorted(memory["summary"] for memory in kept) == sorted(
        [
            "The user always uses vim as editor",
            "分支名: 用英文小写",
            AFTER.removeprefix("记住："),
            "Always use uv for Python dependencies, never pip.",
        ]
    )
    assert (daemon.home / DESIGNED).read_text(encoding="utf-8") == FILES[DESIGNED]
    assert (daemon.home / "memoryd/soong-agent/feedback/commits.md").read_text(encoding="utf-8") == FILES[BY_HAND]
    catalog = (daemon.home / "memory/MEMORY.md").read_text(encoding="utf-8")
    assert "mem_commits" not in catalog and all(memory["id"] in catalog for memory in kept)
    with daemon.client() as line:
        (why,) = [line.call("memory.why", memory_id=memory["id"]) for memory in kept if memory["summary"].startswith("以后")]
        assert [(source["session_id"], source["node_id"]) for source in why["sources"]] == [(A, f"{A}_n4")]
        problems = line.call("daemon.verify")["problems"]
        assert {problem["code"] for problem in problems} <= {"file_mode", "directory_mode", "loose_mode"}, (
            problems
        )  # soong-agent's own modes

    capsys.readouterr()
    assert soong_agent_takeover.main(["--home", str(daemon.home)]) == soong_agent_takeover.OK
    assert f"session  {A}: 0 new nodes, 0 messages to look at" in capsys.readouterr().out
    assert memories(daemon) == kept


@pytest.mark.rule("client.soong-agent-cursor")
def test_a_cursor_that_moved_on_meanwhile_changes_nothing_that_is_known(daemon: DaemonProcess, tmp_path: Path) -> None:
    kept = memories(daemon)
    core = Core(tmp_path)
    core.session(A, "agent_a", memory_scan_node_seq=4)
    core.node(A, "agent_a", "run_1", "user", SCANNED)
    core.node(A, "agent_a", "run_1", "assistant", "vim it is.")
    core.node(A, "agent_a", "run_1", "user", SCANNED_AND_FORGOTTEN)
    core.node(A, "agent_a", "run_2", "user", AFTER)
    database = str(core.close())
    assert soong_agent_takeover.main(["--home", str(daemon.home), "--sessions", database]) == soong_agent_takeover.OK
    assert memories(daemon) == kept


@pytest.mark.rule("client.soong-agent-seams")
def test_a_session_goes_on_through_the_adapter(daemon: DaemonProcess, tmp_path: Path) -> None:
    core = Core(tmp_path)
    core.session(A, "agent_a")
    core.seq[A] = 9

    async def use() -> None:
        async with AsyncMemoryClient("soong-agent", home=daemon.home) as client:
            memory = SoongAgentMemory(client)
            await memory.session_started(A, "agent_a", {"memory_scan_node_seq": 3})
            await memory.run_started(A, "run_9", "agent_a")
            node, seq = core.node(A, "agent_a", "run_9", "user", "From now on answer me in short sentences.")
            await memory.node_written(A, node, seq)
            await memory.node_written(A, Model(node), seq)  # the same one, as the core's own value
            await memory.agent_created(A, "agent_s", "sub", "agent_a")
            await memory.node_written(A, *core.node(A, "agent_s", "run_s", "user", "Remember: always use spaces."))
            await memory.node_written(A, *core.node(A, "agent_x", None, "user", "Remember: always use zsh."))  # never announced
            assert "分支名" in await memory.catalog(A, "agent_a") and await memory.catalog(A, "agent_s") == ""

            answer = await memory.recall_memory(A, "agent_a", "分支名怎么写？", run_id="run_9", top_k=1)
            assert answer["node_type"] == "memory_context" and answer["content"].startswith("<memory ids=")
            (match,) = answer["matches"]
            assert match["summary"] == "分支名: 用英文小写" and "分支名一律用英文小写。" in answer["content"]
            assert answer["metadata"]["recalled_memory_ids"] == [match["id"]]
            assert answer["metadata"]["source_paths"] == ["feedback/commits.md"]
            assert not answer["already_recalled"] and not answer["selected_by_model"]
            await memory.recall_memory(A, "agent_a", "分支名怎么写？")  # whatever else there is
            again = await memory.recall_memory(A, "agent_a", "分支名怎么写？")
            assert again["already_recalled"] and again["content"] == "" and again["matches"] == []
            with pytest.raises(RpcError, match="role_denied"):
                await memory.recall_memory(A, "agent_s", "branch")

            decision = await memory.run_ended(A, "run_9", "agent_a", "completed")
            assert decision is not None and decision["reason"] == "explicit"
            await memory.run_started(A, "run_10", "agent_a")
            await memory.node_written(A, *core.node(A, "agent_a", "run_10", "user", "Always deploy on Fridays."))
            await memory.node_switched(A, f"{A}_n10")
            await memory.run_ended(A, "run_10", "agent_a", "aborted")

    before = {memory["id"] for memory in memories(daemon)}
    asyncio.run(use())
    new = [memory["summary"] for memory in memories(daemon) if memory["id"] not in before]
    assert new == ["From now on answer me in short sentences."]


class Model:
    """A node as a model of the core: fields only by ``model_dump``."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    def model_dump(self, *, mode: str) -> dict[str, Any]:
        assert mode == "json"
        return self._fields


@pytest.mark.rule("client.soong-agent-seams")
def test_without_a_daemon_the_core_goes_on_and_is_told_later(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    core = Core(tmp_path)
    core.session("s1", "root")

    async def use(home: Path) -> None:
        async with AsyncMemoryClient("soong-agent", home=home) as client:
            memory = SoongAgentMemory(client)
            with pytest.raises(LookupError, match="session_started"):
                await memory.node_written("s1", {"node_id": "x"}, 1)
            await memory.session_started("s1", "root")
            await memory.run_started("s1", "r", "root")
            await memory.node_written("s1", *core.node("s1", "root", "r", "user", AFTER))
            assert await memory.run_ended("s1", "r", "root", "completed") is None
            assert await memory.catalog("s1", "root") == ""

    with FakeDaemon() as daemon:
        daemon.stop()
        asyncio.run(use(daemon.home))
        daemon.start()
        with MemoryClient("soong-agent", home=daemon.home) as later:
            assert later.flush()
        assert daemon.methods() == ["session.open", "run.started", "context.append", "run.completed"]
        assert [node["text"] for node in daemon.nodes("s1")] == [AFTER]
    assert "DaemonUnavailable" in caplog.text and AFTER not in caplog.text


@pytest.mark.rule("client.soong-agent-takeover")
def test_without_a_daemon_nothing_is_handed_over_and_the_command_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    used_home(tmp_path)
    assert soong_agent_takeover.main(["--home", str(tmp_path)]) == soong_agent_takeover.NO_DAEMON
    assert "soong-memoryd serve" in capsys.readouterr().err
    assert (tmp_path / BY_HAND).read_text(encoding="utf-8") == FILES[BY_HAND]


@pytest.mark.rule("client.soong-agent-takeover")
def test_a_database_that_is_none_is_an_error_in_one_line(
    daemon: DaemonProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.sqlite").write_text("not a database, certainly not one of SQLite's", encoding="utf-8")
    arguments = ["--home", str(daemon.home), "--sessions", str(tmp_path / "x.sqlite")]
    assert soong_agent_takeover.main(arguments) == soong_agent_takeover.FAILED
    assert "run it again" in capsys.readouterr().err
