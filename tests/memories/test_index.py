from __future__ import annotations

import hashlib
import random

import pytest

from soong_memoryd.memories.document import Document, serialise
from soong_memoryd.memories.index import Entry, Invalid, index_files, read_entry, take_snapshot
from soong_memoryd.memories.naming import collision_key
from tests.memories.builders import HEAD, STAMP, entry, head

DATA = serialise(Document(HEAD, "The user wants npm."))
AMPLE_TOKENS = 4000


def test_an_entry_knows_header_path_hash_and_stamp_and_no_body():
    read = read_entry("feedback/npm.md", DATA, STAMP)
    assert read == Entry(HEAD, "feedback/npm.md", hashlib.sha256(DATA).hexdigest(), STAMP)


@pytest.mark.rule("memory.file-identity")
@pytest.mark.parametrize(
    ("path", "data", "code"),
    [
        ("user/npm.md", DATA, "folder"),
        ("feedback/npm.txt", DATA, "file_name"),
        ("feedback/.hidden.md", DATA, "file_name"),
        ("feedback/npm (conflicted copy).md", DATA, "file_name"),
        ("feedback/npm-20260502-mem_20260502080000_zzzz.md", DATA, "file_id"),
        ("feedback/npm.md", b"no memory", "no_header"),
    ],
)
def test_a_file_that_contradicts_its_place_or_is_no_memory_is_named_with_its_problem(path, data, code):
    assert read_entry(path, data, STAMP) == Invalid(path, code)


@pytest.mark.rule("memory.bad-file-isolated")
def test_one_bad_file_never_stops_the_rest():
    snapshot = index_files([("feedback/bad.md", b"\xff", STAMP), ("feedback/npm.md", DATA, STAMP)], AMPLE_TOKENS)
    assert [found.path for found in snapshot.entries] == ["feedback/npm.md"]
    assert snapshot.invalid == (Invalid("feedback/bad.md", "encoding"),)
    assert snapshot.catalog.entries == 1
    assert "bad" not in snapshot.catalog.text


@pytest.mark.rule("memory.duplicate-ids")
def test_of_two_files_with_one_id_the_lower_path_wins_in_any_order():
    files = [
        ("feedback/a.sync-conflict-20261201.md", DATA, STAMP),
        ("feedback/a.md", DATA, STAMP),
        ("feedback/b.md", DATA, STAMP),
    ]
    for _ in range(6):
        random.Random(3).shuffle(files)
        snapshot = index_files(files, AMPLE_TOKENS)
        assert snapshot.by_id[HEAD.id].path == "feedback/a.md"
        assert {found.code for found in snapshot.invalid} == {"duplicate_id"}
        assert len(snapshot.invalid) == 2


def test_a_snapshot_lists_the_newest_first_and_is_the_same_for_every_order():
    entries = [entry(head(id=f"mem_2026050208000{n}_a1b2", created_at=f"2026-05-0{n}T08:00:00Z")) for n in (1, 3, 2)]
    snapshot = take_snapshot(entries, AMPLE_TOKENS)
    assert [found.frontmatter.created_at[8:10] for found in snapshot.entries] == ["03", "02", "01"]
    assert take_snapshot(reversed(entries), AMPLE_TOKENS) == snapshot


def test_an_unreadable_file_keeps_its_name_taken():
    taken = take_snapshot([entry(), Invalid("user/Straße.md", "unsafe_path")], AMPLE_TOKENS).taken_paths()
    assert taken == {collision_key("user/STRASSE.md"), collision_key(entry().path.upper())}
