"""The intent log in SQLite: each call is one transaction of the state writer, waited for from a worker thread.

Owns: the translation between the commit's values and rows. Must not know files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from soong_memoryd.clock import Clock, timestamp
from soong_memoryd.memories.change import Operation
from soong_memoryd.memories.ports import Intent, IntentFile, State
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import events, intents
from soong_memoryd.state.queries.intents import PublishedRow
from soong_memoryd.state.rows import Effects, EventDraft


class SqlIntentLog:
    """``IntentLog`` over the state database. To be used in worker threads that anyio started, never in the event loop."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def prepare(self, txn: str, files: Sequence[IntentFile], effects: Effects) -> Intent:
        """See ``IntentLog``."""
        at = self._now()
        rows = [_row(file) for file in files]
        self._database.run_from_thread(lambda connection: intents.prepare(connection, txn, rows, effects, at))
        return Intent(txn, "prepared", tuple(files), effects)

    def begin_abort(self, txn: str) -> State:
        """See ``IntentLog``."""
        return cast("State", self._database.run_from_thread(lambda connection: intents.begin_abort(connection, txn)))

    def finish(self, intent: Intent) -> None:
        """See ``IntentLog``."""
        at = self._now()
        versions = [
            intents.VersionRow(intent.version_id(order), file.memory_id, file.path, at, file.cause, file.base_sha256)
            for order, file in enumerate(intent.files)
            if file.base_sha256 is not None and not intent.effects.purge
        ]
        self._database.run_from_thread(lambda connection: intents.finish(connection, intent.txn, versions, at))

    def abort(self, txn: str) -> None:
        """See ``IntentLog``."""
        self._database.run_from_thread(lambda connection: intents.abort(connection, txn))

    def forget(self, txn: str) -> None:
        """See ``IntentLog``."""
        self._database.run_from_thread(lambda connection: intents.forget(connection, txn))

    def intents(self) -> list[Intent]:
        """See ``IntentLog``."""
        return [_intent(row) for row in self._database.run_from_thread(intents.select)]

    def drop_version(self, version_id: str) -> None:
        """See ``IntentLog``."""
        self._database.run_from_thread(lambda connection: intents.drop_version(connection, version_id))

    def discarded_versions(self) -> list[str]:
        """See ``IntentLog``."""
        return self._database.run_from_thread(intents.discarded)

    def discard_done(self, version_ids: Sequence[str]) -> None:
        """See ``IntentLog``."""
        self._database.run_from_thread(lambda connection: intents.discard_done(connection, version_ids))

    def note_catalog(self, sha256: str) -> None:
        """See ``IntentLog``."""
        at = self._now()
        self._database.run_from_thread(lambda connection: intents.note_catalog(connection, sha256, at))

    def knows_catalog(self, sha256: str) -> bool:
        """See ``IntentLog``."""
        return self._database.run_from_thread(lambda connection: intents.knows_catalog(connection, sha256))

    def report(self, event: EventDraft) -> None:
        """See ``IntentLog``."""
        at = self._now()
        self._database.run_from_thread(lambda connection: events.insert(connection, event, at))

    def apply(self, effects: Effects) -> None:
        """Make the effects of a commit without files true. Raises ``CommitConflict`` as ``prepare`` does."""
        at = self._now()
        self._database.run_from_thread(lambda connection: intents.apply(connection, effects, at))

    def published(self) -> dict[str, PublishedRow]:
        """Every memory file that the daemon knows of, by path."""
        return {row.path: row for row in self._database.run_from_thread(intents.published)}

    def absorb(self, present: Sequence[PublishedRow], gone: Sequence[str], drafts: Sequence[EventDraft]) -> None:
        """Take up what was changed outside, with the events that say so."""
        at = self._now()
        self._database.run_from_thread(lambda connection: intents.absorb(connection, present, gone, drafts, at))

    def _now(self) -> str:
        return timestamp(self._clock.wall_seconds())


def _row(file: IntentFile) -> intents.IntentFileRow:
    return intents.IntentFileRow(file.op, file.path, file.memory_id, file.base_sha256, file.new_sha256, file.cause)


def _intent(row: intents.IntentRow) -> Intent:
    files = tuple(IntentFile(cast("Operation", file.op), *file[1:]) for file in row.files)
    return Intent(row.txn, cast("State", row.state), files, row.effects)
