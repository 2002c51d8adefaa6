"""Log entries as the journal takes them."""

from __future__ import annotations

import io
import json
import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from soong_memoryd import log
from soong_memoryd.journal import Journal, encode


@pytest.fixture
def kept_config() -> Iterator[None]:
    config = structlog.get_config()
    yield
    structlog.configure(**config)


@pytest.mark.rule("service.journal")
def test_an_entry_has_a_message_a_priority_and_a_field_for_every_value() -> None:
    entry = {"event": "extraction_failed", "level": "warning", "job_id": "job_1", "n": 3, "none": None, "timestamp": "t"}
    assert encode(entry) == (
        b"MESSAGE=extraction_failed job_id=job_1 n=3\nPRIORITY=4\nSYSLOG_IDENTIFIER=soong-memoryd\n"
        b"SOONG_EVENT=extraction_failed\nSOONG_JOB_ID=job_1\nSOONG_N=3\n"
    )


@pytest.mark.rule("service.journal")
def test_a_value_of_several_lines_cannot_pass_for_another_field() -> None:
    forged = "x\nPRIORITY=0"
    data = encode({"event": "e", "level": "info", "why": forged})
    assert b"SOONG_WHY\n" + struct.pack("<Q", len(forged)) + forged.encode() + b"\n" in data
    assert data.count(b"\nPRIORITY=6\n") == 1


@pytest.mark.rule("service.journal")
def test_only_a_stream_that_leads_to_the_journal_is_replaced(tmp_path: Path) -> None:
    with (tmp_path / "stream").open("w") as stream:
        found = os.fstat(stream.fileno())
        assert Journal.behind(stream, {}) is None
        assert Journal.behind(stream, {"JOURNAL_STREAM": "1:2"}) is None
        assert Journal.behind(stream, {"JOURNAL_STREAM": "what"}) is None
        assert Journal.behind(io.StringIO(), {"JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}"}) is None
        journal = Journal.behind(stream, {"JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}"})
        assert journal is not None
        journal.close()


@pytest.mark.rule("service.journal")
def test_the_daemons_log_reaches_the_journal_cleaned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept_config: None
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as journald, (tmp_path / "stream").open("w+") as stream:
        journald.bind(str(tmp_path / "journal"))
        journald.settimeout(5)
        made = Journal(str(tmp_path / "journal"), stream)
        monkeypatch.setattr(Journal, "behind", staticmethod(lambda out, environment: made))
        log.configure(lambda text: text.replace("secret", "[gone]"), stream, {"JOURNAL_STREAM": "1:1"})
        structlog.get_logger("test").warning("job_failed", session_id="a secret")
        assert b"SOONG_SESSION_ID=a [gone]\n" in journald.recv(10_000)
        journald.close()
        structlog.get_logger("test").error("job_failed", session_id="b")
        stream.seek(0)
        assert json.loads(stream.read())["session_id"] == "b", "what the journal does not take is not lost"
        made.close()
