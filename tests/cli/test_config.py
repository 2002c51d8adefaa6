"""Settings as the daemon's own program reads them: shown, changed and begun."""

from __future__ import annotations

import json
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest

from soong_memory_client.testing import FakeDaemon
from soong_memoryd.cli.exits import Exit
from tests.cli.scene import Ran, run


def settings(ran: Ran) -> dict[str, tuple[Any, str]]:
    assert ran.err == ""
    return {row["key"]: (row["value"], row["origin"]) for row in json.loads(ran.out)["data"]["settings"]}


@pytest.mark.rule("cli.config-origin")
def test_every_value_names_its_file_line_variable_or_default(daemon: FakeDaemon) -> None:
    path = daemon.home / "memoryd.toml"
    path.write_text('[model]\nprovider = "builtin"\n\n[memory]\nidle_seconds = 7\n', encoding="utf-8")
    path.chmod(0o600)
    shown = settings(run(daemon, "config", "show", "--origin", "--json", SOONG_MEMORYD_MEMORY_RECALL_TOP_K="3"))
    assert shown["memory.idle_seconds"] == (7, "memoryd.toml:5")
    assert shown["memory.recall_top_k"] == (3, "SOONG_MEMORYD_MEMORY_RECALL_TOP_K")
    assert shown["memory.enabled"] == (True, "default")


@pytest.mark.rule("cli.config-set")
def test_a_key_is_set_beside_its_comments_and_a_wrong_one_changes_nothing(daemon: FakeDaemon) -> None:
    path = daemon.home / "memoryd.toml"
    path.write_text("[memory]  # mine\nidle_seconds = 120  # two minutes\n", encoding="utf-8")
    path.chmod(0o600)
    assert run(daemon, "config", "set", "memory.idle_seconds", "300").code == Exit.OK
    kept = "[memory]  # mine\nidle_seconds = 300  # two minutes\n"
    assert path.read_text(encoding="utf-8") == kept
    ran = run(daemon, "config", "set", "memory.idle_second", "3")
    assert ran.code == Exit.USAGE
    assert "did you mean idle_seconds?" in ran.err and "soong-memoryctl config show" in ran.err
    assert path.read_text(encoding="utf-8") == kept
    ran = run(daemon, "config", "set", "model.provider", "openai")
    assert "try: first soong-memoryctl config set model.name VALUE, then the same again" in ran.err
    assert path.read_text(encoding="utf-8") == kept
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.rule("cli.config-set")
def test_a_number_that_is_meant_as_text_becomes_text(daemon: FakeDaemon) -> None:
    assert run(daemon, "config", "set", "model.provider", "builtin").code == Exit.OK
    assert run(daemon, "config", "set", "model.name", "5").code == Exit.OK
    assert tomllib.loads((daemon.home / "memoryd.toml").read_text(encoding="utf-8"))["model"]["name"] == "5"


@pytest.mark.rule("cli.config-origin")
def test_a_config_that_cannot_be_used_is_told_with_its_place(daemon: FakeDaemon) -> None:
    (daemon.home / "memoryd.toml").write_text("[memory]\nidle = 1\n", encoding="utf-8")
    ran = run(daemon, "config", "show")
    assert ran.code == Exit.PROBLEMS_FOUND
    assert "memoryd.toml:2: memory.idle is not a known key" in ran.err
    assert f"edit {daemon.home}/memoryd.toml" in ran.err


@pytest.mark.rule("cli.config-init")
def test_a_first_config_shows_every_option_and_is_never_written_over(daemon: FakeDaemon) -> None:
    argv = ["config", "init", "--provider", "ollama", "--model", "qwen3:14b"]
    assert run(daemon, *argv).code == Exit.OK
    path = daemon.home / "memoryd.toml"
    text = path.read_text(encoding="utf-8")
    assert tomllib.loads(text)["model"] == {"provider": "ollama", "name": "qwen3:14b"}
    assert "# idle_seconds = 120  # Quiet time after a run" in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert run(daemon, *argv).code == Exit.CONFLICT
    path.unlink()
    ran = run(daemon, "config", "init", "--provider", "olama")
    assert (ran.code, path.exists()) == (Exit.USAGE, False)


@pytest.mark.rule("cli.config-env")
def test_a_key_is_handed_over_in_a_private_file_and_never_shown(daemon: FakeDaemon) -> None:
    path = daemon.home / "memoryd" / "env"
    value = "v" * 20
    run(daemon, "config", "env", "OTHER", OTHER="x")
    ran = run(daemon, "config", "env", "MY_KEY", MY_KEY=value)
    assert value not in ran.out + ran.err
    run(daemon, "config", "env", "MY_KEY", MY_KEY=value + "2")
    assert path.read_text(encoding="utf-8") == f"OTHER=x\nMY_KEY={value}2\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert run(daemon, "config", "env", "MY_KEY", "--remove").code == Exit.OK
    assert path.read_text(encoding="utf-8") == "OTHER=x\n"


@pytest.mark.rule("cli.config-env")
@pytest.mark.parametrize("value", ["two words", 'a"b', "a\nB=c", "a$b", "a#b"])
def test_a_value_that_a_line_cannot_hold_is_refused(daemon: FakeDaemon, value: str) -> None:
    ran = run(daemon, "config", "env", "MY_KEY", MY_KEY=value)
    assert ran.code == Exit.USAGE
    assert "api_key_file" in ran.err and value not in ran.err
    assert not (daemon.home / "memoryd" / "env").exists()


def test_a_link_to_a_config_kept_elsewhere_stays_a_link(daemon: FakeDaemon, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[model]\nprovider = "builtin"\n', encoding="utf-8")
    (tmp_path / "mine.toml").chmod(0o600)
    (daemon.home / "memoryd.toml").symlink_to(tmp_path / "mine.toml")
    assert run(daemon, "config", "set", "memory.enabled", "false").code == Exit.OK
    assert (daemon.home / "memoryd.toml").is_symlink()
    assert "enabled = false" in (tmp_path / "mine.toml").read_text(encoding="utf-8")
