"""A home on a real disk with a store, a database and a manual clock, for tests of the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from soong_memoryd.memories.change import Change
from soong_memoryd.memories.document import serialise
from soong_memoryd.memories.naming import file_name
from soong_memoryd.memories.ports import sha256
from soong_memoryd.memories.schema import Document, Frontmatter
from soong_memoryd.memories.store import MemoryStore
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import events
from soong_memoryd.state.rows import Effects, EventDraft, Json
from tests.support.clock import ManualClock

SECRET_MARK = "hunter" + "2"


def memory_id(number: int) -> str:
    return f"mem_20261201{number // 3600:02d}{number // 60 % 60:02d}{number % 60:02d}_abcd{number:04d}"


def document(
    number: int = 1, *, category: str = "user", summary: str = "likes tabs 喜欢制表符", body: str = "Tabs.", **more: object
) -> Document:
    fields: dict[str, object] = {
        "id": memory_id(number),
        "category": category,
        "summary": summary,
        "tags": (),
        "created_at": f"2026-12-01T00:00:{number % 60:02d}Z",
        "updated_at": f"2026-12-01T00:00:{number % 60:02d}Z",
        "source_session_id": "s1",
        "source_node_ids": (f"n{number}",),
        "confirmed_by_node_id": None,
        "evidence": (),
    }
    return Document(Frontmatter(**{**fields, **more}), body)  # type: ignore[arg-type]


def data_of(number: int = 1, **fields: object) -> bytes:
    return serialise(document(number, **fields))  # type: ignore[arg-type]


def path_of(number: int = 1, category: str = "user") -> str:
    return f"{category}/{file_name('note', '2026-12-01T00:00:00Z', memory_id(number))}"


def create(number: int = 1, category: str = "user", **fields: object) -> Change:
    return Change(
        "create", "new", memory_id(number), path_of(number, category), None, data_of(number, category=category, **fields)
    )


def update(number: int, base: bytes, data: bytes, category: str = "user") -> Change:
    return Change("update", "update", memory_id(number), path_of(number, category), sha256(base), data)


EFFECTS = Effects(event=EventDraft("memory_extraction_completed"), cause="update")


def refuse_mark(text: str) -> str | None:
    return "password" if SECRET_MARK in text else None


@dataclass
class Home:
    root: Path
    store: MemoryStore
    database: Database
    clock: ManualClock

    @property
    def memory(self) -> Path:
        return self.root / "memory"

    @property
    def state(self) -> Path:
        return self.root / "memoryd"

    def file(self, number: int = 1, category: str = "user") -> Path:
        return self.memory / path_of(number, category)

    def catalog(self) -> str:
        return (self.memory / "MEMORY.md").read_text()

    async def events(self, type_: str | None = None) -> list[Json]:
        return await self.database.run(lambda connection: events.after(connection, 0, type_=type_, limit=1000))

    async def save(self, *numbers: int) -> None:
        await self.store.commit([create(number) for number in numbers], EFFECTS)


@asynccontextmanager
async def opened(root: Path, **options: object) -> AsyncIterator[Home]:
    _make(root)
    clock = ManualClock()
    database = await Database.open(root / "memoryd" / "state.db")
    store = await MemoryStore.open(
        root / "memory",
        root / "memoryd",
        database,
        clock,
        **{"catalog_max_tokens": 4000, "secret_refusal": refuse_mark, **options},  # type: ignore[arg-type]
    )
    try:
        yield Home(root, store, database, clock)
    finally:
        await store.close()
        await database.close()


def _make(root: Path) -> None:
    root.mkdir(exist_ok=True)
    (root / "memoryd").mkdir(exist_ok=True, mode=0o700)


def in_home(root: Path, test: Callable[[Home], Awaitable[None]], **options: object) -> None:
    """Run an async test in an opened home."""

    async def main() -> None:
        async with opened(root, **options) as home:
            await test(home)

    asyncio.run(main())
