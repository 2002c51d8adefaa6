"""The memory of what endpoints understand: every implementation passes the same suite."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import anyio
import pytest

from soong_memoryd.clock import SystemClock
from soong_memoryd.llm.endpoints import EndpointMemory, ForgetfulEndpoints, StoredEndpoints
from soong_memoryd.llm.ladder import Learned
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import endpoints

Opened = Callable[[Path], AbstractAsyncContextManager[EndpointMemory]]
URL = "http://127.0.0.1:9/v1"


@asynccontextmanager
async def forgetful(_: Path) -> AsyncIterator[EndpointMemory]:
    yield ForgetfulEndpoints()


@asynccontextmanager
async def stored(folder: Path) -> AsyncIterator[EndpointMemory]:
    database = await Database.open(folder / "state.db")
    try:
        yield StoredEndpoints(database, SystemClock())
    finally:
        await database.close()


@pytest.mark.parametrize("opened", [forgetful, stored])
def test_what_was_kept_is_found_per_address_and_model_and_replaced(opened: Opened, tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path) as memory:
            assert await memory.find(URL, "m") is None
            await memory.keep(URL, "m", Learned("tools", frozenset({"no_temperature"})))
            await memory.keep(URL, "other", Learned("plain"))
            assert await memory.find(URL, "m") == Learned("tools", frozenset({"no_temperature"}))
            assert await memory.find(URL, "other") == Learned("plain")
            assert await memory.find("http://127.0.0.1:8/v1", "m") is None
            await memory.keep(URL, "m", Learned("json_object"))
            assert await memory.find(URL, "m") == Learned("json_object")

    anyio.run(run)


@pytest.mark.rule("llm.rung-remembered")
def test_what_was_stored_survives_a_restart(tmp_path: Path) -> None:
    async def run() -> None:
        async with stored(tmp_path) as memory:
            await memory.keep(URL, "m", Learned("json_schema", frozenset({"no_strict"})))
        async with stored(tmp_path) as memory:
            assert await memory.find(URL, "m") == Learned("json_schema", frozenset({"no_strict"}))

    anyio.run(run)


def test_what_another_version_stored_counts_as_not_known(tmp_path: Path) -> None:
    async def run() -> None:
        database = await Database.open(tmp_path / "state.db")
        rows = [
            endpoints.EndpointRow(URL, "a", "telepathy", ()),
            endpoints.EndpointRow(URL, "b", "plain", ("later", "no_strict")),
        ]
        for row in rows:
            await database.run(lambda connection, row=row: endpoints.put(connection, row, "2026-12-01T00:00:00Z"))  # type: ignore[misc]
        memory = StoredEndpoints(database, SystemClock())
        assert await memory.find(URL, "a") is None
        assert await memory.find(URL, "b") == Learned("plain", frozenset({"no_strict"}))
        await database.close()

    anyio.run(run)
