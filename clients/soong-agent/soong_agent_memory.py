"""soong-agent's memory, kept by the daemon: each seam of the core is one call.

Owns: what the core calls instead of its own memory, and the scan cursor of each session it had. Must not know: how nodes are
mapped (``soong_agent_nodes``), its database (``soong_agent_takeover``). Nothing but a question raises because of the memory.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from soong_agent_nodes import CURSOR_KEY, agent_kind, fields_of, node_of, recall_answer, run_status
from soong_memory_client import AsyncMemoryClient, calls
from soong_memory_client.errors import MemoryClientError
from soong_memory_client.wire import Call, Result

if TYPE_CHECKING:
    from soong_memory_client.results import Decision

_LOG = logging.getLogger("soong_memory_client")
UNREACHED = "the memory was not reached: %s"


class _Session(NamedTuple):
    root_agent_id: str
    scanned_seq: int
    agents: set[str]


class SoongAgentMemory:
    """The seams of one core. Calls of the core's storage writer, in its order; ``session_started`` comes first."""

    def __init__(self, client: AsyncMemoryClient) -> None:
        self._client = client
        self._sessions: dict[str, _Session] = {}

    async def session_started(
        self, session_id: str, root_agent_id: str, metadata: Mapping[str, Any] | None = None, title: str | None = None
    ) -> None:
        """A session was created or resumed; ``metadata`` is the core's, with ``memory_scan_node_seq`` when it had scanned."""
        scanned_seq = int((metadata or {}).get(CURSOR_KEY) or 0)
        self._sessions[session_id] = _Session(root_agent_id, scanned_seq, {root_agent_id})
        await self._tell(calls.session_open(session_id, root_agent_id, title))

    async def agent_created(
        self, session_id: str, agent_id: str, agent_type: str, parent_agent_id: str | None = None, purpose: str | None = None
    ) -> None:
        """A sub, fork or worker agent was created; of the root agent nothing needs to be said."""
        session = self._session(session_id)
        if agent_id not in session.agents:
            session.agents.add(agent_id)
            parent = parent_agent_id if parent_agent_id in session.agents else session.root_agent_id
            await self._tell(calls.agent_register(session_id, agent_id, agent_kind(agent_type, purpose), parent))

    async def node_written(self, session_id: str, node: Any, node_seq: int) -> None:
        """A node was stored under ``node_seq``; sent again it changes nothing."""
        session, fields = self._session(session_id), fields_of(node)
        await self.agent_created(session_id, fields["agent_id"], "sub")  # one that nobody announced loses nothing
        made = node_of(fields, node_seq, session.root_agent_id, session.scanned_seq)
        if made is not None:
            await self._tell(calls.append(session_id, [made]))

    async def node_switched(self, session_id: str, node_id: str) -> None:
        """``/switch_node``: later nodes leave the path, and what of them was not scanned never will be."""
        await self._tell(calls.rewind(session_id, node_id))

    async def run_started(self, session_id: str, run_id: str, agent_id: str) -> None:
        """A run began; a waiting idle job is cancelled."""
        await self._tell(calls.run_started(session_id, run_id, agent_id))

    async def run_ended(self, session_id: str, run_id: str, agent_id: str, status: str) -> Decision | None:
        """A run ended; in the place of ``maybe_run_memory_extraction``. None while the daemon is away."""
        ended = await self._tell(calls.run_completed(session_id, run_id, run_status(status), agent_id))
        return ended["decision"] if ended else None

    async def catalog(self, session_id: str, agent_id: str) -> str:
        """MEMORY.md for the dynamic system prompt; empty for any but the root agent, and while no daemon answers."""
        if agent_id != self._session(session_id).root_agent_id:
            return ""
        try:
            return (await self._client.catalog(session_id, agent_id))["text"]
        except MemoryClientError as error:
            _LOG.warning(UNREACHED, error.log_name)
            return ""

    async def recall_memory(
        self, session_id: str, agent_id: str, query: str, run_id: str | None = None, top_k: int | None = None
    ) -> dict[str, Any]:
        """The tool ``recall_memory``, in the place of ``select_memory`` and what follows it.

        Raises ``MemoryClientError``: the tool's result is then an error (``memory_recall_failed``), and the run goes on.
        """
        named = {"run_id": run_id, "top_k": top_k}
        options = {name: value for name, value in named.items() if value is not None}
        return recall_answer(query, await self._client.recall(query, session_id, agent_id=agent_id, **options))

    async def _tell(self, call: Call[Result]) -> Result | None:
        try:
            return await self._client.send(call)
        except MemoryClientError as error:
            _LOG.warning(UNREACHED, error.log_name)
            return None

    def _session(self, session_id: str) -> _Session:
        try:
            return self._sessions[session_id]
        except KeyError:
            raise LookupError("session_started comes before anything else of a session") from None
