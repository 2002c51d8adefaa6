"""JSON-RPC 2.0 envelopes: what kind of message a JSON value is. Pure.

Owns: requests, notifications and batches as values, and their validation against the method table. Must not know handlers.
An error never echoes what was rejected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from soong_memoryd.errors import RequestError
from soong_memoryd.protocol.errors import error_object
from soong_memoryd.protocol.methods import MAX_BATCH, METHODS
from soong_memoryd.protocol.values import Value

MAX_FIELD_CHARS = 100  # of an unknown parameter's name: the caller's words, so only so many of them

Id = str | int | float | None


@dataclass(frozen=True, slots=True)
class Call:
    """A call that may be served: its method is in the table and its params are valid."""

    id: Id
    method: str
    params: Value
    notification: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """A call that is not served; ``notification`` ones get no answer."""

    id: Id
    error: RequestError
    notification: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One line's calls; ``batch`` says that their answers come back as one array."""

    calls: tuple[Call | Refused, ...]
    batch: bool


def read_message(value: Any) -> Message:
    """The calls of one JSON value; each element of a batch succeeds or fails alone."""
    if not isinstance(value, list):
        return Message((read_call(value),), batch=False)
    if not value:
        return Message((Refused(None, RequestError("invalid_request", "an empty batch")),), batch=False)
    if len(value) > MAX_BATCH:
        return Message(
            (Refused(None, RequestError("invalid_request", f"a batch holds at most {MAX_BATCH} calls")),), batch=False
        )
    return Message(tuple(read_call(element) for element in value), batch=True)


def read_call(value: Any) -> Call | Refused:
    """One call, validated, or why it is refused."""
    if not isinstance(value, dict):
        return Refused(None, RequestError("invalid_request", "a call is a JSON object"))
    call_id = value.get("id")
    if isinstance(call_id, bool) or not isinstance(call_id, (str, int, float, type(None))):
        return Refused(None, RequestError("invalid_request", "an id is a string, a number or null", field="id"))
    notification = "id" not in value
    name, params = value.get("method"), value.get("params", {})
    if value.get("jsonrpc") != "2.0":
        return Refused(call_id, RequestError("invalid_request", 'the member jsonrpc must be "2.0"', field="jsonrpc"))
    if not isinstance(name, str):
        return Refused(call_id, RequestError("invalid_request", "the member method must be a string", field="method"))
    method = METHODS.get(name)
    if method is None or (notification and not method.notification):
        error = RequestError("method_not_found", "no such method" if method is None else "this method needs an id")
        return Refused(call_id, error, notification)
    if params is None or params == []:
        params = {}
    if not isinstance(params, dict):
        return Refused(call_id, RequestError("invalid_params", "params are passed by name"), notification)
    try:
        return Call(call_id, name, method.params.model_validate(params), notification)
    except ValidationError as error:
        return Refused(call_id, params_error(error), notification)


def params_error(error: ValidationError) -> RequestError:
    """The first thing wrong with params: which field, and what kind of wrong; never the value."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = [part for part in first["loc"] if part != "__root__"]
    field = ".".join(str(part) for part in place)[:MAX_FIELD_CHARS] or None
    index = next((part for part in place if isinstance(part, int)), None)
    problem = "unknown parameter" if first["type"] == "extra_forbidden" else _MEANING.get(first["type"], "not a valid value")
    return RequestError("invalid_params", f"{field or 'params'}: {problem}", field=field, index=index)


_MEANING = {
    "missing": "required",
    "string_type": "must be a string",
    "string_too_short": "too short",
    "string_too_long": "too long",
    "string_pattern_mismatch": "not in the required form",
    "int_type": "must be an integer",
    "bool_type": "must be true or false",
    "list_type": "must be an array",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "literal_error": "not one of the allowed words",
    "too_short": "too few elements",
    "too_long": "too many elements",
    "greater_than_equal": "too small",
    "less_than_equal": "too large",
}


def error_answer(call_id: Id, error: RequestError) -> dict[str, Any]:
    """An error response."""
    return {"jsonrpc": "2.0", "id": call_id, "error": error_object(error)}
