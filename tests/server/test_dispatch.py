"""Every outcome of a call becomes one coded answer, and no exception's own words leave the daemon."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import anyio
import pytest
import structlog

from soong_memoryd.errors import CommitConflict, ConfigError, MemorydError, RequestError, StorageError
from soong_memoryd.protocol.envelope import Call
from soong_memoryd.protocol.errors import ERRORS
from soong_memoryd.protocol.methods import METHODS
from soong_memoryd.server.dispatch import Pending, Served, answer
from soong_memoryd.state.database import Database

CALL = Call(7, "session.list", METHODS["session.list"].params(), notification=False)


async def raises(error: Exception) -> Served:
    raise error


async def gives(result: dict[str, Any]) -> Served:
    return Served(result)


def answered(work: Awaitable[Served], call: Call = CALL) -> dict[str, Any] | None:
    async def run() -> dict[str, Any] | None:
        return await answer(call, Pending(work))

    return anyio.run(run)


@pytest.mark.rule("envelope.valid")
def test_a_result_goes_out_under_the_id_of_its_call():
    assert answered(gives({"sessions": []})) == {"jsonrpc": "2.0", "id": 7, "result": {"sessions": []}}


@pytest.mark.rule("envelope.notifications")
def test_a_notification_has_no_answer_whatever_becomes_of_it():
    silent = Call(None, "session.list", CALL.params, notification=True)
    assert answered(gives({}), silent) is None
    assert answered(raises(RequestError("busy", "come again")), silent) is None


@pytest.mark.rule("error.internal", "errors.no-echo")
def test_an_unexpected_failure_is_internal_and_only_the_log_has_its_cause():
    with structlog.testing.capture_logs() as logged:
        error = answered(raises(ValueError("the words of a user")))["error"]
    assert (error["code"], error["data"]["code"], error["data"]["retryable"]) == (-32603, "internal", False)
    assert "words of a user" not in repr(error)
    assert [(entry["event"], entry["error"]) for entry in logged] == [("call_failed", "ValueError")]


@pytest.mark.rule("errors.table")
@pytest.mark.parametrize(
    ("raised", "code"),
    [
        *[(RequestError(code, "text"), code) for code in ERRORS],
        (CommitConflict("changed"), "memory_changed"),
        (CommitConflict("rewound", code="source_changed"), "memory_changed"),
        (CommitConflict("git is at work", code="sync_in_progress"), "busy"),
        (StorageError("full", code="storage_full"), "storage_full"),
        (StorageError("read-only", code="read_only"), "read_only"),
        (StorageError("a commit is open", code="degraded"), "read_only"),
        (StorageError("anything else"), "internal"),
        (ConfigError("a key"), "internal"),
        (MemorydError("anything"), "internal"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_an_error_of_any_room_goes_out_under_a_code_of_the_table(raised, code):
    error = answered(raises(raised))["error"]
    assert (error["code"], error["data"]["code"]) == (ERRORS[code].number, code)
    assert error["data"]["retryable"] == ERRORS[code].retryable and error["data"]["hint"]


@pytest.mark.rule("error.storage_full")
def test_a_full_disk_is_an_error_that_a_client_may_try_again_and_nothing_of_the_call_is_kept(tmp_path):
    async def run() -> None:
        database = await Database.open(tmp_path / "state.db")
        try:
            pages = await database.run(lambda c: c.execute("PRAGMA page_count").fetchone()[0])
            await database.run(lambda c: c.execute(f"PRAGMA max_page_count = {pages + 4}"))

            async def append() -> Served:
                await database.run(lambda c: c.execute("INSERT INTO meta VALUES ('large', zeroblob(1000000))"))
                return Served({})

            response = await answer(CALL, Pending(append()))
            assert response is not None
            error = response["error"]
            assert (error["code"], error["data"]["code"], error["data"]["retryable"]) == (-32009, "storage_full", True)
            assert await database.run(lambda c: c.execute("SELECT count(*) FROM meta WHERE key = 'large'").fetchone()[0]) == 0
        finally:
            await database.close()

    anyio.run(run)
