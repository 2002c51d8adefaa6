"""The tools that can be connected: their files, the units of their time-outs, and what their user has to know.

Owns: the table. Must not know: how a change is shown and written. Pure, but for the paths of what is shipped.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from soong_memoryd.cli.connect import json_text, toml_block
from soong_memoryd.cli.connect.json_text import Json, Ours
from soong_memoryd.cli.connect.launch import OPENCODE_FILE, Launch, shipped
from soong_memoryd.cli.toml_text import quoted

Env = Mapping[str, str]
HOOK_SECONDS = 2  # the hook itself gives up after a quarter of one
CLAUDE_EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "StopFailure", "PostCompact", "SessionEnd")
CODEX_EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "PostCompact")
GEMINI_EVENTS = ("SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd")


class ConfigFile(NamedTuple):
    """One file of a tool. ``put`` and ``take`` turn its text into the one with and the one without our entries."""

    path: Callable[[Env, Path], Path]  # from the environment and the user's home directory
    put: Callable[[Launch, str], str]
    take: Callable[[str], str]
    remark: Callable[[str], str | None] = lambda text: None  # what in the file as it was keeps ours from working
    ours: Callable[[str], list[Ours]] = json_text.ours


class Tool(NamedTuple):
    """One tool."""

    files: tuple[ConfigFile, ...]
    then: tuple[str, ...]  # what is left to do, a line each


def _claude_settings(env: Env, home: Path) -> Path:
    return Path(env.get("CLAUDE_CONFIG_DIR") or home / ".claude") / "settings.json"


def _claude_state(env: Env, home: Path) -> Path:
    return Path(env.get("CLAUDE_CONFIG_DIR") or home) / ".claude.json"


def _claude_hooks(launch: Launch, text: str) -> str:
    command, *args = launch.hook("claude-code")
    hook = {"type": "command", "command": command, "args": args, "timeout": HOOK_SECONDS}
    return json_text.edited(text, lambda content: json_text.put_hooks(content, dict.fromkeys(CLAUDE_EVENTS, hook)))


def _claude_server(launch: Launch, text: str) -> str:
    server = {"type": "stdio", **_command_and_args(launch)}
    return json_text.edited(text, lambda content: json_text.put_server(content, "mcpServers", server))


def _claude_server_taken(text: str) -> str:
    return json_text.edited(text, lambda content: json_text.take_server(content, "mcpServers"))


def _codex_home(env: Env, home: Path) -> Path:
    return Path(env.get("CODEX_HOME") or home / ".codex")


def _codex_hooks(launch: Launch, text: str) -> str:
    hook = {"type": "command", "command": shlex.join(launch.hook("codex")), "timeout": HOOK_SECONDS}
    return json_text.edited(text, lambda content: json_text.put_hooks(content, dict.fromkeys(CODEX_EVENTS, hook)))


def _codex_config(launch: Launch, text: str) -> str:
    command, *args = launch.server()
    server = f"[mcp_servers.{json_text.SERVER_NAME}]\ncommand = {quoted(command)}\nargs = {_array(args)}\n"
    free = "notify" not in toml_block.read(toml_block.taken(text))
    return toml_block.put(text, f"notify = {_array(launch.hook('codex-notify'))}\n" if free else "", server)


def _codex_remark(text: str) -> str | None:
    config = toml_block.read(toml_block.taken(text))
    if _at(config, "features", "hooks") is False or _at(config, "features", "codex_hooks") is False:
        return "hooks are switched off in it: set hooks = true below [features]"
    if "notify" in config:
        return "it has another notify program, which stays: the end of a turn of `codex exec` is then not heard"
    return None


def _gemini_settings(launch: Launch, text: str) -> str:
    command = shlex.join(launch.hook("gemini"))
    hook = {"name": json_text.SERVER_NAME, "type": "command", "command": command, "timeout": HOOK_SECONDS * 1000}

    def edit(content: Json) -> None:
        json_text.put_hooks(content, dict.fromkeys(GEMINI_EVENTS, hook))
        json_text.put_server(content, "mcpServers", _command_and_args(launch))

    return json_text.edited(text, edit)


def _gemini_taken(text: str) -> str:
    def edit(content: Json) -> None:
        json_text.take_hooks(content)
        json_text.take_server(content, "mcpServers")

    return json_text.edited(text, edit)


def _gemini_remark(text: str) -> str | None:
    off = _at(json_text.read(text), "hooksConfig", "enabled") is False
    return "hooks are switched off in it: set hooksConfig.enabled to true" if off else None


def _opencode_path(env: Env, home: Path) -> Path:
    directory = Path(env.get("OPENCODE_CONFIG_DIR") or Path(env.get("XDG_CONFIG_HOME") or home / ".config") / "opencode")
    with_comments = directory / "opencode.jsonc"
    return with_comments if with_comments.exists() else directory / "opencode.json"


def _opencode_config(launch: Launch, text: str) -> str:
    plugin, options = shipped(OPENCODE_FILE).as_uri(), launch.named_options()

    def edit(content: Json) -> None:
        json_text.put_server(content, "mcp", {"type": "local", "command": launch.server(), "enabled": True})
        json_text.put_item(content, "plugin", [plugin, options] if options else plugin, f"/{OPENCODE_FILE}")

    return json_text.edited(text, edit)


def _opencode_taken(text: str) -> str:
    def edit(content: Json) -> None:
        json_text.take_server(content, "mcp")
        json_text.take_item(content, "plugin", f"/{OPENCODE_FILE}")

    return json_text.edited(text, edit)


def _take_hooks(text: str) -> str:
    return json_text.edited(text, json_text.take_hooks)


def _command_and_args(launch: Launch) -> Json:
    command, *args = launch.server()
    return {"command": command, "args": args}


def _array(words: list[str]) -> str:
    return f"[{', '.join(map(quoted, words))}]"


def _at(tables: Any, *path: str) -> Any:
    for part in path:
        tables = tables.get(part) if isinstance(tables, dict) else None
    return tables


TOOLS: Mapping[str, Tool] = {
    "claude-code": Tool(
        files=(
            ConfigFile(_claude_settings, _claude_hooks, _take_hooks),
            ConfigFile(_claude_state, _claude_server, _claude_server_taken),
        ),
        then=("Start Claude Code again: hooks and servers are read when a session begins.",),
    ),
    "codex": Tool(
        files=(
            ConfigFile(lambda env, home: _codex_home(env, home) / "hooks.json", _codex_hooks, _take_hooks),
            ConfigFile(
                lambda env, home: _codex_home(env, home) / "config.toml",
                _codex_config,
                toml_block.taken,
                _codex_remark,
                toml_block.ours,
            ),
        ),
        then=(
            "Codex runs a new or changed hook only once you trust it, and says nothing until then:",
            "start codex, type /hooks, and trust the entries of soong_memory_hook.py.",
        ),
    ),
    "gemini": Tool(
        files=(
            ConfigFile(lambda env, home: home / ".gemini" / "settings.json", _gemini_settings, _gemini_taken, _gemini_remark),
        ),
        then=("Start Gemini CLI again; /hooks lists the hooks, /mcp the server.",),
    ),
    "opencode": Tool(
        files=(ConfigFile(_opencode_path, _opencode_config, _opencode_taken),),
        then=("Start opencode again: plugins and servers are read when it starts.",),
    ),
}
