"""The memory of what endpoints understand, kept across restarts.

Owns: the ``EndpointMemory`` port and its SQLite implementation. Must not know requests or how anything is learnt.
"""

from __future__ import annotations

from typing import Protocol

from soong_memoryd.clock import Clock, timestamp
from soong_memoryd.llm.ladder import FIXES, RUNGS, Learned
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import endpoints


class EndpointMemory(Protocol):
    """What was learnt, per base_url and model. Implementations: ``StoredEndpoints``, ``ForgetfulEndpoints``."""

    async def find(self, base_url: str, model: str) -> Learned | None:
        """What is known, or None."""
        ...

    async def keep(self, base_url: str, model: str, learned: Learned) -> None:
        """Remember, over what was known before."""
        ...


class StoredEndpoints:
    """In the state database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def find(self, base_url: str, model: str) -> Learned | None:
        """See ``EndpointMemory.find``; what another version wrote and this one does not know counts as not known."""
        row = await self._database.run(lambda connection: endpoints.find(connection, base_url, model))
        if row is None or row.rung not in RUNGS:
            return None
        return Learned(row.rung, frozenset(row.quirks) & FIXES)

    async def keep(self, base_url: str, model: str, learned: Learned) -> None:
        """See ``EndpointMemory.keep``."""
        row = endpoints.EndpointRow(base_url, model, learned.rung, tuple(sorted(learned.fixes)))
        at = timestamp(self._clock.wall_seconds())
        await self._database.run(lambda connection: endpoints.put(connection, row, at))


class ForgetfulEndpoints:
    """In this process only: where there is no database."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Learned] = {}

    async def find(self, base_url: str, model: str) -> Learned | None:
        """See ``EndpointMemory.find``."""
        return self._known.get((base_url, model))

    async def keep(self, base_url: str, model: str, learned: Learned) -> None:
        """See ``EndpointMemory.keep``."""
        self._known[(base_url, model)] = learned
