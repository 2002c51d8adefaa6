"""The ledger as the rest of the daemon calls it: each call takes its place in the writer's queue at once.

Owns: the order (calling a method is taking the place; awaiting its future is waiting for the disk). Must not know the socket.
"""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from soong_memoryd.clock import Clock
from soong_memoryd.protocol.values import Node
from soong_memoryd.sessions import arrival, attempts, ledger, lookup, run_life
from soong_memoryd.sessions.arrival import Reading
from soong_memoryd.sessions.waiting import Moment, SchedulePolicy
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import events, nodes
from soong_memoryd.state.rows import EventDraft, JobRow, Json, NodeRow

PATH_NODES = 24
READ_AT_ONCE_CHARS = 1_000
"""So little text is read in the event loop: it holds it up for a millisecond or two, and a call saves a hop."""


@dataclass(frozen=True, slots=True)
class PathView:
    """What a recall needs of the active path: what was shown (id → file hash), and its last nodes, oldest first."""

    agent_kind: str
    shown: dict[str, str]
    recent: tuple[NodeRow, ...]


class Sessions:
    """Queues the ledger's transactions. ``changed`` is called when a schedule may have changed."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        policy: SchedulePolicy,
        key: bytes,
        reading: Reading,
        changed: Callable[[], None],
    ) -> None:
        self._database = database
        self._clock = clock
        self._key = key
        self._changed = changed
        self.policy = policy
        self.reading = reading

    @property
    def moment(self) -> Moment:
        """Now, under the policy in force."""
        return Moment(self._clock, self.policy)

    def open(self, session_id: str, agent_id: str, title: str | None) -> asyncio.Future[Json]:
        """``session.open``; ids are kept as they come, a title is text like any other."""
        redact = self.reading.redactor.redact
        return self._queue(
            lambda c: ledger.open_session(c, self.moment, session_id, agent_id, None if title is None else redact(title))
        )

    def close(self, session_id: str) -> asyncio.Future[None]:
        """``session.close``."""
        return self._queue(lambda c: ledger.close_session(c, self.moment, session_id))

    def register(self, session_id: str, agent_id: str, kind: str, parent_agent_id: str) -> asyncio.Future[Json]:
        """``agent.register``."""
        return self._queue(lambda c: ledger.register_agent(c, session_id, agent_id, kind, parent_agent_id))

    def append(self, session_id: str, sent: Sequence[Node]) -> asyncio.Future[Json]:
        """``context.append``; much text is redacted in another thread, so that the event loop goes on."""
        for index, node in enumerate(sent):
            arrival.check_size(node, index)
        arrivals: list[arrival.Arrival] = []

        def prepare() -> None:
            arrivals.extend(arrival.receive(node, self._key, self.reading) for node in sent)

        if sum(len(node.text) for node in sent) <= READ_AT_ONCE_CHARS:
            prepare()
            return self._queue(lambda c: ledger.append(c, self.moment, session_id, arrivals))
        return self._queue(lambda c: ledger.append(c, self.moment, session_id, arrivals), prepare)

    def rewind(self, session_id: str, node_id: str) -> asyncio.Future[Json]:
        """``context.rewind``."""
        return self._queue(lambda c: ledger.rewind(c, self.moment, session_id, node_id))

    def start_run(self, session_id: str, run_id: str, agent_id: str | None) -> asyncio.Future[Json]:
        """``run.started``."""
        return self._queue(lambda c: run_life.start_run(c, self.moment, session_id, run_id, agent_id))

    def complete_run(self, session_id: str, run_id: str, agent_id: str | None, status: str) -> asyncio.Future[Json]:
        """``run.completed``."""
        return self._queue(lambda c: run_life.complete_run(c, self.moment, session_id, run_id, agent_id, status))

    def trigger(self, session_id: str | None) -> asyncio.Future[list[JobRow]]:
        """``extraction.trigger``."""
        return self._queue(lambda c: attempts.trigger(c, self.moment, session_id))

    def retry(self, session_id: str) -> asyncio.Future[list[JobRow]]:
        """``extraction.retry``."""
        return self._queue(lambda c: attempts.retry(c, self.moment, session_id))

    def skip(self, session_id: str) -> asyncio.Future[list[str]]:
        """``extraction.skip``."""
        return self._queue(lambda c: attempts.skip(c, self.moment, session_id))

    def agent_kind(self, session_id: str, agent_id: str | None, run_id: str | None = None) -> asyncio.Future[str]:
        """The kind of the agent that a call names, directly or by its run; the main agent when it names none."""
        return self._database.submit(lambda c: lookup.named_kind(c, session_id, agent_id, run_id))

    def path(self, session_id: str, agent_id: str | None, run_id: str | None) -> asyncio.Future[PathView]:
        """The active path as a recall sees it."""

        def read(connection: sqlite3.Connection) -> PathView:
            kind = lookup.named_kind(connection, session_id, agent_id, run_id)
            shown: dict[str, str] = {}
            for metadata in nodes.shown_on_path(connection, session_id):
                ids, hashes = metadata.get("recalled_memory_ids"), metadata.get("file_hashes")
                if isinstance(ids, list) and isinstance(hashes, list):
                    shown |= {str(i): str(h) for i, h in zip(ids, hashes, strict=False)}
            return PathView(kind, shown, tuple(nodes.active_path(connection, session_id, PATH_NODES)))

        return self._database.submit(read)

    def remember_shown(
        self, session_id: str, agent_id: str | None, run_id: str | None, metadata: Json
    ) -> asyncio.Future[NodeRow]:
        """Put a ``memory_context`` node on the path: metadata only, its text is never stored."""
        node = Node(
            node_id=f"recall_{secrets.token_hex(8)}", kind="memory_context", agent_id=agent_id, run_id=run_id, metadata=metadata
        )
        arrived = arrival.receive(node, self._key, self.reading)

        def store(connection: sqlite3.Connection) -> NodeRow:
            ledger.append(connection, self.moment, session_id, [arrived])
            stored = nodes.get(connection, session_id, node.node_id)
            assert stored is not None
            draft = EventDraft(
                "memory_recalled",
                session_id,
                None,
                {"internal": True, "node_id": node.node_id, "memory_ids": metadata["recalled_memory_ids"]},
            )
            events.insert(connection, draft, self.moment.at)
            return stored

        return self._queue(store)

    def abandon_node(self, session_id: str, node_id: str) -> asyncio.Future[None]:
        """Take one node off the path again (its answer never reached the caller)."""
        return self._database.submit(lambda c: nodes.abandon(c, session_id, node_id))

    def _queue(
        self, run: Callable[[sqlite3.Connection], Any], prepare: Callable[[], None] | None = None
    ) -> asyncio.Future[Any]:
        future = self._database.submit(run, prepare=prepare)
        future.add_done_callback(lambda _: self._changed())
        return future
