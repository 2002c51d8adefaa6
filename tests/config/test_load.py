"""The configuration from files, environment and flags."""

from __future__ import annotations

import pytest

from soong_memoryd.errors import ConfigError
from tests.config.conftest import Load


def test_without_any_file_everything_has_its_default_and_there_is_no_model(load: Load) -> None:
    config = load()
    assert config.model is None
    assert (config.memory.idle_seconds, config.memory.extract_every_messages, config.memory.recall_top_k) == (120, 32, 5)
    assert config.server.max_message_bytes == 1_048_576
    assert config.origin("memory.idle_seconds") == "default"
    assert config.warnings == ()


@pytest.mark.rule("job.profile-keys")
def test_every_key_of_the_documented_file_is_read(load: Load) -> None:
    config = load("""
[model]
provider = "openai"
name = "large"
base_url = "https://models.example.com/v1"
api_key_env = "MODEL_KEY"
context_window = 128000
max_output_tokens = 4096
temperature = 0.2
timeout_ms = 60000
retry = { max_attempts = 3, initial_backoff_ms = 500, max_backoff_ms = 8000 }
[model_profiles.small]
name = "small"
temperature = "omit"
allow_insecure_http = true
[memory]
enabled = true
extract_model_profile = "small"
recall_model_profile = { name = "tiny" }
extract_every_messages = 32
extract_every_tokens = 12000
idle_seconds = 120
recall_top_k = 5
memory_context_token_budget = 6000
catalog_max_tokens = 4000
recall_fallback = "none"
node_retention_days = 30
run_timeout_seconds = 1800
max_tokens_per_day = 0
allow_remote_model = false
recall_timeout_ms = 15000
debug = false
[secrets]
patterns = ["internal-[0-9]+"]
allow = []
[server]
max_message_bytes = 2097152
""")
    assert config.model is not None and config.model.retry is not None
    assert config.model.retry.max_backoff_ms == 8000
    assert config.model_profiles["small"].temperature == "omit"
    assert config.memory.recall_fallback == "none"
    assert config.secrets.patterns == ("internal-[0-9]+",)


@pytest.mark.rule("config.precedence")
def test_a_flag_wins_over_a_variable_over_our_file_over_the_agents_file_over_the_default(load: Load) -> None:
    agent = "[memory]\nidle_seconds = 1\nrecall_top_k = 1\nextract_every_messages = 1\ncatalog_max_tokens = 1\n"
    ours = "[memory]\nidle_seconds = 2\nrecall_top_k = 2\nextract_every_messages = 2\n"
    env = {"SOONG_MEMORYD_MEMORY_IDLE_SECONDS": "3", "SOONG_MEMORYD_MEMORY_RECALL_TOP_K": "3"}
    config = load(ours, agent, env, memory__idle_seconds=4)
    memory = config.memory
    assert (memory.idle_seconds, memory.recall_top_k, memory.extract_every_messages, memory.catalog_max_tokens) == (4, 3, 2, 1)
    assert memory.extract_every_tokens == 12_000
    origins = [config.origin(f"memory.{key}") for key in ("idle_seconds", "recall_top_k", "extract_every_messages")]
    assert origins == ["flag", "SOONG_MEMORYD_MEMORY_RECALL_TOP_K", "memoryd.toml:4"]
    assert config.origin("memory.catalog_max_tokens") == "config.toml:5"


@pytest.mark.rule("config.agent-file")
def test_of_the_agents_file_only_known_tables_and_keys_are_read_and_nothing_is_written(load: Load, tmp_path) -> None:
    agent = """
tools = ["shell"]
[model]
provider = "openai"
name = "large"
api_key = "not-read"
colour = "blue"
[model_overrides.fast]
name = "small"
colour = "blue"
[model_overrides.unused]
timeout_ms = "whatever another program means by that"
[memory]
recall_model_profile = "fast"
colour = "blue"
retry = 3
"""
    config = load("", agent)
    assert config.model is not None and config.model.name == "large"
    assert list(config.model_profiles) == ["fast"]
    assert config.origin("model_profiles.fast.name") == "config.toml:9"
    assert (tmp_path / "config.toml").read_text(encoding="utf-8") == agent


def test_a_profile_of_ours_hides_one_of_the_agents_file(load: Load) -> None:
    config = load(
        '[memory]\nextract_model_profile = "fast"\n[model_profiles.fast]\nname = "ours"\n',
        '[model]\nprovider = "openai"\nname = "large"\n[model_overrides.fast]\nname = "theirs"\n',
    )
    assert config.model_profiles["fast"].name == "ours"


@pytest.mark.rule("config.unknown-key", "scope.no-project-config")
@pytest.mark.parametrize(
    ("ours", "said"),
    [
        ("[memory]\nidle_secnds = 3\n", "memoryd.toml:2: memory.idle_secnds is not a known key; did you mean idle_seconds?"),
        ('[model]\nname = "x"\nTemprature = 0\n', "memoryd.toml:3: model.Temprature is not a known key; did you mean temp"),
        ("[model]\nretry = { max_attempt = 1 }\n", "memoryd.toml:2: model.retry.max_attempt is not a known key"),
        ("[modle]\nx = 1\n", "memoryd.toml:1: modle is not a known key; did you mean model?"),
        ("debug = true\n", "memoryd.toml:1: debug is not a known key"),
        ("[model_profiles.small]\nnmae = 1\n", "memoryd.toml:2: model_profiles.small.nmae is not a known key; did you mean"),
        ('[memory]\nrecall_model_profile = { nam = "x" }\n', "memoryd.toml:2: memory.recall_model_profile.nam is not a known"),
    ],
)
def test_an_unknown_key_is_an_error_with_its_place_and_the_nearest_key(load: Load, ours: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(ours)
    assert caught.value.text.startswith(said)
    assert caught.value.hint.startswith("Known here: ")


@pytest.mark.rule("config.value-never-echoed")
@pytest.mark.parametrize(
    ("ours", "said"),
    [
        ('[memory]\nidle_seconds = "soon-ish"\n', "memoryd.toml:2: memory.idle_seconds must be a whole number"),
        ("[memory]\nidle_seconds = -77\n", "memoryd.toml:2: memory.idle_seconds must be at least 0"),
        ("[memory]\nenabled = 77\n", "memoryd.toml:2: memory.enabled must be true or false"),
        ('[memory]\nrecall_fallback = "soon-ish"\n', "memoryd.toml:2: memory.recall_fallback must be one of 'lexical'"),
        ("[memory]\nextract_model_profile = 77\n", "memory.extract_model_profile must be a profile's name or an inline table"),
        ("[model]\ntemperature = 77\n", 'memoryd.toml:2: model.temperature must be a number from 0 to 2, or "omit"'),
        ("[model]\nretry = { max_attempts = 77 }\n", "memoryd.toml:2: model.retry.max_attempts must be at most 10"),
        ('[model]\napi_key_env = "soon-ish"\n', "memoryd.toml:2: model.api_key_env must be"),
        ('[model]\nbase_url = "http://soon-ish.example.com"\n', "memoryd.toml:2: model.base_url must use https"),
        ('[secrets]\npatterns = ["soon-ish("]\n', "memoryd.toml:2: secrets.patterns must be a regular expression"),
        ("[secrets]\nallow = 77\n", "memoryd.toml:2: secrets.allow must be a list"),
        ("[server]\nmax_message_bytes = 77\n", "memoryd.toml:2: server.max_message_bytes must be at least 65536"),
        ("model = 77\n", "memoryd.toml:1: model must be a table"),
        ('[model]\napi_key_env = "A"\napi_key_file = "77"\n', "memoryd.toml:3: model.api_key_file give api_key_env or"),
    ],
)
def test_a_bad_value_is_named_by_place_and_what_is_allowed_and_never_repeated(load: Load, ours: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(ours)
    shown = f"{caught.value} {caught.value.hint}"
    assert said in shown
    assert "soon-ish" not in shown and "77" not in shown


@pytest.mark.rule("config.literal-key")
@pytest.mark.parametrize("key", ["api_key", "API_KEY", "token"])
def test_a_literal_key_is_refused_with_the_fix_and_without_the_key(load: Load, key: str) -> None:
    value = "-".join(["made", "at", "run", "time"])
    with pytest.raises(ConfigError) as caught:
        load(f'[model]\nprovider = "openai"\n{key} = "{value}"\n')
    assert "memoryd.toml:3" in caught.value.text
    assert "api_key_env" in caught.value.hint
    assert value not in f"{caught.value} {caught.value.hint}"


def test_a_profile_that_does_not_exist_is_named_with_the_nearest_one(load: Load) -> None:
    with pytest.raises(ConfigError, match=r"memoryd\.toml:2: model_profiles\.smal is not a known key; did you mean small"):
        load('[memory]\nextract_model_profile = "smal"\n[model_profiles.small]\nname = "x"\n')


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", False), ("false", False), ("off", False), ("no", False), ("1", True), ("TRUE", True), ("yes", True)],
)
def test_a_switch_in_a_variable_is_read_by_its_usual_words(load: Load, text: str, value: bool) -> None:
    assert load(env={"SOONG_MEMORYD_MEMORY_ENABLED": text}).memory.enabled is value


def test_variables_of_no_section_are_not_ours_to_judge(load: Load) -> None:
    env = {"SOONG_MEMORYD_SOCKET": "/run/x", "SOONG_MEMORYD_CMD": "x", "PATH": "/bin", "SOONG_MEMORYD_MEMORY": "x"}
    assert load(env=env) == load()


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({"SOONG_MEMORYD_MEMORY_IDLE_SECOND": "3"}, "SOONG_MEMORYD_MEMORY_IDLE_SECOND: memory.idle_second is not a"),
        ({"SOONG_MEMORYD_MEMORY_IDLE_SECONDS": "soon"}, "SOONG_MEMORYD_MEMORY_IDLE_SECONDS: memory.idle_seconds must be"),
    ],
)
def test_a_variable_that_cannot_be_used_is_named(load: Load, env: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(env=env)
    assert caught.value.text.startswith(said)


@pytest.mark.rule("config.endpoint-from-files-only")
@pytest.mark.parametrize("key", ["BASE_URL", "PROVIDER", "API_KEY_ENV", "API_KEY_FILE", "ALLOW_INSECURE_HTTP", "EXTRA_BODY"])
def test_where_text_is_sent_and_with_whose_key_is_never_taken_from_the_environment_or_a_flag(load: Load, key: str) -> None:
    with pytest.raises(ConfigError, match="can only be set in"):
        load(env={f"SOONG_MEMORYD_MODEL_{key}": "https://models.example.com"})
    with pytest.raises(ConfigError, match="can only be set in"):
        load(**{f"model__{key.lower()}": "https://models.example.com"})


def test_consent_is_not_taken_from_the_environment(load: Load) -> None:
    with pytest.raises(ConfigError, match="can only be set in"):
        load(env={"SOONG_MEMORYD_MEMORY_ALLOW_REMOTE_MODEL": "1"})


def test_the_embedded_model_may_be_chosen_by_a_variable_and_leaves_the_endpoint_behind(load: Load) -> None:
    ours = '[model]\nprovider = "openai"\nname = "x"\nbase_url = "https://models.example.com"\napi_key_env = "K"\n'
    config = load(ours, env={"SOONG_MEMORYD_MODEL_PROVIDER": "builtin"})
    assert config.model is not None
    assert (config.model.provider, config.model.base_url, config.model.api_key_env) == ("builtin", None, None)


@pytest.mark.rule("config.key-stays-with-endpoint")
def test_another_provider_in_our_file_takes_neither_address_nor_key_from_the_agents_file(load: Load) -> None:
    agent = '[model]\nprovider = "openai"\nname = "x"\nbase_url = "https://a.example.com/v1"\napi_key_env = "A_KEY"\n'
    config = load('[model]\nprovider = "deepseek"\n', agent)
    assert config.model is not None
    assert (config.model.base_url, config.model.api_key_env, config.model.name) == (None, None, "x")
    assert config.origin("model.base_url") == "default"


def test_a_flag_for_something_that_does_not_exist_is_refused(load: Load) -> None:
    with pytest.raises(ConfigError, match=r"flag: memry\.idle_seconds is not a known key"):
        load(memry__idle_seconds=3)
