"""What the operator calls: sessions, memories, jobs and events, from the CLI or the user's own tools.

Owns: the translation between params and rooms. Must not know the socket or the daemon's own life (``daemon_calls.py``).
No call carries memory text in: a person's text arrives as a file that ``memory.adopt`` names.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from soong_memoryd.clock import timestamp
from soong_memoryd.errors import RequestError
from soong_memoryd.memories.index import Entry
from soong_memoryd.memories.schema import Frontmatter
from soong_memoryd.memories.store import MemoryStore
from soong_memoryd.protocol import models as m
from soong_memoryd.protocol.values import Event, Job, MemoryEntry
from soong_memoryd.recall.recall import Recall
from soong_memoryd.server.agent_calls import Handler
from soong_memoryd.server.dispatch import Served
from soong_memoryd.server.feed import Feed
from soong_memoryd.sessions.scheduler import Scheduler
from soong_memoryd.sessions.service import Sessions
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import events, jobs, nodes, sessions, sources
from soong_memoryd.state.rows import JobRow
from soong_memoryd.text.fold import truncate

EXCERPT_CHARS = 300


class OperatorCalls:
    """The handlers of the methods whose caller is the operator."""

    def __init__(
        self, database: Database, sessions_: Sessions, store: MemoryStore, recall: Recall, scheduler: Scheduler, feed: Feed
    ) -> None:
        self._database = database
        self._sessions = sessions_
        self._store = store
        self._recall = recall
        self._scheduler = scheduler
        self._feed = feed

    def table(self) -> dict[str, Handler]:
        """Method name → handler."""
        return {
            "session.list": self.session_list,
            "memory.list": self.memory_list,
            "memory.get": self.memory_get,
            "memory.search": self.memory_search,
            "memory.why": self.memory_why,
            "memory.forget": self.memory_forget,
            "memory.history": self.memory_history,
            "memory.undo": self.memory_undo,
            "memory.adopt": self.memory_adopt,
            "extraction.trigger": self.extraction_trigger,
            "extraction.list": self.extraction_list,
            "extraction.get": self.extraction_get,
            "extraction.retry": self.extraction_retry,
            "extraction.skip": self.extraction_skip,
            "events.list": self.events_list,
        }

    async def session_list(self, params: m.Page) -> Served:
        """Sessions, the most recently opened first."""

        def read(connection: sqlite3.Connection) -> m.SessionListResult:
            unscanned = nodes.sessions_with_unscanned(connection)
            running = {job.session_id for job in jobs.running(connection)}
            pending = {job.session_id: job for job in jobs.pending(connection)}
            found = [
                m.SessionState(
                    session_id=row.session_id,
                    title=row.title,
                    unscanned_messages=unscanned.get(row.session_id, 0),
                    cursor=row.cursor,
                    last_sequence=row.last_sequence,
                    next_due_at=_due_at(pending.get(row.session_id)),
                    state=_state(row, running, pending),
                )
                for row in sessions.page(connection, params.limit, params.offset)
            ]
            return m.SessionListResult(sessions=found, total=sessions.count(connection)[0])

        return Served(await self._database.run(read))

    async def memory_list(self, params: m.MemoryList) -> Served:
        """Frontmatter, newest first."""
        snapshot = await self._store.snapshot()
        found = [
            entry
            for entry in snapshot.entries
            if params.category in (None, entry.frontmatter.category)
            and (params.tag is None or params.tag in entry.frontmatter.tags)
        ]
        page = found[params.offset : params.offset + params.limit]
        heads = await self._recall.headers(page)
        listed = [_entry(entry, head) for entry, head in zip(page, heads, strict=True)]
        return Served(m.MemoryListResult(memories=listed, total=len(found)))

    async def memory_get(self, params: m.OfMemory) -> Served:
        """One memory, whole."""
        document, sha256, path = await self._store.read(params.memory_id)
        head = document.frontmatter.shown()
        return Served(m.MemoryGetResult(frontmatter=head, body=document.body, path=path, sha256=sha256))

    async def memory_search(self, params: m.MemorySearch) -> Served:
        """Lexical search."""
        found = await self._recall.search(params.query, params.limit)
        return Served(m.MemorySearchResult(matches=[m.Match.model_validate(match, from_attributes=True) for match in found]))

    async def memory_why(self, params: m.OfMemory) -> Served:
        """Where a memory comes from."""
        document, _, _ = await self._store.read(params.memory_id)
        head = document.frontmatter

        def read(connection: sqlite3.Connection) -> m.MemoryWhyResult:
            named = [(head.source_session_id or "", node_id) for node_id in head.source_node_ids]
            known = dict.fromkeys([*named, *sources.of_memory(connection, params.memory_id)])
            found = [_source(connection, session_id, node_id) for session_id, node_id in known]
            happened = [Event(**event) for event in events.about_memory(connection, params.memory_id)]
            return m.MemoryWhyResult(sources=found, events=happened)

        return Served(await self._database.run(read))

    async def memory_forget(self, params: m.MemoryForget) -> Served:
        """A person's delete."""
        path = await self._store.forget(params.memory_id, params.sha256, purge=params.purge)
        if params.purge:
            await self._database.erase_log()
        return Served(m.MemoryForgetResult(memory_id=params.memory_id, path=path))

    async def memory_history(self, params: m.OfMemory) -> Served:
        """What changes displaced, newest first; also of a memory that was forgotten."""
        versions = await self._store.history(params.memory_id)
        if not versions and params.memory_id not in (await self._store.snapshot()).by_id:
            raise RequestError("not_found", "no such memory", field="memory_id")
        return Served(
            m.MemoryHistoryResult(
                versions=[m.Version(version_id=v.version_id, at=v.at, cause=v.cause, sha256=v.sha256) for v in versions]
            )
        )

    async def memory_undo(self, params: m.MemoryUndo) -> Served:
        """Put a displaced version back."""
        memory_id, path, sha256 = await self._store.undo(params.version_id)
        return Served(m.MemoryWritten(memory_id=memory_id, path=path, sha256=sha256))

    async def memory_adopt(self, params: m.MemoryAdopt) -> Served:
        """Take a text that the CLI left in memoryd/edits/."""
        memory_id, path, sha256 = await self._store.adopt(params.edit_id, params.sha256)
        return Served(m.MemoryWritten(memory_id=memory_id, path=path, sha256=sha256))

    async def extraction_trigger(self, params: m.ExtractionTrigger) -> Served:
        """Look now; with ``wait``, answer when the attempt of each job has ended."""
        self._require_extraction()
        triggered = await self._sessions.trigger(params.session_id)
        if params.wait and triggered:
            triggered = await self._scheduler.wait([job.job_id for job in triggered])
        return Served(m.JobsResult(jobs=[job_value(job) for job in triggered]))

    async def extraction_list(self, params: m.ExtractionList) -> Served:
        """Jobs, newest first."""
        found = await self._database.run(
            lambda c: jobs.select(c, session_id=params.session_id, status=params.status, limit=params.limit)
        )
        return Served(m.JobsResult(jobs=[job_value(job) for job in found]))

    async def extraction_get(self, params: m.OfJob) -> Served:
        """One job."""
        job = await self._database.run(lambda c: jobs.get(c, params.job_id))
        if job is None:
            raise RequestError("not_found", "no such job", field="job_id")
        return Served(job_value(job))

    async def extraction_retry(self, params: m.OfSession) -> Served:
        """Take a session out of parking."""
        self._require_extraction()
        retried = await self._sessions.retry(params.session_id)
        return Served(m.JobsResult(jobs=[job_value(job) for job in retried]))

    async def extraction_skip(self, params: m.OfSession) -> Served:
        """Give up the stalled window's messages."""
        return Served(m.ExtractionSkipResult(skipped_node_ids=await self._sessions.skip(params.session_id)))

    async def events_list(self, params: m.EventsList) -> Served:
        """Events in order."""

        def read(connection: sqlite3.Connection) -> m.EventsListResult:
            found = events.after(connection, params.after, session_id=params.session_id, type_=params.type, limit=params.limit)
            return m.EventsListResult(events=[Event(**event) for event in found], last=events.last_sequence(connection))

        return Served(await self._database.run(read))

    def _require_extraction(self) -> None:
        if not self._sessions.policy.enabled:
            raise RequestError(
                "memory_disabled", "memory is disabled: nothing is extracted", hint="Set memory.enabled = true in memoryd.toml."
            )
        if not self._scheduler.gate.configured():
            raise RequestError("model_unconfigured", "no model is configured")


def job_value(job: JobRow) -> Job:
    """A job as the wire shows it."""
    values: dict[str, Any] = {name: getattr(job, name) for name in Job.model_fields if name != "due_at"}
    return Job(due_at=timestamp(job.due.wall_seconds), **values)


def _due_at(job: JobRow | None) -> str | None:
    return None if job is None else timestamp(job.due.wall_seconds)


def _state(row: sessions.SessionRow, running: set[str], pending: dict[str, JobRow]) -> Any:
    if row.session_id in running:
        return "running"
    if row.parked_at is not None:
        return "parked"
    return "waiting" if row.session_id in pending else "idle"


def _entry(entry: Entry, head: Frontmatter) -> MemoryEntry:
    return MemoryEntry.model_validate({**head.shown(), "path": entry.path, "sha256": entry.sha256})


def _source(connection: sqlite3.Connection, session_id: str, node_id: str) -> m.Source:
    node = nodes.get(connection, session_id, node_id)
    if node is None:
        return m.Source(session_id=session_id, node_id=node_id, kind=None, excerpt=None, created_at=None)
    text = node.text or node.summary or ""
    excerpt = None if node.pruned else truncate(text, EXCERPT_CHARS)
    return m.Source(session_id=session_id, node_id=node_id, kind=node.kind, excerpt=excerpt, created_at=node.created_at)
