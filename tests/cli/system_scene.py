"""The machine around the command line in its tests: a config's report, a supervisor that writes down what it is asked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from soong_memory_client.testing import FakeDaemon
from tests.cli.scene import SESSION, STATUS

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
