"""The config's report: everything that is set and by whom, and no key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from soong_memoryd.home import Home
from soong_memoryd.server.config_report import EXIT_CONFIG, check


def home(tmp_path: Path, text: str) -> Home:
    (tmp_path / "memoryd.toml").write_text(text, encoding="utf-8")
    (tmp_path / "memoryd.toml").chmod(0o600)
    return Home(tmp_path, tmp_path / "memoryd" / "memoryd.sock")


REMOTE = '[model]\nprovider = "openai"\nname = "gpt-6-mini"\napi_key_env = "MY_KEY"\n'


@pytest.mark.rule("cli.config-origin")
def test_the_report_names_settings_options_and_keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = "v" * 20
    assert check(home(tmp_path, REMOTE), {"MY_KEY": value}, {"memory.idle_seconds": "9"}, as_json=True) == 0
    out = capsys.readouterr().out
    report = json.loads(out)
    rows = {row["key"]: row for row in report["settings"]}
    assert rows["model.name"] == {"key": "model.name", "value": "gpt-6-mini", "origin": "memoryd.toml:3"}
    assert rows["memory.idle_seconds"] == {"key": "memory.idle_seconds", "value": 9, "origin": "flag"}
    assert report["keys"][0] == {"use": "extract", "variable": "MY_KEY", "file": None, "needed": True}
    assert {"model.provider", "server.max_message_bytes"} <= {row["key"] for row in report["options"]}
    assert report["landlock_abi"] >= 0
    assert value not in out


@pytest.mark.rule("cli.config-origin")
def test_a_config_that_cannot_be_used_is_reported_in_both_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = home(tmp_path, "[memory]\nidle = 1\n")
    assert check(wrong, {}, {}, as_json=True) == EXIT_CONFIG
    assert "memory.idle is not a known key" in json.loads(capsys.readouterr().out)["problem"]
    assert check(wrong, {}, {}, as_json=False) == EXIT_CONFIG
    assert "memory.idle is not a known key" in capsys.readouterr().err


def test_a_good_config_says_which_model_extracts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(home(tmp_path, REMOTE), {}, {}, as_json=False) == 0
    assert capsys.readouterr().out == "config ok; extraction uses openai/gpt-6-mini\n"
    assert check(home(tmp_path, ""), {}, {}, as_json=False) == 0
    assert "no model configured" in capsys.readouterr().out
