"""Lines that were refused for good are kept for a person, without the secrets in them."""

from __future__ import annotations

import json

import pytest

from soong_memory_client.outbox import Outbox, parse
from soong_memory_client.wire import encode
from soong_memoryd.server.rejected import RejectedLines
from tests.support.ledger import PlainRedactor

SECRET = "hunter" + "2"


def reject(outbox, text):
    line = encode({"jsonrpc": "2.0", "id": "1", "method": "context.append", "params": {"text": text}})
    outbox._keep_rejected(parse(line)[0], "session_unknown")


@pytest.mark.rule("security.rejected-lines")
def test_a_rejected_line_loses_its_secret_and_nothing_else(tmp_path):
    outbox = Outbox(tmp_path, "agent")
    reject(outbox, f"my word is {SECRET} 你好")
    RejectedLines(tmp_path, PlainRedactor().redact_value).clean()
    (kept,) = map(json.loads, outbox.rejected_path.read_text(encoding="utf-8").splitlines())
    assert kept["code"] == "session_unknown"
    assert kept["request"]["params"]["text"] == "my word is [REDACTED:test] 你好"
    assert outbox.rejected_path.stat().st_mode & 0o077 == 0
    assert outbox.backlog().rejected == 1


@pytest.mark.rule("security.rejected-lines")
def test_a_torn_line_and_the_generation_before_are_cleaned_as_well(tmp_path):
    outbox = Outbox(tmp_path, "agent")
    reject(outbox, "fine")
    outbox.rejected_path.with_suffix(".old").write_bytes(b'{"text": "torn ' + SECRET.encode())
    RejectedLines(tmp_path, PlainRedactor().redact_value).clean()
    assert SECRET.encode() not in outbox.rejected_path.with_suffix(".old").read_bytes()


def test_a_file_is_looked_at_again_only_after_a_line_was_added(tmp_path):
    outbox, seen = Outbox(tmp_path, "agent"), []
    rejected = RejectedLines(tmp_path, lambda value: seen.append(value) or value)
    rejected.clean()
    reject(outbox, "one")
    for _ in range(3):
        rejected.clean()
    assert len(seen) == 1
    reject(outbox, "two")
    rejected.clean()
    assert len(seen) == 3
