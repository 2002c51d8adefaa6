"""Completion knows every command, option and choice, and the shells take the scripts."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from soong_memory_client.testing import FakeDaemon
from soong_memoryd.cli.completion import SHELLS
from soong_memoryd.cli.ctl import build_parser
from soong_memoryd.cli.words import Word, tree
from tests.cli.scene import run

ROOT = tree(build_parser())


def at(*path: str) -> Word:
    return next(word for word in ROOT.all() if word.path == path)


@pytest.mark.rule("cli.completion")
def test_the_tree_has_every_command_with_its_options_and_choices() -> None:
    assert {"show", "set", "check", "env", "init"} == {word.path[-1] for word in at("config").parts}
    category = next(option for option in at("list").options if "--category" in option.flags)
    assert category.choices == ("user", "feedback", "reference")
    assert any(option.takes_a_file for option in at("view").options)
    assert all(word.summary for word in ROOT.all() if word.path)


@pytest.mark.rule("cli.completion")
@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_stands_in_the_script(daemon: FakeDaemon, shell: str) -> None:
    script = run(daemon, "completion", shell).out
    assert script == SHELLS[shell](ROOT)
    for word in ROOT.all():
        assert "/".join(("", *word.path)) in script or not word.path
        for option in word.options:
            assert all((flag.lstrip("-") if shell == "fish" else flag) in script for flag in option.flags)
    assert daemon.received == [], "no daemon is needed"


BASH = """
source {script}
try() {{
  COMP_WORDS=("$@"); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMPREPLY=()
  _soong_memoryctl
  echo "${{COMPREPLY[*]}}"
}}
try soong-memoryctl im
try soong-memoryctl config s
try soong-memoryctl --json list --category ''
try soong-memoryctl import c
try soong-memoryctl view --o
try soong-memoryctl view -o ''
"""


@pytest.mark.rule("cli.completion")
def test_bash_completes_with_it(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    assert bash is not None, "make itself needs a shell, and this project's is bash"
    script = tmp_path / "script"
    script.write_text(SHELLS["bash"](ROOT), encoding="utf-8")
    done = subprocess.run([bash, "-c", BASH.format(script=script)], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "import",
        "show set",
        "user feedback reference",
        "claude-code codex",
        "--output --open",
        "",
    ]


@pytest.mark.rule("cli.completion")
@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_take_it(tmp_path: Path, shell: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed here")
    script = tmp_path / "script"
    script.write_text(SHELLS[shell](ROOT), encoding="utf-8")
    done = subprocess.run([program, "-n", str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
