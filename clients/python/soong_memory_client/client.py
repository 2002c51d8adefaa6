"""The blocking client: every call of an agent, durable ones by way of the outbox.

Owns: the order "backlog first, then this call", and when to connect. Must not know: file formats, socket details.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

from soong_memory_client import calls
from soong_memory_client.connection import Connection
from soong_memory_client.errors import DaemonUnavailable, DeadlineExceeded, OutboxFull, RpcError
from soong_memory_client.outbox import Claim, Outbox
from soong_memory_client.paths import home_path, outbox_directory, socket_path
from soong_memory_client.wire import Call, Json, Result, request

if TYPE_CHECKING:
    from soong_memory_client import results
    from soong_memory_client.turns import Turn


class MemoryClient:
    """A client of the daemon of ``home``, known to it and in the outbox as ``name``.

    Durable calls (sessions, agents, nodes, runs) are written to the outbox, then sent after whatever waits there; they
    return the daemon's result, or None when the call is kept for later or was sent by another client of that name.
    With ``outbox=False`` they raise ``DaemonUnavailable`` instead. Every call ends within ``timeout_seconds``. Threads
    may share a client: their calls run one after another.
    """

    def __init__(
        self,
        name: str,
        *,
        home: str | os.PathLike[str] | None = None,
        socket: str | os.PathLike[str] | None = None,
        timeout_seconds: float = 5.0,
        outbox: bool = True,
    ) -> None:
        self.socket_path: Path = socket_path(home_flag=home, socket_flag=socket)
        self.outbox = Outbox(outbox_directory(home_path(flag=home)), name) if outbox else None
        self.timeout_seconds = timeout_seconds
        self._connection: Connection | None = None
        self._turn = threading.RLock()

    # -- what agents call ------------------------------------------------------------------------------------------

    def session_open(
        self, session_id: str, agent_id: str | None = None, title: str | None = None
    ) -> results.SessionOpened | None:
        """Open a session, or open it again."""
        return self.send(calls.session_open(session_id, agent_id, title))

    def session_close(self, session_id: str) -> Json | None:
        """Close a session; its idle clock goes on."""
        return self.send(calls.session_close(session_id))

    def agent_register(
        self, session_id: str, agent_id: str, kind: results.AgentKind, parent_agent_id: str
    ) -> results.AgentRegistered | None:
        """Register an agent below main."""
        return self.send(calls.agent_register(session_id, agent_id, kind, parent_agent_id))

    def append(self, session_id: str, nodes: Sequence[Mapping[str, Any]]) -> results.Appended | None:
        """Append 1 to 256 nodes; ``node_id`` makes it idempotent."""
        return self.send(calls.append(session_id, nodes))

    def rewind(self, session_id: str, node_id: str) -> results.Rewound | None:
        """Take everything after ``node_id`` off the path."""
        return self.send(calls.rewind(session_id, node_id))

    def run_started(self, session_id: str, run_id: str, agent_id: str | None = None) -> results.RunStarted | None:
        """Say that a run began."""
        return self.send(calls.run_started(session_id, run_id, agent_id))

    def run_completed(
        self, session_id: str, run_id: str, status: results.RunStatus = "completed", agent_id: str | None = None
    ) -> results.RunCompleted | None:
        """Say that a run ended; the result says when the daemon will look, and why."""
        return self.send(calls.run_completed(session_id, run_id, status, agent_id))

    def catalog(
        self, session_id: str | None = None, agent_id: str | None = None, max_tokens: int | None = None
    ) -> results.Catalog:
        """MEMORY.md as it goes into the system prompt."""
        return self._now(calls.catalog(session_id, agent_id, max_tokens))

    def recall(self, query: str, session_id: str | None = None, **options: Any) -> results.Recalled:
        """Choose memories for ``query``; ``options`` as in ``calls.recall``."""
        return self._now(calls.recall(query, session_id, **options))

    def turn(self, session_id: str, text: str, *, run_id: str | None = None, node_id: str | None = None) -> Turn:
        """One turn as a context manager: ``text`` is what the person typed; ids are made up unless they are given."""
        from soong_memory_client.turns import Turn  # not paid for by who makes the calls one by one

        return Turn(self, session_id, text, run_id=run_id, node_id=node_id)

    def ask(self, call: Call[Result]) -> Result:
        """A question as a value of ``calls``, sent now, after the backlog."""
        return self._now(call)

    def call(self, method: str, /, *, timeout_seconds: float | None = None, **params: Any) -> Any:
        """Any method, sent now, after the backlog; raises ``RpcError`` and ``DaemonUnavailable``."""
        call: Call[Any] = Call(method, params)
        return self._now(call, timeout_seconds)

    # -- the backlog -----------------------------------------------------------------------------------------------

    def send(self, call: Call[Result]) -> Result | None:
        """A durable call as a value of ``calls``: by way of the outbox, None while it is kept for later."""
        with self._turn:
            deadline = self._deadline()
            mine = request(call, _new_id())
            if self.outbox is None:
                return cast("Result", self._exchange(mine, deadline))
            try:
                self.outbox.append(mine)
            except OutboxFull:
                if not self.flush():
                    raise
                return cast("Result", self._exchange(mine, deadline))  # nothing waits any more, so the order holds
            try:
                with self.outbox.claim(max(0.0, deadline - time.monotonic())) as claim:
                    return None if claim is None else cast("Result | None", self._send_backlog(claim, deadline, mine["id"])[1])
            except DaemonUnavailable:
                return None

    def enqueue(self, *requested: Call[Any]) -> None:
        """Write calls to the outbox without sending them (a hook writes first, then tries its luck with ``flush``)."""
        if self.outbox is None:
            raise ValueError("this client has no outbox")
        self.outbox.append(*(request(call, _new_id()) for call in requested))

    def flush(self, timeout_seconds: float | None = None) -> bool:
        """Send what waits; True when nothing waits any more. Never raises because the daemon is away."""
        if self.outbox is None or self.outbox.is_empty():
            return True
        with self._turn:
            deadline = self._deadline(timeout_seconds)
            try:
                with self.outbox.claim(max(0.0, deadline - time.monotonic())) as claim:
                    return claim is not None and self._send_backlog(claim, deadline, None)[0]
            except DaemonUnavailable:
                return False

    def close(self) -> None:
        """Close the connection; the next call opens another one."""
        with self._turn:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    # -- how -------------------------------------------------------------------------------------------------------

    def _deadline(self, timeout_seconds: float | None = None) -> float:
        return time.monotonic() + (self.timeout_seconds if timeout_seconds is None else timeout_seconds)

    def _now(self, call: Call[Result], timeout_seconds: float | None = None) -> Result:
        with self._turn:
            deadline = self._deadline(timeout_seconds)
            self.flush(timeout_seconds)
            return cast("Result", self._exchange(request(call, _new_id()), deadline))

    def _send_backlog(self, claim: Claim, deadline: float, mine: str | None) -> tuple[bool, Any]:
        """Send what waits, in order: whether all went, and the result of the request ``mine``.

        An error reply to ``mine`` is raised; one to an older line has no caller any more and is settled in the outbox.
        """
        result = None
        while lines := claim.pending():
            for line in lines:
                assert line.request is not None
                own = line.request.get("id") == mine and mine is not None
                error = None
                try:
                    reply = self._exchange(line.request, deadline)
                except RpcError as refused:
                    error = refused
                else:
                    result = reply if own else result
                if not claim.settle(line, error, own=own):
                    return False, result
        return True, result

    def _exchange(self, message: Json, deadline: float) -> Any:
        """One request and its reply, over the open connection or, if the daemon closed that one meanwhile, a new one."""
        reused = self._connection is not None
        try:
            return self._connected(deadline).call(message, deadline)
        except DaemonUnavailable as error:
            self.close()
            if not reused or isinstance(error, DeadlineExceeded):
                raise
        try:
            return self._connected(deadline).call(message, deadline)
        except DaemonUnavailable:
            self.close()
            raise

    def _connected(self, deadline: float) -> Connection:
        if self._connection is None:
            self._connection = Connection(self.socket_path, deadline - time.monotonic())
        return self._connection

    def __enter__(self) -> MemoryClient:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _new_id() -> str:
    return os.urandom(12).hex()
