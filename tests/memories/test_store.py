from __future__ import annotations

import os
from pathlib import Path

import pytest

from soong_memoryd.memories.ports import sha256
from soong_memoryd.memories.store import MemoryStore
from tests.memories.homes import Home, data_of, document, in_home, memory_id, path_of


@pytest.mark.rule("memory.root-link")
def test_the_memory_directory_itself_may_be_a_link(tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir(mode=0o700)
    home_root = tmp_path / "home"
    home_root.mkdir()
    (home_root / "memory").symlink_to(dotfiles)

    async def test(home: Home) -> None:
        await home.save(1)
        assert (dotfiles / path_of(1)).read_bytes() == data_of(1)

    in_home(home_root, test)


def test_a_shorter_catalog_can_be_asked_for_but_not_a_longer_one(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1, 2, 3)
        whole = await home.store.catalog()
        assert (whole.entries, whole.text) == (3, home.catalog())
        assert (await home.store.catalog(1_000_000)).entries == 3
        assert (await home.store.catalog(60)).truncated

    in_home(tmp_path, test)


def test_reading_gives_the_document_its_hash_and_its_path(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        assert await home.store.read(memory_id(1)) == (document(1), sha256(data_of(1)), path_of(1))

    in_home(tmp_path, test)


def test_a_store_needs_memory_and_state_on_one_disk_and_makes_what_is_missing(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        assert isinstance(home.store, MemoryStore)
        assert home.memory.stat().st_mode & 0o777 == 0o700
        assert sorted(os.listdir(home.memory)) == ["MEMORY.md"]

    in_home(tmp_path, test)


@pytest.mark.rule("memory.modes")
def test_a_directory_that_others_may_write_to_makes_memory_read_only_until_it_is_repaired(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory").chmod(0o777)

    async def test(home: Home) -> None:
        assert home.store.degraded is not None
        await home.store.repair(["directory_mode"])
        assert home.store.degraded is None
        await home.save(1)

    in_home(tmp_path, test)


def test_another_limit_for_the_catalog_takes_effect_at_once(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1, 2, 3)
        await home.store.limit_catalog(60)
        assert "not listed" in home.catalog()
        assert (await home.store.snapshot()).catalog.truncated
        await home.store.limit_catalog(4000)
        assert len(home.catalog().splitlines()) == 3

    in_home(tmp_path, test)
