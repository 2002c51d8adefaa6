from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

from soong_memoryd.memories.news import News, Place
from soong_memoryd.memories.watch import watch


async def _watching(place: Place, news: News, look: asyncio.Event, look_every_seconds: float = 60) -> asyncio.Task[None]:
    async def told() -> None:
        look.set()

    return asyncio.create_task(watch(lambda: place, told, news, look_every_seconds=look_every_seconds))


async def _end(watching: asyncio.Task[None]) -> None:
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching


class _ToldNews(News):
    """Says when somebody began to watch."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = asyncio.Event()

    def begin(self, place: Place) -> None:
        super().begin(place)
        self.begun.set()


def test_news_can_be_trusted_from_the_first_wait_on_and_no_longer_than_somebody_watches(tmp_path: Path) -> None:
    place = (tmp_path, tmp_path.stat().st_ino)

    async def scenario() -> None:
        news, look = _ToldNews(), asyncio.Event()
        assert news.latest(place) is None
        watching = await _watching(place, news, look)
        async with asyncio.timeout(10):
            await news.begun.wait()
            before = news.latest(place)
            (tmp_path / "a.md").write_text("x")
            await look.wait()
        assert before is not None
        assert news.latest(place) not in (before, None)
        await _end(watching)
        assert news.latest(place) is None

    asyncio.run(scenario())


def test_a_directory_that_is_not_there_is_not_trusted(tmp_path: Path) -> None:
    async def scenario() -> None:
        news, look, place = News(), asyncio.Event(), (tmp_path / "missing", 1)
        watching = await _watching(place, news, look, look_every_seconds=0.05)
        async with asyncio.timeout(10):
            await look.wait()  # it looks all the same
        assert news.latest(place) is None
        await _end(watching)

    asyncio.run(scenario())


def test_news_of_one_directory_says_nothing_about_the_one_that_took_its_place(tmp_path: Path) -> None:
    news = News()
    news.begin((tmp_path, 1))
    assert news.latest((tmp_path, 1)) is not None
    assert news.latest((tmp_path, 2)) is None
