from __future__ import annotations

from typing import Any

from soong_memoryd.recall.path import MAX_DIGEST_CHARS, current_request, digest
from soong_memoryd.state.rows import NodeRow


def node(kind: str, text: str, origin: str = "typed", **fields: Any) -> NodeRow:
    values: dict[str, Any] = {
        "session_id": "s", "sequence": 1, "node_id": "n", "parent_id": None, "agent_id": "main", "agent_kind": "main",
        "run_id": None, "kind": kind, "origin": origin, "text": text, "summary": None, "artifact_refs": (), "metadata": {},
        "created_at": "2026-03-01T09:00:00Z", "candidate": False,
    }  # fmt: skip
    return NodeRow(**(values | fields))


def test_the_current_request_is_the_last_message_that_a_person_typed() -> None:
    path = [
        node("user_message", "first"),
        node("user_message", "second"),
        node("user_message", "reminder", "synthetic"),
        node("other", "x"),
    ]
    assert current_request(path) == "second"
    assert current_request([]) == ""


def test_the_digest_tells_what_was_said_before_the_request_one_line_each() -> None:
    path = [
        node("compact_summary", "so far", "generated"),
        node("user_message", "hello\nworld"),
        node("tool_result", "secret output", "external"),
        node("memory_context", "memory", "synthetic"),
        node("assistant_message", "hi", "generated"),
        node("user_message", "now"),
    ]
    assert digest(path) == "summary: so far\nuser: hello world\nassistant: hi"


def test_the_digest_is_bounded_and_keeps_the_newest() -> None:
    path = [node("assistant_message", f"{number} " + "x" * 5_000, "generated") for number in range(50)]
    told = digest(path)
    assert len(told) <= MAX_DIGEST_CHARS
    assert told.splitlines()[-1].startswith("assistant: 49 ")
