"""One attempt of one extraction job, from the fixed window to the completed event.

Owns: the order of an attempt's steps, and what pays for each failure. Must not know: when to look, SQL, files, HTTP, how a
prompt is worded or how a call is checked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from soong_memoryd.clock import Clock, timestamp
from soong_memoryd.errors import CommitConflict, ModelError, RequestError, StorageError
from soong_memoryd.extraction import report
from soong_memoryd.extraction.artifacts import ArtifactWriter, Exchange, artifact_name, render
from soong_memoryd.extraction.briefing import Briefing, Memories, Room, brief, read_bodies, room_for
from soong_memoryd.extraction.dialogue import FAILURES, Dialogue
from soong_memoryd.extraction.shielding import to_the_end
from soong_memoryd.extraction.tools import Workbench
from soong_memoryd.extraction.window import Window, fix_window
from soong_memoryd.llm.conversation import Answer, Conversation, Model, Round, ToolCall, Usage
from soong_memoryd.memories.change import Change
from soong_memoryd.memories.writer import MemoryWriter
from soong_memoryd.sessions.attempts import Failure
from soong_memoryd.sessions.scheduler import Outcome
from soong_memoryd.state.rows import Effects, EventDraft, JobCompletion, JobRow, Json, Scan

COMPLETED_EVENT = "memory_extraction_completed"
OPEN_OUTCOME = "degraded"
"""The store's code for a commit that only a restart decides: then there is neither success nor failure to report."""


class AttemptLog(Protocol):
    """The ledger's side of an attempt. Each call is one transaction."""

    async def read_source(self, session_id: str) -> Scan:
        """The nodes around the cursor, and where a window must end."""
        ...

    async def begin(self, job_id: str, from_sequence: int, to_sequence: int, payload: Json) -> None:
        """Count the attempt and append ``memory_extraction_started``."""
        ...

    async def complete_without_files(self, completion: JobCompletion, event: EventDraft) -> None:
        """Append the completed event, then move the cursor. Raises ``CommitConflict`` when cursor or sources moved."""
        ...


@dataclass(frozen=True, slots=True)
class Checks:
    """What texts are held against: a secret's kind or None, the same text without secrets, and names for new memories."""

    secret_refusal: Callable[[str], str | None]
    redact: Callable[[str], str]
    new_memory_id: Callable[[float], str]  # of the wall seconds


class ExtractionJob:
    """Runs attempts with one model. ``artifacts`` is None unless debug mode is on."""

    def __init__(
        self,
        model: Model,
        memories: Memories,
        log: AttemptLog,
        clock: Clock,
        checks: Checks,
        artifacts: ArtifactWriter | None = None,
    ) -> None:
        self._model = model
        self._memories = memories
        self._log = log
        self._clock = clock
        self._checks = checks
        self._artifacts = artifacts

    async def attempt(self, job: JobRow) -> Outcome:
        """Run one attempt: it ends completed, failed with the cursor where it was, or with nothing to scan.

        Cancelled before its commit it leaves everything as it was; a commit that began is waited for.

        Raises:
            StorageError: ``degraded``, see ``OPEN_OUTCOME``.
        """
        began_seconds = self._clock.boot_seconds()
        source = await self._log.read_source(job.session_id)
        room = room_for(self._model.context_tokens)
        window = await asyncio.to_thread(fix_window, source, room.window_tokens, source.halvings)
        if window is None:
            return Outcome(nothing_to_scan=True)
        begun = report.started(job, window, self._model.label)
        await self._log.begin(job.job_id, window.from_sequence, window.to_sequence, begun)
        try:
            failure = await self._scan(job, source, window, room, begun, began_seconds)
        except ModelError as error:
            failure = Failure(error.code, error.text, error.blame, error.retry_after_seconds)
        except (CommitConflict, StorageError, RequestError) as error:  # neither the model nor the window is to blame
            if error.code == OPEN_OUTCOME:
                raise
            failure = Failure(error.code, error.text, "none")
        return Outcome(more=window.more) if failure is None else Outcome(failure=failure)

    async def _scan(
        self, job: JobRow, source: Scan, window: Window, room: Room, begun: Json, began_seconds: float
    ) -> Failure | None:
        briefing = await brief(self._memories, window, room, self._checks.redact, self._today())
        writer = self._writer(window, source, briefing)
        known = {memory.memory_id: memory.text for memory in briefing.conversation.facts.memories}
        bench = Workbench(writer, window, known, briefing.shown)
        talk = _Talk(self._model, self._memories, self._checks.redact, briefing)
        try:
            code = await talk.hold(bench)
        finally:
            await self._keep(job, talk.exchanges)
        if code is not None:
            return Failure(code, FAILURES[code], "window")
        duration_ms = round((self._clock.boot_seconds() - began_seconds) * 1000)
        payload = report.completed(begun, writer.outcome, bench, talk.usage, duration_ms)
        sources = report.sources(writer.outcome, bench)
        completion = JobCompletion(job.job_id, job.session_id, window.cursor, window.to_sequence, sources, payload)
        await to_the_end(self._commit(writer.changes, completion))
        return None

    def _today(self) -> str:
        return timestamp(self._clock.wall_seconds())[:10]

    def _writer(self, window: Window, source: Scan, briefing: Briefing) -> MemoryWriter:
        now = self._clock.wall_seconds()
        return MemoryWriter(
            snapshot=briefing.snapshot,
            offered=briefing.offered,
            nodes={node.row.node_id: node.as_source() for node in window.nodes},
            session_id=window.session_id,
            now_wall_seconds=now,
            new_id=lambda: self._checks.new_memory_id(now),
            secret_refusal=self._checks.secret_refusal,
            forgotten=source.forgotten,
            root_messages=len(window.messages),
        )

    async def _commit(self, changes: Sequence[Change], completion: JobCompletion) -> None:
        event = EventDraft(COMPLETED_EVENT, completion.session_id, completion.job_id, completion.result)
        if changes:
            effects = Effects(
                event=event,
                cause=report.cause(changes),
                completion=completion,
                sources=report.memory_sources(changes, completion.session_id),
            )
            await self._memories.commit(changes, effects)
        else:
            await self._log.complete_without_files(completion, event)

    async def _keep(self, job: JobRow, exchanges: list[Exchange]) -> None:
        if self._artifacts is not None and exchanges:
            name = artifact_name(timestamp(self._clock.wall_seconds()), job.job_id, job.attempt + 1)
            text = await asyncio.to_thread(render, exchanges, self._checks.redact)
            await asyncio.to_thread(self._artifacts.keep, name, text)


class _Talk:
    """The rounds with the model in one attempt."""

    def __init__(self, model: Model, memories: Memories, redact: Callable[[str], str], briefing: Briefing) -> None:
        self._model = model
        self._memories = memories
        self._redact = redact
        self._conversation: Conversation = briefing.conversation
        self.usage = Usage()
        self.exchanges: list[Exchange] = []

    async def hold(self, bench: Workbench) -> str | None:
        """Ask until nothing is left to ask for; a code of ``FAILURES``, or None when the answers may count."""
        dialogue = Dialogue()
        note: str | None = ""
        while note is not None:
            answer = await self._ask()
            bodies = await self._bodies(answer, bench, dialogue)
            results = await asyncio.to_thread(bench.apply, answer, bodies)
            note = dialogue.next_note(answer, bench)
            if note is not None:
                said = await asyncio.to_thread(_without_secrets, answer.calls, self._redact)
                rounds = (*self._conversation.rounds, Round(said, results, note))
                self._conversation = replace(self._conversation, rounds=rounds)
        return dialogue.failure(bench)

    async def _ask(self) -> Answer:
        try:
            answer = await self._model.ask(self._conversation)
        except ModelError as error:
            self.exchanges.append(Exchange(self._conversation, None, error.code))
            raise
        self.usage += answer.usage
        self.exchanges.append(Exchange(self._conversation, answer))
        return answer

    async def _bodies(self, answer: Answer, bench: Workbench, dialogue: Dialogue) -> dict[str, str]:
        return await read_bodies(self._memories, bench.bodies_wanted(answer, may_read=dialogue.may_read), self._redact)


def _without_secrets(calls: Sequence[ToolCall], redact: Callable[[str], str]) -> tuple[ToolCall, ...]:
    """Calls as they are sent back: what was refused for a secret must not go out again with it."""

    def clean(value: Any) -> Any:
        if isinstance(value, str):
            return redact(value)
        if isinstance(value, dict):
            return {key: clean(item) for key, item in value.items()}
        return [clean(item) for item in value] if isinstance(value, list) else value

    return tuple(replace(call, name=redact(call.name), arguments=clean(call.arguments)) for call in calls)
