"""opencode as the plugin sees it: a node process that loads the real plugin file and calls its hooks.

A golden case is ``golden/<nn>-<what it shows>.json`` with ``hooks`` (what opencode 1.18.33 called, in order, recorded from it
and cut to what the plugin could read), ``calls`` (what the daemon hears of it) and ``system`` (what each system prompt gained).
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from soong_memoryd.cli.connect.launch import OPENCODE_FILE, shipped

HERE = Path(__file__).parent
Step = dict[str, Any]


class Case(NamedTuple):
    """A stretch of a golden session."""

    path: Path
    hooks: list[Step]
    calls: list[dict[str, Any]]
    system: list[list[str]]


def cases() -> Iterator[Case]:
    """The golden session, in order."""
    for path in sorted((HERE / "golden").glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        yield Case(path, content["hooks"], content.get("calls", []), content.get("system", []))


def event(kind: str, **properties: Any) -> Step:
    """One event of opencode's bus."""
    return {"hook": "event", "input": {"id": f"evt_{kind}", "type": kind, "properties": properties}}


def prompt(session: str, message: str, *parts: str | dict[str, Any]) -> Step:
    """What opencode calls when somebody typed; a text stands for a part that holds it."""
    made = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    for number, part in enumerate(made):
        part.update({"id": f"prt_{message}{number}", "messageID": message, "sessionID": session})
    told = {"id": message, "role": "user", "sessionID": session, "time": {"created": 1796147419328}}
    return {"hook": "chat.message", "input": {"sessionID": session}, "output": {"message": told, "parts": made}}


def session_info(session: str, parent: str | None = None, **more: Any) -> Step:
    """A session, as it is created or changed."""
    info = {"id": session, "title": "New session - x", **more} | ({"parentID": parent} if parent else {})
    return event("session.updated", sessionID=session, info=info)


def answer(session: str, message: str, asked: str, text: str, **more: Any) -> list[Step]:
    """An answer as it streams in: begun, in pieces, whole, completed."""
    info = {
        "id": message,
        "role": "assistant",
        "sessionID": session,
        "parentID": asked,
        "time": {"created": 1796147422000},
        **more,
    }
    part = {"id": f"prt_{message}", "messageID": message, "sessionID": session, "type": "text"}
    whole = {**part, "text": text, "time": {"start": 1796147422530, "end": 1796147422538}}
    done = {**info, "time": {"created": 1796147422000, "completed": 1796147422600}}
    return [
        event("message.updated", sessionID=session, info=info),
        event("message.part.updated", sessionID=session, part={**part, "text": text[:1], "time": {"start": 1796147422530}}),
        event("message.part.updated", sessionID=session, part=whole),
        event("message.updated", sessionID=session, info=done),
    ]


def idle(session: str) -> Step:
    """The end of a run."""
    return event("session.idle", sessionID=session)


class Opencode:
    """A running opencode with the plugin at ``plugin``; ``sessions`` is what opencode's own API knows of sessions."""

    def __init__(
        self,
        options: dict[str, Any],
        plugin: Path | None = None,
        sessions: dict[str, dict[str, Any]] | None = None,
        argv: tuple[str, ...] = (),
        **env: str,
    ) -> None:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("SOONG_")}
        self._process = subprocess.Popen(
            ["node", str(HERE / "drive.mjs"), str(plugin or shipped(OPENCODE_FILE))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**clean, **env},
        )
        self.hooks: list[str] = self._ask({"options": options, "sessions": sessions or {}, "argv": list(argv)})["hooks"]

    @property
    def pid(self) -> int:
        """The process that the sessions belong to."""
        return self._process.pid

    def __call__(self, *steps: Step) -> dict[str, Any]:
        """Call the hooks one after the other; the answer of the last: ``output``, ``error``, ``ms``."""
        answered: dict[str, Any] = {}
        for step in steps:
            answered = self._ask(step)
        return answered

    def system(self, session: str, *prompts: str) -> list[str]:
        """The system prompt of a step of that session."""
        asked = {"hook": "experimental.chat.system.transform", "input": {"sessionID": session}}
        return list(self({**asked, "output": {"system": list(prompts or ("You are opencode",))}})["output"]["system"])

    def settle(self) -> None:
        """Until all that was said is on its way or on disk."""
        self._ask({"settle": True})

    def _ask(self, line: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(line) + "\n")
        self._process.stdin.flush()
        answered = self._process.stdout.readline()
        if not answered:
            assert self._process.stderr is not None
            raise AssertionError(f"opencode ended: {self._process.stderr.read()[-2000:]}")
        return dict(json.loads(answered))

    def kill(self) -> None:
        """Without a word to anybody."""
        self._process.kill()
        self._end()

    def _end(self) -> tuple[str, str]:
        out, err = self._process.communicate(timeout=20)
        return out, err

    def __enter__(self) -> Opencode:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._process.poll() is not None:
            return
        printed = self._end()
        assert kind is not None or printed == ("", ""), f"the plugin printed: {printed}"
