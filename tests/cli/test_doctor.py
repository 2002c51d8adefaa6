"""The checks of the doctor, one by one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from soong_memory_client import MemoryClient
from soong_memory_client.testing import FakeDaemon
from soong_memoryd import __version__
from soong_memoryd.cli.checkup import CHECKS, clients, daemon, files, machine, models
from soong_memoryd.cli.checkup.facts import Facts, Finding
from soong_memoryd.cli.exits import CliError, Exit
from tests.cli.scene import SESSIONS, STATUS, run
from tests.cli.system_scene import REPORT, Systemd

PID = 4242


@pytest.fixture
def facts(tmp_path: Path) -> Facts:
    """A healthy home, a daemon that answers, and a /proc of our own."""
    home = tmp_path / "home"
    (home / "memory").mkdir(parents=True, mode=0o700)
    (home / "memoryd").mkdir(mode=0o700)
    home.chmod(0o700)
    proc = tmp_path / "proc" / str(PID)
    proc.mkdir(parents=True)
    status = {**STATUS, "version": __version__, "pid": PID, "home": str(home)}
    env = {"HOME": str(tmp_path), "PATH": "/nowhere"}
    report = {**REPORT, "warnings": []}
    return Facts(home, home / "memoryd" / "memoryd.sock", env, status, None, list(SESSIONS), report, proc.parent)


def said(found: Iterator[Finding]) -> list[tuple[str, str]]:
    return [(finding.state, finding.text) for finding in found]


def test_every_check_is_in_the_table_once() -> None:
    assert len(set(CHECKS)) == len(CHECKS) == 16


@pytest.mark.rule("cli.doctor")
def test_a_daemon_that_is_away_or_cannot_write_is_a_failure(facts: Facts) -> None:
    away = facts._replace(status=None, failure=CliError(Exit.NOT_RUNNING, "not running", "start it"))
    assert list(daemon.answers(away)) == [Finding("daemon", "fail", "not running", "start it")]
    degraded = facts._replace(status={**(facts.status or {}), "state": "degraded"})
    assert [finding.state for finding in daemon.answers(degraded)] == ["fail"]
    assert list(daemon.version(facts)) == []
    assert [finding.state for finding in daemon.version(facts._replace(status={"version": "0.0.1"}))] == ["note"]


@pytest.mark.rule("cli.doctor")
def test_memory_files_that_could_not_be_looked_at_are_not_called_readable(facts: Facts) -> None:
    slow = facts._replace(failure=CliError(Exit.NOT_RUNNING, "no answer in time", "again"))
    assert list(daemon.memories(slow)) == [Finding("memories", "fail", "no answer in time", "again")]


@pytest.mark.rule("cli.doctor")
def test_memory_files_that_need_a_decision_are_told_and_a_hand_written_one_is_none(facts: Facts) -> None:
    def found(*codes: tuple[str, bool]) -> list[tuple[str, str]]:
        problems = tuple({"code": code, "safe": safe} for code, safe in codes)
        return [(finding.state, finding.fix) for finding in daemon.memories(facts._replace(problems=problems))]

    assert found() == found(("missing_sources", False)) == [("ok", "")]
    assert found(("file_mode", True)) == [("note", "soong-memoryctl verify --fix")]
    assert found(("file_mode", True), ("conflict_markers", False)) == [("fail", "soong-memoryctl verify")]
    assert list(daemon.memories(facts._replace(status=None))) == []


@pytest.mark.rule("cli.doctor")
def test_modes_that_let_others_in_are_named_with_what_mends_them(facts: Facts) -> None:
    assert [finding.state for finding in files.permissions(facts)] == ["ok"]
    (facts.state_dir / "env").write_text("K=v", encoding="utf-8")
    (facts.state_dir / "env").chmod(0o640)
    facts.memory_dir.chmod(0o770)
    assert [finding.fix for finding in files.permissions(facts)] == [
        f"chmod go-w {facts.memory_dir}",
        f"chmod go-rwx {facts.state_dir / 'env'}",
    ]


@pytest.mark.rule("cli.doctor")
def test_the_socket_is_a_private_socket_that_somebody_listens_at(facts: Facts) -> None:
    assert said(files.socket(facts)) == [("fail", "the daemon's socket is gone")]
    facts.socket.write_text("", encoding="utf-8")
    assert [state for state, _ in said(files.socket(facts))] == ["fail"]
    facts.socket.unlink()
    with FakeDaemon(facts.home):
        facts.socket.chmod(0o600)
        assert [state for state, _ in said(files.socket(facts))] == ["ok"]
        assert [state for state, _ in said(files.socket(facts._replace(status=None)))] == ["note"]
        facts.socket.chmod(0o666)
        assert said(files.socket(facts)) == [("fail", "others may use it: 0666")]


@pytest.mark.rule("cli.doctor")
def test_a_process_that_holds_the_home_and_does_not_answer_is_found(facts: Facts) -> None:
    lock = facts.state_dir / "lock"
    lock.write_text(f"{PID}\n", encoding="utf-8")
    (facts.proc / "locks").write_text(f"1: FLOCK ADVISORY WRITE {PID} 08:01:{lock.stat().st_ino} 0 EOF\n", encoding="ascii")
    assert said(files.lock(facts)) == [("ok", f"held by process {PID}")]
    assert said(files.lock(facts._replace(status=None))) == [("fail", f"process {PID} holds the home, but does not answer")]
    lock.write_text("77\n", encoding="utf-8")
    assert said(files.lock(facts)) == [("fail", f"the lock names process 77, process {PID} answers")]


@pytest.mark.rule("cli.doctor")
def test_a_key_of_this_shell_that_the_daemon_cannot_see_is_a_failure(facts: Facts) -> None:
    shell = facts._replace(env={**facts.env, "OPENAI_API_KEY": "not-a-key"})
    assert [finding.fix for finding in models.keys(shell)] == ["soong-memoryctl config env OPENAI_API_KEY"]
    assert [finding.state for finding in models.keys(facts)] == ["fail"], "set nowhere"
    (facts.proc / str(PID) / "environ").write_bytes(b"A=1\0OPENAI_API_KEY=not-a-key\0")
    assert said(models.keys(shell)) == [("ok", "OPENAI_API_KEY is set in the daemon")]
    (facts.state_dir / "env").write_text("export OPENAI_API_KEY=not-a-key\n", encoding="utf-8")
    assert said(models.keys(shell)) == [("ok", "OPENAI_API_KEY stands in memoryd/env")]


@pytest.mark.rule("cli.doctor")
def test_config_and_models_that_do_not_work_are_told(facts: Facts) -> None:
    broken: dict[str, Any] = {"problem": "memoryd.toml:2: no"}
    assert said(models.config(facts._replace(report=broken))) == [("fail", "memoryd.toml:2: no")]
    assert [state for state, _ in said(models.config(facts._replace(report=None)))] == ["fail"]
    fine = facts._replace(report={"problem": None, "warnings": []})
    (absent,) = models.config(fine)
    assert (absent.state, absent.fix) == ("note", "soong-memoryctl config init --provider builtin")
    path = facts.home / "memoryd.toml"
    path.write_text("", encoding="utf-8")
    assert said(models.config(fine)) == [("ok", str(path))]
    assert said(models.health(facts)) == [
        ("ok", "extract: openai gpt-6-mini ok"),
        ("fail", "recall: ollama qwen3:14b paused (unreachable)"),
    ]


@pytest.mark.rule("cli.doctor")
def test_a_service_that_starts_what_is_gone_or_is_bypassed_is_a_failure(facts: Facts, tmp_path: Path) -> None:
    def state(**scene: Any) -> str:
        path = tmp_path / f"systemd{len(list(tmp_path.iterdir()))}"
        env = {**facts.env, **Systemd(path, **scene).env}
        return next(finding.state for finding in machine.service(facts._replace(env=env)))

    assert state(pid=PID) == "ok"
    assert state(pid=PID + 1) == "fail", "started by hand beside the service"
    assert state(load="not-found") == "note"
    assert [finding.state for finding in machine.service(facts)] == ["note"], "no systemd"


@pytest.mark.rule("cli.doctor")
def test_a_full_disk_and_a_daemon_that_is_not_confined_are_told(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    for blocks, state in ((5, "fail"), (100, "note"), (10_000, "ok")):
        sizes = os.statvfs_result((1 << 20, 1 << 20, 10_000, blocks, blocks, 100, 50, 50, 0, 255))
        monkeypatch.setattr(os, "statvfs", lambda path, sizes=sizes: sizes)
        assert [finding.state for finding in machine.disk(facts)] == [state]
    (facts.proc / str(PID) / "status").write_text("NoNewPrivs:\t1\n", encoding="ascii")
    assert [finding.state for finding in machine.landlock(facts)] == ["ok"]
    (facts.proc / str(PID) / "status").write_text("NoNewPrivs:\t0\n", encoding="ascii")
    assert [finding.state for finding in machine.landlock(facts)] == ["note"]
    assert [finding.state for finding in machine.landlock(facts._replace(report={"landlock_abi": 0}))] == ["note"]


@pytest.mark.rule("cli.doctor-clients")
def test_a_client_that_is_connected_and_was_never_heard_is_found(facts: Facts) -> None:
    for directory, name in ((".claude", "settings.json"), (".gemini", "settings.json"), (".codex", "config.toml")):
        (facts.user_home / directory).mkdir()
        (facts.user_home / directory / name).write_text('"soong_memory_hook.py"', encoding="utf-8")
    others = [("ok", "claude-code: 1 session"), ("ok", "codex: 2 sessions")]
    assert said(clients.never_heard(facts)) == [*others, ("note", "gemini is connected, and was not heard from yet")]
    gemini = facts.user_home / ".gemini" / "settings.json"
    long_ago = gemini.stat().st_mtime - 2 * clients.FIRST_DAY_SECONDS
    os.utime(gemini, (long_ago, long_ago))
    assert said(clients.never_heard(facts)) == [*others, ("fail", "gemini is connected, but was never heard from")]


@pytest.mark.rule("cli.doctor-clients")
def test_what_waits_in_an_outbox_is_counted(facts: Facts) -> None:
    assert said(clients.outboxes(facts)) == [("ok", "nothing waits")]
    with MemoryClient("my-agent", home=facts.home) as client:
        client.session_open("s")
    assert said(clients.outboxes(facts)) == [("note", "my-agent: 1 call waiting")]


@pytest.mark.rule("cli.doctor-rivals")
def test_a_second_memory_system_in_the_same_place_is_found(facts: Facts) -> None:
    (facts.memory_dir / "user").mkdir()
    (facts.memory_dir / "MEMORY.md").write_text("", encoding="utf-8")
    assert said(clients.rivals(facts)) == [("ok", "nobody else writes into memory/")]
    (facts.user_home / ".claude" / "projects" / "p").mkdir(parents=True)
    (facts.user_home / ".claude" / "projects" / "p" / "memory").symlink_to(facts.memory_dir)
    settings = {"autoMemoryDirectory": "~/home/memory/user"}
    (facts.user_home / ".claude" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    (facts.memory_dir / "memory.jsonl").write_text("", encoding="utf-8")
    assert [state for state, _ in said(clients.rivals(facts))] == ["fail", "fail", "note"]
    settings = {"autoMemoryDirectory": "~/elsewhere"}
    (facts.user_home / ".claude" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    assert [state for state, _ in said(clients.rivals(facts))] == ["fail", "note"]


@pytest.mark.rule("cli.doctor")
def test_without_a_daemon_the_doctor_still_looks_at_everything_else(daemon: FakeDaemon) -> None:
    daemon.stop()
    ran = run(daemon, "doctor", HOME=str(daemon.home), PATH="/nowhere")
    assert ran.code == Exit.PROBLEMS_FOUND
    assert "FAIL  daemon" in ran.out and "ok    permissions" in ran.out and "ok    disk" in ran.out
