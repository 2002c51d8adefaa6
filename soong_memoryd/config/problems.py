"""What is wrong with a setting, in words: place, key, what is allowed, and never the value.

Owns: unknown keys with the nearest known one, and the words for each kind of bad value. Must not know where layers come from.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from soong_memoryd.config.file import KeyPath
from soong_memoryd.config.schema import MemorySettings, ModelSettings, RetrySettings, SecretsSettings, ServerSettings
from soong_memoryd.errors import ConfigError

Place = Callable[[KeyPath], str]
Table = TypeVar("Table", bound=BaseModel)

SECTIONS: Mapping[str, type[BaseModel]] = {
    "model": ModelSettings,
    "memory": MemorySettings,
    "secrets": SecretsSettings,
    "server": ServerSettings,
}
PROFILES = "model_profiles"
PROFILE_KEYS = ("extract_model_profile", "recall_model_profile")
LITERAL_KEYS = frozenset({"api_key", "apikey", "key", "token", "password", "secret"})

ALLOWED = {  # pydantic's error type -> what is allowed
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "string_type": "must be a string",
    "string_too_short": "must not be empty",
    "string_too_long": "must be at most {max_length} characters long",
    "string_pattern_mismatch": "must be one line without control characters, a variable's name without special characters",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be one of {expected}",
    "tuple_type": "must be a list of strings",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "value_error": "{error}",
}
ALLOWED_FOR = {  # keys that take more than one type
    "temperature": 'must be a number from 0 to 2, or "omit"',
    "extract_model_profile": "must be a profile's name or an inline table",
    "recall_model_profile": "must be a profile's name or an inline table",
}


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like ``word``, if any is alike."""
    return next(iter(difflib.get_close_matches(word.casefold(), list(known), 1, 0.6)), None)


def unknown_key(place: str, path: KeyPath, known: Iterable[str]) -> ConfigError:
    """The error for a key that does not exist."""
    known = sorted(known)
    guess = nearest(path[-1], known)
    ending = f"; did you mean {guess}?" if guess else ""
    return ConfigError(f"{place}: {'.'.join(path)} is not a known key{ending}", hint=f"Known here: {', '.join(known)}.")


def bad_value(place: str, path: KeyPath, allowed: str) -> ConfigError:
    """The error for a value that is not allowed; the value itself is never named."""
    return ConfigError(f"{place}: {'.'.join(path)} {allowed}")


def refuse_unknown_keys(tables: Mapping[str, Any], place: Place) -> None:
    """Check every key of our own file.

    Raises:
        ConfigError: names place, key and the nearest known key; for a literal key of a provider, the fix.
    """
    for section, table in tables.items():
        if section == PROFILES:
            for name, profile in _table(table, (section,), place).items():
                _refuse_unknown(profile, ModelSettings, (section, name), place)
        elif section in SECTIONS:
            _refuse_unknown(table, SECTIONS[section], (section,), place)
        else:
            raise unknown_key(place((section,)), (section,), [*SECTIONS, PROFILES])


def known_only(table: Any, model: type[BaseModel]) -> dict[str, Any]:
    """The keys of a foreign table that we know, down to its inline tables."""
    kept = {key: value for key, value in table.items() if key in model.model_fields} if isinstance(table, Mapping) else {}
    nested = {"retry": RetrySettings} | dict.fromkeys(PROFILE_KEYS, ModelSettings)
    inner = {key: known_only(value, nested[key]) for key, value in kept.items() if key in nested and isinstance(value, Mapping)}
    return kept | inner


def validate(model: type[Table], table: Mapping[str, Any], path: KeyPath, place: Place) -> Table:
    """The table as a value.

    Raises:
        ConfigError: names place, key and what is allowed.
    """
    try:
        value = model.model_validate(dict(table))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = (*path, *(str(part) for part in first["loc"][:2] if str(part) in _NAMES))
        context = {key: str(part) for key, part in first.get("ctx", {}).items()}
        allowed = ALLOWED_FOR.get(where[-1]) or ALLOWED.get(first["type"], "has a value that is not allowed").format(**context)
        raise bad_value(place(where), where, allowed) from None
    if isinstance(value, ModelSettings):
        problem = value.problem()
        if problem is not None:
            raise bad_value(place((*path, problem[0])), (*path, problem[0]), problem[1])
    return value


_NAMES = frozenset(RetrySettings.model_fields).union(*(model.model_fields for model in SECTIONS.values()))


def _refuse_unknown(table: Any, model: type[BaseModel], path: KeyPath, place: Place) -> None:
    for key, value in _table(table, path, place).items():
        here = (*path, key)
        if key not in model.model_fields:
            if model is ModelSettings and key.casefold() in LITERAL_KEYS:
                raise ConfigError(
                    f"{place(here)}: {'.'.join(here)} is refused: keys do not belong into a config file",
                    hint='Name the variable that holds it: api_key_env = "…" (or a file of mode 0600: api_key_file = "…").',
                )
            raise unknown_key(place(here), here, model.model_fields)
        if key == "retry":
            _refuse_unknown(value, RetrySettings, here, place)
        elif key in PROFILE_KEYS and isinstance(value, Mapping):
            _refuse_unknown(value, ModelSettings, here, place)


def _table(value: Any, path: KeyPath, place: Place) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise bad_value(place(path), path, "must be a table")
    return value
