"""Reading one TOML file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from soong_memoryd.config.file import MAX_FILE_BYTES, key_lines, read_config_file
from soong_memoryd.errors import ConfigError


def write(tmp_path: Path, data: bytes, mode: int = 0o600) -> Path:
    path = tmp_path / "memoryd.toml"
    path.write_bytes(data)
    path.chmod(mode)
    return path


def test_a_missing_file_is_none(tmp_path: Path) -> None:
    assert read_config_file(tmp_path / "memoryd.toml") is None


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'[memory]\nname = "half\n', "memoryd.toml:2: not valid TOML"),
        (b"[memory\n", "memoryd.toml:1: not valid TOML"),
        (b'[memory]\na = """\nnever ends\n', "memoryd.toml:4: not valid TOML"),
        (b"[memory]\n\xff = 1\n", "memoryd.toml:2: not UTF-8 text"),
        (b"a = " + b"[" * 5000 + b"]" * 5000, "memoryd.toml: nested too deeply"),
        (b"#" * (MAX_FILE_BYTES + 1), "memoryd.toml is larger than"),
    ],
)
def test_a_file_that_is_not_toml_is_an_error_with_its_line(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_config_file(write(tmp_path, data))
    assert caught.value.text.startswith(said)


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    file = read_config_file(write(tmp_path, b"\xef\xbb\xbf[memory]\r\ndebug = true\r\n"))
    assert file is not None
    assert file.tables == {"memory": {"debug": True}}
    assert file.place(("memory", "debug")) == "memoryd.toml:2"


@pytest.mark.rule("config.file-mode")
def test_a_file_that_others_can_read_is_used_and_noted(tmp_path: Path) -> None:
    file = read_config_file(write(tmp_path, b"", 0o644))
    assert file is not None
    assert len(file.warnings) == 1 and "chmod 600" in file.warnings[0]


@pytest.mark.rule("config.file-mode")
@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_can_change_is_refused_with_the_fix(tmp_path: Path, mode: int) -> None:
    with pytest.raises(ConfigError) as caught:
        read_config_file(write(tmp_path, b"", mode))
    assert "chmod 600" in caught.value.hint


def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "memoryd.toml", 0o600)
    with pytest.raises(ConfigError, match="not a regular file"):
        read_config_file(tmp_path / "memoryd.toml")


def test_lines_are_found_for_tables_dotted_and_quoted_keys_and_not_inside_strings() -> None:
    text = """# comment
[memory]
idle_seconds = 3  # why
"recall_top_k" = 5
[ model_profiles . "my small" ]
name = \"\"\"
idle_seconds = 9
[server]
\"\"\"
[model]
retry.max_attempts = 3
"""
    assert key_lines(text) == {
        ("memory",): 2,
        ("memory", "idle_seconds"): 3,
        ("memory", "recall_top_k"): 4,
        ("model_profiles", "my small"): 5,
        ("model_profiles", "my small", "name"): 6,
        ("model",): 10,
        ("model", "retry", "max_attempts"): 11,
    }


def test_a_key_without_a_line_of_its_own_is_placed_at_the_table_around_it(tmp_path: Path) -> None:
    file = read_config_file(write(tmp_path, b"\n[model]\nretry = { max_attempts = 2 }\n"))
    assert file is not None
    assert file.place(("model", "retry", "max_attempts")) == "memoryd.toml:3"
    assert file.place(("memory", "debug")) == "memoryd.toml"
