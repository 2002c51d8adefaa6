from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from soong_memory_client.errors import RpcError
from soong_memory_client.outbox import keeps
from soong_memoryd.errors import RequestError
from soong_memoryd.protocol.errors import ERRORS
from soong_memoryd.state.database import Database


def failing(name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorname = name
    return error


@pytest.mark.rule("durability.disks")
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("SQLITE_FULL", "storage_full"),
        ("SQLITE_READONLY_DBMOVED", "read_only"),
        ("SQLITE_CANTOPEN", "read_only"),
        ("SQLITE_IOERR_WRITE", "read_only"),
        ("SQLITE_IOERR_FSYNC", "read_only"),
        ("SQLITE_CORRUPT", "read_only"),
    ],
)
def test_a_disk_that_fails_is_answered_so_that_clients_keep_what_they_sent(tmp_path: Path, name: str, code: str) -> None:
    def fail(_: sqlite3.Connection) -> None:
        raise failing(name)

    async def main() -> None:
        database = await Database.open(tmp_path / "state.db")
        try:
            with pytest.raises(RequestError) as refused:
                await database.run(fail)
            assert refused.value.code == code
            spec = ERRORS[code]
            assert keeps(RpcError(spec.number, code, refused.value.text, {"code": code, "retryable": spec.retryable}))
        finally:
            await database.close()

    asyncio.run(main())
