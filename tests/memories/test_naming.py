from __future__ import annotations

import unicodedata

import pytest

from soong_memoryd.memories.naming import (
    FileName,
    check_name,
    collision_key,
    file_name,
    id_time,
    is_memory_file_name,
    is_memory_id,
    new_memory_id,
    parse_file_name,
    trailing_id,
)

MEMORY_ID = "mem_20261201101010_ab12cd34"


@pytest.mark.rule("memory.names")
@pytest.mark.parametrize(
    "name",
    [
        "editor-tabs", "a", "x" * 80, "Use-pnpm", "编辑器偏好", "中文-and-english", "用vim写代码", "日本語ノート",
        "한국어-설정",
        "настройки-редактора",
        "настройки-vscode", "ελληνικά", "العربية", "हिन्दी", "ภาษาไทย", "café", "naïve-2", "2026-plans", "ユーザー名",
    ],
)  # fmt: skip
def test_names_in_every_script_are_accepted(name):
    assert check_name(name) is None


@pytest.mark.rule("memory.names")
@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "empty"), ("x" * 81, "long"), ("é" * 41, "long"), ("字" * 27, "long"),
        (unicodedata.normalize("NFD", "café"), "form"), ("ﬁle", "form"), ("ａｂｃ", "form"), ("１２", "form"), ("a²", "form"),
        *[(name, "character") for name in (
            "..", ".", "../x", "a/b", "/etc/passwd", "a\0b", "a.", "a ", " a", "a..", "a\nb", "a\rb", "a\tb", "a\u202egnp",
            "a\u200bb",
            "a\u2066b", "\ufeffa", "a\\b", "C:a", "a:b", "a*b", "a?b", "~root", "$HOME", "a;b", "a`b", "a|b", "a%2fb",
            ".hidden",
            "a\x85b", "\ud800", "😀", "a_b", "x.md", "MEMORY.md", "x\u0302\u0302", "a\u20ddb", "٣", "a—b",
        )],
        ("a\u2028b", "character"),
        ("-rf", "dash"), ("--", "dash"), ("a--b", "dash"), ("a-", "dash"),
        ("con", "reserved"), ("NUL", "reserved"), ("com1", "reserved"), ("lpt9", "reserved"),
        ("аdmin", "script"), ("pаypal", "script"), ("use-pаypal", "script"), ("ελληνiκά", "script"),
    ],
    ids=ascii,
)  # fmt: skip
def test_names_that_could_escape_or_pass_for_another_are_refused(name, problem):
    assert check_name(name) == problem


@pytest.mark.rule("memory.ids")
def test_ids_carry_the_moment_in_utc():
    memory_id = new_memory_id(1_764_585_610.9, "ab12cd34")
    assert memory_id == "mem_20251201104010_ab12cd34"
    assert is_memory_id(memory_id)
    assert id_time(memory_id) == "2025-12-01T10:40:10Z"


@pytest.mark.parametrize(
    "text",
    [
        "mem_1_a", "../x", "mem_20261201101010_AB12", "mem_20261201101010_ab12\n", "mem_２0261201101010_ab12",
        "mem_20261201101010_abc",
        "mem_20261201101010_" + "a" * 33, "mem_20261301101010_ab12", "mem_20260230101010_ab12", "",
    ],
)  # fmt: skip
def test_what_only_resembles_an_id_is_none(text):
    assert not is_memory_id(text)
    with pytest.raises(ValueError, match="memory id"):
        id_time(text)


@pytest.mark.rule("memory.file-names")
def test_file_names_are_built_and_taken_apart():
    name = file_name("编辑器-tabs", "2026-12-01T10:10:10Z", MEMORY_ID)
    assert name == f"编辑器-tabs-20261201-{MEMORY_ID}.md"
    assert parse_file_name(name) == FileName("编辑器-tabs", "20261201", MEMORY_ID)
    assert trailing_id(name) == MEMORY_ID


@pytest.mark.parametrize(
    "text", [f"x-{MEMORY_ID}.md", f"x-20261201-{MEMORY_ID}.md\n", f"a/x-20261201-{MEMORY_ID}.md", "MEMORY.md"]
)
def test_other_file_names_are_not_taken_apart(text):
    assert parse_file_name(text) is None


def test_a_copy_by_a_sync_tool_does_not_end_in_an_id():
    assert trailing_id(f"x-20261201-{MEMORY_ID}.sync-conflict-20261202-101010-ABC.md") is None


@pytest.mark.parametrize("name", ["coffee.md", "my notes.md", "咖啡.md", f"x-20261201-{MEMORY_ID}.md", "v1.2_draft.md"])
def test_people_may_name_their_files_plainly(name):
    assert is_memory_file_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "coffee.txt",
        ".md",
        ".hidden.md",
        " x.md",
        "x .md",
        "a(b).md",
        "a`b.md",
        "a\nb.md",
        "a/b.md",
        "x.md\n",
        "\ud800.md",
        "x" * 253 + ".md",
    ],
)
def test_other_names_are_no_memory_files(name):
    assert not is_memory_file_name(name)


@pytest.mark.rule("memory.name-collisions")
@pytest.mark.parametrize(
    ("one", "other"), [("Use-PNPM", "use-pnpm"), ("straße", "STRASSE"), ("café", unicodedata.normalize("NFD", "café"))]
)
def test_names_that_some_file_system_treats_as_one_collide(one, other):
    assert collision_key(one) == collision_key(other)
