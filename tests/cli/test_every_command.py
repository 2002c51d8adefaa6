"""No command without its output for people, its output for scripts, and the way in which it fails."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from soong_memory_client.testing import FakeDaemon
from soong_memoryd.cli.completion import SHELLS
from soong_memoryd.cli.ctl import build_parser
from soong_memoryd.cli.exits import Exit
from soong_memoryd.cli.words import tree
from tests.cli import test_commands, test_system_commands
from tests.cli.scene import run

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
COMPLETIONS = {"bash": "soong-memoryctl.bash", "zsh": "_soong-memoryctl", "fish": "soong-memoryctl.fish"}

# commands that hold their output against files of their own: the test that does, and the files
ELSEWHERE: dict[tuple[str, ...], tuple[str, list[str]]] = {
    ("connect",): (
        "tests/cli/connect/test_connect.py",
        ["tests/cli/connect/golden/codex.txt", "tests/cli/connect/golden/codex.json"],
    ),
    ("disconnect",): (
        "tests/cli/connect/test_connect.py",
        ["tests/cli/connect/golden/codex.txt", "tests/cli/connect/golden/codex-disconnect.json"],
    ),
    ("completion",): ("tests/cli/test_every_command.py", [f"completions/{name}" for name in COMPLETIONS.values()]),
    # speaks MCP and nothing else, to whoever asks: no person reads it, and --json changes nothing
    ("mcp",): ("tests/clients/mcp/test_command.py", ["tests/clients/mcp/golden/command.jsonl"]),
}


def commands() -> set[tuple[str, ...]]:
    """Every command that does something, as its parser knows it."""
    return {word.path for word in tree(build_parser()).all() if word.path and not word.parts}


def named(lines: Iterable[Sequence[str]]) -> set[tuple[str, ...]]:
    """The commands that these command lines run."""
    known = commands()
    found = set()
    for argv in lines:
        path = next((tuple(argv[:length]) for length in (2, 1) if tuple(argv[:length]) in known), None)
        assert path is not None, f"no such command: {argv}"
        found.add(path)
    return found


@pytest.mark.rule("cli.human-output", "cli.json-output")
def test_every_command_has_its_golden_output() -> None:
    cases = [*test_commands.CASES.values(), *test_system_commands.CASES.values()]
    shown = named(argv for argv, _ in cases)
    assert shown | set(ELSEWHERE) == commands()
    assert not shown & set(ELSEWHERE)
    for test, files in ELSEWHERE.values():
        for name in [test, *files]:
            assert (ROOT / name).is_file(), name


@pytest.mark.rule("cli.errors-help")
def test_every_command_has_a_failing_case() -> None:
    cases = [*test_commands.FAILURES, *test_system_commands.FAILURES]
    assert named(argv for argv, *_ in cases) == commands()


@pytest.mark.rule("cli.human-output", "cli.json-output")
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_gets_the_script_that_is_shipped(daemon: FakeDaemon, shell: str) -> None:
    shipped = (ROOT / "completions" / COMPLETIONS[shell]).read_text(encoding="utf-8")
    ran = run(daemon, "completion", shell)
    assert (ran.code, ran.out, ran.err) == (Exit.OK, shipped, "")
    told = json.loads(run(daemon, "completion", shell, "--json").out)
    assert told == {"schema": 1, "data": {"shell": shell, "script": shipped}}
