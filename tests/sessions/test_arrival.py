"""What becomes of a node's text on arrival."""

from __future__ import annotations

import pytest

from soong_memoryd.protocol.values import Node
from soong_memoryd.sessions.arrival import MARGIN_CHARS, SUMMARY_CHARS, TOOL_EXCERPT_CHARS, receive
from tests.support.ledger import READING

SECRET = "hunter" + "2"  # what the plain redactor of these tests knows


def received(**fields):
    return receive(Node(node_id="n", **fields), b"k" * 32, READING)


@pytest.mark.rule("security.cut-after-redaction")
@pytest.mark.parametrize("before_the_cut", range(len(SECRET) + 1))
@pytest.mark.parametrize("rest", ["", "x" * 100, "x" * (MARGIN_CHARS + 100)], ids=["short", "longer", "long"])
def test_a_secret_that_lies_across_a_cut_goes_whole(before_the_cut, rest):
    for field, limit in (("text", TOOL_EXCERPT_CHARS), ("summary", SUMMARY_CHARS)):
        arrived = received(kind="tool_result", **{field: "." * (limit - before_the_cut) + SECRET + rest})
        kept = getattr(arrived, field)
        assert SECRET[:4] not in kept
        assert len(kept) <= limit + len("[REDACTED:test]")


@pytest.mark.rule("security.cut-after-redaction")
def test_what_was_read_beyond_a_cut_does_not_move_into_view_when_secrets_before_it_become_shorter():
    margin = "." * (MARGIN_CHARS - 3)
    arrived = received(kind="tool_result", text=f"{SECRET} " * 200 + "y" * 400 + margin + SECRET + "z" * 100)
    assert SECRET[:3] not in arrived.text


def test_a_text_within_the_limit_is_kept_whole():
    assert received(kind="tool_result", text="." * TOOL_EXCERPT_CHARS).text == "." * TOOL_EXCERPT_CHARS
    assert received(kind="user_message", text="." * 50_000).text == "." * 50_000
