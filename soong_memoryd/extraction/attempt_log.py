"""The ledger's side of an attempt, over the state database.

Owns: the translation between ``job.AttemptLog`` and the session's transactions. Must not know models or files.
"""

from __future__ import annotations

from soong_memoryd.sessions import attempts
from soong_memoryd.sessions.service import Sessions
from soong_memoryd.state.database import Database
from soong_memoryd.state.rows import EventDraft, JobCompletion, Json, Scan


class LedgerAttemptLog:
    """Implements ``job.AttemptLog``; each call is one transaction."""

    def __init__(self, database: Database, sessions: Sessions) -> None:
        self._database = database
        self._sessions = sessions

    async def read_source(self, session_id: str) -> Scan:
        """See ``AttemptLog.read_source``."""
        return await self._database.run(lambda c: attempts.read_scan(c, session_id))

    async def begin(self, job_id: str, from_sequence: int, to_sequence: int, payload: Json) -> None:
        """See ``AttemptLog.begin``."""
        moment = self._sessions.moment
        await self._database.run(lambda c: attempts.begin(c, moment, job_id, from_sequence, to_sequence, payload))

    async def complete_without_files(self, completion: JobCompletion, event: EventDraft) -> None:
        """See ``AttemptLog.complete_without_files``."""
        moment = self._sessions.moment
        await self._database.run(lambda c: attempts.complete(c, moment, completion, event))
