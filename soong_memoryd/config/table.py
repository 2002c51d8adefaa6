"""Every setting as a row: for the reference page, for ``config show``, and for completion.

Owns: how a setting is described in one line. Must not know where values come from (``Config.origins`` does).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic_core import PydanticUndefined

from soong_memoryd.config.layers import FILES_ONLY, PREFIX
from soong_memoryd.config.problems import SECTIONS
from soong_memoryd.config.schema import Config

HIDDEN = frozenset({"extra_body"})  # a table of the provider's own, which may hold anything


@dataclass(frozen=True, slots=True)
class Option:
    """A key that can be set. ``variable`` is None for a key that only a file may set."""

    key: str
    default: Any
    variable: str | None
    description: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A key's value and where it comes from: ``memoryd.toml:7``, a variable's name, ``flag``, ``default``."""

    key: str
    value: Any
    origin: str


def options() -> Iterator[Option]:
    """All keys, in the order of the reference."""
    for section, model in SECTIONS.items():
        for name, field in model.model_fields.items():
            default = None if field.default is PydanticUndefined else field.default
            variable = None if name in FILES_ONLY else f"{PREFIX}{section}_{name}".upper()
            yield Option(f"{section}.{name}", default, variable, field.description or "")


def shown(config: Config) -> Iterator[Shown]:
    """All values in effect, keys of ``[model]`` only as far as they are set."""
    for section in SECTIONS:
        table = getattr(config, section)
        for name, value in table.model_dump().items() if table is not None else ():
            if section != "model" or value is not None:
                yield Shown(f"{section}.{name}", "…" if name in HIDDEN else value, config.origin(f"{section}.{name}"))
