"""The machine around the command line in its tests: a config's report, a supervisor that writes down what it is asked."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from soong_memory_client.testing import FakeDaemon
from soong_memoryd.cli import daemon_config
from soong_memoryd.cli.service import supervisors
from tests.cli.scene import MEMORIES, SESSION, STATUS, Ran, run

REPORT: dict[str, Any] = {
    "problem": None,
    "warnings": ["memoryd.toml can be read by other users; run: chmod 600 memoryd.toml"],
    "settings": [
        {"key": "model.name", "value": "qwen3:14b", "origin": "memoryd.toml:3"},
        {"key": "memory.enabled", "value": True, "origin": "default"},
        {"key": "memory.idle_seconds", "value": 300, "origin": "SOONG_MEMORYD_MEMORY_IDLE_SECONDS"},
        {"key": "memory.recall_model_profile", "value": None, "origin": "default"},
        {"key": "secrets.allow", "value": ["工号"], "origin": "memoryd.toml:9"},
    ],
    "options": [
        {"key": "model.provider", "default": None, "variable": None, "description": "A provider preset."},
        {
            "key": "memory.idle_seconds",
            "default": 120,
            "variable": "SOONG_MEMORYD_MEMORY_IDLE_SECONDS",
            "description": "Quiet.",
        },
    ],
    "keys": [{"use": "extract", "variable": "OPENAI_API_KEY", "file": None, "needed": True}],
    "landlock_abi": 7,
}

NOTES = "---\ntype: feedback\n---\n用 uv。\n"
LIST = "# Notes\n- Answer in Chinese.\n- Answer in  Chinese.\n\nKeep commits\nsmall.\n"

SYSTEMCTL = """#!/bin/sh
echo "$@" >> {log}
case "$*" in
  *"--property=LoadState"*) echo {load} ;;
  *"--property=ActiveState"*) echo active ;;
  *"--property=MainPID"*) echo {pid} ;;
  *"--property=ExecStart"*) echo "{{ path=/bin/sh ; argv[]=/bin/sh serve }}" ;;
  *{refused}*) echo "Unit is masked." >&2; exit 1 ;;
esac
"""


class Systemd:
    """A ``systemctl`` and a ``journalctl`` on a PATH of their own; ``asked`` holds what they were asked."""

    def __init__(self, directory: Path, *, pid: int = 0, load: str = "loaded", refused: str = "nothing-is") -> None:
        self._log = directory / "asked"
        self.path = directory / "bin"
        self.path.mkdir(parents=True)
        text = SYSTEMCTL.format(log=self._log, pid=pid, load=load, refused=refused)
        for name, script in (("systemctl", text), ("journalctl", "#!/bin/sh\necho \"$@\"\necho '依赖 ready'\n")):
            (self.path / name).write_text(script, encoding="utf-8")
            (self.path / name).chmod(0o700)

    @property
    def env(self) -> dict[str, str]:
        """The variables that lead to it."""
        return {"PATH": f"{self.path}{os.pathsep}/usr/bin:/bin"}

    @property
    def asked(self) -> list[str]:
        """The arguments of every call that changes something."""
        lines = self._log.read_text(encoding="utf-8").splitlines() if self._log.exists() else []
        words = (line.removeprefix("--user ") for line in lines)
        return [line for line in words if not line.startswith("show")]


def settle(daemon: FakeDaemon) -> None:
    """Let the scene's status speak of the fake daemon's own home, and of no process of this machine."""
    daemon.answers["daemon.status"] = {**STATUS, "home": str(daemon.home), "pid": 0}
    daemon.socket_path.chmod(0o600)


def import_session(unscanned: int = 0, state: str = "idle", error: dict[str, str] | None = None) -> dict[str, Any]:
    """Answers of a daemon that took an import."""
    sessions: list[dict[str, Any]] = []

    def opened(params: dict[str, Any]) -> dict[str, Any]:
        sessions.append({"session_id": params["session_id"], "unscanned_messages": unscanned, "state": state})
        return {"session_id": params["session_id"], "created": True, "durable_sequence": 0, "unscanned_messages": 0}

    result = None if error else {"created": ["mem_1", "mem_2"], "updated": [], "ignored": [{"reason": "one_off_task"}]}
    job = {"job_id": "job_1", "session_id": SESSION, "status": "completed", "result": result, "error": error}
    return {
        "session.open": opened,
        "session.close": {},
        "session.list": lambda params: {"sessions": sessions[params["offset"] :], "total": len(sessions)},
        "context.append": {"durable_sequence": 3, "appended": 3, "duplicates": []},
        "extraction.trigger": {"jobs": []},
        "extraction.list": {"jobs": [job]},
    }


def put_memory(daemon: FakeDaemon) -> Path:
    """The file of the memory that tests edit, in the fake daemon's home."""
    daemon.answers["daemon.status"] = {**daemon.answers["daemon.status"], "home": str(daemon.home)}
    path = daemon.home / "memory" / MEMORIES[1]["path"]
    path.parent.mkdir(parents=True)
    path.write_text("old text", encoding="utf-8")
    return path


class Play:
    """Runs a command line in a scene with everything in it; paths and sizes of this run are named, not shown."""

    def __init__(self, daemon: FakeDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        settle(daemon)
        monkeypatch.setattr(daemon_config, "report", lambda home, env: REPORT)
        monkeypatch.setattr(supervisors, "LINGER_DIRECTORY", tmp_path)
        self.user_home = tmp_path / "user"
        self._daemon, self._tmp_path = daemon, tmp_path
        self._files = tmp_path / "files"
        self._files.mkdir()
        (self._files / "a.md").write_text(NOTES, encoding="utf-8")
        (self._files / "b.md").write_text(LIST, encoding="utf-8")
        self._systemd = Systemd(tmp_path)

    def __call__(self, *argv: str, typed: str | None = None, terminal: bool = False, **env: str) -> Ran:
        if argv[0] == "import":
            self._daemon.answers |= import_session()
        if argv[0] == "edit":
            put_memory(self._daemon)
            (self._daemon.home / "edited.md").write_text("new text", encoding="utf-8")
            path, sha256 = MEMORIES[1]["path"], MEMORIES[1]["sha256"]
            self._daemon.answers["memory.adopt"] = {"memory_id": MEMORIES[1]["id"], "path": path, "sha256": sha256}
        words = [word.format(home=self._daemon.home, files=self._files) for word in argv]
        key = {"OPENAI_API_KEY": "not-a-key", "HOME": str(self.user_home)}
        ran = run(self._daemon, *words, typed=typed, terminal=terminal, **{**self._systemd.env, **key, **env})
        return Ran(ran.code, self._named(ran.out), self._named(ran.err))

    def _named(self, text: str) -> str:
        text = text.replace(str(self._daemon.home), "HOME").replace(str(self._tmp_path), "TMP")
        text = re.sub(r"\d+ MiB free", "N MiB free", text)
        return re.sub(r'\d+ KiB|"bytes": \d+', "SIZE", text)
