"""The intent log in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from soong_memoryd.memories.ports import Intent, IntentFile, State, version_id
from soong_memoryd.memories.storage_errors import storage_error
from soong_memoryd.state.rows import Effects, EventDraft
from tests.crash.trace import Trace


class ModelLog:
    """The intent log. Each call is one transaction; a crash or an error comes before it, a late error after it."""

    def __init__(self) -> None:
        self.trace = Trace()
        self.rows: dict[str, Intent] = {}
        self.cursor = 0
        self.events: list[EventDraft] = []
        self.catalogs: set[str] = set()
        self.versions: dict[str, str] = {}
        self.discarded: set[str] = set()

    def copy(self) -> ModelLog:
        """The log as it is on disk: every transaction that returned, nothing else."""
        copy = type(self)()
        copy.rows, copy.cursor, copy.events = dict(self.rows), self.cursor, list(self.events)
        copy.catalogs, copy.versions, copy.discarded = set(self.catalogs), dict(self.versions), set(self.discarded)
        return copy

    def prepare(self, txn: str, files: Sequence[IntentFile], effects: Effects) -> Intent:
        intent = Intent(txn, "prepared", tuple(files), effects)
        self._transact(lambda: self.rows.__setitem__(txn, intent))
        return intent

    def begin_abort(self, txn: str) -> State:
        def apply() -> None:
            if self.rows[txn].state == "prepared":
                self._set(txn, "aborting")

        self._transact(apply)
        return self.rows[txn].state

    def finish(self, intent: Intent) -> None:
        def apply() -> None:
            if self.rows[intent.txn].state != "prepared":
                return
            completion = intent.effects.completion
            assert completion is not None
            assert self.cursor == completion.cursor_from
            self.cursor = completion.cursor_to
            self.events.append(intent.effects.event)
            for order, file in enumerate(intent.files):
                if file.base_sha256 is not None:
                    self.versions[version_id(intent.txn, order)] = file.base_sha256
            self._set(intent.txn, "done")

        self._transact(apply)

    def abort(self, txn: str) -> None:
        self._transact(lambda: self._set(txn, "aborted"))

    def forget(self, txn: str) -> None:
        self._transact(lambda: self.rows.pop(txn, None))

    def intents(self) -> list[Intent]:
        self._look()
        return list(self.rows.values())

    def drop_version(self, version_id: str) -> None:
        self._transact(lambda: self.versions.pop(version_id, None))

    def discarded_versions(self) -> list[str]:
        self._look()
        return sorted(self.discarded)

    def discard_done(self, version_ids: Sequence[str]) -> None:
        self._transact(lambda: self.discarded.difference_update(version_ids))

    def note_catalog(self, sha256: str) -> None:
        self._transact(lambda: self.catalogs.add(sha256))

    def knows_catalog(self, sha256: str) -> bool:
        self._look()
        return sha256 in self.catalogs

    def report(self, event: EventDraft) -> None:
        self._transact(lambda: self.events.append(event))

    def _set(self, txn: str, state: State) -> None:
        self.rows[txn] = replace(self.rows[txn], state=state)

    def _look(self) -> None:
        try:
            self.trace.enter(changes=False)
        except OSError as error:
            raise storage_error(error) from error

    def _transact(self, apply: Callable[[], object]) -> None:
        try:
            late = self.trace.enter(changes=True)
            apply()
            if late:
                self.trace.fail_late()
        except OSError as error:
            raise storage_error(error) from error
