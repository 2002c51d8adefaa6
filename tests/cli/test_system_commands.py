"""The commands around the daemon: what a person sees, what a script gets, and how they fail."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from soong_memory_client.testing import FakeDaemon, refusal
from soong_memoryd.cli import daemon_config
from soong_memoryd.cli.exits import Exit
from tests.cli.system_scene import Play

GOLDEN = Path(__file__).with_name("golden_system")

# name of the golden files -> command line ({home}: the agent home, {files}: a directory of notes), exit code
CASES: dict[str, tuple[list[str], Exit]] = {
    "config-show": (["config", "show"], Exit.OK),
    "config-show-origin": (["config", "show", "--origin", "--changed"], Exit.OK),
    "config-set": (["config", "set", "memory.idle_seconds", "300"], Exit.OK),
    "config-env": (["config", "env", "OPENAI_API_KEY"], Exit.OK),
    "config-init": (["config", "init", "--provider", "builtin"], Exit.OK),
    "edit": (["edit", "k3f2", "--from", "{home}/edited.md"], Exit.OK),
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


@pytest.mark.rule("cli.human-output")
@pytest.mark.parametrize("name", CASES)
def test_a_person_sees_exactly_this(play: Play, name: str) -> None:
    argv, code = CASES[name]
    ran = play(*argv)
    assert ran.out == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert (ran.code, ran.err) == (code, "")


@pytest.mark.rule("cli.json-output")
@pytest.mark.parametrize("name", CASES)
def test_a_script_gets_json(play: Play, name: str) -> None:
    argv, code = CASES[name]
    ran = play(*argv, "--json")
    assert ran.out == (GOLDEN / f"{name}.json").read_text(encoding="utf-8")
    assert all(json.loads(line.replace("SIZE", '"size": 1'))["schema"] == 1 for line in ran.out.splitlines())
    assert ran.code == code


def test_every_golden_file_has_its_case() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(CASES)


LONG = "/" + "s" * 200
VERBS = ("install", "start", "stop", "uninstall", "logs")
BROKEN = {"problem": "memoryd.toml:2: no such key", "hint": "See the list."}

# command line, exit code, what is said, the step that must be named
FAILURES: list[tuple[list[str], Exit, str, str]] = [
    (["config", "show"], Exit.PROBLEMS_FOUND, "memoryd.toml:2: no such key", "edit "),
    (["config", "init"], Exit.CONFLICT, "memoryd.toml is there already", "config show"),
    (["config", "set", "idle", "3"], Exit.USAGE, "a key is SECTION.NAME", "config show"),
    (["config", "env", "NOT_SET"], Exit.USAGE, "NOT_SET is not set in this shell", "export NOT_SET"),
    (["config", "env", "a-b"], Exit.USAGE, "not the name of a variable", "config env"),
    (["import", "markdown", "/nowhere", "--yes"], Exit.USAGE, "/nowhere is not there", "ls /"),
    (["import", "markdown", "{files}"], Exit.USAGE, "no terminal to ask at", "--yes"),
    (["edit", "k3f2", "--from", "/nowhere/text.md"], Exit.USAGE, "/nowhere/text.md cannot be read", "ls -l /nowhere"),
    (["connect", "claud"], Exit.USAGE, "did you mean 'claude-code'?", "connect --help"),
    (["connect", "gemini"], Exit.CONFLICT, "settings.json is left as it is", "connect TOOL --dry-run"),
    (["disconnect", "gemini"], Exit.CONFLICT, "settings.json is left as it is", "connect TOOL --dry-run"),
    (["completion", "tcsh"], Exit.USAGE, "choose from bash, zsh, fish", "completion --help"),
    (["doctor", "--socket", LONG], Exit.USAGE, "a socket address holds 107", "SOONG_MEMORYD_SOCKET"),
    (["mcp", "--socket", LONG], Exit.USAGE, "a socket address holds 107", "SOONG_MEMORYD_SOCKET"),
    *((["service", verb], Exit.FAILED, "has no systemd", "soong-memoryd serve") for verb in VERBS),
    (["view", "-o", "/nowhere/page.html"], Exit.FAILED, "cannot be written", "ls -ld /nowhere"),
    (["view", "-o", "{home}/page.html", "--open"], Exit.FAILED, "xdg-open is not on the PATH; the page is at", "open "),
]


@pytest.mark.rule("cli.errors-help")
@pytest.mark.parametrize(("argv", "code", "said", "step"), FAILURES, ids=[" ".join(case[0][:2]) for case in FAILURES])
def test_a_failure_says_what_helps(
    play: Play, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch, argv: list[str], code: Exit, said: str, step: str
) -> None:
    if argv[0] == "config":
        (daemon.home / "memoryd.toml").touch()
        monkeypatch.setattr(daemon_config, "report", lambda home, env: BROKEN)
    if argv[0] in ("connect", "disconnect"):
        play.user_home.joinpath(".gemini").mkdir(parents=True)
        play.user_home.joinpath(".gemini/settings.json").write_text("{ a = b", encoding="utf-8")
    ran = play(*argv, PATH="/nowhere")
    sentence, helps = ran.err.splitlines()[-2:]
    assert (ran.code, ran.out) == (code, "")
    assert said in sentence
    assert helps.startswith("  try: ") and step in helps


@pytest.mark.rule("cli.errors-help")
@pytest.mark.parametrize(
    "argv", [["import", "markdown", "{files}", "--yes"], ["view", "-o", "{home}/p"], ["status", "--watch"]]
)
def test_without_a_daemon_they_say_how_to_start_one(play: Play, daemon: FakeDaemon, argv: list[str]) -> None:
    daemon.stop()
    ran = play(*argv)
    assert ran.code == Exit.NOT_RUNNING
    assert "soong-memoryd serve" in ran.err


@pytest.mark.rule("cli.status-watch")
def test_the_status_is_shown_again_and_again_on_a_fresh_screen(play: Play, daemon: FakeDaemon) -> None:
    answers = [daemon.answers["daemon.status"]] * 2
    daemon.answers["daemon.status"] = lambda params: answers.pop() if answers else refusal("internal")
    monitor = play("status", "--watch", "--every", "0", terminal=True)
    assert monitor.out.count("\x1b[H\x1b[2J") == 2
    assert monitor.out.count("soong-memoryd 0.1.0") == 2
