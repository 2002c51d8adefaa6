"""A start waits for a disk that is full or read-only, and for nothing else."""

from __future__ import annotations

import errno
import gc
from contextlib import AsyncExitStack

import anyio
import pytest

from soong_memoryd.errors import ConfigError, RequestError, StorageError
from soong_memoryd.server import starting

FULL = OSError(errno.ENOSPC, "no space", "f")


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    monkeypatch.setattr(starting, "RETRY_SECONDS", 0.0)


@pytest.mark.rule("durability.restart")
@pytest.mark.parametrize(
    "error",
    [
        FULL,
        OSError(errno.EROFS, "read-only"),
        StorageError("full", code="storage_full"),
        StorageError("held", code="busy"),
        RequestError("read_only", "no"),
    ],
    ids=lambda error: getattr(error, "code", None) or errno.errorcode[error.errno],
)
def test_what_passes_is_waited_for_and_said_once(error):
    said, left = [], [error] * 3

    def work():
        if left:
            raise left.pop()
        return "there"

    assert starting.when_disk_allows(work, said.append) == "there"
    assert said == [starting.reason_to_wait(error)]


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EACCES, "not yours"),
        OSError(errno.EIO, "broken"),
        StorageError("newer", code="state_newer"),
        ConfigError("two file systems"),
        KeyError("a fault of ours"),
    ],
    ids=repr,
)
def test_what_does_not_pass_ends_the_start(error):
    def work():
        raise error

    with pytest.raises(type(error)):
        starting.when_disk_allows(work, lambda _: None)


@pytest.mark.rule("durability.restart")
def test_what_a_failed_attempt_opened_is_closed_before_the_next_and_the_last_one_with_the_caller():
    seen, left = [], [FULL]

    async def work(stack):
        seen.append("open")
        stack.callback(seen.append, "close")
        if left:
            raise left.pop()
        return "there"

    async def main():
        async with AsyncExitStack() as stack:
            assert await starting.opened(stack, work, lambda _: None) == "there"
            assert seen == ["open", "close", "open"]
        assert seen == ["open", "close", "open", "close"]

    anyio.run(main)


@pytest.mark.rule("durability.restart")
def test_a_start_that_waits_lets_no_garbage_pile_up():
    searching, left = [], [FULL]

    def work():
        searching.append(gc.isenabled())
        if left:
            raise left.pop()

    gc.disable()  # as cli/daemon.py does
    try:
        starting.when_disk_allows(work, lambda _: None)
    finally:
        gc.enable()
    assert searching == [False, True]
