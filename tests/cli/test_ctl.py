"""The command line itself: options, help, colour, and what starting it costs."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from soong_memory_client.testing import FakeDaemon, refusal
from soong_memoryd.cli.commands import PLACES, all_commands
from soong_memoryd.cli.ctl import build_parser, main
from soong_memoryd.cli.exits import MEANINGS, REPLIES, Exit
from soong_memoryd.protocol.errors import ERRORS
from tests.cli.scene import MEMORIES, run
from tests.cli.system_scene import put_memory

SEARCHED = [path for path in sys.path if path]


@pytest.mark.rule("cli.starts-fast")
def test_neither_command_line_loads_what_only_the_daemon_needs() -> None:
    heavy = (
        "pydantic",
        "asyncio",
        "structlog",
        "openai",
        "jsonrpcserver",
        "aiosqlite",
        "anyio",
        "frontmatter",
        "sqlite3",
        "dataclasses",
    )
    source = (
        f"import sys; sys.path[:0] = {SEARCHED!r}\n"
        "from soong_memoryd.cli import ctl, daemon\n"
        "ctl.build_parser(); daemon.build_parser()\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.rule("cli.exit-codes")
def test_every_exit_code_has_a_meaning_and_the_help_lists_them() -> None:
    assert set(MEANINGS) == set(Exit)
    help_text = " ".join(build_parser().format_help().split())
    assert all(f"{code.value} {meaning}" in help_text for code, meaning in MEANINGS.items())


@pytest.mark.rule("cli.exit-codes")
def test_every_error_of_the_wire_has_an_exit_code_and_a_next_step() -> None:
    assert set(ERRORS) == set(REPLIES)
    assert all(exit_code and step for exit_code, step in REPLIES.values())


def test_every_command_says_what_it_does_and_what_it_changes() -> None:
    assert [command.name for command in all_commands()] == list(PLACES)
    assert all(command.summary and command.effect for command in all_commands())


def test_a_mistyped_command_is_told_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stauts"]) == Exit.USAGE
    assert capsys.readouterr().err == (
        "soong-memoryctl: argument COMMAND: did you mean 'status'?\n  try: soong-memoryctl --help\n"
    )
    assert main(["list", "--category", "zzz", "--json"]) == Exit.USAGE
    error = json.loads(capsys.readouterr().err)["error"]
    assert "choose from user, feedback, reference" in error["text"] and error["next"] == "soong-memoryctl list --help"


@pytest.mark.parametrize("before", [True, False])
def test_options_may_stand_before_or_after_the_command(daemon: FakeDaemon, before: bool) -> None:
    options = ["--json", "--home", str(daemon.home)]
    argv = [*options, "list"] if before else ["list", *options]
    ran = run(daemon, *argv, SOONG_AGENT_HOME="/nowhere")
    assert json.loads(ran.out)["data"]["total"] == 2


@pytest.mark.rule("cli.no-color")
@pytest.mark.parametrize(
    ("argv", "env", "coloured"),
    [
        (["status"], {}, True),
        (["status"], {"NO_COLOR": ""}, True),
        (["status"], {"NO_COLOR": "1"}, False),
        (["status"], {"TERM": "dumb"}, False),
        (["status", "--no-color"], {}, False),
    ],
)
def test_colour_is_for_a_terminal_that_did_not_refuse_it(
    daemon: FakeDaemon, argv: list[str], env: dict[str, str], coloured: bool
) -> None:
    assert ("\x1b[" in run(daemon, *argv, terminal=True, **env).out) is coloured
    assert "\x1b[" not in run(daemon, *argv, **env).out


@pytest.mark.rule("cli.no-terminal-control")
def test_a_summary_cannot_steer_the_readers_terminal(daemon: FakeDaemon) -> None:
    evil = {**MEMORIES[0], "summary": "\x1b]0;pwned\x07\u202e", "tags": ["\x1b[2J"]}
    daemon.answers["memory.list"] = {"memories": [evil], "total": 1}
    daemon.answers["memory.get"] = {"frontmatter": evil, "body": "\x1b[2J", "path": "\x1b", "sha256": "0" * 64}
    for argv in (["list"], ["show", "mem_"]):
        assert not {"\x1b", "\x07", "\u202e"} & set(run(daemon, *argv).out)
    daemon.answers["memory.list"] = refusal("internal", "\x1b[2J")
    assert "\x1b" not in run(daemon, "list").err


def test_a_daemon_that_does_not_answer_ends_in_a_timeout(daemon: FakeDaemon) -> None:
    with daemon.paused():
        ran = run(daemon, "status", "--timeout", "0.05")
    assert ran.code == Exit.TIMED_OUT
    assert "--timeout" in ran.err


def test_a_socket_path_that_is_too_long_is_a_matter_of_usage(daemon: FakeDaemon) -> None:
    ran = run(daemon, "status", "--socket", "/" + "s" * 120)
    assert ran.code == Exit.USAGE
    assert "SOONG_MEMORYD_SOCKET" in ran.err


def test_a_reader_that_has_seen_enough_is_no_error(daemon: FakeDaemon) -> None:
    command = [
        sys.executable,
        "-c",
        f"import sys; sys.path[:0] = {SEARCHED!r}\nfrom soong_memoryd.cli.ctl import main\nsys.exit(main())",
    ]
    process = subprocess.Popen([*command, "list", "--home", str(daemon.home)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


@pytest.mark.rule("cli.edit")
def test_an_edit_is_handed_to_the_daemon_to_be_checked(daemon: FakeDaemon, tmp_path: Path) -> None:
    path = put_memory(daemon)
    daemon.answers["memory.adopt"] = {"memory_id": MEMORIES[1]["id"], "path": MEMORIES[1]["path"], "sha256": "1" * 64}
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nprintf 'new text' > \"$1\"\n", encoding="utf-8")
    editor.chmod(0o700)
    ran = run(daemon, "edit", "k3f2", EDITOR=str(editor))
    assert (ran.code, ran.out) == (Exit.OK, f"changed: {MEMORIES[1]['path']}  sha256 111111111111\n")
    params = daemon.received[-1]["params"]
    assert params["sha256"] == MEMORIES[1]["sha256"]
    assert (daemon.home / "memoryd" / "edits" / params["edit_id"]).read_text(encoding="utf-8") == "new text"
    assert path.read_text(encoding="utf-8") == "old text", "only the daemon writes memories"


@pytest.mark.rule("cli.edit")
def test_a_refused_edit_keeps_the_text_and_says_where(daemon: FakeDaemon, tmp_path: Path) -> None:
    put_memory(daemon)
    daemon.answers["memory.adopt"] = refusal("memory_changed", "the file changed meanwhile")
    text = tmp_path / "text.md"
    text.write_text("new text", encoding="utf-8")
    ran = run(daemon, "edit", "k3f2", "--from", str(text))
    assert ran.code == Exit.CONFLICT
    assert f"try: mend it, then: soong-memoryctl edit k3f2 --from {daemon.home}/memoryd/edits/edit-" in ran.err
    assert "the file changed meanwhile (memory_changed); your text is kept in " in ran.err


@pytest.mark.rule("cli.edit")
@pytest.mark.parametrize(("editor", "code"), [("true", Exit.OK), ("false", Exit.FAILED), ("", Exit.USAGE)])
def test_an_edit_that_changes_nothing_leaves_nothing_behind(daemon: FakeDaemon, editor: str, code: Exit) -> None:
    put_memory(daemon)
    assert run(daemon, "edit", "k3f2", EDITOR=editor).code == code
    assert list((daemon.home / "memoryd" / "edits").iterdir()) == []
    assert "memory.adopt" not in daemon.methods()


@pytest.mark.rule("cli.edit")
def test_what_was_written_in_an_editor_that_failed_is_kept(daemon: FakeDaemon, tmp_path: Path) -> None:
    put_memory(daemon)
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nprintf 'new text' > \"$1\"\nexit 1\n", encoding="utf-8")
    editor.chmod(0o700)
    ran = run(daemon, "edit", "k3f2", EDITOR=str(editor))
    (kept,) = (daemon.home / "memoryd" / "edits").iterdir()
    assert ran.code == Exit.FAILED and f"what you wrote is kept in {kept}" in ran.err
    assert kept.read_text(encoding="utf-8") == "new text"


@pytest.mark.rule("cli.edit")
def test_an_edit_from_a_file_that_is_not_there_is_told_in_a_sentence(daemon: FakeDaemon) -> None:
    put_memory(daemon)
    ran = run(daemon, "edit", "k3f2", "--from", "/nowhere/text.md")
    assert ran.code == Exit.USAGE
    assert ran.err.splitlines() == [
        "soong-memoryctl: /nowhere/text.md cannot be read: No such file or directory",
        "  try: ls -l /nowhere/text.md",
    ]
    assert not (daemon.home / "memoryd" / "edits").exists()


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A command line of a shell with ``$CTL``, as installed."""
    script = "import sys; from soong_memoryd.cli.ctl import script; sys.exit(script())"
    program = f"{shlex.quote(sys.executable)} -c {shlex.quote(script)}"
    return subprocess.run(["sh", "-c", line.replace("$CTL", program)], capture_output=True, text=True, check=False)


@pytest.mark.rule("cli.exit-codes")
@pytest.mark.parametrize(
    ("line", "code", "err"),
    [
        ("$CTL completion bash >&-", 0, ""),
        ("$CTL completion bash <&- >&- 2>&-", 0, ""),
        ("$CTL completion bash > /dev/full", 1, "soong-memoryctl: the output: No space left on device\n  try: df -h .\n"),
        ("$CTL completion bash | head -c 1", 0, ""),
    ],
)
def test_an_output_that_is_closed_or_full_brings_no_traceback(line: str, code: int, err: str) -> None:
    done = shell(line)
    assert (done.returncode, done.stderr) == (code, err)
