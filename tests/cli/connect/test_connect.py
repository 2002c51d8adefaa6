"""``connect`` and ``disconnect``: what they show, what they write, and that it all goes away again."""

from __future__ import annotations

import io
import json
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from soong_memory_hook_events import DIALECTS
from soong_memoryd.cli.commands.connect import TOOL_NAMES
from soong_memoryd.cli.connect.launch import HOOK_FILE, MCP_FILE, OPENCODE_FILE, shipped
from soong_memoryd.cli.connect.tools import CLAUDE_EVENTS, CODEX_EVENTS, GEMINI_EVENTS, TOOLS
from soong_memoryd.cli.ctl import main
from soong_memoryd.cli.exits import Exit

NOW = datetime(2026, 12, 1, 14, 39, tzinfo=UTC)
ROOT = Path(__file__).resolve().parents[3]
SETTINGS = {"model": "opus", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}
CONFIG = '# mine\nmodel = "gpt-6"\n\n[features]\nx = true\n'
GOLDEN = Path(__file__).with_name("golden")
FILES: dict[str, str] = {
    ".claude/settings.json": json.dumps(SETTINGS, indent=4) + "\n",
    ".claude.json": json.dumps({"numStartups": 3, "oauthAccount": {"name": "me"}}, indent=2) + "\n",
    ".codex/config.toml": CONFIG,
    ".gemini/settings.json": json.dumps({"theme": "暗"}, ensure_ascii=False, indent=2) + "\n",
    ".config/opencode/opencode.json": json.dumps({"model": "x"}, indent=2) + "\n",
}


class Ran(NamedTuple):
    code: int
    out: str
    err: str


class User:
    """A person's home directory, and soong-memoryctl in it."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def __call__(self, *argv: str, **env: str) -> Ran:
        out, err = io.StringIO(), io.StringIO()
        code = main(argv, env={"HOME": str(self.home), **env}, out=out, err=err, stdin=io.StringIO(), now=NOW, zone=UTC)
        return Ran(code, out.getvalue(), err.getvalue())

    def files(self) -> dict[str, str]:
        found = sorted(path for path in self.home.rglob("*") if path.is_file() and ".before-soong-memory-" not in path.name)
        return {str(path.relative_to(self.home)): path.read_text(encoding="utf-8") for path in found}

    def json(self, name: str) -> Any:
        return json.loads(self.home.joinpath(name).read_text(encoding="utf-8"))


@pytest.fixture
def user(tmp_path: Path) -> Iterator[User]:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o640)
    return User(tmp_path)


@pytest.mark.rule("connect.clean-removal")
@pytest.mark.parametrize("tool", TOOL_NAMES)
def test_disconnect_leaves_every_file_as_it_was_before_connect(user: User, tool: str) -> None:
    assert user("connect", tool).code == Exit.OK
    assert user.files() != FILES
    assert user("disconnect", tool).code == Exit.OK
    assert user.files() == FILES


@pytest.mark.rule("connect.clean-removal")
@pytest.mark.parametrize("tool", TOOL_NAMES)
def test_a_tool_without_any_configuration_is_connected_and_disconnected_without_a_trace(tmp_path: Path, tool: str) -> None:
    user = User(tmp_path)
    assert user("connect", tool).code == Exit.OK
    assert user.files()
    assert user("disconnect", tool).code == Exit.OK
    assert user.files() == {}


@pytest.mark.rule("connect.idempotent")
@pytest.mark.parametrize("tool", TOOL_NAMES)
def test_connecting_twice_changes_nothing_and_makes_no_second_backup(user: User, tool: str) -> None:
    user("connect", tool)
    once = sorted(user.home.rglob("*"))
    ran = user("connect", tool)
    assert sorted(user.home.rglob("*")) == once
    assert ran.out.count("nothing to change") == len(TOOLS[tool].files)


@pytest.mark.rule("connect.dry-run")
@pytest.mark.parametrize("tool", TOOL_NAMES)
@pytest.mark.parametrize("command", ["connect", "disconnect"])
def test_a_dry_run_shows_the_change_and_makes_none(user: User, tool: str, command: str) -> None:
    if command == "disconnect":
        user("connect", tool)
    before = {path: path.stat().st_mtime_ns for path in user.home.rglob("*")}
    ran = user(command, tool, "--dry-run")
    assert ran.code == Exit.OK
    assert "soong_memory" in ran.out
    assert ran.out.endswith("nothing was changed\n")
    assert {path: path.stat().st_mtime_ns for path in user.home.rglob("*")} == before


@pytest.mark.rule("connect.backup")
def test_what_was_there_is_kept_beside_it_with_its_mode(user: User) -> None:
    data = json.loads(user("connect", "claude-code", "--json").out)["data"]
    for change in data["changes"]:
        path, backup = Path(change["path"]), Path(change["backup"])
        assert backup.read_text(encoding="utf-8") == FILES[str(path.relative_to(user.home))]
        assert backup.stat().st_mode & 0o777 == path.stat().st_mode & 0o777 == 0o640
        assert backup.name == f"{path.name}.before-soong-memory-20261201-143900"
    user("disconnect", "claude-code")
    assert len(list(user.home.rglob("*.before-soong-memory-*"))) == 4


LAYOUTS: dict[str, dict[str, Any]] = {
    "one line": {},
    "minified": {"separators": (",", ":")},
    "tabs": {"indent": "\t"},
    "deep": {"indent": 8},
    "no indentation": {"indent": 0},
}
KEY = "k" * 24  # stands for somebody's API key
THEIRS = {
    "env": {"API": KEY},
    "mcpServers": {"theirs": {"command": "x", "env": {"API": KEY}}},
    "mcp": {"theirs": {"type": "local", "command": [KEY]}},
    "plugin": [[KEY, {}]],
    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": KEY}]}]},
    "last": [KEY, 1.0, 1e400, []],
}


@pytest.mark.rule("connect.shows-ours-alone", "connect.keeps-foreign")
@pytest.mark.parametrize("tool", TOOL_NAMES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_however_a_file_is_laid_out_nothing_of_others_is_shown_or_touched(user: User, tool: str, layout: str) -> None:
    for name in FILES:
        if name.endswith(".json"):
            (user.home / name).write_text(json.dumps(THEIRS, **LAYOUTS[layout]), encoding="utf-8")
    before = user.files()
    for command in ("connect", "disconnect"):
        for options in (["--dry-run"], ["--dry-run", "--json"], []):
            ran = user(command, tool, *options)
            assert ran.code == Exit.OK
            assert "soong" in ran.out
            assert KEY not in ran.out
            assert options or ran.out.count("\n") < 16
    assert user.files() == before


@pytest.mark.rule("connect.shows-ours-alone")
def test_an_entry_can_be_copied_from_what_is_shown(user: User) -> None:
    shown = user("connect", "claude-code", "--dry-run").out
    entries = [json.loads(f"{{{line.strip()[2:]}}}") for line in shown.splitlines() if line.startswith("  + ")]
    user("connect", "claude-code")
    written = user.json(".claude/settings.json")["hooks"]
    assert {event: groups[-1:] for entry in entries for event, groups in entry.get("hooks", {}).items()} == {
        event: groups[-1:] for event, groups in written.items()
    }
    assert entries[-1] == {"mcpServers": user.json(".claude.json")["mcpServers"]}


@pytest.mark.rule("connect.keeps-foreign")
def test_a_link_to_a_configuration_stays_a_link(user: User) -> None:
    settings, kept = user.home / ".claude" / "settings.json", user.home / "dotfiles.json"
    settings.rename(kept)
    settings.symlink_to(kept)
    user("connect", "claude-code")
    assert settings.is_symlink()
    assert "soong_memory_hook.py" in kept.read_text(encoding="utf-8")


@pytest.mark.rule("connect.exact-entries")
def test_claude_code_gets_an_exec_hook_for_each_event_and_a_server(user: User) -> None:
    user("connect", "claude-code")
    hooks = user.json(".claude/settings.json")["hooks"]
    args = ["-I", "-S", str(shipped(HOOK_FILE)), "claude-code"]
    ours = {"type": "command", "command": sys.executable, "args": args, "timeout": 2}
    assert {event: groups[-1] for event, groups in hooks.items()} == {event: {"hooks": [ours]} for event in CLAUDE_EVENTS}
    assert hooks["Stop"][0] == SETTINGS["hooks"]["Stop"][0]  # type: ignore[index]
    server = {"type": "stdio", "command": sys.executable, "args": ["-I", "-S", str(shipped(MCP_FILE))]}
    assert user.json(".claude.json")["mcpServers"] == {"soong-memory": server}


@pytest.mark.rule("connect.exact-entries")
def test_codex_gets_hooks_a_server_and_the_notify_program_and_is_told_to_trust_them(user: User) -> None:
    ran = user("connect", "codex")
    hook = {
        "type": "command",
        "command": shlex.join([sys.executable, "-I", "-S", str(shipped(HOOK_FILE)), "codex"]),
        "timeout": 2,
    }
    assert user.json(".codex/hooks.json") == {"hooks": {event: [{"hooks": [hook]}] for event in CODEX_EVENTS}}
    config = tomllib.loads((user.home / ".codex" / "config.toml").read_text(encoding="utf-8"))
    assert config["notify"] == [sys.executable, "-I", "-S", str(shipped(HOOK_FILE)), "codex-notify"]
    assert config["mcp_servers"]["soong-memory"] == {"command": sys.executable, "args": ["-I", "-S", str(shipped(MCP_FILE))]}
    assert config["model"] == "gpt-6"
    assert "/hooks" in ran.out
    assert "trust" in ran.out


@pytest.mark.rule("connect.exact-entries")
def test_gemini_gets_its_timeout_in_milliseconds_and_names_its_hooks(user: User) -> None:
    user("connect", "gemini")
    settings = user.json(".gemini/settings.json")
    assert set(settings["hooks"]) == set(GEMINI_EVENTS)
    ours = settings["hooks"]["BeforeAgent"][0]["hooks"][0]
    assert (ours["name"], ours["timeout"]) == ("soong-memory", 2000)
    assert set(settings["mcpServers"]) == {"soong-memory"}
    assert settings["theme"] == "暗"


@pytest.mark.rule("connect.exact-entries")
def test_opencode_gets_the_plugin_and_a_server_and_both_are_told_another_home(user: User) -> None:
    user("connect", "opencode")
    config = user.json(".config/opencode/opencode.json")
    plugin = shipped(OPENCODE_FILE)
    assert config["plugin"] == [plugin.as_uri()]
    assert (plugin.parent.parent / "node" / "index.js").is_file(), "the plugin finds its client beside it"
    command = [sys.executable, "-I", "-S", str(shipped(MCP_FILE))]
    assert config["mcp"] == {"soong-memory": {"type": "local", "command": command, "enabled": True}}
    user("connect", "opencode", SOONG_AGENT_HOME="/other/home", SOONG_MEMORYD_SOCKET="/run/m.sock")
    config = user.json(".config/opencode/opencode.json")
    assert config["plugin"] == [[plugin.as_uri(), {"home": "/other/home", "socket": "/run/m.sock"}]]
    assert config["mcp"]["soong-memory"]["command"][-4:] == ["--home", "/other/home", "--socket", "/run/m.sock"]
    user("disconnect", "opencode")
    assert user.files() == FILES


@pytest.mark.rule("connect.keeps-foreign")
def test_opencodes_other_plugins_stay_with_their_options(user: User) -> None:
    theirs = ["some-plugin", ["file:///x/other.js", {"a": 1}]]
    path = user.home / ".config" / "opencode" / "opencode.json"
    path.write_text(json.dumps({"plugin": theirs}, indent=2) + "\n", encoding="utf-8")
    user("connect", "opencode")
    assert user.json(".config/opencode/opencode.json")["plugin"][:2] == theirs
    user("disconnect", "opencode")
    assert user.json(".config/opencode/opencode.json") == {"plugin": theirs}


@pytest.mark.rule("connect.exact-entries")
def test_every_event_that_is_asked_for_means_something_to_the_hook() -> None:
    for events, dialect in ((CLAUDE_EVENTS, "claude-code"), (CODEX_EVENTS, "codex"), (GEMINI_EVENTS, "gemini")):
        assert set(events) <= set(DIALECTS[dialect].moments)


@pytest.mark.rule("connect.exact-entries")
def test_another_home_and_socket_are_written_down_because_a_tool_may_not_pass_the_environment_on(user: User) -> None:
    user("connect", "gemini", SOONG_AGENT_HOME="/other/home", SOONG_MEMORYD_SOCKET="/run/m.sock")
    command = user.json(".gemini/settings.json")["hooks"]["BeforeAgent"][0]["hooks"][0]["command"]
    assert shlex.split(command)[-4:] == ["--home", "/other/home", "--socket", "/run/m.sock"]


@pytest.mark.rule("connect.says-what-is-in-the-way")
def test_a_foreign_notify_program_stays_and_is_named(user: User) -> None:
    config = user.home / ".codex" / "config.toml"
    config.write_text('notify = ["theirs"]\n[features]\n', encoding="utf-8")
    ran = user("connect", "codex")
    assert tomllib.loads(config.read_text(encoding="utf-8"))["notify"] == ["theirs"]
    assert "another notify program" in ran.out


@pytest.mark.rule("connect.says-what-is-in-the-way")
@pytest.mark.parametrize(
    ("tool", "name", "text"),
    [
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n"),
        ("gemini", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}'),
    ],
)
def test_hooks_that_are_switched_off_are_said(user: User, tool: str, name: str, text: str) -> None:
    (user.home / name).write_text(text, encoding="utf-8")
    assert "hooks are switched off" in user("connect", tool).out


@pytest.mark.rule("connect.refuses-what-it-cannot-keep")
@pytest.mark.parametrize(
    ("tool", "name"),
    [("claude-code", ".claude.json"), ("codex", ".codex/config.toml"), ("gemini", ".gemini/settings.json")],
)
def test_one_file_that_cannot_be_changed_keeps_all_of_them_as_they_were(user: User, tool: str, name: str) -> None:
    (user.home / name).write_text("// a comment\n{ = ]", encoding="utf-8")
    before = user.files()
    ran = user("connect", tool)
    assert (ran.code, ran.out) == (Exit.CONFLICT, "")
    assert "is left as it is" in ran.err
    assert user.files() == before


@pytest.mark.rule("connect.exact-entries")
def test_the_plugin_asks_for_the_same_events_with_the_same_timeout() -> None:
    plugin = ROOT / "clients" / "claude-code"
    hooks = json.loads((plugin / "hooks" / "hooks.json").read_text(encoding="utf-8"))["hooks"]
    args = ["-I", "-S", "${CLAUDE_PLUGIN_ROOT}/lib/soong_memory_hook.py", "claude-code"]
    assert hooks == {
        event: [{"hooks": [{"type": "command", "command": "python3", "args": args, "timeout": 2}]}] for event in CLAUDE_EVENTS
    }
    scripts = ("soong_memory_hook.py", "soong_memory_hook_events.py", "soong_memory_mcp.py", "soong_memory_mcp_offer.py")
    for name in (*scripts, "soong_memory_client/client.py"):
        assert (plugin / "lib" / name).is_file(), name
    server = json.loads((plugin / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["soong-memory"]
    assert server["args"][-1] == "${CLAUDE_PLUGIN_ROOT}/lib/soong_memory_mcp.py"
    market = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text(encoding="utf-8"))
    assert (ROOT / market["plugins"][0]["source"] / ".claude-plugin" / "plugin.json").is_file()


@pytest.mark.rule("connect.exact-entries")
def test_a_copied_plugin_is_complete(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "clients" / "claude-code", tmp_path / "plugin", ignore=shutil.ignore_patterns("__pycache__"))
    prompt = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "以后都用 uv"}
    for _ in range(20):  # a busy machine may take longer than the hook has
        subprocess.run(
            [
                sys.executable,
                "-I",
                "-S",
                str(tmp_path / "plugin/lib/soong_memory_hook.py"),
                "claude-code",
                "--home",
                str(tmp_path),
            ],
            input=json.dumps(prompt).encode(),
            check=True,
        )
        if (tmp_path / "memoryd/outbox/claude-code.jsonl").exists():
            break
    assert "以后都用 uv" in (tmp_path / "memoryd/outbox/claude-code.jsonl").read_text(encoding="utf-8")


def golden(ran: Ran, user: User) -> str:
    """What was printed, without what differs from machine to machine."""
    named = {
        str(shipped(HOOK_FILE)): "/abs/soong_memory_hook.py",
        str(shipped(MCP_FILE)): "/abs/soong_memory_mcp.py",
        str(shipped(OPENCODE_FILE)): "/abs/soong-memory.js",
        sys.executable: "/abs/python3",
        str(user.home): "/home/me",
    }
    text = ran.out
    for here, anywhere in named.items():
        text = text.replace(here, anywhere)
    return text


@pytest.mark.rule("cli.human-output")
@pytest.mark.parametrize("tool", TOOL_NAMES)
def test_a_person_sees_exactly_this_of_connecting_and_disconnecting(user: User, tool: str) -> None:
    shown = "".join(f"$ {command} {tool}\n{golden(user(command, tool), user)}" for command in ("connect", "disconnect"))
    assert shown == (GOLDEN / f"{tool}.txt").read_text(encoding="utf-8")


@pytest.mark.rule("cli.json-output")
def test_a_script_gets_one_json_object_of_connecting_and_disconnecting(user: User) -> None:
    for command, name in (("connect", "codex.json"), ("disconnect", "codex-disconnect.json")):
        ran = user(command, "codex", "--json")
        assert ran.out.count("\n") == 1
        assert json.loads(golden(ran, user)) == json.loads((GOLDEN / name).read_text(encoding="utf-8"))
