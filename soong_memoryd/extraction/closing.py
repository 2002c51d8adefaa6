"""The arguments of ``finish``, as a model sends them.

Owns: their shape, and what is forgiven: extra keys, null for an empty list. Must not know: which ids exist.
Nothing of it is stored but ids and reasons that are held against what is known, so it need not be strict; only an answer
that holds neither list, and yet something, was not understood by its author.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator


def _list_or_empty(value: object) -> object:
    return [] if value is None else value


NodeIds = Annotated[list[str], BeforeValidator(_list_or_empty)]


class _Said(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True, hide_input_in_errors=True)


class Ignored(_Said):
    """Messages that the model considered and dropped, and why."""

    reason: str
    source_node_ids: NodeIds = []


class Duplicate(_Said):
    """Messages that say what is known already."""

    memory_id: str
    source_node_ids: NodeIds = []


class Finish(_Said):
    """Both lists may be empty: nothing was worth a word."""

    ignored: Annotated[list[Ignored], BeforeValidator(_list_or_empty)] = []
    duplicates: Annotated[list[Duplicate], BeforeValidator(_list_or_empty)] = []

    @model_validator(mode="before")
    @classmethod
    def _is_about_the_job(cls, arguments: Any) -> Any:
        if isinstance(arguments, dict) and arguments and arguments.keys().isdisjoint(cls.model_fields):
            raise ValueError("neither ignored nor duplicates")
        return arguments
