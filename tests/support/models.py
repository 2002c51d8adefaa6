"""Profiles and models for tests, without files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from soong_memoryd.config import Config, KeyRing, MemorySettings, ModelSettings, SecretsSettings, ServerSettings
from soong_memoryd.llm.endpoints import EndpointMemory, ForgetfulEndpoints
from soong_memoryd.llm.profiles import Profile, resolve
from soong_memoryd.llm.remote import RemoteModel

QUICK_RETRY = {"max_attempts": 2, "initial_backoff_ms": 1, "max_backoff_ms": 4000}


def config_with(model: dict[str, Any] | None, profiles: dict[str, dict[str, Any]] | None = None, **memory: Any) -> Config:
    """A configuration of these tables, as a file with them would give."""
    return Config(
        model=None if model is None else ModelSettings.model_validate(model),
        model_profiles={name: ModelSettings.model_validate(table) for name, table in (profiles or {}).items()},
        memory=MemorySettings.model_validate(memory),
        secrets=SecretsSettings(),
        server=ServerSettings(),
        origins={},
    )


def profile_at(base_url: str, **settings: Any) -> Profile:
    """A profile for a scripted server, impatient and quick to try again."""
    table = {"provider": "openai-compatible", "name": "scripted", "base_url": base_url, "timeout_ms": 5000}
    profile = resolve(config_with(table | {"retry": QUICK_RETRY} | settings), "extract")
    assert profile is not None
    return profile


class Waits:
    """A ``sleep`` that does not sleep and remembers for how long it was asked to."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def remote_at(
    base_url: str,
    *,
    env: dict[str, str] | None = None,
    home: Path = Path("/nonexistent"),
    endpoints: EndpointMemory | None = None,
    waits: Waits | None = None,
    **settings: Any,
) -> RemoteModel:
    """A model at a scripted server, with no jitter."""
    profile, keys = profile_at(base_url, **settings), KeyRing(home, env or {})
    return RemoteModel(profile, keys, endpoints or ForgetfulEndpoints(), sleep=waits or Waits(), jitter=lambda: 1.0)
