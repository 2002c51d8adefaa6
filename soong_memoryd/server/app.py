"""The one place that wires: a home and a config become a running daemon.

Owns: which objects there are, who is handed what, start and stop. Must not know rules: every rule lives in its room.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal

import anyio
import anyio.abc
import anyio.to_thread
import structlog

from soong_memoryd import __version__
from soong_memoryd.clock import Clock, timestamp
from soong_memoryd.config.keys import KeyRing
from soong_memoryd.config.schema import Config
from soong_memoryd.errors import MemorydError, RequestError
from soong_memoryd.extraction.artifacts import DebugDirectory
from soong_memoryd.extraction.attempt_log import LedgerAttemptLog
from soong_memoryd.home import Home
from soong_memoryd.llm.endpoints import StoredEndpoints
from soong_memoryd.llm.profiles import Profile, Use
from soong_memoryd.memories.store import MemoryStore
from soong_memoryd.protocol import models as m
from soong_memoryd.protocol.envelope import Call
from soong_memoryd.protocol.methods import METHODS, PROTOCOL_VERSION
from soong_memoryd.recall.recall import Recall
from soong_memoryd.server import settings, status, upkeep
from soong_memoryd.server.agent_calls import AgentCalls
from soong_memoryd.server.connection import Connection
from soong_memoryd.server.daemon_calls import DaemonCalls
from soong_memoryd.server.dispatch import Served
from soong_memoryd.server.extraction import Extraction
from soong_memoryd.server.feed import Feed
from soong_memoryd.server.models import MeteredModel, Models, profiles_of
from soong_memoryd.server.operator_calls import OperatorCalls
from soong_memoryd.server.recall_path import SessionPath
from soong_memoryd.server.rejected import RejectedLines
from soong_memoryd.server.upkeep import Chore
from soong_memoryd.sessions import attempts
from soong_memoryd.sessions.arrival import Reading
from soong_memoryd.sessions.gate import Gate
from soong_memoryd.sessions.scheduler import Scheduler
from soong_memoryd.sessions.service import Sessions
from soong_memoryd.sessions.waiting import Moment
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import events
from soong_memoryd.state.rows import EventDraft
from soong_memoryd.text.intent.match import explicit_wish
from soong_memoryd.text.tokens import estimate_tokens

_log = structlog.get_logger(__name__)


class Daemon:
    """Everything between start and stop. ``load`` reads the config again at a reload."""

    def __init__(
        self,
        home: Home,
        clock: Clock,
        config: Config,
        load: Callable[[], Config],
        keys: KeyRing,
        found: settings.Secrets,
        database: Database,
        store: MemoryStore,
        hash_key: bytes,
    ) -> None:
        self._home = home
        self._clock = clock
        self._config = config
        self._load = load
        self._keys = keys
        self._secrets = found
        self._database = database
        self._store = store
        self._started_at = timestamp(clock.wall_seconds())
        self._stopping = anyio.Event()
        self._reloading = anyio.Lock()
        self.wants_restart = False
        self._connections: set[Connection] = set()
        self.models = Models(keys, StoredEndpoints(database, clock), database, clock)
        self.models.configure(profiles_of(config))
        self.gate = Gate(
            configured=lambda: self.models.of("extract") is not None,
            max_tokens_per_day=lambda: self._config.memory.max_tokens_per_day,
            writable=self._memory_is_writable,
        )
        self.feed = Feed(database)
        database.on_commit(self.feed.commit_happened)
        reading = Reading(found, explicit_wish, estimate_tokens)
        self.sessions = Sessions(
            database, clock, settings.schedule_policy(config), hash_key, reading, lambda: self.scheduler.wake()
        )
        extraction = Extraction(
            lambda: self.models.of("extract"),
            store,
            LedgerAttemptLog(database, self.sessions),
            clock,
            found,
            lambda: DebugDirectory(home.debug_dir) if self._config.memory.debug else None,
        )
        self.scheduler = Scheduler(database, self.sessions, extraction, self.gate)
        self.recall = Recall(
            store,
            SessionPath(self.sessions),
            found.redact,
            lambda: self.models.of("recall"),
            lambda: settings.recall_settings(self._config),
            clock.boot_seconds,
        )
        agent = AgentCalls(self.sessions, store, self.recall, config.server.max_message_bytes)
        operator = OperatorCalls(database, self.sessions, store, self.recall, self.scheduler, self.feed)
        self._rejected = RejectedLines(home.outbox, found.redact_value)
        self._daemon_calls = DaemonCalls(self, store, self.feed)
        self._handlers = agent.table() | operator.table() | self._daemon_calls.table()
        assert self._handlers.keys() | {"events.subscribe"} == METHODS.keys()

    @property
    def moment(self) -> Moment:
        """Now, under the policy in force."""
        return self.sessions.moment

    @property
    def stopping(self) -> bool:
        """Whether the daemon drains."""
        return self._stopping.is_set()

    def begin(self, call: Call, connection: Connection | None = None) -> Awaitable[Served]:
        """Take a call's place in the order now; what is returned is awaited for its answer."""
        if self.stopping:
            return _refuse(RequestError("shutting_down", "the daemon is shutting down"))
        if call.method == "events.subscribe":
            assert isinstance(call.params, m.EventsSubscribe)
            if connection is None:
                return _refuse(RequestError("invalid_request", "events go to a connection"))
            return self._daemon_calls.subscribe(call.params, connection)
        try:
            return self._handlers[call.method](call.params)
        except RequestError as error:  # refused before anything was queued
            return _refuse(error)

    async def serve_stream(self, stream: anyio.abc.SocketStream) -> None:
        """One client, from its first line to its last answer."""
        connection = Connection(stream, self.begin, self._config.server.max_message_bytes)
        self._connections.add(connection)
        try:
            await connection.serve()
        finally:
            self._connections.discard(connection)

    async def recover(self) -> None:
        """What an earlier daemon left half done, before anybody is served. Prepared commits were finished by the store."""
        moment = self.moment
        await self._database.run(lambda c: attempts.settle_deadlines(c, moment))
        await self.gate.load(self._database)
        await self._database.run(lambda c: attempts.recover_interrupted(c, moment))
        await self._announce("daemon_started", {"version": __version__})

    async def announce_stop(self) -> None:
        """The last event."""
        await self._announce("daemon_stopped", {})

    def stop(self, *, restart: bool = False) -> None:
        """Begin to drain: nothing new is accepted, what is under way is answered. ``restart``: a new process is needed."""
        self.wants_restart = self.wants_restart or restart
        self._stopping.set()
        for connection in self._connections:
            connection.drain()

    async def wait_for_stop(self) -> None:
        """Wait until somebody asked for the stop."""
        await self._stopping.wait()

    def chores(self) -> list[Chore]:
        """What has to be done now and then."""
        return [
            Chore("outbox", upkeep.OUTBOX_SECONDS, self._drain_outboxes),
            Chore("commit", upkeep.MEMORY_SECONDS, self._decide_open_commit, first_seconds=upkeep.MEMORY_SECONDS),
            Chore("index", upkeep.INDEX_SECONDS, self.recall.prepare),
            Chore("prune", upkeep.PRUNE_SECONDS, self._prune, first_seconds=upkeep.PRUNE_SECONDS / 60),
        ]

    async def status(self) -> m.StatusResult:
        """Everything on one screen."""
        snapshot = await self._store.snapshot()
        stored = await self._database.run(lambda c: status.read_stored(c, self.moment.at[:10]))
        return m.StatusResult(
            version=__version__,
            protocol_version=PROTOCOL_VERSION,
            pid=os.getpid(),
            started_at=self._started_at,
            home=str(self._home.root),
            socket=str(self._home.socket),
            state=self._state(),
            memory=status.memory_part(snapshot, enabled=self.sessions.policy.enabled),
            models=self.models.describe(self._pause()),
            sessions=stored.sessions,
            jobs=stored.jobs,
            tokens_today=stored.tokens_today,
            counters=stored.counters,
        )

    async def check_models(self) -> list[dict[str, Any]]:
        """One tiny call per profile."""
        return await self.models.check()

    async def reload(self) -> None:
        """Read the config again, one reload at a time. Limits of the socket need a restart.

        Raises:
            ConfigError: everything stays as it was.
            StorageError | RequestError: the config is in force, but sessions may still be parked.
        """
        async with self._reloading:
            config = await anyio.to_thread.run_sync(self._load)
            profiles = profiles_of(config)
            named = [profile for profile in profiles.values() if profile is not None]
            known = await anyio.to_thread.run_sync(self._keys.known_values, named)
            replaced = self._put_in_force(config, profiles, known)
            for model in replaced:
                await model.retire()
            try:
                await self._store.limit_catalog(config.memory.catalog_max_tokens)
            except MemorydError as error:  # the limit holds: the next look at the files renders the catalog
                _log.warning("catalog_not_rendered", code=error.code)
            moment = self.moment
            await self.gate.answered(self._database, moment)
            await self._database.run(lambda c: attempts.unpark_all(c, moment, "config"))
            self.scheduler.look_everywhere()

    def _put_in_force(
        self, config: Config, profiles: Mapping[Use, Profile | None], known_values: Sequence[str]
    ) -> list[MeteredModel]:
        """All of a config at once: nobody sees half of it. Returns the models that are no longer in use."""
        self._secrets.configure(config, known_values)
        self._config = config
        self.sessions.policy = settings.schedule_policy(config)
        return self.models.configure(profiles)

    def _state(self) -> Literal["ready", "degraded", "draining"]:
        if self.stopping:
            return "draining"
        return "ready" if self._memory_is_writable() else "degraded"

    def _memory_is_writable(self) -> bool:
        return self._store.degraded is None and not self._store.suspect

    def _pause(self) -> dict[str, Any] | None:
        gate = self.gate
        return {"since": gate.since, "error": gate.error} if gate.is_paused(self.moment) else None

    async def _announce(self, type_: str, payload: dict[str, Any]) -> None:
        await self._database.run(lambda c: events.insert(c, EventDraft(type_, None, None, payload), self.moment.at))

    async def _drain_outboxes(self) -> None:
        await anyio.to_thread.run_sync(upkeep.drain_outboxes, self._home.outbox, self.begin)
        await anyio.to_thread.run_sync(self._rejected.clean)

    async def _decide_open_commit(self) -> None:
        """See whether memory can be written again. After a disk that failed only the recovery of a new process may say so."""
        if self._store.needs_restart:
            _log.error("commit_open")
            self.stop(restart=True)
        elif self._store.degraded is not None:
            await self._store.absorb()
            if self._store.degraded is None:
                _log.info("memory_writable_again")
                self.scheduler.wake()

    async def _prune(self) -> None:
        days = self._config.memory.node_retention_days
        await upkeep.prune_nodes(self._database, self._store, self._clock, days)


async def _refuse(error: RequestError) -> Served:
    raise error
