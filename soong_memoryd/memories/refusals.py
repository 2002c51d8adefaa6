"""Why a proposal of the model was refused.

Owns: the codes, their kinds and meanings. Must not know: what was proposed. A ``why`` goes back to the model and never
repeats what it wrote.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple


class RefusalMeaning(NamedTuple):
    """What becomes of a refusal that stands, and what it says.

    ``policy``: the candidate is ignored and the job completes. ``form``: the job fails, so that a real fact does not pass
    the cursor for a bad file name.
    """

    kind: Literal["policy", "form"]
    meaning: str


REFUSALS: Mapping[str, RefusalMeaning] = MappingProxyType(
    {
        "secret": RefusalMeaning("policy", "it holds something that looks like a secret; leave the secret out"),
        "instruction": RefusalMeaning("policy", "it reads like an order to an agent or hides something, not like a fact"),
        "forgotten": RefusalMeaning("policy", "it rests on a message whose memory the user has deleted"),
        "evidence": RefusalMeaning("policy", "the evidence does not prove it"),
        "not_offered": RefusalMeaning("policy", "only a memory that was listed in the request may be updated"),
        "duplicate": RefusalMeaning("policy", "it is stored or staged already"),
        "limit": RefusalMeaning("policy", "too many new memories for one job; keep what matters most"),
        "schema": RefusalMeaning("form", "a field is missing or not of the right form"),
        "no_evidence": RefusalMeaning("form", "at least one {node_id, quote} is needed as evidence"),
        "name": RefusalMeaning("form", "the name cannot be a file name"),
        "size": RefusalMeaning("form", "a text is too long; shorten it, nothing is cut"),
        "collision": RefusalMeaning("form", "the name meets another file; choose another one"),
    }
)
"""Refusal code → kind and meaning, in the order in which they are told when several apply."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A proposal that was not staged; ``why`` says what to mend."""

    code: str
    why: str

    @property
    def kind(self) -> Literal["policy", "form"]:
        """What becomes of the job when this stands."""
        return REFUSALS[self.code].kind


def refuse(code: str, detail: str = "") -> Refusal:
    """A refusal with its meaning and, where there is one, the detail."""
    meaning = REFUSALS[code].meaning
    return Refusal(code, f"{meaning} ({detail})" if detail else meaning)


def strongest(refusals: list[Refusal]) -> Refusal | None:
    """All refusals of one proposal as one: its code is the first of ``REFUSALS``, its ``why`` names them all.

    One repair round has to do, so the model hears everything at once. Policy goes first: what must not be stored anyway
    cannot fail a job by its file name.
    """
    if not refusals:
        return None
    order = list(REFUSALS)
    ranked = sorted(refusals, key=lambda refusal: order.index(refusal.code))
    first = ranked[0]
    also = "".join(f"; also {other.code}: {other.why}" for other in ranked[1:])
    return Refusal(first.code, first.why + also)
