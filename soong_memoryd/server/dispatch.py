"""One validated call to its answer: the only module that knows jsonrpcserver.

Owns: that every outcome becomes exactly one coded answer, and that no exception's text ever leaves. Must not know methods or
sockets. jsonrpcserver gets one call at a time whose work was begun before (docs/decisions.md): it would run a batch all at
once, in no order, and send ``str(exc)`` out.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

import structlog
from jsonrpcserver import Error, Success
from jsonrpcserver.async_main import dispatch_to_serializable

from soong_memoryd.errors import MemorydError, RequestError
from soong_memoryd.protocol.envelope import Call
from soong_memoryd.protocol.errors import ERRORS, error_object
from soong_memoryd.protocol.methods import as_json
from soong_memoryd.protocol.values import Answer

_log = structlog.get_logger(__name__)

# Errors of inner rooms, in the words of the wire.
AS_REQUEST_ERROR = {
    "memory_changed": "memory_changed",
    "source_changed": "memory_changed",
    "sync_in_progress": "busy",
    "memory_dir_suspect": "read_only",
    "degraded": "read_only",
    "model_unconfigured": "model_unconfigured",
    "config": "internal",
}


@dataclass(frozen=True, slots=True)
class Served:
    """A result. One of the two is called: ``on_delivered`` once the answer is written, ``on_lost`` when it never will be."""

    result: Answer | dict[str, Any]
    on_lost: Callable[[], Awaitable[None]] | None = None
    on_delivered: Callable[[], Awaitable[None]] | None = None


@dataclass(slots=True)
class Pending:
    """A call whose work was begun: what jsonrpcserver's method awaits. ``served`` is set when it went well."""

    work: Awaitable[Served]
    served: Served | None = None

    async def deliver(self) -> None:
        """The answer was written: do what comes after it."""
        if self.served is not None and self.served.on_delivered is not None:
            await self.served.on_delivered()

    async def lose(self) -> None:
        """The answer will never be written: take back what only the answer would have made true."""
        served, self.served = self.served, None
        if inspect.iscoroutine(self.work):
            self.work.close()  # nobody waits for it any more
        if served is not None and served.on_lost is not None:
            try:
                await served.on_lost()
            except Exception as error:  # the other answers of the line have something to take back as well
                _log.error("lost_answer_stands", error=type(error).__name__)


async def answer(call: Call, pending: Pending) -> dict[str, Any] | None:
    """The response object for a call, None for a notification."""
    envelope: dict[str, Any] = {"jsonrpc": "2.0", "method": call.method}
    if not call.notification:
        envelope["id"] = call.id
    response = await dispatch_to_serializable(
        "", methods={call.method: _finish}, context=pending, deserializer=lambda _: envelope, validator=lambda value: value
    )
    return cast("dict[str, Any] | None", response)


async def _finish(pending: Pending) -> Any:
    """The body of every method: wait for the work and put its outcome into the library's words."""
    try:
        pending.served = await pending.work
        return Success(as_json(pending.served.result))
    except MemorydError as error:
        refused = as_request_error(error)
    except Exception as error:  # the boundary of a call: the cause goes to the log, never to the caller
        _log.error("call_failed", error=type(error).__name__, exc_info=True)
        refused = RequestError("internal", "the daemon failed; its log has the cause")
    told = error_object(refused)
    return Error(told["code"], told["message"], told["data"])


_finish.__signature__ = inspect.signature(_finish)  # type: ignore[attr-defined]  # the library asks for it at each call


def as_request_error(error: MemorydError) -> RequestError:
    """Any error raised on purpose, as one of the wire's table."""
    if isinstance(error, RequestError):
        return error
    code = error.code if error.code in ERRORS else AS_REQUEST_ERROR.get(error.code, "internal")
    return RequestError(code, error.text, hint=error.hint)
