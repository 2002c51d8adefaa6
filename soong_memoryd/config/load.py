"""The configuration from its sources: flags > ``SOONG_MEMORYD_*`` > memoryd.toml > config.toml > defaults.

Owns: the order of the sources and the composed ``Config``. Must not know providers or read a provider's key.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from soong_memoryd.config.file import ConfigFile, KeyPath, read_config_file
from soong_memoryd.config.layers import Layer, inherit, merge, of_environment, of_file, of_flags
from soong_memoryd.config.problems import (
    PROFILE_KEYS,
    PROFILES,
    SECTIONS,
    Place,
    known_only,
    refuse_unknown_keys,
    unknown_key,
    validate,
)
from soong_memoryd.config.schema import Config, MemorySettings, ModelSettings, SecretsSettings, ServerSettings

_TableT = TypeVar("_TableT", bound=BaseModel)

OUR_FILE = "memoryd.toml"
AGENT_FILE = "config.toml"
AGENT_PROFILES = "model_overrides"


def load_config(home_dir: Path, env: Mapping[str, str], overrides: Mapping[str, Any] | None = None) -> Config:
    """Read both files below ``home_dir`` (either may be missing) and put environment and flags over them.

    Raises:
        ConfigError: a file, key or value that cannot be used; the text names place, key and what is allowed.
    """
    ours = read_config_file(home_dir / OUR_FILE) or ConfigFile(OUR_FILE, {})
    refuse_unknown_keys(ours.tables, ours.place)
    theirs = _agent_layer(read_config_file(home_dir / AGENT_FILE))
    layers = [theirs, of_file(ours), of_environment(env), of_flags(overrides or {})]
    origins: dict[str, str] = {}
    memory = _memory(layers, origins)
    config = Config(
        model=_main_model(layers, origins),
        model_profiles=_profiles(theirs, ours, memory, origins),
        memory=memory,
        secrets=_section(SecretsSettings, "secrets", layers, origins),
        server=_section(ServerSettings, "server", layers, origins),
        origins=origins,
        warnings=ours.warnings,
    )
    for key in PROFILE_KEYS:
        name = getattr(memory, key)
        if isinstance(name, str) and name not in config.model_profiles:
            raise unknown_key(config.origin(f"memory.{key}"), (PROFILES, name), config.model_profiles)
    return config


def profile_settings(config: Config, key: str) -> ModelSettings | None:
    """The settings that a memory profile key (``extract_model_profile``) leads to, inherited; None: nothing is configured.

    Unset leads to the main model, wholly.
    """
    chosen = getattr(config.memory, key)
    if chosen is None:
        return config.model
    settings = config.model_profiles[chosen] if isinstance(chosen, str) else chosen
    return inherited(config.model, settings)


def inherited(main: ModelSettings | None, settings: ModelSettings) -> ModelSettings:
    """A profile's settings with what it leaves out taken from the main model's."""
    if main is None:
        return settings
    given = settings.model_dump(exclude_unset=True, exclude_none=True)
    return ModelSettings.model_validate(inherit(main.model_dump(exclude_unset=True, exclude_none=True), given))


def _agent_layer(file: ConfigFile | None) -> Layer:
    """The agent's own file: only the tables and keys that we know, everything else is its business."""
    if file is None:
        return Layer({}, lambda _: AGENT_FILE)
    tables: dict[str, Any] = {name: known_only(file.tables.get(name), SECTIONS[name]) for name in ("model", "memory")}
    overrides = file.tables.get(AGENT_PROFILES)
    if isinstance(overrides, Mapping):
        tables[PROFILES] = {name: known_only(table, ModelSettings) for name, table in overrides.items()}

    def place(path: KeyPath) -> str:
        return file.place((AGENT_PROFILES, *path[1:]) if path[0] == PROFILES else path)

    return Layer(tables, place)


def _section(
    model: type[_TableT], name: str, layers: list[Layer], origins: dict[str, str], values: Mapping[str, Any] | None = None
) -> _TableT:
    merged, places = merge(name, layers)
    origins |= {f"{name}.{key}": where((name, key)) for key, where in places.items()}
    return validate(model, merged | dict(values or {}), (name,), _place_of(places))


def _memory(layers: list[Layer], origins: dict[str, str]) -> MemorySettings:
    merged, places = merge("memory", layers)
    inline = {
        key: validate(ModelSettings, merged[key], ("memory", key), _place_of(places))
        for key in PROFILE_KEYS
        if isinstance(merged.get(key), Mapping)
    }
    return _section(MemorySettings, "memory", layers, origins, inline)


def _main_model(layers: list[Layer], origins: dict[str, str]) -> ModelSettings | None:
    if not any("model" in layer.tables and layer.section("model") for layer in layers):
        return None
    return _section(ModelSettings, "model", layers, origins)


def _profiles(theirs: Layer, ours: ConfigFile, memory: MemorySettings, origins: dict[str, str]) -> dict[str, ModelSettings]:
    """Ours by name, and of the agent's those that a memory profile names."""
    named = {getattr(memory, key) for key in PROFILE_KEYS}
    found = {name: (table, theirs.place) for name, table in theirs.section(PROFILES).items() if name in named}
    found |= {name: (table, ours.place) for name, table in ours.tables.get(PROFILES, {}).items()}
    for name, (table, place) in found.items():
        origins |= {f"{PROFILES}.{name}.{key}": place((PROFILES, name, key)) for key in table}
    return {name: validate(ModelSettings, table, (PROFILES, name), place) for name, (table, place) in found.items()}


def _place_of(places: Mapping[str, Place]) -> Place:
    def place(path: KeyPath) -> str:
        where = places.get(path[1]) if len(path) > 1 else None
        return where(path) if where else OUR_FILE

    return place
