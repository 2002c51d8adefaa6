from __future__ import annotations

import asyncio

from soong_memoryd.recall.lexical import Question
from soong_memoryd.recall.lexicon import Lexicon
from tests.recall.bench import MemoryShelf, document


def test_when_time_runs_out_headers_are_found_at_once_and_bodies_later() -> None:
    async def scenario() -> None:
        shelf = MemoryShelf()
        for number in range(1, 6):
            shelf.put(document(f"animal {number}", "the zebra", number))
        ticks = iter(range(100))
        lexicon = Lexicon(shelf, lambda: next(ticks))
        snapshot = await shelf.snapshot()
        await lexicon.follow(snapshot, at_most_seconds=3)
        assert len(lexicon.index.score(Question("animal"))) == 5
        assert len(lexicon.index.score(Question("zebra"))) == 2
        await lexicon.follow(snapshot, at_most_seconds=50)
        assert len(lexicon.index.score(Question("zebra"))) == 5
        await lexicon.follow(snapshot, at_most_seconds=50)
        assert sorted(shelf.reads) == sorted(snapshot.by_id)

    asyncio.run(scenario())


def test_a_body_that_cannot_be_read_leaves_the_header_findable() -> None:
    async def scenario() -> None:
        shelf = MemoryShelf()
        shelf.broken.add(shelf.put(document("an animal", "the zebra", 1)))
        lexicon = Lexicon(shelf, lambda: 0.0)
        await lexicon.follow(await shelf.snapshot(), at_most_seconds=1)
        assert len(lexicon.index.score(Question("animal"))) == 1
        assert lexicon.index.score(Question("zebra")) == []

    asyncio.run(scenario())


def test_a_note_is_found_by_the_name_of_its_file() -> None:
    async def scenario() -> None:
        shelf = MemoryShelf()
        shelf.put(document("first", "", 1), "user/zebra-rides-20260302-mem_20260302090000_0001.md")
        shelf.put(document("second", "", 2), "user/lemur notes.md")
        lexicon = Lexicon(shelf, lambda: 0.0)
        await lexicon.follow(await shelf.snapshot(), at_most_seconds=1)
        assert len(lexicon.index.score(Question("zebra"))) == 1
        assert len(lexicon.index.score(Question("lemur"))) == 1

    asyncio.run(scenario())
