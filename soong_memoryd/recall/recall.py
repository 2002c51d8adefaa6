"""Recall: choose, pack, and remember what was shown. Reads memories, changes none.

Owns: the course of one recall and of one search. Must not know: SQLite, sockets, who may recall (the path port refuses),
how words are ranked or a model is reached.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, Protocol

import anyio

from soong_memoryd.errors import MemorydError
from soong_memoryd.llm.conversation import Model
from soong_memoryd.memories.index import Entry, Snapshot
from soong_memoryd.memories.schema import Frontmatter
from soong_memoryd.recall.answer import (
    ContextMessage,
    Json,
    OmittedMemory,
    PathContext,
    RecallAnswer,
    RecalledMemory,
    RecallRequest,
    SearchMatch,
)
from soong_memoryd.recall.choice import Choice, Offer, ask_model, by_words
from soong_memoryd.recall.lexical import Question
from soong_memoryd.recall.lexicon import Lexicon, Store
from soong_memoryd.recall.packing import Packing
from soong_memoryd.recall.redaction import Redaction
from soong_memoryd.text.fold import truncate

__all__ = ["Path", "Recall", "RecallAnswer", "RecallRequest", "RecallSettings", "Store"]

_MAX_QUESTION_CHARS = 4_000  # of each part: what is longer is a paste, and no model needs it to choose
_PREPARING_SECONDS = 0.2  # at a time, before calls that came meanwhile have their turn
_INDEXING_SECONDS = 0.2  # of a call, for bodies that are new; the rest is read meanwhile, or by later calls


class Path(Protocol):
    """The active path of the sessions that memories are recalled into."""

    async def context(self, session_id: str, agent_id: str | None, run_id: str | None) -> PathContext:
        """What the path holds for a recall.

        Raises:
            RequestError: the session or agent is not known, or an agent of its kind may not recall.
        """
        ...

    async def remember_shown(self, session_id: str, agent_id: str | None, run_id: str | None, metadata: Json) -> Json:
        """Put a ``memory_context`` node with this metadata, and no text, on the path; returns the node for the wire."""
        ...

    async def forget_shown(self, session_id: str, node_id: str) -> None:
        """Take such a node off the path again: its text never reached the caller."""
        ...


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """The configured limits. ``budget_tokens`` bounds the whole message; ``fallback`` says who chooses when no model does."""

    top_k: int = 5
    budget_tokens: int = 6_000
    timeout_seconds: float = 15.0
    fallback: Literal["lexical", "none"] = "lexical"


class Recall:
    """Answers ``memory.recall`` and ``memory.search``.

    ``model`` and ``settings`` are asked at each call: a reload may change them. ``redact`` is pure; ``seconds`` is a clock
    that only goes forward.
    """

    def __init__(
        self,
        store: Store,
        path: Path,
        redact: Callable[[str], str],
        model: Callable[[], Model | None],
        settings: Callable[[], RecallSettings],
        seconds: Callable[[], float],
    ) -> None:
        self._store = store
        self._path = path
        self._redaction = Redaction(redact)
        self._model = model
        self._settings = settings
        self._lexicon = Lexicon(store, seconds)

    async def recall(self, request: RecallRequest) -> RecallAnswer:
        """The text of what matters now, without what the model has in view already.

        Without a session nothing is remembered (``node`` is None).

        Raises:
            RequestError: what the path port refuses; StorageError: the memory directory or the path cannot be used.
        """
        settings = self._settings()
        context = await self._context(request)
        question = await self._question(request, context)
        top_k = min(request.top_k or settings.top_k, settings.top_k)
        snapshot = await self._follow()
        unchanged = {i for i, sha256 in context.shown.items() if i in snapshot.by_id and snapshot.by_id[i].sha256 == sha256}
        # What is in view counts in no limit, so a model may name it beside top_k others.
        offer = Offer(snapshot, self._lexicon.index, self._redaction, top_k + len(unchanged))
        choice = await ask_model(self._model(), question, offer, settings.timeout_seconds)
        if choice.degraded and settings.fallback == "lexical":
            ids = by_words(question, self._lexicon.index, unchanged, top_k)
            choice = Choice(ids, choice.degraded, choice.usage)
        packing = Packing(top_k, min(request.token_budget or settings.budget_tokens, settings.budget_tokens))
        for memory_id in choice.ids:
            await self._pack(memory_id, memory_id in unchanged, packing)
        return await self._answer(request, question, choice, packing)

    async def search(self, query: str, limit: int) -> list[SearchMatch]:
        """The memories that have words in common with a query, best first; no model is asked, nothing is remembered."""
        snapshot = await self._follow()
        found = [(i, score) for i, score in self._lexicon.index.score(Question(query)) if i in snapshot.by_id][:limit]
        heads = await self.headers([snapshot.by_id[memory_id] for memory_id, _ in found])
        scores = [round(score, 3) for _, score in found]
        return [SearchMatch(h.id, h.summary, score, snapshot.by_id[h.id].path) for h, score in zip(heads, scores, strict=True)]

    async def headers(self, entries: Sequence[Entry]) -> list[Frontmatter]:
        """The headers of some memories as they may be listed: without secrets that a person wrote into them."""
        return await self._redaction.headers(entries)

    async def shown(self, text: str) -> str:
        """A text made of memories, such as the catalog, in the same way."""
        return await self._redaction.repeated(text)

    async def prepare(self) -> None:
        """Index what is there, beside the calls: at the start of the daemon all bodies are read once.

        Raises:
            StorageError: the memory directory cannot be used.
        """
        complete = False
        while not complete:
            complete = await self._lexicon.follow(await self._store.snapshot(), _PREPARING_SECONDS)

    async def _follow(self) -> Snapshot:
        snapshot = await self._store.snapshot()
        await self._lexicon.follow(snapshot, _INDEXING_SECONDS)
        return snapshot

    async def _context(self, request: RecallRequest) -> PathContext:
        if request.session_id is None:
            return PathContext()
        return await self._path.context(request.session_id, request.agent_id, request.run_id)

    async def _question(self, request: RecallRequest, context: PathContext) -> Question:
        """The question without secrets: it goes to a model, and the query into the session."""
        parts = (
            request.query,
            context.user_request if request.user_request is None else request.user_request,
            context.path_summary if request.path_summary is None else request.path_summary,
        )
        query, user_request, path_summary = [truncate(await self._redaction.text(p), _MAX_QUESTION_CHARS) for p in parts]
        return Question(query, user_request, path_summary)

    async def _pack(self, memory_id: str, unchanged: bool, packing: Packing) -> None:
        if unchanged:
            packing.skip(memory_id)
        elif packing.is_full:
            packing.omit(memory_id, "top_k")
        else:
            try:
                memory = await self._redaction.memory(*await self._store.read(memory_id))
            except MemorydError:
                packing.omit(memory_id, "unreadable")
            else:
                packing.offer(memory) if memory else packing.omit(memory_id, "secret")

    async def _answer(self, request: RecallRequest, question: Question, choice: Choice, packing: Packing) -> RecallAnswer:
        message, node = None, None
        if packing.status == "recalled":
            message = ContextMessage(packing.text)
            if request.session_id is not None:
                stored = await self._remember(request.session_id, request, _metadata(question.query, choice, packing))
                node = {**stored, "text": message.content}
        return RecallAnswer(
            status=packing.status,
            selected_by="lexical" if choice.degraded else "model",
            degraded=choice.degraded,
            message=message,
            node=node,
            recalled=[RecalledMemory(m.memory_id, m.category, m.summary, m.path, m.sha256) for m in packing.packed],
            already_recalled=list(packing.already_recalled),
            omitted=[OmittedMemory(omitted.memory_id, omitted.reason) for omitted in packing.omitted],
            usage=choice.usage,
        )

    async def _remember(self, session_id: str, request: RecallRequest, metadata: Json) -> Json:
        """Store what is about to be shown; if the caller leaves meanwhile, take it back before going."""
        storing = asyncio.ensure_future(self._path.remember_shown(session_id, request.agent_id, request.run_id, metadata))
        try:
            return await asyncio.shield(storing)
        except asyncio.CancelledError:
            # Shielded, since a cancelled scope cancels every further wait. What the disk refuses was not stored, or stays.
            with anyio.CancelScope(shield=True), suppress(MemorydError):
                node = await storing
                await self._path.forget_shown(session_id, str(node["node_id"]))
            raise


def _metadata(query: str, choice: Choice, packing: Packing) -> Json:
    """What is kept of a recall: which versions were shown and why, never their text. Lists run in one order."""
    shown = packing.packed
    return {
        "recalled_memory_ids": [memory.memory_id for memory in shown],
        "categories": list(dict.fromkeys(memory.category for memory in shown)),
        "query": query,
        "selected_by_model": choice.degraded is None,
        "source_paths": [memory.path for memory in shown],
        "file_hashes": [memory.sha256 for memory in shown],
    }
