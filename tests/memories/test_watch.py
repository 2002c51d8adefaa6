from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from soong_memoryd.memories import watch as watching_module
from soong_memoryd.memories.news import News, Place
from soong_memoryd.memories.watch import MANY_CHANGES, tell, watch


async def _watching(place: Place, news: News, look: asyncio.Event, look_every_seconds: float = 60) -> asyncio.Task[None]:
    async def told() -> bool:
        look.set()
        return False

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
        assert news.latest(place, "user") is None
        watching = await _watching(place, news, look)
        async with asyncio.timeout(10):
            await news.begun.wait()
            before = news.latest(place, "user")
            (tmp_path / "a.md").write_text("x")
            await look.wait()
        assert before is not None
        assert news.latest(place, "user") not in (before, None)
        await _end(watching)
        assert news.latest(place, "user") is None

    asyncio.run(scenario())


def test_a_directory_that_is_not_there_is_not_trusted(tmp_path: Path) -> None:
    async def scenario() -> None:
        news, look, place = News(), asyncio.Event(), (tmp_path / "missing", 1)
        watching = await _watching(place, news, look, look_every_seconds=0.05)
        async with asyncio.timeout(10):
            await look.wait()  # it looks all the same
        assert news.latest(place, "user") is None
        await _end(watching)

    asyncio.run(scenario())


def test_news_of_one_directory_says_nothing_about_the_one_that_took_its_place(tmp_path: Path) -> None:
    news = News()
    news.begin((tmp_path, 1))
    assert news.latest((tmp_path, 1), "user") is not None
    assert news.latest((tmp_path, 2), "user") is None


def test_news_of_a_file_is_news_of_its_directory_alone(tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    (tmp_path / "feedback").mkdir()
    place = (tmp_path, tmp_path.stat().st_ino)

    async def scenario() -> None:
        news, look = _ToldNews(), asyncio.Event()
        watching = await _watching(place, news, look)
        async with asyncio.timeout(10):
            await news.begun.wait()
            before = {name: news.latest(place, name) for name in ("user", "feedback")}
            (tmp_path / "user" / "a.md").write_text("x")
            await look.wait()
        assert news.latest(place, "user") != before["user"]
        assert news.latest(place, "feedback") == before["feedback"]
        await _end(watching)

    asyncio.run(scenario())


@pytest.mark.parametrize("count", [0, MANY_CHANGES])
def test_when_nothing_or_too_much_was_heard_anything_may_have_changed(tmp_path: Path, count: int) -> None:
    news, place = News(), (tmp_path, 1)
    news.begin(place)
    before = news.latest(place, "feedback")
    tell(news, tmp_path, [f"{tmp_path}/user/{number}.md" for number in range(count)])
    assert news.latest(place, "feedback") != before


@pytest.mark.rule("memory.outside-edit")
def test_a_look_that_has_to_wait_comes_again_without_news(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching_module, "WAKE_MS", 20)

    place = (tmp_path, tmp_path.stat().st_ino)

    async def scenario() -> None:
        looks, done = [True, True, False], asyncio.Event()

        async def told() -> bool:
            waits = looks.pop(0)
            if not looks:
                done.set()
            return waits

        news = _ToldNews()
        watching = asyncio.create_task(watch(lambda: place, told, news, look_every_seconds=60))
        async with asyncio.timeout(10):
            await news.begun.wait()
            (tmp_path / "a.md").touch()
            await done.wait()
        await _end(watching)

    asyncio.run(scenario())


@pytest.mark.parametrize("name", ["node_modules/.venv/memory", "memory"])
def test_a_change_is_heard_wherever_the_home_lies_and_whatever_the_file_is_called(tmp_path: Path, name: str) -> None:
    root = tmp_path / name
    file = root / "user" / "flycheck_notes.md"
    file.parent.mkdir(parents=True)
    file.write_text("x")
    (root / ".git").mkdir()
    place = (root, root.stat().st_ino)

    async def scenario() -> None:
        news, look = _ToldNews(), asyncio.Event()
        watching = await _watching(place, news, look)
        async with asyncio.timeout(10):
            await news.begun.wait()
            before = news.latest(place, "user")
            (root / ".git" / "index.lock").write_text("x")
            file.write_text("y")
            await look.wait()
        assert news.latest(place, "user") != before
        assert news.latest(place, ".git") == news.latest(place, "feedback") == before
        await _end(watching)

    asyncio.run(scenario())
