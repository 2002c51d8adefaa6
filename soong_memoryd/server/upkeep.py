"""What has to be done now and then, however quiet it is: outboxes, pruning, the socket, the supervisor.

Owns: the chores and how often they are due. Must not know who does the real work. A chore that fails is logged and comes
again; it never ends the daemon.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import anyio
import anyio.from_thread
import structlog

from soong_memory_client.errors import RpcError
from soong_memory_client.outbox import Claim, Outbox, OutboxLine, client_names
from soong_memoryd.clock import Clock, timestamp
from soong_memoryd.errors import MemorydError, RequestError
from soong_memoryd.memories.store import MemoryStore
from soong_memoryd.protocol.envelope import Call, read_call
from soong_memoryd.protocol.errors import ERRORS, error_object
from soong_memoryd.protocol.framing import Fault, read_line
from soong_memoryd.protocol.methods import METHODS
from soong_memoryd.server.dispatch import Served, as_request_error
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import nodes

OUTBOX_SECONDS = 60.0
PLACE_SECONDS = 60.0
MEMORY_SECONDS = 5.0
INDEX_SECONDS = 3600.0  # only the first time there is much to do: recall and search keep up with what changes
PRUNE_SECONDS = 3600.0
PRUNE_AT_ONCE = 500
DAY_SECONDS = 86_400

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Chore:
    """Something to do every ``seconds``, beginning ``first_seconds`` after the start."""

    name: str
    seconds: float
    work: Callable[[], Awaitable[None]]
    first_seconds: float = 0.0


async def keep_up(chores: Sequence[Chore]) -> None:
    """Do the chores until cancelled."""
    async with anyio.create_task_group() as tasks:
        for chore in chores:
            tasks.start_soon(_repeat, chore)


async def _repeat(chore: Chore) -> None:
    await anyio.sleep(chore.first_seconds)
    while True:
        try:
            await chore.work()
        except Exception as error:  # the boundary of a chore
            _log.warning("chore_failed", chore=chore.name, code=getattr(error, "code", type(error).__name__))
        await anyio.sleep(chore.seconds)


def drain_outboxes(directory: Path, begin: Callable[[Call], Awaitable[Served]]) -> int:
    """Take what clients could not send, in order; returns how many lines were settled. Runs in a worker thread.

    A line goes once its call is on disk; one that can never be accepted is kept apart, so that it blocks nobody.
    """
    settled = 0
    for name in client_names(directory):
        outbox = Outbox(directory, name)
        if outbox.is_empty():
            continue
        with outbox.claim() as claim:
            if claim is None:  # its client is sending right now
                continue
            for line in claim.pending():
                if not _settle(claim, line, begin):
                    break
                settled += 1
    return settled


def _settle(claim: Claim, line: OutboxLine, begin: Callable[[Call], Awaitable[Served]]) -> bool:
    read = read_line(line.raw)  # what no connection takes, no outbox brings in
    if isinstance(read, Fault):
        return claim.reject(OutboxLine(line.raw, None), read.code)
    return claim.settle(line, _send(read.value, begin))


def _send(request: Any, begin: Callable[[Call], Awaitable[Served]]) -> RpcError | None:
    call = read_call(request)
    if not isinstance(call, Call):
        return _as_client_error(call.error)
    if not METHODS[call.method].ordered:
        return _as_client_error(RequestError("invalid_request", "only what an agent tells may wait in an outbox"))

    async def serve() -> None:
        await begin(call)

    try:
        anyio.from_thread.run(serve)
    except MemorydError as error:
        return _as_client_error(as_request_error(error))
    except Exception as error:  # the boundary of a call, as for one that comes over a connection
        _log.error("outbox_call_failed", method=call.method, error=type(error).__name__)
        return _as_client_error(RequestError("internal", "the daemon failed; its log has the cause"))
    return None


async def prune_nodes(database: Database, store: MemoryStore, clock: Clock, retention_days: int) -> int:
    """Remove the text of old scanned nodes, except of those that are a memory's source; returns how many."""
    snapshot = await store.snapshot()
    kept = [
        (entry.frontmatter.source_session_id or "", node_id)
        for entry in snapshot.entries
        for node_id in entry.frontmatter.source_node_ids
    ]
    before = timestamp(clock.wall_seconds() - retention_days * DAY_SECONDS)
    total = 0
    while pruned := await database.run(lambda c: nodes.prune(c, before, kept, PRUNE_AT_ONCE)):
        total += pruned
    if total:
        await database.erase_log()
    return total


def _as_client_error(error: RequestError) -> RpcError:
    told = error_object(error)
    return RpcError(ERRORS[error.code].number, error.code, error.text, cast("Mapping[str, object]", told["data"]))
