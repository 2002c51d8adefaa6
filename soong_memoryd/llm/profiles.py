"""A model profile: everything that one use of a model needs, nothing left out.

Owns: how settings and presets become a profile, and the consent rule. Must not know HTTP or keys (only where they are).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import urlsplit

from soong_memoryd.config.base_url import Reach, base_url_problem, endpoint, reach
from soong_memoryd.config.load import profile_settings
from soong_memoryd.config.problems import nearest
from soong_memoryd.config.schema import Config, ModelSettings, RetrySettings
from soong_memoryd.errors import ConfigError
from soong_memoryd.llm.presets import BUILTIN, COMPATIBLE, PRESETS, Preset, Quirks

Use = Literal["main", "extract", "recall"]

DEFAULT_TIMEOUT_MS = 60_000
SMALLEST_PROMPT_TOKENS = 1024


@dataclass(frozen=True, slots=True)
class Profile:
    """One use of a model. ``base_url`` is empty for ``builtin``. ``first_rung`` is None while the ladder may choose."""

    use: Use
    provider: str
    name: str
    base_url: str
    api_key_env: str | None
    api_key_file: str | None
    needs_key: bool
    context_window: int
    max_output_tokens: int
    temperature: float | None
    timeout_seconds: float
    retry: RetrySettings
    quirks: Quirks
    first_rung: str | None
    extra_body: Mapping[str, Any]
    reach: Reach

    @property
    def label(self) -> str:
        """Provider and model name, for events and status."""
        return f"{self.provider}/{self.name}" if self.name else self.provider

    @property
    def context_tokens(self) -> int:
        """Estimated tokens that a prompt may have: the window less the answer and a tenth for the estimate's error."""
        return (self.context_window - self.max_output_tokens) * 9 // 10


def resolve(config: Config, use: Use) -> Profile | None:
    """The profile for a use, or None while no model is configured for it.

    Raises:
        ConfigError: unknown provider, a missing name or base_url, sizes that do not fit, or ``consent``: a memory
            profile that sends text further than the main model does, without ``allow_remote_model``.
    """
    settings = config.model if use == "main" else profile_settings(config, f"{use}_model_profile")
    if settings is None:
        return None
    profile = _profile(config, use, settings)
    if use != "main" and config.model is not None and not config.memory.allow_remote_model:
        main = _profile(config, "main", config.model)
        if main.reach < Reach.PUBLIC and profile.reach > main.reach:
            raise ConfigError(
                f"memory.{use}_model_profile would send conversations further than the main model does",
                code="consent",
                hint="Set allow_remote_model = true in [memory] if that is what you want, or choose a local profile.",
            )
    return profile


def _profile(config: Config, use: Use, settings: ModelSettings) -> Profile:
    place = _Place(config, use)
    provider = settings.provider or (COMPATIBLE if settings.base_url else "")
    if provider not in PRESETS:
        guess = nearest(provider, PRESETS)
        said = f"is not known{f'; did you mean {guess}?' if guess else ''}" if provider else "is missing"
        raise place.error("provider", said, f"Known: {', '.join(sorted(PRESETS))}.")
    preset = PRESETS[provider]
    base_url = _base_url(provider, preset, settings, place)
    if provider != BUILTIN and not settings.name:
        raise place.error("name", "is missing", "Give the model's name at the provider.")
    window = settings.context_window or preset.context_window
    answer = settings.max_output_tokens or min(preset.max_output_tokens, window // 2)
    if window - answer < SMALLEST_PROMPT_TOKENS:
        raise place.error("max_output_tokens", "leaves no room for a prompt in context_window", "Lower it.")
    quirks = preset.quirks
    if settings.max_tokens_field not in (None, "auto"):
        quirks = replace(quirks, token_field=settings.max_tokens_field)
    own_address = bool(preset.base_url) and bool(base_url) and endpoint(base_url) == endpoint(preset.base_url or base_url)
    distance = reach(base_url) if base_url else Reach.LOCAL
    name = settings.name or ""
    key_env = settings.api_key_env or (preset.api_key_env if own_address and not settings.api_key_file else None)
    return Profile(
        use=use,
        provider=provider,
        name=name if provider != BUILTIN else "",
        base_url=base_url,
        api_key_env=key_env,
        api_key_file=settings.api_key_file,
        needs_key=distance is Reach.PUBLIC,
        context_window=window,
        max_output_tokens=answer,
        temperature=_temperature(settings, quirks),
        timeout_seconds=(settings.timeout_ms or DEFAULT_TIMEOUT_MS) / 1000,
        retry=settings.retry or RetrySettings(),
        quirks=quirks,
        first_rung=None if settings.structured_output in (None, "auto") else settings.structured_output,
        extra_body=settings.extra_body or {},
        reach=Reach.PUBLIC if preset.cloud_names and name.endswith(preset.cloud_names) else distance,
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a profile's settings stand, for errors."""

    config: Config
    use: Use

    def error(self, key: str, wrong: str, hint: str) -> ConfigError:
        chosen = None if self.use == "main" else getattr(self.config.memory, f"{self.use}_model_profile")
        inline = f"memory.{self.use}_model_profile"
        table = "model" if chosen is None else f"model_profiles.{chosen}" if isinstance(chosen, str) else inline
        origin = self.config.origin(f"{table}.{key}")
        return ConfigError(f"{f'{origin}: ' if origin != 'default' else ''}{table}.{key} {wrong}", hint=hint)


def _base_url(provider: str, preset: Preset, settings: ModelSettings, place: _Place) -> str:
    if provider == BUILTIN:
        return ""
    base_url = (settings.base_url or preset.base_url or "").rstrip("/")
    if not base_url:
        raise place.error("base_url", "is missing", f"{provider} has no address of its own.")
    problem = base_url_problem(base_url, allow_insecure_http=bool(settings.allow_insecure_http))
    if problem is not None:
        raise place.error("base_url", problem, "")
    return base_url if urlsplit(base_url).path else base_url + preset.default_path


def _temperature(settings: ModelSettings, quirks: Quirks) -> float | None:
    chosen = quirks.temperature if settings.temperature is None else settings.temperature
    return None if chosen is None or chosen == "omit" else min(float(chosen), quirks.temperature_cap)
