"""Nodes that fit."""

from __future__ import annotations

import pytest

from soong_memory_client.nodes import MAX_BATCH_BYTES, MAX_BATCH_NODES, MAX_TEXT_BYTES, batches, build_node
from soong_memory_client.wire import MAX_LINE_BYTES, encode


def test_a_text_within_the_limit_is_left_alone() -> None:
    assert build_node("n", "other", "字" * 10, origin=None, metadata={}) == {"node_id": "n", "kind": "other", "text": "字" * 10}


@pytest.mark.rule("client.text-cut")
@pytest.mark.parametrize("letter", ["a", "字", "😀"])
def test_a_text_over_the_limit_is_cut_between_characters_and_the_cut_is_said(letter: str) -> None:
    text = letter * (MAX_TEXT_BYTES // len(letter.encode()) + 7)
    node = build_node("n", "tool_result", text, metadata={"tool": "Read"})
    assert len(node["text"].encode()) <= MAX_TEXT_BYTES
    assert node["text"].removesuffix("\n[cut]").strip(letter) == ""
    assert node["metadata"] == {"tool": "Read", "cut": True, "original_bytes": len(text.encode())}


@pytest.mark.rule("client.text-cut")
def test_a_text_that_grows_as_json_still_fits_into_a_line() -> None:
    node = build_node("n", "tool_result", "\x01" * MAX_TEXT_BYTES)
    assert len(encode({"params": {"nodes": [node]}})) < MAX_LINE_BYTES
    assert node["metadata"]["cut"] is True


@pytest.mark.rule("client.text-cut")
def test_half_a_character_is_replaced_because_no_daemon_takes_it() -> None:
    assert build_node("n", "other", "a\ud83d")["text"] == "a?"


def test_batches_keep_order_and_limits() -> None:
    nodes = [build_node(str(number), "other", "x" * 30_000) for number in range(100)]
    groups = list(batches(nodes))
    assert [node for group in groups for node in group] == nodes
    assert all(len(encode({"nodes": group})) <= MAX_BATCH_BYTES + 1000 for group in groups)
    assert [len(group) for group in batches({"node_id": str(number)} for number in range(130))] == [
        MAX_BATCH_NODES,
        MAX_BATCH_NODES,
        2,
    ]
    assert list(batches([])) == []
