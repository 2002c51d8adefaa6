"""A daemon with a scripted model for the contract tests: every answer is held against the model of its row.

Owns: what the scripted model says next, and the short forms of what a session usually says. Must not know what is expected.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import pytest

from soong_memoryd.protocol.methods import METHODS
from soong_memoryd.protocol.values import Event
from tests.support.daemon import KEY_VARIABLE, DaemonProcess, LineClient, RpcFailure, remote
from tests.support.model_server import ModelServer, calls

T = TypeVar("T")
Json = dict[str, Any]
Call = tuple[str, Json]

UNKNOWN_MEMORY = "mem_20200101000000_nowhere"
FINISH: Call = ("finish", {"ignored": [], "duplicates": []})
MEMORY_ID = re.compile(r"mem_\d{14}_[a-z0-9]{8}")


def until(holds: Callable[[], T], seconds: float = 10.0) -> T:
    """What ``holds`` returns as soon as it is true; an error when it is not in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := holds():
            return found
        time.sleep(0.01)
    raise AssertionError("it did not happen in time")


def sha256_of(data: bytes) -> str:
    """As the wire names a file."""
    return hashlib.sha256(data).hexdigest()


class Mind:
    """What the scripted model answers: ``says`` to an extraction, the offered ones of ``chooses`` to a selection."""

    def __init__(self) -> None:
        self.says: list[Call] = [FINISH]
        self.chooses: list[str] = []

    def __call__(self, request: Json) -> Json:
        tools = {tool["function"]["name"] for tool in request["tools"]}
        if "create_memory" in tools:
            return calls(*self.says)(request)
        if "select_memories" in tools:
            offered = set(MEMORY_ID.findall(json.dumps(request["messages"])))
            return calls(("select_memories", {"ids": [one for one in self.chooses if one in offered]}))(request)
        return calls(("report", {"readable": True}))(request)


def create(text: str, node_id: str, **changes: Any) -> Call:
    """A call that keeps ``text``, which the user typed in that node."""
    named = "-".join(re.findall(r"[a-z]+", text.lower())[:6])
    fields = {"category": "user", "name": named, "summary": text, "tags": ["test"], "body": f"The user says: {text}"}
    evidence = [{"node_id": node_id, "quote": text}]
    return ("create_memory", {**fields, "evidence": evidence, "confirmed_by": None, **changes})


def update(memory_id: str, text: str, node_id: str, relation: str) -> Call:
    """A call that rewrites a memory because of what the user typed in that node."""
    fields = {"id": memory_id, "relation": relation, "summary": text, "tags": ["test"], "body": f"The user says: {text}"}
    return ("update_memory", {**fields, "evidence": [{"node_id": node_id, "quote": text}], "confirmed_by": None})


class CheckedClient:
    """One connection: ``call`` returns what has exactly the shape of the method's row, ``refused`` what has an error's."""

    def __init__(self, line: LineClient) -> None:
        self.line = line

    def call(self, method: str, /, **params: Any) -> Any:
        return self.checked(method, self.line.call(method, **params))

    @staticmethod
    def checked(method: str, result: Any) -> Any:
        shape = METHODS[method].result
        if shape is not None:
            assert shape.model_validate_json(json.dumps(result), strict=True).model_dump(mode="json") == result
        return result

    def refused(self, code: str, method: str, /, **params: Any) -> RpcFailure:
        with pytest.raises(RpcFailure) as caught:
            self.line.call(method, **params)
        assert caught.value.code == code
        assert {"code", "retryable", "hint"} <= set(caught.value.data) <= {"code", "retryable", "hint", "field", "index"}
        return caught.value

    def events(self, type_: str, session: str | None = None) -> list[Json]:
        """Every event of a type, oldest first."""
        found = self.call("events.list", type=type_, session_id=session, limit=1000)["events"]
        for event in found:
            Event.model_validate_json(json.dumps(event), strict=True)
        return found

    def all_events(self) -> list[Json]:
        """Every event there is, page by page."""
        found: list[Json] = []
        while page := self.call("events.list", after=found[-1]["sequence"] if found else 0, limit=1000)["events"]:
            found += page
        return found

    def last_event(self, type_: str, session: str | None = None) -> Json:
        """The newest event of a type, once there is one."""
        return until(lambda: self.events(type_, session))[-1]


class Scene(CheckedClient):
    """A daemon, its models (one that extracts, one that selects) and one connection to it."""

    def __init__(self, daemon: DaemonProcess, line: LineClient, server: ModelServer, selector: ModelServer, mind: Mind) -> None:
        super().__init__(line)
        self.daemon = daemon
        self.server = server
        self.selector = selector
        self.mind = mind

    @property
    def home(self) -> Path:
        return self.daemon.home

    def say(self, session: str, text: str, node: str = "u1", **fields: Any) -> Json:
        """One typed message, outside any run, as node ``<session>-<node>``: an id known elsewhere is a resumed transcript's."""
        self.call("session.open", session_id=session)
        message = {"node_id": f"{session}-{node}", "kind": "user_message", "text": text, **fields}
        return self.call("context.append", session_id=session, nodes=[message])

    def extract(self, session: str, *says: Call) -> Json:
        """The session's job, after an attempt in which the model says this."""
        self.mind.says = [*says, FINISH]
        (job,) = self.call("extraction.trigger", session_id=session, wait=True)["jobs"]
        return job

    def learn(self, session: str, text: str, **changes: Any) -> Json:
        """The entry of a new memory whose source is one typed message."""
        self.say(session, text)
        job = self.extract(session, create(text, f"{session}-u1", **changes))
        assert job["status"] == "completed", job
        (memory_id,) = job["result"]["created"]
        return self.entry(memory_id)

    def entry(self, memory_id: str) -> Json:
        """A memory as ``memory.list`` shows it."""
        return next(m for m in self.call("memory.list", limit=1000)["memories"] if m["id"] == memory_id)

    def park(self, session: str, text: str) -> Json:
        """A session whose window the model cannot cope with: six attempts, then it is parked."""
        self.say(session, text)
        for _ in range(6):
            job = self.extract(session, create(text, f"{session}-u1", name="../outside"))
        assert job["status"] == "parked", job
        return job

    def give_up(self, session: str) -> None:
        """End a failed job for good, so that its back-off does not end in another test."""
        self.call("extraction.skip", session_id=session)

    def path_of(self, memory: Json) -> Path:
        return self.home / "memory" / memory["path"]

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """What a second reader of the state database sees."""
        with closing(sqlite3.connect(f"file:{self.home / 'memoryd' / 'state.db'}?mode=ro", uri=True)) as connection:
            return connection.execute(sql, values).fetchall()


def config_for(server: ModelServer, selector: ModelServer) -> str:
    """A main model that extracts, a smaller one of its own for recall; nothing begins by itself while the tests run."""
    small = f'[model_profiles.small]\nbase_url = "{selector.base_url}"\nname = "small"\napi_key_env = "{KEY_VARIABLE}"\n'
    return remote(server.base_url, recall_model_profile="small", idle_seconds=3600) + small
