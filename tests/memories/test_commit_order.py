from __future__ import annotations

from pathlib import Path

import pytest

from soong_memoryd.memories.commit import STEPS
from tests.memories.homes import EFFECTS, Home, create, data_of, in_home, memory_id, update


@pytest.mark.rule("commit.files-before-catalog")
def test_the_files_of_a_commit_come_first_and_the_catalog_then(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1)
        seen: dict[str, tuple[bool, bool]] = {}

        def look(step: str) -> None:
            seen[step] = (home.file(2).exists(), memory_id(2) in home.catalog())

        await home.store.commit([create(2)], EFFECTS, look)
        assert tuple(seen) == STEPS
        assert seen["prepared"] == (False, False)
        assert seen["published"] == (True, False)
        assert seen["catalog"] == seen["finished"] == (True, True)

    in_home(tmp_path, test)


@pytest.mark.rule("memory.catalog-update-keeps-place")
def test_an_update_stays_in_its_file_and_its_place_in_the_catalog(tmp_path: Path) -> None:
    async def test(home: Home) -> None:
        await home.save(1, 2, 3)
        path, lines = home.file(2), home.catalog().splitlines()
        old, new = data_of(2), data_of(2, summary="likes spaces", updated_at="2026-12-02T00:00:00Z")
        await home.store.commit([update(2, old, new)], EFFECTS)
        assert path.read_bytes() == new
        assert [line.split()[1] for line in home.catalog().splitlines()] == [line.split()[1] for line in lines]
        assert "likes spaces" in home.catalog()

    in_home(tmp_path, test)
