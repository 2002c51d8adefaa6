"""The commands around the daemon: what a person sees, what a script gets, and how they fail."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from soong_memory_client.testing import FakeDaemon, refusal
from soong_memoryd.cli import daemon_config
from soong_memoryd.cli.exits import Exit
from soong_memoryd.cli.service import supervisors
from tests.cli.scene import Ran, run
from tests.cli.system_scene import REPORT, Systemd, import_session, settle

GOLDEN = Path(__file__).with_name("golden_system")
NOTES = "---\ntype: feedback\n---\n用 uv。\n"

# name of the golden files -> command line ({home}: the agent home, {files}: a directory of notes), exit code
CASES: dict[str, tuple[list[str], Exit]] = {
    "config-show": (["config", "show"], Exit.OK),
    "config-show-origin": (["config", "show", "--origin", "--changed"], Exit.OK),
    "config-set": (["config", "set", "memory.idle_seconds", "300"], Exit.OK),
    "config-env": (["config", "env", "OPENAI_API_KEY"], Exit.OK),
    "config-init": (["config", "init", "--provider", "builtin"], Exit.OK),
    "doctor": (["doctor"], Exit.PROBLEMS_FOUND),
    "import-dry-run": (["import", "markdown", "{files}", "--dry-run"], Exit.OK),
    "import": (["import", "markdown", "{files}", "--yes"], Exit.OK),
    "view": (["view", "-o", "{home}/page.html"], Exit.OK),
    "service-install": (["service", "install"], Exit.OK),
    "service-uninstall": (["service", "uninstall"], Exit.OK),
    "service-start": (["service", "start"], Exit.OK),
    "service-stop": (["service", "stop"], Exit.OK),
    "service-logs": (["service", "logs"], Exit.OK),
}


@pytest.fixture
def play(daemon: FakeDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a command line in a scene with everything in it; paths and sizes of this run are named, not shown."""
    settle(daemon)
    monkeypatch.setattr(daemon_config, "report", lambda home, env: REPORT)
    monkeypatch.setattr(supervisors, "LINGER_DIRECTORY", tmp_path)
    files = tmp_path / "files"
    files.mkdir()
    (files / "a.md").write_text(NOTES, encoding="utf-8")
    (files / "b.md").write_text(
        "# Notes\n- Answer in Chinese.\n- Answer in  Chinese.\n\nKeep commits\nsmall.\n", encoding="utf-8"
    )
    systemd = Systemd(tmp_path)

    def play(*argv: str, typed: str | None = None, terminal: bool = False, **env: str) -> Ran:
        if argv[0] == "import":
            daemon.answers |= import_session()
        words = [word.format(home=daemon.home, files=files) for word in argv]
        key = {"OPENAI_API_KEY": "not-a-key", "HOME": str(tmp_path / "user")}
        ran = run(daemon, *words, typed=typed, terminal=terminal, **{**systemd.env, **key, **env})
        return Ran(ran.code, _named(ran.out, daemon, tmp_path), _named(ran.err, daemon, tmp_path))

    return play


def _named(text: str, daemon: FakeDaemon, tmp_path: Path) -> str:
    text = text.replace(str(daemon.home), "HOME").replace(str(tmp_path), "TMP")
    text = re.sub(r"\d+ MiB free", "N MiB free", text)
    return re.sub(r'\d+ KiB|"bytes": \d+', "SIZE", text)


@pytest.mark.rule("cli.human-output")
@pytest.mark.parametrize("name", CASES)
def test_a_person_sees_exactly_this(play: Any, name: str) -> None:
    argv, code = CASES[name]
    ran = play(*argv)
    assert ran.out == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert (ran.code, ran.err) == (code, "")


@pytest.mark.rule("cli.json-output")
@pytest.mark.parametrize("name", CASES)
def test_a_script_gets_json(play: Any, name: str) -> None:
    argv, code = CASES[name]
    ran = play(*argv, "--json")
    assert ran.out == (GOLDEN / f"{name}.json").read_text(encoding="utf-8")
    assert all(json.loads(line.replace("SIZE", '"size": 1'))["schema"] == 1 for line in ran.out.splitlines())
    assert ran.code == code


def test_every_golden_file_has_its_case() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(CASES)


# command line, exit code, what is said, the step that must be named
FAILURES: list[tuple[list[str], Exit, str, str]] = [
    (["config", "set", "idle", "3"], Exit.USAGE, "a key is SECTION.NAME", "config show"),
    (["config", "env", "NOT_SET"], Exit.USAGE, "NOT_SET is not set in this shell", "export NOT_SET"),
    (["config", "env", "a-b"], Exit.USAGE, "not the name of a variable", "config env"),
    (["import", "markdown", "/nowhere", "--yes"], Exit.USAGE, "/nowhere is not there", "ls /"),
    (["import", "markdown", "{files}"], Exit.USAGE, "no terminal to ask at", "--yes"),
    (["view", "-o", "/nowhere/page.html"], Exit.FAILED, "cannot be written", "ls -ld /nowhere"),
    (["view", "-o", "{home}/page.html", "--open"], Exit.FAILED, "xdg-open is not on the PATH; the page is at", "open "),
]


@pytest.mark.rule("cli.errors-help")
@pytest.mark.parametrize(("argv", "code", "said", "step"), FAILURES, ids=[" ".join(case[0][:2]) for case in FAILURES])
def test_a_failure_says_what_helps(play: Any, argv: list[str], code: Exit, said: str, step: str) -> None:
    ran = play(*argv, PATH="/nowhere")
    sentence, helps = ran.err.splitlines()[-2:]
    assert (ran.code, ran.out) == (code, "")
    assert said in sentence
    assert helps.startswith("  try: ") and step in helps


@pytest.mark.rule("cli.errors-help")
@pytest.mark.parametrize(
    "argv", [["import", "markdown", "{files}", "--yes"], ["view", "-o", "{home}/p"], ["status", "--watch"]]
)
def test_without_a_daemon_they_say_how_to_start_one(play: Any, daemon: FakeDaemon, argv: list[str]) -> None:
    daemon.stop()
    ran = play(*argv)
    assert ran.code == Exit.NOT_RUNNING
    assert "soong-memoryd serve" in ran.err


@pytest.mark.rule("cli.status-watch")
def test_the_status_is_shown_again_and_again_on_a_fresh_screen(play: Any, daemon: FakeDaemon) -> None:
    answers = [daemon.answers["daemon.status"]] * 2
    daemon.answers["daemon.status"] = lambda params: answers.pop() if answers else refusal("internal")
    monitor = play("status", "--watch", "--every", "0", terminal=True)
    assert monitor.out.count("\x1b[H\x1b[2J") == 2
    assert monitor.out.count("soong-memoryd 0.1.0") == 2


@pytest.mark.rule("cli.errors-help")
@pytest.mark.parametrize("verb", ["install", "start", "stop", "uninstall", "logs"])
def test_without_a_supervisor_the_daemon_is_started_by_hand(play: Any, verb: str) -> None:
    ran = play("service", verb, PATH="/nowhere")
    assert (ran.code, ran.out) == (Exit.FAILED, "")
    assert "has no systemd" in ran.err and "soong-memoryd serve" in ran.err
