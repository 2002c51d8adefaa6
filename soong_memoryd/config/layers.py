"""Several sources of the same settings, one over the other.

Owns: what the environment and flags may set, and how a later model table inherits from an earlier one.
Must not know which values are allowed (``schema.py``) or any provider.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from soong_memoryd.config.base_url import endpoint
from soong_memoryd.config.file import ConfigFile, KeyPath
from soong_memoryd.config.problems import SECTIONS, Place, bad_value, unknown_key
from soong_memoryd.errors import ConfigError

PREFIX = "SOONG_MEMORYD_"

# Where text is sent, and with whose key, is said in the two files alone. ``builtin`` sends nothing anywhere.
FILES_ONLY = frozenset(
    {"provider", "base_url", "api_key_env", "api_key_file", "allow_insecure_http", "allow_remote_model", "extra_body"}
)
SWITCH_WORDS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
KEY_FIELDS = ("api_key_env", "api_key_file")
ENDPOINT_FIELDS = (*KEY_FIELDS, "base_url", "allow_insecure_http", "structured_output", "max_tokens_field", "extra_body")


@dataclass(frozen=True, slots=True)
class Layer:
    """One source: its tables, and where each of its keys stands."""

    tables: Mapping[str, Any]
    place: Place

    def section(self, name: str) -> Mapping[str, Any]:
        """A table of this source; empty when it has none."""
        table = self.tables.get(name, {})
        if not isinstance(table, Mapping):
            raise bad_value(self.place((name,)), (name,), "must be a table")
        return table


def of_file(file: ConfigFile) -> Layer:
    """A file's own tables."""
    return Layer(file.tables, file.place)


def of_environment(env: Mapping[str, str]) -> Layer:
    """What ``SOONG_MEMORYD_<SECTION>_<KEY>`` variables set; other variables are not looked at.

    Raises:
        ConfigError: a variable of a known section with an unknown key, or one for a key that only files may set.
    """
    set_by: dict[KeyPath, str] = {}
    for variable in sorted(env):
        section, _, key = variable.removeprefix(PREFIX).lower().partition("_")
        if variable.startswith(PREFIX) and section in SECTIONS and key:
            set_by[(section, key)] = variable
    values = {path: env[variable] for path, variable in set_by.items()}
    return _of_values(values, lambda path: set_by.get(path[:2], "environment"))


def of_flags(overrides: Mapping[str, Any]) -> Layer:
    """What flags set, as dotted keys (``memory.idle_seconds``); values are typed, or text as in a variable."""
    values: dict[KeyPath, Any] = {}
    for dotted, value in overrides.items():
        path = tuple(dotted.split("."))
        if len(path) != 2 or path[0] not in SECTIONS:
            raise unknown_key("flag", path, SECTIONS)
        values[path] = value
    return _of_values(values, lambda _: "flag")


def inherit(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """A model table over another: what ``over`` leaves out comes from ``base``.

    Another provider brings its own endpoint, key and quirks. A key belongs to the endpoint that it was named for: a
    table that moves elsewhere names its key again.
    """
    provider, base_url = over.get("provider"), over.get("base_url")
    if provider is not None and provider != base.get("provider"):
        dropped: Sequence[str] = ENDPOINT_FIELDS
    elif base_url is not None and not _same_endpoint(base_url, base.get("base_url")):
        dropped = KEY_FIELDS
    else:
        dropped = KEY_FIELDS if any(over.get(name) for name in KEY_FIELDS) else ()
    merged = {key: value for key, value in base.items() if key not in dropped} | dict(over)
    retries = [table["retry"] for table in (base, over) if isinstance(table.get("retry"), Mapping)]
    return merged | ({"retry": {**retries[0], **retries[1]}} if len(retries) == 2 else {})


def merge(section: str, layers: Sequence[Layer]) -> tuple[dict[str, Any], dict[str, Place]]:
    """(values, key -> where it stands) of a section; later layers win."""
    merged: dict[str, Any] = {}
    places: dict[str, Place] = {}
    for layer in layers:
        table = layer.section(section)
        merged = inherit(merged, table) if section == "model" else merged | dict(table)
        places |= dict.fromkeys(table, layer.place)
    return merged, {key: places[key] for key in merged}


def _same_endpoint(one: Any, other: Any) -> bool:
    try:
        return endpoint(one) == endpoint(other)
    except (TypeError, ValueError, AttributeError):
        return False


def _of_values(values: Mapping[KeyPath, Any], place: Place) -> Layer:
    tables: dict[str, dict[str, Any]] = {}
    for path, value in values.items():
        section, key = path
        if key in FILES_ONLY and not (key == "provider" and value == "builtin"):
            raise ConfigError(f"{place(path)}: {section}.{key} can only be set in memoryd.toml")
        fields = SECTIONS[section].model_fields
        if key not in fields:
            raise unknown_key(place(path), path, fields)
        annotation = fields[key].annotation
        takes_text = annotation is str or str in get_args(annotation)
        typed = _typed(value, annotation is bool) if isinstance(value, str) and not takes_text else value
        tables.setdefault(section, {})[key] = typed
    return Layer(tables, place)


def _typed(text: str, is_switch: bool) -> Any:
    """A variable's text as the value that TOML would have: a switch by its usual words, numbers and lists as JSON."""
    if is_switch:
        return SWITCH_WORDS.get(text.casefold(), text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
