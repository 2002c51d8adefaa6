"""JSON-RPC 2.0, one message a line: requests and replies as values.

Owns: how a call becomes a line and a reply becomes a result or an error. Must not know: sockets, methods.
Pure: no I/O, no clock.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from soong_memory_client.errors import RpcError

MAX_LINE_BYTES = 1 << 20
Json = dict[str, Any]
Result = TypeVar("Result")


class Call(NamedTuple, Generic[Result]):
    """A method, its parameters and the type of its result; ``durable`` ones wait in the outbox until the daemon has them."""

    method: str
    params: Json
    durable: bool = False


def request(call: Call[Any], request_id: str | int) -> Json:
    """The request object of a call."""
    return {"jsonrpc": "2.0", "id": request_id, "method": call.method, "params": call.params}


def given(**params: Any) -> Json:
    """The parameters that were given: None means left out."""
    return {name: value for name, value in params.items() if value is not None}


def encode(message: Mapping[str, Any]) -> bytes:
    """One line, newline included. Half characters (lone surrogates) become ``?``: no daemon takes them."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace") + b"\n"


def decode(line: bytes) -> Json:
    """The JSON object of a line; ``ValueError`` when it is none."""
    message = json.loads(line)
    if not isinstance(message, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - one error for every line that is no message
    return message


def result_of(reply: Mapping[str, Any]) -> Any:
    """The result of a reply, or ``RpcError`` for an error reply."""
    error = reply.get("error")
    if error is None:
        return reply.get("result")
    if not isinstance(error, dict):
        raise RpcError(-32603, "internal", "the daemon sent an error without its members")
    data = error.get("data")
    data = data if isinstance(data, dict) else {}
    number = error.get("code")
    raise RpcError(
        number if isinstance(number, int) else -32603,
        str(data.get("code") or "internal"),
        str(error.get("message") or ""),
        data or None,
    )
