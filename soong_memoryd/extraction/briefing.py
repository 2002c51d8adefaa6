"""Gathers what a job tells its model about known memories, within the room that the model has.

Owns: how a context is shared out, and which bodies come along. Must not know: rounds, calls, commits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from soong_memoryd.errors import CommitConflict, InvalidDocument, RequestError, UnsafePath
from soong_memoryd.extraction.prescreen import Screening, screen
from soong_memoryd.extraction.prompt import build, fixed_tokens
from soong_memoryd.extraction.window import MIN_BUDGET_TOKENS, Window
from soong_memoryd.llm.conversation import Conversation
from soong_memoryd.memories.change import Change
from soong_memoryd.memories.document import Document, Frontmatter
from soong_memoryd.memories.index import Snapshot
from soong_memoryd.state.rows import Effects
from soong_memoryd.text.tokens import estimate_tokens

MAX_FRONTMATTER_TOKENS = 6_000
MAX_BODIES_TOKENS = 2_000
MAX_WINDOW_TOKENS = 32_000  # what one answer of some thousand tokens can still do justice to; the next job follows at once


class Memories(Protocol):
    """What of the memory store a job uses."""

    async def snapshot(self) -> Snapshot:
        """All memories' frontmatter as it is now."""
        ...

    async def read(self, memory_id: str) -> tuple[Document, str, str]:
        """A memory, the hash of its file and its path. Raises ``RequestError``, ``InvalidDocument`` or ``UnsafePath``."""
        ...

    async def commit(self, changes: Sequence[Change], effects: Effects) -> None:
        """All changes and effects or none. Raises ``CommitConflict``, ``StorageError`` or ``RequestError``."""
        ...


@dataclass(frozen=True, slots=True)
class Room:
    """How many estimated tokens of a prompt each part may take."""

    window_tokens: int
    frontmatter_tokens: int
    bodies_tokens: int


@dataclass(frozen=True, slots=True)
class Briefing:
    """The first request, and the memories that it shows: ``offered`` ids, and of these the ones ``shown`` with bodies."""

    conversation: Conversation
    snapshot: Snapshot
    offered: frozenset[str]
    shown: frozenset[str]


def room_for(context_tokens: int) -> Room:
    """Share out a context; an eighth of it stays free for what is said in further rounds."""
    left = max(0, context_tokens - context_tokens // 8 - fixed_tokens())
    frontmatter = min(MAX_FRONTMATTER_TOKENS, left // 3)
    bodies = min(MAX_BODIES_TOKENS, left // 6)
    return Room(max(MIN_BUDGET_TOKENS, min(left - frontmatter - bodies, MAX_WINDOW_TOKENS)), frontmatter, bodies)


async def brief(memories: Memories, window: Window, room: Room, redact: Callable[[str], str], today: str) -> Briefing:
    """Build the first request of a job: every text of a memory redacted, since people write these files too."""
    snapshot = await memories.snapshot()
    known = [entry.frontmatter for entry in snapshot.entries]
    screening = await asyncio.to_thread(_screened, known, window, room.frontmatter_tokens, redact)
    bodies = await read_bodies(memories, screening.likely, redact, budget_tokens=room.bodies_tokens)
    return Briefing(
        conversation=build(window, screening, bodies, today),
        snapshot=snapshot,
        offered=frozenset(memory.id for memory in screening.offered),
        shown=frozenset(bodies),
    )


async def read_bodies(
    memories: Memories, memory_ids: Iterable[str], redact: Callable[[str], str], budget_tokens: int | None = None
) -> dict[str, str]:
    """The redacted bodies of these memories, in order, as far as the budget goes.

    Raises:
        CommitConflict: one is gone or cannot be read any more; the job runs again on what is there.
    """
    bodies: dict[str, str] = {}
    for memory_id in memory_ids:
        try:
            document, _, _ = await memories.read(memory_id)
        except (RequestError, InvalidDocument, UnsafePath) as error:
            raise CommitConflict("a memory changed while the job read it") from error
        body = redact(document.body)
        if budget_tokens is not None:
            budget_tokens -= estimate_tokens(body)
            if budget_tokens < 0:
                break
        bodies[memory_id] = body
    return bodies


def _screened(known: Sequence[Frontmatter], window: Window, budget_tokens: int, redact: Callable[[str], str]) -> Screening:
    screening = screen(known, window, budget_tokens)
    offered = tuple(
        replace(memory, summary=redact(memory.summary), tags=tuple(redact(tag) for tag in memory.tags))
        for memory in screening.offered
    )
    return replace(screening, offered=offered)
