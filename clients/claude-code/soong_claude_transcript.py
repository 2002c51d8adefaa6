"""From records of a Claude Code transcript to calls of the daemon.

Owns: which record is a person's words, a model's, a tool's or the harness's, where runs begin and end, and which
branches were abandoned. Must not know: files, sockets. Pure.

A record is one line of ``~/.claude/projects/<project>/<session>.jsonl``: ``type, uuid, parentUuid, sessionId, timestamp,
isSidechain, isMeta?, isCompactSummary?, promptId?, agentId?, message{role, content, model?, stop_reason?}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from soong_memory_client import calls
from soong_memory_client.nodes import build_node
from soong_memory_client.wire import Call

Record = Mapping[str, Any]
Calls = list[Call[Any]]

SESSION_PREFIX = "claude-code:"
MAIN_AGENT = "main"
SUMMARY_CHARS = 400
HINT_CHARS = 80
MAX_REFS = 100
MAX_REF_CHARS = 2000

# what the harness writes in the user's place
SYNTHETIC_STARTS = (
    "<command-name>",
    "<command-message>",
    "<command-args>",
    "<local-command-",
    "<system-reminder>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "Caveat: The messages below were generated",
)
INTERRUPTED = "[Request interrupted by user"
INPUT_HINTS = ("file_path", "notebook_path", "path", "url", "command", "pattern", "query", "description")
INPUT_REFS = ("file_path", "notebook_path", "path", "url")
ENDS_OF_TURN = frozenset({"end_turn", "stop_sequence", "max_tokens", "refusal"})
SYNTHETIC_MODEL = "<synthetic>"

_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)")


class Transcript:
    """Reads records in file order; each ``feed`` returns the calls that the record stands for, each append with one node."""

    def __init__(self, native_session_id: str | None = None) -> None:
        self._session_id = f"{SESSION_PREFIX}{native_session_id}" if native_session_id else None
        self._opened = False
        self._title: str | None = None
        self._run_id: str | None = None
        self._parents: dict[str, str | None] = {}  # every record seen, sent or not: the key is what deduplicates
        self._anchors: list[_Anchor] = []
        self._agents: dict[str, str] = {}  # record of a sidechain -> the agent it belongs to
        self._registered: set[str] = set()
        self._tools: dict[str, tuple[str, Mapping[str, Any]]] = {}

    @property
    def session_id(self) -> str | None:
        """The session as the daemon knows it, once a record has named it."""
        return self._session_id

    def feed(self, record: Record) -> Calls:
        """The calls of one record; none for what is no conversation, was seen before, or cannot be read."""
        if record.get("type") == "summary":
            self._title = _one_line(str(record.get("summary") or ""), 200) or self._title
            return []
        uuid = record.get("uuid")
        if not isinstance(uuid, str) or not uuid or uuid in self._parents:
            return []
        parent = record.get("parentUuid")
        self._parents[uuid] = parent if isinstance(parent, str) else None
        if record.get("type") not in ("user", "assistant") or not isinstance(record.get("message"), dict):
            return []
        said = self._sidechain(record) if record.get("isSidechain") else self._main(record)
        return self._opening(record) + said if said else []

    def finish(self, status: str = "completed") -> Calls:
        """The end of the run that is still open, if one is."""
        run_id, self._run_id = self._run_id, None
        return [calls.run_completed(self._session, run_id, status)] if run_id else []

    @property
    def _session(self) -> str:
        return self._session_id or SESSION_PREFIX + "unnamed"

    def _opening(self, record: Record) -> Calls:
        if self._opened:
            return []
        self._opened = True
        return [calls.session_open(self._session, MAIN_AGENT, self._title)]

    def _name_session(self, record: Record) -> None:
        if self._session_id is None:
            self._session_id = f"{SESSION_PREFIX}{record.get('sessionId') or 'unnamed'}"

    # -- the main agent --------------------------------------------------------------------------------------------

    def _main(self, record: Record) -> Calls:
        self._name_session(record)
        if record["type"] == "assistant":
            return self._assistant(record)
        blocks = _blocks(record)
        results = [block for block in blocks if block.get("type") == "tool_result"]
        if results:
            return [self._append(record, node) for node in self._tool_results(record, results)]
        text = _text(blocks)
        if record.get("isCompactSummary"):
            self._anchors.append(_Anchor(record["uuid"]))
            return [self._append(record, build_node(record["uuid"], "compact_summary", text))]
        if text.startswith(INTERRUPTED):
            return self.finish("cancelled")
        if record.get("isMeta") or text.startswith(SYNTHETIC_STARTS):
            return [self._append(record, build_node(record["uuid"], "other", text, origin="synthetic"))] if text else []
        images = sum(block.get("type") == "image" for block in blocks)
        return self._prompt(record, text, images) if text or images else []

    def _prompt(self, record: Record, text: str, images: int) -> Calls:
        uuid = record["uuid"]
        before = self.finish() + self._rewound(uuid)
        self._run_id = f"{uuid}:run"
        self._anchors.append(_Anchor(uuid))
        node = build_node(uuid, "user_message", text, origin="typed", metadata={"images": images} if images else {})
        return [*before, calls.run_started(self._session, self._run_id), self._append(record, node)]

    def _assistant(self, record: Record) -> Calls:
        message = record["message"]
        if record.get("isApiErrorMessage"):
            return self.finish("failed")
        if message.get("model") == SYNTHETIC_MODEL:
            return []
        blocks = _blocks(record)
        for block in blocks:
            if block.get("type") == "tool_use" and isinstance(block.get("input"), dict):
                self._tools[str(block.get("id"))] = str(block.get("name")), block["input"]
        text = _text(blocks)
        if not text:
            return []
        said = [self._append(record, build_node(record["uuid"], "assistant_message", text))]
        return said + self.finish() if message.get("stop_reason") in ENDS_OF_TURN else said

    def _tool_results(self, record: Record, results: list[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        for place, block in enumerate(results):
            text = _text(_as_blocks(block.get("content")))
            name, given = self._tools.get(str(block.get("tool_use_id")), ("tool", {}))
            hint = next((_one_line(str(given[key]), HINT_CHARS) for key in INPUT_HINTS if given.get(key)), "")
            failed = " failed" if block.get("is_error") else ""
            lines = text.count("\n") + 1 if text else 0
            refs = [str(given[key])[:MAX_REF_CHARS] for key in INPUT_REFS if given.get(key)]
            yield build_node(
                record["uuid"] + (f":{place}" if place else ""),
                "tool_result",
                text,
                summary=f"{name}({hint}){failed}, {lines} lines: {_one_line(text, SUMMARY_CHARS)}",
                artifact_refs=list(dict.fromkeys(refs))[:MAX_REFS],
            )

    def _append(self, record: Record, node: dict[str, Any]) -> Call[Any]:
        if "agent_id" not in node:
            if self._anchors:
                self._anchors[-1].last_node_id = node["node_id"]
            if self._run_id:
                node["run_id"] = self._run_id
        parent, timestamp = record.get("parentUuid"), record.get("timestamp")
        if isinstance(parent, str) and parent:
            node["parent_id"] = parent
        if isinstance(timestamp, str) and _TIMESTAMP.fullmatch(timestamp):
            node["created_at"] = timestamp
        return calls.append(self._session, [node])

    def _rewound(self, uuid: str) -> Calls:
        """A prompt that does not follow from the newest one was typed after going back: what lies between is abandoned."""
        places = {anchor.uuid: place for place, anchor in enumerate(self._anchors)}
        seen: set[str] = set()
        ancestor = self._parents[uuid]
        while ancestor is not None and ancestor not in places and ancestor not in seen:
            seen.add(ancestor)
            ancestor = self._parents.get(ancestor)
        if ancestor not in places or places[ancestor] == len(self._anchors) - 1:
            return []
        kept = self._anchors[places[ancestor]]
        del self._anchors[places[ancestor] + 1 :]
        return [calls.rewind(self._session, kept.last_node_id)]

    # -- sub agents ------------------------------------------------------------------------------------------------

    def _sidechain(self, record: Record) -> Calls:
        self._name_session(record)
        blocks = _blocks(record)
        results = [block for block in blocks if block.get("type") == "tool_result"]
        if results:
            nodes = list(self._tool_results(record, results))
        elif text := _text(blocks):
            kind, origin = (
                ("assistant_message", "generated") if record["type"] == "assistant" else ("user_message", "synthetic")
            )
            nodes = [build_node(record["uuid"], kind, text, origin=origin)]
        else:
            nodes = []
        agent_id = self._agent_of(record)
        registration: Calls = []
        if nodes and agent_id not in self._registered:
            self._registered.add(agent_id)
            registration = [calls.agent_register(self._session, agent_id, "sub", MAIN_AGENT)]
        return registration + [self._append(record, {**node, "agent_id": agent_id}) for node in nodes]

    def _agent_of(self, record: Record) -> str:
        named = record.get("agentId")
        parent = self._parents[record["uuid"]]
        inherited = self._agents.get(parent) if parent else None
        agent_id = f"sub-{named}" if named else inherited or f"sub-{record['uuid']}"
        self._agents[record["uuid"]] = agent_id
        return agent_id


class _Anchor:
    """A prompt or a compact summary, and the last node that was said before the next one."""

    def __init__(self, uuid: str) -> None:
        self.uuid = uuid
        self.last_node_id = uuid


def _blocks(record: Record) -> list[Mapping[str, Any]]:
    return _as_blocks(record["message"].get("content"))


def _as_blocks(content: Any) -> list[Mapping[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _text(blocks: Iterable[Mapping[str, Any]]) -> str:
    """The text blocks, without those that only carry reminders beside a person's words."""
    texts = [str(block.get("text") or "").strip() for block in blocks if block.get("type") == "text"]
    said = [text for text in texts if text and not text.startswith("<system-reminder>")]
    return "\n\n".join(said or [text for text in texts if text])


def _one_line(text: str, max_chars: int) -> str:
    flat = " ".join(text[: max_chars * 4].split())
    return flat if len(flat) <= max_chars else flat[: max_chars - 1] + "…"
