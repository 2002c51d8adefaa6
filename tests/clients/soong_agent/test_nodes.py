"""A node of soong-agent becomes the wire's node, and only what a person typed after the cursor is typed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from soong_agent_files import mended
from soong_agent_nodes import NODE_KINDS, agent_kind, node_of, run_status
from soong_memoryd.memories.document import parse
from soong_memoryd.protocol.values import Node

ROOT = "agent_root"


def made(
    role: str = "user", node_type: str = "message", seq: int = 5, scanned: int = 0, **fields: Any
) -> dict[str, Any] | None:
    node = {"node_id": "n5", "parent_id": "n4", "agent_id": ROOT, "run_id": "r", "role": role, "node_type": node_type}
    node |= {"content": [{"type": "text", "text": "以后都用 uv"}], "metadata": {}, "token_count": None}
    node |= {"created_at": "2026-06-12T15:30:22.123456+00:00", **fields}
    sent = node_of(node, seq, ROOT, scanned)
    if sent is not None:
        Node.model_validate(sent)  # what the daemon takes
    return sent


@pytest.mark.rule("client.soong-agent-nodes")
@pytest.mark.parametrize(
    ("role", "node_type", "kind", "origin"),
    [
        ("user", "message", "user_message", "typed"),
        ("assistant", "message", "assistant_message", "generated"),
        ("tool", "message", "tool_result", "external"),
        ("system", "message", "other", "synthetic"),
        ("user", "something_new", "other", "synthetic"),
        *(("user", node_type, *kind) for node_type, kind in NODE_KINDS.items()),
    ],
)
def test_role_and_node_type_decide_what_a_node_is(role: str, node_type: str, kind: str, origin: str) -> None:
    sent = made(role, node_type)
    assert sent is not None and (sent["kind"], sent["origin"]) == (kind, origin)
    assert (sent["node_id"], sent["parent_id"], sent["agent_id"], sent["run_id"]) == ("n5", "n4", ROOT, "r")


@pytest.mark.rule("client.soong-agent-cursor")
@pytest.mark.parametrize(
    ("seq", "agent", "origin"), [(4, ROOT, "synthetic"), (5, ROOT, "synthetic"), (6, ROOT, "typed"), (6, "sub", "synthetic")]
)
def test_only_what_the_root_agents_person_said_after_the_cursor_is_typed(seq: int, agent: str, origin: str) -> None:
    sent = made(seq=seq, scanned=5, agent_id=agent)
    assert sent is not None and sent["origin"] == origin
    assert sent["metadata"].get("scanned_by") == ("soong-agent" if seq <= 5 else None) and sent["metadata"]["node_seq"] == seq


@pytest.mark.rule("client.soong-agent-cursor")
@pytest.mark.parametrize(
    "block", [{"type": "json", "data": "p"}, {"type": "tool_result", "content": [{"type": "text", "text": "p"}]}]
)
def test_what_a_tool_returned_is_not_typed_also_in_a_message_of_the_user(block: dict[str, Any]) -> None:
    said = {"type": "text", "text": "look"}
    for content in ([block], [said, block]):
        sent = made(content=content)
        assert sent is not None and (sent["kind"], sent["origin"]) == ("user_message", "synthetic")
    sent = made(content=[said, {"type": "artifact_ref", "artifact_id": "a"}])
    assert sent is not None and (sent["origin"], sent["text"]) == ("typed", "look")


@pytest.mark.rule("client.soong-agent-nodes")
def test_content_blocks_are_text_summary_and_artifacts() -> None:
    result = {"type": "tool_result", "tool_call_id": "c", "is_error": True, "error": {"code": "x", "message": "no such file"}}
    inner = [{"type": "artifact_ref", "artifact_id": "art_1", "summary": "the log"}, {"type": "json", "data": {"行": 1}}]
    sent = made("tool", content=[{**result, "content": inner}])
    assert sent is not None
    assert (sent["text"], sent["summary"], sent["artifact_refs"]) == ('{"行": 1}\nno such file', "the log", ["art_1"])
    call = {"type": "tool_call", "tool_call_id": "c", "name": "read", "arguments": {"key": "value"}}
    sent = made("assistant", content=[{"type": "text", "text": "one"}, call], token_count=3)
    assert sent is not None and sent["text"] == "one" and sent["metadata"]["token_count"] == 3
    sent = made(
        "tool", content=[{**result, "error": None, "content": [{"type": "text", "text": "a\n b"}]}], created_at="yesterday"
    )
    assert sent is not None and sent["summary"] == "a b" and "created_at" not in sent


@pytest.mark.rule("client.soong-agent-nodes")
def test_what_the_daemon_recalled_itself_is_not_sent_back_and_large_metadata_is_left_out() -> None:
    assert made("user", "memory_context") is None
    sent = made(metadata={"big": "x" * 70_000})
    assert sent is not None and sent["metadata"]["metadata_cut"] is True and "big" not in sent["metadata"]


@pytest.mark.rule("client.soong-agent-nodes")
def test_agents_and_runs_have_the_wires_words() -> None:
    assert [agent_kind("sub"), agent_kind("fork"), agent_kind("sub", "worker"), agent_kind("fork", "compact")] == [
        "sub",
        "fork",
        "worker",
        "compact",
    ]
    assert agent_kind("fork", "review") == "fork" and agent_kind("new") == "sub"
    assert [run_status(status) for status in ("completed", "failed", "aborted", "running")] == [
        "completed",
        "failed",
        "cancelled",
        "cancelled",
    ]


HEADER = """---
id: mem_{name}
category: user
summary: {summary}
tags:
  - style
  - {tag}
created_at: 2026-06-12T15:30:22.5+08:00
updated_at: 2026-06-13T00:00:00Z
source_session_id: {session}
source_node_ids:
  - node_1
---
"""
NOW = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.mark.rule("client.soong-agent-files")
@pytest.mark.parametrize(
    ("summary", "tag"), [("Prefers: tabs", "no"), ("用 `uv`：不用 pip # 一直", "a: b"), ("[x] \"y\" 'z' \\n", "- *x")]
)
def test_a_header_that_soong_agent_wrote_by_hand_becomes_one_that_can_be_read(summary: str, tag: str) -> None:
    body = "第一行\n\n---\nnot a header\n"
    text = mended(HEADER.format(name="prefs", summary=summary, tag=tag, session="sess_1") + body, "user/prefs.md", NOW)
    assert text is not None
    read = parse(text.encode())
    head = read.frontmatter
    assert (head.summary, head.tags, head.source_session_id, head.source_node_ids) == (
        summary,
        ("style", tag),
        "sess_1",
        ("node_1",),
    )
    assert (head.created_at, head.updated_at) == ("2026-06-12T07:30:22Z", "2026-06-13T00:00:00Z")
    assert head.id.startswith("mem_20260612073022_") and read.body == body.removesuffix("\n")
    assert mended(text, "user/prefs.md", NOW) is None  # it is no longer of that kind: nothing is mended twice


@pytest.mark.rule("client.soong-agent-files")
def test_ids_that_were_one_become_two_and_good_ones_stay() -> None:
    text = HEADER.format(name="x", summary="s", tag="t", session="None")
    one = mended(text, "user/x.md", NOW)
    other = mended(text.replace("category: user", "category: feedback"), "feedback/x.md", NOW)
    assert one and other and parse(one.encode()).frontmatter.id != parse(other.encode()).frontmatter.id
    assert parse(one.encode()).frontmatter.source_session_id is None
    good = mended(text.replace("mem_x", "mem_20260612153022_ab12cd34").replace("summary: s", "summary: a: b"), "user/x.md", NOW)
    assert good and parse(good.encode()).frontmatter.id == "mem_20260612153022_ab12cd34"


@pytest.mark.rule("client.soong-agent-files")
@pytest.mark.parametrize(
    "text",
    [
        "no header",
        "---\nid: mem_x\n",
        HEADER.format(name="x", summary="one\nid: mem_y", tag="t", session="s"),  # a forged key
        HEADER.format(name="x", summary="one\n  folded", tag="t", session="s"),
        HEADER.format(name="x", summary="s", tag="t", session="s").replace("category: user", "category: reference"),
        HEADER.format(name="x", summary="s", tag="t", session="s").replace("tags:", "owner: me\ntags:"),
        HEADER.format(name="x", summary="s", tag="t", session="s").replace("tags:\n", "tags: [a]\n"),
    ],
)
def test_what_might_mean_anything_else_is_left_alone(text: str) -> None:
    assert mended(text, "user/x.md", NOW) is None
