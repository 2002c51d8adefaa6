"""The arguments of the tools that propose memories, as a model sends them.

Owns: their shapes, and the small ways in which models are known to differ. Must not know: what makes a proposal good.
Forgiven, because nothing is lost by it: null for what is optional, spaces around names and ids, the case of fixed words,
``memory_id`` for ``id``, ``confirmed_by_node_id`` for ``confirmed_by``, and keys that only repeat what is known
(``REPEATED_KEYS``). Any other unknown key is an error: it may carry what the memory was to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator

_ALIASES: Mapping[str, str] = MappingProxyType({"memory_id": "id", "confirmed_by_node_id": "confirmed_by"})


def _stripped(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


def _fixed_word(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


def _stripped_or_none(value: object) -> object:
    return (value.strip() or None) if isinstance(value, str) else value


def _list_or_empty(value: object) -> object:
    return [] if value is None else value


Name = Annotated[str, BeforeValidator(_stripped)]


class _Arguments(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, hide_input_in_errors=True)

    REPEATED_KEYS: ClassVar[frozenset[str]] = frozenset()
    """Keys that models add although code knows better; they are dropped unread."""

    @model_validator(mode="before")
    @classmethod
    def _forgive(cls, arguments: Any) -> Any:
        if not isinstance(arguments, Mapping):
            return arguments
        fields = {key: value for key, value in arguments.items() if key not in cls.REPEATED_KEYS}
        for alias, field in _ALIASES.items():
            if alias in fields and field in cls.model_fields:
                said = fields.pop(alias)
                fields.setdefault(field, said)
        return fields


class QuoteIn(_Arguments):
    """One piece of evidence: words that stand in a node."""

    node_id: Name
    quote: str


class _Written(_Arguments):
    summary: str
    tags: Annotated[list[Name], BeforeValidator(_list_or_empty)] = []
    body: str
    evidence: Annotated[list[QuoteIn], BeforeValidator(_list_or_empty)] = []
    confirmed_by: Annotated[str | None, BeforeValidator(_stripped_or_none)] = None


class CreateMemory(_Written):
    """Arguments of ``create_memory``. A ``relation`` or ``id`` is refused: such a call meant to update."""

    REPEATED_KEYS: ClassVar[frozenset[str]] = frozenset({"source_node_ids"})

    category: Annotated[Literal["user", "feedback", "reference"], BeforeValidator(_fixed_word)]
    name: Name


class UpdateMemory(_Written):
    """Arguments of ``update_memory``. Category, name and creation time stay as they are, whatever the model repeats."""

    REPEATED_KEYS: ClassVar[frozenset[str]] = frozenset({"source_node_ids", "category", "name", "created_at"})

    id: Name
    relation: Annotated[Literal["update", "conflict"], BeforeValidator(_fixed_word)]
