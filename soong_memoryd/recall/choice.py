"""Chooses memories for a question: by a model within its deadline, by words when there is none or it does not choose.

Owns: who chooses, and why it was not the model. Must not know: bodies, sessions, what is shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from soong_memoryd.errors import MemorydError
from soong_memoryd.llm.conversation import Model, Usage
from soong_memoryd.llm.presets import BUILTIN
from soong_memoryd.memories.index import Entry, Snapshot
from soong_memoryd.memories.schema import Frontmatter
from soong_memoryd.recall import selector
from soong_memoryd.recall.answer import Degraded
from soong_memoryd.recall.lexical import LexicalIndex, Question
from soong_memoryd.recall.redaction import Redaction


@dataclass(frozen=True, slots=True)
class Choice:
    """Chosen ids, best first. ``degraded`` says why no model chose; None: it did."""

    ids: tuple[str, ...]
    degraded: Degraded | None = None
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Offer:
    """What there is to choose from, and how many at most."""

    snapshot: Snapshot
    index: LexicalIndex
    redaction: Redaction
    top_k: int


async def ask_model(model: Model | None, question: Question, offer: Offer, timeout_seconds: float) -> Choice:
    """The model's choice; without one an empty choice that is ``degraded``. Never raises because a model failed."""
    if model is None:
        return Choice((), "no_model")
    if model.label == BUILTIN:
        return Choice((), "builtin")
    offered = await _offered(question, offer, model.context_tokens)
    if not offered:
        return Choice(())
    try:
        async with asyncio.timeout(timeout_seconds):
            answer = await model.ask(selector.build(question, offered, offer.top_k))
    except TimeoutError:
        return Choice((), "timeout")
    except MemorydError:
        return Choice((), "model_failed")
    ids = selector.chosen_ids(answer, [memory.id for memory in offered])
    return Choice((), "bad_answer", answer.usage) if ids is None else Choice(tuple(ids), None, answer.usage)


def by_words(question: Question, index: LexicalIndex, shown: Collection[str], top_k: int) -> tuple[str, ...]:
    """The lexical choice: the best ``top_k`` that are not shown already, and those shown ones that rank among them."""
    chosen: list[str] = []
    room = top_k
    for memory_id, _ in index.rank(question, top_k + len(shown)):
        if room == 0:
            break
        chosen.append(memory_id)
        room -= memory_id not in shown
    return tuple(chosen)


async def _offered(question: Question, offer: Offer, context_tokens: int) -> list[Frontmatter]:
    """All memories while they fit, oldest first (the list then grows at its end and stays in a provider's prompt cache)."""
    everything = offer.snapshot.entries[::-1]
    fitting = selector.fitting(question, everything, offer.top_k, context_tokens)
    if len(fitting) < len(everything):
        fitting = selector.fitting(question, _ranked(question, offer), offer.top_k, context_tokens)
    return await offer.redaction.headers(fitting)


def _ranked(question: Question, offer: Offer) -> Iterator[Entry]:
    """Memories with words in common first, then the others, newest first."""
    by_id = offer.snapshot.by_id
    related = [memory_id for memory_id, _ in offer.index.score(question) if memory_id in by_id]
    yield from (by_id[memory_id] for memory_id in related)
    seen = frozenset(related)
    yield from (entry for entry in offer.snapshot.entries if entry.frontmatter.id not in seen)
