"""The config as the daemon reads it, asked of the daemon's own program in a process of its own.

Owns: that question, and a home of one file to try a changed text in. Must not know: settings. The rules are the daemon's;
loading them here would cost this command line ten times its start.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from soong_memoryd.cli import programs
from soong_memoryd.cli.exits import CliError, Exit

FILE = "memoryd.toml"
AGENT_FILE = "config.toml"


def report(home: Path, env: Mapping[str, str]) -> dict[str, Any]:
    """What ``soong-memoryd serve --check-config --json`` says of ``home``: ``problem`` is None when the config can be used."""
    program = [sys.executable, "-m", "soong_memoryd.cli.daemon", "serve", "--check-config", "--json", "--home", str(home)]
    done = programs.run(program, env)
    try:
        answer = json.loads(done.out)
    except ValueError:
        said = done.err.strip().splitlines()
        raise CliError(
            Exit.FAILED, said[-1] if said else "the daemon's program gave no answer", "soong-memoryd --version"
        ) from None
    assert isinstance(answer, dict)
    return answer


def usable(home: Path, env: Mapping[str, str]) -> dict[str, Any]:
    """The report of a config that can be used, else ``CliError`` with what is wrong with it."""
    answer = report(home, env)
    if answer["problem"]:
        raise unusable(answer, home)
    return answer


def unusable(answer: Mapping[str, Any], home: Path) -> CliError:
    """What is wrong with a config, and what to do about it."""
    return CliError(Exit.PROBLEMS_FOUND, problem_text(answer), f"edit {home / FILE}")


def problem_text(answer: Mapping[str, Any]) -> str:
    """What is wrong, with the daemon's hint, as sentences."""
    hint = answer.get("hint")
    return f"{answer['problem']}. {hint}" if hint else str(answer["problem"])


def report_of_text(text: str, home: Path, env: Mapping[str, str]) -> dict[str, Any]:
    """The report of ``home`` if its memoryd.toml had this text."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="memoryd-config-") as name:
        trial = Path(name)
        with open(os.open(trial / FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        if (home / AGENT_FILE).exists():
            (trial / AGENT_FILE).symlink_to(home / AGENT_FILE)
        return report(trial, env)
