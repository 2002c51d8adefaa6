"""The session's side of a recall: the adapter between ``recall``'s port and the ledger.

Owns: nothing but the translation, and that only a main agent may recall. Must not know how memories are chosen.
"""

from __future__ import annotations

from soong_memoryd.errors import RequestError
from soong_memoryd.recall.answer import PathContext
from soong_memoryd.recall.path import current_request, digest
from soong_memoryd.sessions import roles
from soong_memoryd.sessions.service import Sessions
from soong_memoryd.state.rows import Json


class SessionPath:
    """Implements ``recall.recall.Path``."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def context(self, session_id: str, agent_id: str | None, run_id: str | None) -> PathContext:
        """See ``Path.context``."""
        view = await self._sessions.path(session_id, agent_id, run_id)
        if not roles.may(view.agent_kind, "recall"):
            raise RequestError("role_denied", "only the main agent may recall", field="agent_id")
        return PathContext(shown=view.shown, user_request=current_request(view.recent), path_summary=digest(view.recent))

    async def remember_shown(self, session_id: str, agent_id: str | None, run_id: str | None, metadata: Json) -> Json:
        """See ``Path.remember_shown``."""
        node = await self._sessions.remember_shown(session_id, agent_id, run_id, metadata)
        return {
            "node_id": node.node_id,
            "agent_id": node.agent_id,
            "run_id": node.run_id,
            "sequence": node.sequence,
            "kind": node.kind,
            "origin": node.origin,
            "metadata": dict(node.metadata),
            "created_at": node.created_at,
        }

    async def forget_shown(self, session_id: str, node_id: str) -> None:
        """See ``Path.forget_shown``."""
        await self._sessions.abandon_node(session_id, node_id)
