"""A harness that is played: it reads the configuration that ``connect`` wrote, and runs the hooks and the server in it.

Owns: how each tool stores a command, and what its events hold. Must not know: what is said.
"""

from __future__ import annotations

import itertools
import json
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

Payload = dict[str, Any]
_numbers = itertools.count(1)


def environment(user_home: Path, agent_home: Path) -> dict[str, str]:
    """What a tool of a person with this home sees, and nothing of the one who runs the test."""
    return {
        "HOME": str(user_home),
        "PATH": os.environ.get("PATH", os.defpath),
        "SOONG_AGENT_HOME": str(agent_home),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }


class Turn(NamedTuple):
    """What a person says and what the model answers."""

    prompt: str
    answer: str


def _claude(session: str, turn: Turn | None) -> Iterator[Payload]:
    base = {"session_id": session, "transcript_path": f"/{session}.jsonl", "cwd": "/w", "permission_mode": "default"}
    if turn is None:
        yield {**base, "hook_event_name": "SessionStart", "source": "startup"}
        return
    mine = {**base, "prompt_id": f"{session}-{next(_numbers)}"}
    yield {**mine, "hook_event_name": "UserPromptSubmit", "prompt": turn.prompt, "source": "user"}
    yield {**mine, "hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": turn.answer}


def _codex(session: str, turn: Turn | None) -> Iterator[Payload]:
    base = {"session_id": session, "transcript_path": None, "cwd": "/w", "model": "m", "permission_mode": "default"}
    if turn is None:
        yield {**base, "hook_event_name": "SessionStart", "source": "startup"}
        return
    mine = {**base, "turn_id": f"{session}-{next(_numbers)}"}
    yield {**mine, "hook_event_name": "UserPromptSubmit", "prompt": turn.prompt}
    yield {**mine, "hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": turn.answer}


def _gemini(session: str, turn: Turn | None) -> Iterator[Payload]:
    base = {
        "session_id": session,
        "transcript_path": "/t",
        "cwd": "/w",
        "timestamp": f"2026-12-01T10:00:{next(_numbers):02}.000Z",
    }
    if turn is None:
        yield {**base, "hook_event_name": "SessionStart", "source": "startup"}
        return
    yield {**base, "hook_event_name": "BeforeAgent", "prompt": turn.prompt}
    said = {"prompt": turn.prompt, "prompt_response": turn.answer, "stop_hook_active": False}
    yield {**base, "hook_event_name": "AfterAgent", **said}


def _exec_form(hook: Mapping[str, Any]) -> list[str]:
    return [hook["command"], *hook["args"]]


def _shell_form(hook: Mapping[str, Any]) -> list[str]:
    return shlex.split(hook["command"])


class Kind(NamedTuple):
    """One tool: where its hooks and its server are configured, and its events."""

    hooks: str
    servers: str
    member: str
    command: Callable[[Mapping[str, Any]], list[str]]
    events: Callable[[str, Turn | None], Iterator[Payload]]


KINDS: Mapping[str, Kind] = {
    "claude-code": Kind(".claude/settings.json", ".claude.json", "mcpServers", _exec_form, _claude),
    "codex": Kind(".codex/hooks.json", ".codex/config.toml", "mcp_servers", _shell_form, _codex),
    "gemini": Kind(".gemini/settings.json", ".gemini/settings.json", "mcpServers", _shell_form, _gemini),
}


class Harness:
    """One tool of the person whose home directory is ``home``."""

    def __init__(self, name: str, home: Path, env: Mapping[str, str], session: str | None = None) -> None:
        self.name = name
        self._kind = KINDS[name]
        self._home = home
        self._env = dict(env)
        self._session = session or f"{name}-{next(_numbers)}"
        self._last: list[Payload] = []

    def start(self) -> str:
        """Begin a session; what its model is given as context, empty when it is nothing."""
        return self._tell(self._kind.events(self._session, None))

    def turn(self, prompt: str, answer: str) -> None:
        """One prompt and its answer."""
        self._last = list(self._kind.events(self._session, Turn(prompt, answer)))
        self.again()

    def again(self) -> None:
        """The same turn once more: changes nothing, and sends what a hook on a busy machine had no time to send."""
        assert self._tell(self._last) == "", "a hook printed something at a prompt"

    def _tell(self, payloads: Iterable[Payload]) -> str:
        configured = json.loads((self._home / self._kind.hooks).read_text(encoding="utf-8"))["hooks"]
        context = ""
        for payload in payloads:
            for hook in (hook for group in configured[payload["hook_event_name"]] for hook in group["hooks"]):
                command, data = self._kind.command(hook), json.dumps(payload, ensure_ascii=False).encode()
                done = subprocess.run(command, input=data, capture_output=True, check=True, env=self._env)
                assert done.stderr == b""
                context += json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout else ""
        return context

    def recall(self, query: str) -> str:
        """What the model gets when it calls the tool ``recall_memory`` of the server in the tool's configuration."""
        text = (self._home / self._kind.servers).read_text(encoding="utf-8")
        content = tomllib.loads(text) if self._kind.servers.endswith(".toml") else json.loads(text)
        server = content[self._kind.member]["soong-memory"]
        return ask_server([server["command"], *server["args"]], self.name, query, self._env)

    def close(self) -> None:
        """Nothing of it keeps running."""


def ask_server(command: list[str], client: str, query: str, env: Mapping[str, str]) -> str:
    """What an MCP server answers to a call of ``recall_memory``."""
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": client, "version": "0"}}
    requests = [("initialize", about), ("tools/call", {"name": "recall_memory", "arguments": {"query": query}})]
    lines = [json.dumps({"jsonrpc": "2.0", "id": number, "method": m, "params": p}) for number, (m, p) in enumerate(requests)]
    done = subprocess.run(command, input="\n".join([*lines, ""]).encode(), capture_output=True, check=True, env=env)
    result = json.loads(done.stdout.splitlines()[-1])["result"]
    assert result["isError"] is False, result
    return str(result["content"][0]["text"])
