"""From settings to a profile."""

from __future__ import annotations

from typing import Any

import pytest

from soong_memoryd.config.base_url import Reach, base_url_problem
from soong_memoryd.errors import ConfigError
from soong_memoryd.llm.ladder import RUNGS
from soong_memoryd.llm.presets import BUILTIN, COMPATIBLE, PRESETS
from soong_memoryd.llm.profiles import Profile, Use, resolve
from tests.support.models import config_with

OPENAI = {"provider": "openai", "name": "large"}
LOCAL = {"provider": "ollama", "name": "small"}


def resolved(model: dict[str, Any] | None, use: Use = "main", profiles: dict[str, Any] | None = None, **memory: Any) -> Profile:
    profile = resolve(config_with(model, profiles, **memory), use)
    assert profile is not None
    return profile


@pytest.mark.rule("llm.no-model-waits")
@pytest.mark.parametrize("use", ["main", "extract", "recall"])
def test_no_model_is_no_error_and_no_profile(use: Use) -> None:
    assert resolve(config_with(None), use) is None


@pytest.mark.parametrize("provider", sorted(PRESETS))
def test_every_preset_gives_a_usable_profile(provider: str) -> None:
    model = {"provider": provider, "name": "x"} | ({"base_url": "http://127.0.0.1:9/v1"} if provider == COMPATIBLE else {})
    profile = resolved(model)
    assert profile.context_tokens > 1024
    assert profile.quirks.first_rung in RUNGS
    assert provider == BUILTIN or base_url_problem(profile.base_url) is None
    assert profile.needs_key == (profile.reach is Reach.PUBLIC)
    assert not profile.needs_key or profile.api_key_env


@pytest.mark.rule("llm.profile-falls-back-wholly", "rule.job-is-internal")
def test_an_unset_memory_profile_is_wholly_the_main_model() -> None:
    model = OPENAI | {"temperature": 1.0, "timeout_ms": 9000, "context_window": 50_000}
    main, extract = resolved(model), resolved(model, "extract")
    assert (extract.provider, extract.name, extract.temperature, extract.timeout_seconds, extract.context_window) == (
        (main.provider, main.name, main.temperature, main.timeout_seconds, main.context_window)
    )


@pytest.mark.rule("llm.profile-inherits")
def test_a_profile_inherits_what_it_leaves_out() -> None:
    main = OPENAI | {"api_key_env": "KEY", "timeout_ms": 9000, "retry": {"max_attempts": 7, "initial_backoff_ms": 9}}
    small = {"name": "small", "retry": {"max_attempts": 2}}
    profile = resolved(main, "extract", {"small": small}, extract_model_profile="small")
    assert (profile.provider, profile.name, profile.api_key_env, profile.timeout_seconds) == ("openai", "small", "KEY", 9.0)
    assert (profile.retry.max_attempts, profile.retry.initial_backoff_ms) == (2, 9)


@pytest.mark.rule("llm.profile-inherits")
def test_a_profile_of_another_provider_brings_its_own_address_key_and_quirks() -> None:
    main = OPENAI | {
        "base_url": "https://a.example.com/v1",
        "api_key_env": "A_KEY",
        "max_tokens_field": "max_completion_tokens",
    }
    profile = resolved(main, "recall", {"d": {"provider": "deepseek", "name": "chat"}}, recall_model_profile="d")
    assert (profile.base_url, profile.api_key_env) == ("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY")
    assert profile.quirks == PRESETS["deepseek"].quirks


@pytest.mark.rule("job.profile-keys")
def test_an_inline_table_is_a_profile_too() -> None:
    profile = resolved(OPENAI, "extract", extract_model_profile={"name": "inline"})
    assert (profile.provider, profile.name) == ("openai", "inline")
    assert resolved(None, "extract", extract_model_profile=OPENAI).name == "large"


@pytest.mark.rule("config.key-stays-with-endpoint")
def test_a_key_does_not_follow_a_profile_to_another_address() -> None:
    main = OPENAI | {"base_url": "https://a.example.com/v1", "api_key_env": "A_KEY"}
    moved = {"base_url": "https://b.example.com/v1"}
    assert resolved(main, "extract", {"m": moved}, extract_model_profile="m").api_key_env is None
    same = {"base_url": "https://a.example.com/v2"}
    assert resolved(main, "extract", {"m": same}, extract_model_profile="m").api_key_env == "A_KEY"


@pytest.mark.rule("config.key-stays-with-endpoint")
def test_a_presets_key_is_for_the_presets_own_address() -> None:
    assert resolved(OPENAI).api_key_env == "OPENAI_API_KEY"
    assert resolved(OPENAI | {"base_url": "https://gateway.example.com/v1"}).api_key_env is None


def test_a_local_address_without_a_path_gets_the_usual_one() -> None:
    assert resolved(LOCAL | {"base_url": "http://127.0.0.1:9999"}).base_url == "http://127.0.0.1:9999/v1"
    assert resolved(LOCAL | {"base_url": "http://127.0.0.1:9999/api/"}).base_url == "http://127.0.0.1:9999/api"


@pytest.mark.parametrize(
    ("model", "sent"),
    [
        (OPENAI, None),
        (OPENAI | {"temperature": 0.7}, 0.7),
        (LOCAL, 0.2),
        (LOCAL | {"temperature": "omit"}, None),
        ({"provider": "anthropic", "name": "x", "temperature": 1.5}, 1.0),
    ],
)
def test_the_temperature_is_the_profiles_within_what_the_provider_takes(model: dict[str, Any], sent: float | None) -> None:
    assert resolved(model).temperature == sent


@pytest.mark.parametrize(
    ("model", "said", "hint"),
    [
        ({"provider": "opnai", "name": "x"}, "model.provider is not known; did you mean openai?", "anthropic"),
        ({"name": "x"}, "model.provider is missing", "openai"),
        ({"provider": "openai"}, "model.name is missing", "name"),
        ({"provider": COMPATIBLE, "name": "x"}, "model.base_url is missing", "address"),
        (OPENAI | {"context_window": 4096, "max_output_tokens": 4000}, "model.max_output_tokens leaves no room", "Lower"),
    ],
)
def test_what_is_missing_or_does_not_fit_is_named(model: dict[str, Any], said: str, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        resolved(model)
    assert said in caught.value.text
    assert hint in caught.value.hint


def test_an_address_without_a_provider_is_a_compatible_one() -> None:
    assert resolved({"name": "x", "base_url": "http://127.0.0.1:9/v1"}).label == "openai-compatible/x"


@pytest.mark.rule("config.consent")
@pytest.mark.parametrize("main", [LOCAL, {"provider": "builtin"}, LOCAL | {"base_url": "https://192.168.1.20/v1"}])
@pytest.mark.parametrize("memory_model", [OPENAI, {"provider": "ollama", "name": "gpt-oss:120b-cloud"}])
def test_a_local_main_model_and_a_remote_memory_model_need_consent(main: dict[str, Any], memory_model: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as caught:
        resolved(main, "extract", {"far": memory_model}, extract_model_profile="far")
    assert caught.value.code == "consent"
    assert "allow_remote_model" in caught.value.hint
    allowed = resolved(main, "extract", {"far": memory_model}, extract_model_profile="far", allow_remote_model=True)
    assert allowed.reach is Reach.PUBLIC


@pytest.mark.rule("config.consent")
def test_no_consent_is_needed_where_nothing_goes_further_than_before() -> None:
    assert resolved(OPENAI, "recall", {"near": LOCAL}, recall_model_profile="near").reach is Reach.LOCAL
    other = {"provider": "deepseek", "name": "chat"}
    assert resolved(OPENAI, "recall", {"other": other}, recall_model_profile="other").reach is Reach.PUBLIC
    assert resolved(LOCAL, "extract").reach is Reach.LOCAL
