"""The config as the daemon would take it, without a daemon: what is wrong with it, or every setting and where it comes from.

Owns: reading it once for a start or a check, and the two forms of the answer. Must not know sockets, locks, the database.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from soong_memoryd import kernel
from soong_memoryd.config.load import load_config
from soong_memoryd.config.schema import Config
from soong_memoryd.config.table import options, shown
from soong_memoryd.errors import ConfigError, MemorydError
from soong_memoryd.home import Home
from soong_memoryd.llm.profiles import Use, resolve

EXIT_CONFIG = 78
USES: tuple[Use, ...] = ("extract", "recall")


def load(home: Home, env: Mapping[str, str], overrides: Mapping[str, Any]) -> Config:
    """The config with every profile that a daemon would use.

    Raises:
        ConfigError: it cannot be used, or a profile in it cannot: a reason not to start.
    """
    config = load_config(home.root, env, overrides)
    for use in USES:
        resolve(config, use)
    return config


def check(home: Home, env: Mapping[str, str], overrides: Mapping[str, Any], *, as_json: bool) -> int:
    """Read the config as ``serve`` would, say what is wrong with it or what is in it, and return the exit code (0 or 78)."""
    try:
        config = load(home, env, overrides)
    except ConfigError as error:
        if as_json:
            _print_json({"problem": error.text, "hint": error.hint})
            return EXIT_CONFIG
        return complain(error, EXIT_CONFIG)
    if as_json:
        _print_json(report(config))
        return 0
    for warning in config.warnings:
        print(f"note: {warning}", file=sys.stderr)  # noqa: T201  this is what the command is for
    profile = resolve(config, "extract")
    model = "no model configured: extraction waits" if profile is None else f"extraction uses {profile.label}"
    print(f"config ok; {model}")  # noqa: T201
    return 0


def report(config: Config) -> dict[str, Any]:
    """Settings with their origins, keys by use, all options, and what the kernel offers. Holds names of keys, no key."""
    profiles = {use: profile for use in USES if (profile := resolve(config, use)) is not None}
    return {
        "problem": None,
        "warnings": list(config.warnings),
        "settings": [{"key": row.key, "value": _plain(row.value), "origin": row.origin} for row in shown(config)],
        "options": [
            {"key": row.key, "default": _plain(row.default), "variable": row.variable, "description": row.description}
            for row in options()
        ],
        "keys": [
            {"use": use, "variable": profile.api_key_env, "file": profile.api_key_file, "needed": profile.needs_key}
            for use, profile in profiles.items()
        ],
        "landlock_abi": kernel.landlock_abi(),
    }


def complain(error: MemorydError | OSError, code: int) -> int:
    """Say on stderr what is wrong and what helps; returns ``code``."""
    text = error.text if isinstance(error, MemorydError) else f"{error.strerror}: {error.filename}"
    print(f"soong-memoryd: {text}", file=sys.stderr)  # noqa: T201  before there is a log
    hint = getattr(error, "hint", "")
    if hint:
        print(f"  {hint}", file=sys.stderr)  # noqa: T201
    return code


def _plain(value: Any) -> Any:
    """A value as JSON has it: a table of a profile as a table, a tuple as a list."""
    return value.model_dump(exclude_none=True) if hasattr(value, "model_dump") else value


def _print_json(data: dict[str, Any]) -> None:
    print(json.dumps(data, ensure_ascii=False))  # noqa: T201
