"""Settings as rows."""

from __future__ import annotations

from soong_memoryd.config.table import options, shown
from tests.config.conftest import Load
from tests.support.models import config_with


def test_every_option_has_a_sentence_and_a_variable_unless_only_files_may_set_it() -> None:
    rows = {option.key: option for option in options()}
    assert rows["memory.idle_seconds"].variable == "SOONG_MEMORYD_MEMORY_IDLE_SECONDS"
    assert rows["memory.idle_seconds"].default == 120
    assert rows["model.base_url"].variable is None
    assert all(option.description for option in rows.values())


def test_every_variable_of_the_table_is_accepted(load: Load) -> None:
    for option in options():
        if option.variable is not None and isinstance(option.default, bool | int):
            config = load(env={option.variable: str(option.default)})
            assert config.origin(option.key) == option.variable


def test_what_is_shown_has_its_origin_and_hides_a_providers_own_table(load: Load) -> None:
    config = load('[model]\nprovider = "openai"\nextra_body = { top_p = 0.5 }\n[memory]\nidle_seconds = 7\n')
    rows = {row.key: (row.value, row.origin) for row in shown(config)}
    assert rows["memory.idle_seconds"] == (7, "memoryd.toml:5")
    assert rows["memory.recall_top_k"] == (5, "default")
    assert rows["model.extra_body"] == ("…", "memoryd.toml:3")
    assert "model.base_url" not in rows


def test_without_a_model_no_row_speaks_of_one() -> None:
    assert not [row for row in shown(config_with(None)) if row.key.startswith("model.")]
