"""The outbox file: what it survives, and what becomes of each line."""

from __future__ import annotations

import errno
import multiprocessing
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from soong_memory_client import locking
from soong_memory_client.errors import OutboxFull
from soong_memory_client.outbox import Outbox, client_names, keeps, parse, without
from soong_memory_client.testing import refusal
from soong_memory_client.wire import encode


def call(name: str, method: str = "context.append") -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": name, "method": method, "params": {"session_id": "s"}}


def ids(outbox: Outbox) -> list[str]:
    return [line.request["id"] for line in parse(outbox.path.read_bytes()) if line.request]


@pytest.mark.rule("client.outbox-format")
def test_the_file_and_its_directory_are_for_this_user_alone(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "memoryd" / "outbox", "agent")
    previous = os.umask(0)
    try:
        outbox.append(call("1"))
    finally:
        os.umask(previous)
    assert stat.S_IMODE(outbox.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(outbox.path.parent.stat().st_mode) == 0o700


@pytest.mark.rule("client.outbox-format")
def test_a_line_is_a_whole_request_in_any_script(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path, "agent")
    message = call("1") | {"params": {"session_id": "会话", "text": "以后都用 uv\n换行"}}
    outbox.append(message)
    assert outbox.path.read_bytes() == encode(message)
    assert parse(outbox.path.read_bytes())[0].request == message


@pytest.mark.rule("client.outbox-torn-line")
def test_a_torn_last_line_does_not_swallow_the_next_one_and_is_kept_aside(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path, "agent")
    outbox.append(call("1"))
    with outbox.path.open("ab") as file:
        file.write(encode(call("torn"))[:-9])
    outbox.append(call("2"))
    with outbox.claim() as claim:
        assert claim is not None
        assert [line.request["id"] for line in claim.pending() if line.request] == ["1", "2"]
    assert ids(outbox) == ["1", "2"]
    assert b"not_a_request" in outbox.rejected_path.read_bytes()


@pytest.mark.rule("client.outbox-torn-line")
@pytest.mark.parametrize(
    "junk", [b"\xff\xfe", b"[1]", b'{"jsonrpc":"2.0"}', b"[" * 100_000, b'{"jsonrpc":"2.0","method":"x","params":[1]}']
)
def test_what_is_no_request_never_blocks_the_lines_behind_it(tmp_path: Path, junk: bytes) -> None:
    outbox = Outbox(tmp_path, "agent")
    outbox.path.write_bytes(junk + b"\n")
    outbox.append(call("1"))
    with outbox.claim() as claim:
        assert claim is not None
        assert [line.request["id"] for line in claim.pending() if line.request] == ["1"]
    assert outbox.backlog() == ("agent", 1, outbox.path.stat().st_size, 1)


@pytest.mark.rule("client.outbox-settles")
@pytest.mark.parametrize(
    ("error", "left", "rejected", "goes_on"),
    [
        (None, [], 0, True),
        (refusal("busy"), ["1"], 0, False),
        (refusal("storage_full"), ["1"], 0, False),
        (refusal("shutting_down"), ["1"], 0, False),
        (refusal("read_only"), ["1"], 0, False),
        (refusal("node_conflict"), [], 1, True),
        (refusal("invalid_params"), [], 1, True),
        (refusal("internal"), [], 1, True),
    ],
)
def test_a_reply_decides_whether_a_line_goes_stays_or_is_kept_aside(
    tmp_path: Path, error: Any, left: list[str], rejected: int, goes_on: bool
) -> None:
    outbox = Outbox(tmp_path, "agent")
    outbox.append(call("1"))
    with outbox.claim() as claim:
        assert claim is not None
        assert claim.settle(claim.pending()[0], error) is goes_on
    assert ids(outbox) == left
    assert outbox.backlog().rejected == rejected
    assert error is None or keeps(error) is not goes_on


@pytest.mark.rule("client.outbox-order")
@pytest.mark.parametrize("method", ["context.rewind", "session.close"])
def test_a_call_that_would_undo_later_ones_if_sent_twice_goes_before_the_next_is_sent(tmp_path: Path, method: str) -> None:
    outbox = Outbox(tmp_path, "agent")
    outbox.append(call("1"), call("2", method), call("3"))
    with outbox.claim() as claim:
        assert claim is not None
        first, second, _ = claim.pending()
        claim.acknowledge(first)
        assert ids(outbox) == ["1", "2", "3"]
        claim.acknowledge(second)
        assert ids(outbox) == ["3"]


@pytest.mark.rule("client.outbox-order")
def test_only_one_sender_at_a_time_has_the_claim(tmp_path: Path) -> None:
    mine, other = Outbox(tmp_path, "agent"), Outbox(tmp_path, "agent")
    with mine.claim() as claim, other.claim(wait_seconds=0.01) as second:
        assert claim is not None
        assert second is None
    with other.claim() as free:
        assert free is not None


def _append_many(directory: Path, name: str, count: int) -> None:
    outbox = Outbox(directory, "agent")
    for number in range(count):
        outbox.append(call(f"{name}{number}"))


@pytest.mark.rule("client.outbox-two-processes")
def test_what_others_append_while_lines_are_removed_is_not_lost(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_append_many, args=(tmp_path, name, 40)) for name in ("a", "b")]
    for writer in writers:
        writer.start()
    outbox, taken = Outbox(tmp_path, "agent"), []
    while any(writer.is_alive() for writer in writers) or not outbox.is_empty():
        with outbox.claim() as claim:
            assert claim is not None
            for line in claim.pending()[:3]:
                assert line.request is not None
                taken.append(line.request["id"])
                claim.acknowledge(line)
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert sorted(taken) == sorted(f"{name}{number}" for name in "ab" for number in range(40))
    assert [name for name in taken if name[0] == "a"] == [f"a{number}" for number in range(40)]


@pytest.mark.rule("client.outbox-bounded")
def test_a_full_outbox_refuses_all_of_a_call_and_says_so(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path, "agent", max_bytes=200)
    outbox.append(call("1"))
    with pytest.raises(OutboxFull, match="200 bytes"):
        outbox.append(call("2"), call("3"))
    assert ids(outbox) == ["1"]


@pytest.mark.rule("client.outbox-full-disk")
def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outbox = Outbox(tmp_path, "agent")
    outbox.append(call("1"))

    def half(fd: int, data: bytes) -> None:
        os.write(fd, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr("soong_memory_client.outbox.write_all", half)
    with pytest.raises(OutboxFull, match="No space left"):
        outbox.append(call("2"))
    monkeypatch.undo()
    assert ids(outbox) == ["1"]
    assert outbox.path.read_bytes().endswith(b"\n")


@pytest.mark.rule("client.outbox-full-disk")
def test_on_a_full_disk_an_acknowledged_line_stays_and_is_not_offered_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(fd: int, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "full")

    outbox = Outbox(tmp_path, "agent")
    outbox.append(call("1"), call("2"))
    with outbox.claim() as claim:
        assert claim is not None
        monkeypatch.setattr(locking, "write_all", full)
        claim.acknowledge(claim.pending()[0])
        assert [line.request["id"] for line in claim.pending() if line.request] == ["2"]
        claim.acknowledge(claim.pending()[0])
    assert outbox.path.stat().st_size == 0, "emptying the file needs no room"


def test_removing_lines_takes_each_once_and_leaves_the_rest_in_order() -> None:
    assert without(b"a\nb\na\nc\n", (b"a", b"c")) == b"b\na\n"
    assert without(b"a\n", (b"a",)) == b""


@pytest.mark.rule("client.outbox-format")
def test_only_files_of_clients_are_outboxes(tmp_path: Path) -> None:
    for name in ("agent.jsonl", "claude-code.jsonl", "agent.rewrite", "agent.lock", "x.old.jsonl", ".jsonl"):
        (tmp_path / name).touch()
    Outbox(tmp_path, "agent")._keep_rejected(parse(b"junk")[0], "not_a_request")
    assert client_names(tmp_path) == ["agent", "claude-code"]
    assert client_names(tmp_path / "absent") == []
    with pytest.raises(ValueError, match="name"):
        Outbox(tmp_path, "../agent")


@pytest.mark.rule("client.outbox-format")
def test_a_symbolic_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").touch()
    (tmp_path / "agent.jsonl").symlink_to(tmp_path / "target")
    with pytest.raises(OutboxFull):
        Outbox(tmp_path, "agent").append(call("1"))
    assert (tmp_path / "target").read_bytes() == b""
