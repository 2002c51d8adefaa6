"""The keys of providers."""

from __future__ import annotations

from pathlib import Path

import pytest

from soong_memoryd.config import KeyRing, ModelSettings
from soong_memoryd.errors import ConfigError

VALUE = "-".join(["made", "at", "run", "time"])
NAME = "MODEL_KEY"
NAMED = ModelSettings(api_key_env=NAME)


def write(path: Path, text: str, mode: int = 0o600) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def read(home: Path, names: ModelSettings = NAMED, **env: str) -> str | None:
    key = KeyRing(home, env).read(names)
    return key.value if key else None


def test_a_key_comes_from_the_environment_before_the_env_file(tmp_path: Path) -> None:
    write(tmp_path / "memoryd/env", f"{NAME}=from-the-file\n")
    assert read(tmp_path, MODEL_KEY=VALUE) == VALUE
    assert read(tmp_path, MODEL_KEY="  ") == "from-the-file"
    assert read(tmp_path) == "from-the-file"


def test_the_env_file_has_comments_quotes_and_export(tmp_path: Path) -> None:
    write(tmp_path / "memoryd/env", f"# {NAME}=no\n\nOTHER=x\nexport {NAME} = '{VALUE}'\nnot a line\n")
    assert read(tmp_path) == VALUE


def test_a_key_file_is_relative_to_home_and_holds_one_word(tmp_path: Path) -> None:
    write(tmp_path / "key", f"{VALUE}\n")
    assert read(tmp_path, ModelSettings(api_key_file="key")) == VALUE
    assert read(tmp_path, ModelSettings(api_key_file=str(tmp_path / "key"))) == VALUE
    write(tmp_path / "key", "two words\n")
    assert read(tmp_path, ModelSettings(api_key_file="key")) is None
    assert read(tmp_path, ModelSettings(api_key_file="missing")) is None


@pytest.mark.rule("config.keys-private")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_file_with_keys_that_is_open_to_others_is_refused_with_the_fix(tmp_path: Path, mode: int) -> None:
    write(tmp_path / "key", VALUE, mode)
    write(tmp_path / "memoryd/env", f"{NAME}={VALUE}", mode)
    for names in (ModelSettings(api_key_file="key"), NAMED):
        with pytest.raises(ConfigError) as caught:
            read(tmp_path, names)
        assert caught.value.code == "key_file"
        assert "chmod 600" in caught.value.hint
        assert VALUE not in f"{caught.value} {caught.value.hint}"


@pytest.mark.rule("config.keys-private")
def test_a_key_shows_its_place_and_never_its_value(tmp_path: Path) -> None:
    key = KeyRing(tmp_path, {"MODEL_KEY": VALUE}).read(NAMED)
    assert key is not None
    assert VALUE not in f"{key!r} {key}"
    assert key.source == "environment MODEL_KEY"


@pytest.mark.rule("config.keys-read-late")
def test_a_key_is_read_anew_for_every_call(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path, {})
    assert ring.read(NAMED) is None
    write(tmp_path / "memoryd/env", f"{NAME}={VALUE}")
    key = ring.read(NAMED)
    assert key is not None and key.value == VALUE


@pytest.mark.rule("config.keys-known-to-redactor")
def test_all_key_values_that_can_be_known_are_listed_for_the_secret_finder(tmp_path: Path) -> None:
    write(tmp_path / "memoryd/env", "UNUSED=also-a-key\nSHORT=abc\n")
    write(tmp_path / "key", "key-in-a-file")
    write(tmp_path / "open", "open-to-others", 0o644)
    named = [NAMED, ModelSettings(api_key_file="key"), ModelSettings(api_key_file="open"), ModelSettings()]
    assert KeyRing(tmp_path, {"MODEL_KEY": VALUE}).known_values(named) == ["also-a-key", "key-in-a-file", VALUE]


def test_nothing_named_is_no_key(tmp_path: Path) -> None:
    assert read(tmp_path, ModelSettings(), MODEL_KEY=VALUE) is None
