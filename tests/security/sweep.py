"""Drives a real daemon with canaries in every door, then stops it and gathers all places where one could have stayed.

Owns: the doors and the course of a sweep. Must not know what a canary looks like.
"""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from soong_memory_client.outbox import Outbox
from tests.security.canaries import Canary, files_below, for_door, found
from tests.support.daemon import KEY_VARIABLE, DaemonProcess, LineClient, RpcFailure, remote
from tests.support.model_server import Json, ModelServer, calls

DOORS = (
    "user text", "assistant text", "tool text", "tool text across the cut", "tool summary", "summary across the cut",
    "artifact ref", "metadata", "metadata field", "worker text", "compact summary", "memory context", "exception",
    "session title", "query", "user request", "path summary", "hand-made summary", "hand-made body", "outbox",
    "rejected outbox", "model body", "model summary", "model name", "model prose", "model reason", "provider error",
    "client name", "refused params", "unreadable line", "config value",
)  # fmt: skip
WISH = "From now on always use pnpm, never npm, in my JavaScript projects."
KNOWN_KEY = "-".join(("plain", "words", "that", "are", "the", "providers", "key"))
BY_HAND = "by-hand"
CUT = {"tool text across the cut": 2_000, "summary across the cut": 8_000}
"""Where a text is cut on arrival: the secret begins a few characters before."""


class RecordingClient(LineClient):
    """Keeps every reply."""

    def __init__(self, path: Path, replies: list[bytes]) -> None:
        super().__init__(path)
        self._replies = replies

    def read(self) -> Any:
        message = super().read()
        self._replies.append(json.dumps(message, ensure_ascii=False).encode())
        return message

    def attempt(self, method: str, /, **params: Any) -> Any:
        """A call that may be refused."""
        try:
            return self.call(method, **params)
        except RpcFailure:
            return None


@dataclass
class Sweep:
    """One daemon and one scripted provider: what they were given, and what they gave back."""

    root: Path
    debug: bool
    every: int = 1
    """Only each so-manieth canary of a door: a quick look."""
    replies: list[bytes] = field(default_factory=list)
    canaries: dict[str, list[Canary]] = field(init=False)

    def __post_init__(self) -> None:
        self.canaries = {}
        for number, door in enumerate(DOORS):
            made = for_door(door, 1000 + number + 100 * self.debug)
            self.canaries[door] = [*made[number:], *made[:number]][:: self.every]
        self.canaries["known key"] = [Canary("known_value", "known key", KNOWN_KEY, f"our key is {KNOWN_KEY} you know")]

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def all_canaries(self) -> list[Canary]:
        return [canary for made in self.canaries.values() for canary in made]

    def sentences(self, door: str) -> list[str]:
        return [canary.sentence for canary in self.canaries[door]]

    def run(self) -> list[str]:
        """Push everything through, stop, search: the canaries that were found somewhere."""
        refused = self._refused_configs()
        with ModelServer(self._answer) as server:
            daemon = DaemonProcess(self.home, self._config(server.base_url), **{KEY_VARIABLE: KNOWN_KEY})
            self._write_by_hand()
            self._fill_outboxes()
            with daemon, self._client(daemon) as client:
                self._speak(client)
                self._misuse(daemon, client)
                self._extract(client, server)
                self._recall(client)
                self._break_writes(client)
                self._say(client, "crash", [WISH])
                server.queue("hang:30")
                asked = server.calls
                client.send({"jsonrpc": "2.0", "method": "extraction.trigger", "params": {"session_id": "crash"}})
                client.send({"jsonrpc": "2.0", "id": 0, "method": "extraction.trigger", "params": {"session_id": "crash"}})
                until(lambda: server.calls > asked)
                daemon.end(signal.SIGKILL)
            with daemon, self._client(daemon) as client:
                until(lambda: not any(path.stat().st_size for path in self._outbox.glob("*.jsonl")))
                self._extract(client, server)
                self._recall(client)
                self._look_at_everything(client)
            return found(self.all_canaries, self._places(server, [daemon.log(), *refused]))

    @property
    def _outbox(self) -> Path:
        return self.home / "memoryd" / "outbox"

    def _client(self, daemon: DaemonProcess) -> RecordingClient:
        return RecordingClient(daemon.socket_path, self.replies)

    def _config(self, base_url: str) -> str:
        return remote(base_url, debug=self.debug, recall_timeout_ms=3000, idle_seconds=3600)

    def _places(self, server: ModelServer, texts: Iterable[str]) -> dict[str, bytes]:
        """Everything but what a person wrote into their own files, and the key where it has to be."""
        sent = [{name: value for name, value in headers.items() if name != "authorization"} for headers in server.headers]
        return files_below(self.home, lambda path: path.name.startswith(BY_HAND)) | {
            "log": "\n".join(texts).encode(),
            "replies": b"\n".join(self.replies),
            "requests": json.dumps([server.requests, sent], ensure_ascii=False).encode(),
        }

    # Doors -------------------------------------------------------------------------------------------------------------

    def _refused_configs(self) -> list[str]:
        """Values that make a config unusable: what the daemon says about each of them."""
        said = []
        for number, secret in enumerate(canary.secret.split("\n")[0] for canary in self.canaries["config value"][::20]):
            for line in (f'[model]\napi_key = "{secret}"', f'[memory]\nidle_seconds = "{secret}"'):
                daemon = DaemonProcess(self.root / f"refused-{number}", line + "\n")
                assert daemon.run_to_end() == 78
                said.append(daemon.output)
        return said

    def _write_by_hand(self) -> None:
        """Memories as a person may have written them: a secret in the summary, and in the body."""
        folder = self.home / "memory" / "reference"
        folder.mkdir(parents=True, mode=0o700)
        (self.home / "memory").chmod(0o700)
        for number, (of_summary, of_body) in enumerate(
            zip(self.canaries["hand-made summary"], self.canaries["hand-made body"], strict=True)
        ):
            memory_id = f"mem_2026050108{number // 60:02d}{number % 60:02d}_a1b2c3d4"
            summary = json.dumps(f"pnpm registry note {of_summary.sentence}"[:190].split("\n")[0], ensure_ascii=False)
            if of_summary.secret not in summary:
                summary = '"pnpm registry note"'
            head = f"---\nid: {memory_id}\ncategory: reference\nsummary: {summary}\n---\n\n"
            (folder / f"{BY_HAND}-{number}.md").write_text(f"{head}{of_body.sentence}\n", encoding="utf-8")

    def _fill_outboxes(self) -> None:
        outbox = Outbox(self._outbox, "late")
        waiting = [
            {"session_id": "late", "nodes": [_node(f"o{n}", "user_message", text)]}
            for n, text in enumerate(self.sentences("outbox"))
        ]
        outbox.append(_request("session.open", {"session_id": "late"}), *(_request("context.append", p) for p in waiting))
        for text in self.sentences("rejected outbox"):
            outbox.append(
                _request("context.append", {"session_id": "nobody opened this", "nodes": [_node("x", "other", text)]})
            )

    def _say(self, client: RecordingClient, session: str, texts: Iterable[str], **fields: Any) -> None:
        client.call("session.open", session_id=session)
        for number, text in enumerate(texts):
            kind = fields.get("kind", "user_message")
            node = {**_node(f"{session}-{number}", kind, text), **{k: v for k, v in fields.items() if k != "kind"}}
            client.call("context.append", session_id=session, nodes=[node])

    def _speak(self, client: RecordingClient) -> None:
        client.call("initialize", protocol_version=1, client={"name": self.canaries["client name"][0].secret})
        for number, title in enumerate(self.sentences("session title")):
            client.call("session.open", session_id=f"titled-{number}", title=title[:500])
        self._say(
            client, "main", [WISH, *self.sentences("user text"), *self.sentences("known key"), *self.sentences("exception")]
        )
        client.call("agent.register", session_id="main", agent_id="w", kind="worker", parent_agent_id="main")
        nodes = [
            *({"kind": "assistant_message", "text": text} for text in self.sentences("assistant text")),
            *({"kind": "tool_result", "text": text} for text in self.sentences("tool text")),
            *({"kind": "tool_result", "summary": text} for text in self.sentences("tool summary")),
            *({"kind": "tool_result", "artifact_refs": [text]} for text in self.sentences("artifact ref")),
            *({"kind": "other", "metadata": {"note": [text]}} for text in self.sentences("metadata")),
            *({"kind": "other", "metadata": {"api_key": c.secret}} for c in self.canaries["metadata field"]),
            *({"kind": "user_message", "agent_id": "w", "text": text} for text in self.sentences("worker text")),
            *({"kind": "compact_summary", "text": text} for text in self.sentences("compact summary")),
            *({"kind": "memory_context", "text": text, "summary": text} for text in self.sentences("memory context")),
            *({"kind": "tool_result", "text": self._across(c)} for c in self.canaries["tool text across the cut"]),
            *({"kind": "tool_result", "summary": self._across(c)} for c in self.canaries["summary across the cut"]),
        ]
        for number in range(0, len(nodes), 16):
            numbered = [{"node_id": f"m{number + at}", **node} for at, node in enumerate(nodes[number : number + 16])]
            client.call("context.append", session_id="main", nodes=numbered)

    def _across(self, canary: Canary) -> str:
        lead = canary.sentence[: canary.sentence.index(canary.secret)]
        padding = CUT[canary.door] - len(lead) - min(len(canary.secret) - 4, 200)
        return "lorem ipsum " * (padding // 12) + " " * (padding % 12) + canary.sentence + " dolor" * 900

    def _misuse(self, daemon: DaemonProcess, client: RecordingClient) -> None:
        """What is refused must not be repeated."""
        for text in self.sentences("refused params"):
            client.attempt("session.open", session_id="main", colour=text)
            client.attempt("memory.get", memory_id=text[:200])
            client.attempt("memory.adopt", edit_id=text)
            client.attempt(text)
        with self._client(daemon) as other:
            for text in self.sentences("unreadable line"):
                other.send(b'{"jsonrpc":"2.0","id":1,"method":' + text.replace("\n", " ").encode() + b"}\n")
                other.read()

    def _extract(self, client: RecordingClient, server: ModelServer) -> None:
        """Jobs that end well, that are refused, and that meet a provider which repeats what it was told."""
        for fault in ("", "http_400", "bad_json", "html", "half_json"):
            if fault:
                server.queue(fault)
            client.attempt("extraction.trigger", wait=True)

    def _recall(self, client: RecordingClient) -> None:
        asked = zip(*(self.sentences(door) for door in ("query", "user request", "path summary")), strict=True)
        for number, (query, user_request, path_summary) in enumerate(asked):
            where = {"session_id": "main"} if number % 2 else {}
            client.call("memory.recall", query=query, user_request=user_request, path_summary=path_summary, **where)
            client.call("memory.search", query=query)
        client.call("memory.recall", query="pnpm registry note")

    def _break_writes(self, client: RecordingClient) -> None:
        """A category that is no directory: nothing can be published."""
        blocked = self.home / "memory" / "feedback"
        aside = self.home / "aside"
        if blocked.exists():
            blocked.rename(aside)
        blocked.write_text("in the way", encoding="utf-8")
        self._say(client, "blocked", [WISH])
        client.attempt("extraction.trigger", session_id="blocked", wait=True)
        blocked.unlink()
        if aside.exists():
            aside.rename(blocked)

    def _look_at_everything(self, client: RecordingClient) -> None:
        for method in ("session.list", "extraction.list", "events.list", "memory.list"):
            client.call(method, limit=1000)
        for method in ("memory.catalog", "daemon.status", "config.check"):
            client.call(method)
        named = [problem["path"] for problem in client.call("daemon.verify")["problems"] if problem["code"] == "secret"]
        assert len(named) == len(self.canaries["hand-made body"]), "every secret that a person wrote down is named"

    # The provider ------------------------------------------------------------------------------------------------------

    def _answer(self, request: Json) -> Json:
        offered = [tool["function"]["name"] for tool in request.get("tools") or []]
        if "create_memory" not in offered:
            return calls(("select_memories", {"ids": self._ids(request)}))(request)
        message = calls(*self._proposals(request))(request)
        return {
            **message,
            "content": "\n".join(self.sentences("model prose")),
            "reasoning_content": self.sentences("model prose")[0],
        }

    def _ids(self, request: Json) -> list[str]:
        return [word for word in json.dumps(request["messages"]).replace("`", " ").split() if word.startswith("mem_")][:8]

    def _proposals(self, request: Json) -> list[tuple[str, Json]]:
        prompt = json.dumps(request["messages"], ensure_ascii=False)
        node = next((f"{session}-0" for session in ("main", "crash", "blocked") if f'\\"{session}-0\\"' in prompt), "o0")
        evidence = [{"node_id": node, "quote": "always use pnpm, never npm"}]
        written = {"category": "feedback", "tags": [], "evidence": evidence, "confirmed_by": None}
        rows = zip(self.canaries["model body"], self.canaries["model summary"], self.canaries["model name"], strict=True)
        proposals = []
        for number, (body, summary, name) in enumerate(rows):
            fields = {"name": f"pnpm-{number}", "summary": f"Use pnpm, note {number}", "body": "Use pnpm, never npm."}
            proposals += [
                ("create_memory", {**written, **fields, "body": f"Use pnpm, never npm. {body.sentence}"}),
                ("create_memory", {**written, **fields, "summary": f"pnpm, never npm: {summary.sentence}"[:190]}),
                ("create_memory", {**written, **fields, "name": name.sentence}),
            ]
        reasons = [{"reason": text, "source_node_ids": [node]} for text in self.sentences("model reason")]
        return [*proposals, ("finish", {"ignored": reasons, "duplicates": []})]


def until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait for something that another process does."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def _node(node_id: str, kind: str, text: str) -> Json:
    return {"node_id": node_id, "kind": kind, "text": text}


def _request(method: str, params: Json) -> Json:
    return {"jsonrpc": "2.0", "id": "1", "method": method, "params": params}
