"""The error table of the wire: stable string codes, their JSON-RPC numbers, whether a retry can help.

Owns: ``ERRORS`` (``docs/protocol.md`` and ``rpc.discover`` are generated from it). Must not know: who raises what.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from soong_memoryd.errors import RequestError


@dataclass(frozen=True, slots=True)
class ErrorSpec:
    """One row: the JSON-RPC number, whether the same call may succeed later, when it is raised."""

    number: int
    retryable: bool
    raised_when: str


ERRORS: Mapping[str, ErrorSpec] = MappingProxyType(
    {
        "parse_error": ErrorSpec(
            -32700, False, "The line is not one valid JSON value (UTF-8, no BOM, no duplicate keys, no NaN)."
        ),
        "invalid_request": ErrorSpec(
            -32600, False, "The JSON value is not a JSON-RPC 2.0 request, or the batch is too long or empty."
        ),
        "method_not_found": ErrorSpec(-32601, False, "No such method; `rpc.discover` lists them."),
        "invalid_params": ErrorSpec(
            -32602, False, "A parameter is missing, unknown, of the wrong type or out of range; `field` names it."
        ),
        "internal": ErrorSpec(-32603, False, "The daemon failed; its log has the cause under the same request."),
        "session_unknown": ErrorSpec(-32001, False, "The session was never opened: call `session.open` first."),
        "agent_unknown": ErrorSpec(-32002, False, "The agent is not registered in this session: call `agent.register` first."),
        "role_denied": ErrorSpec(-32003, False, "An agent of this kind may not make this call."),
        "agent_conflict": ErrorSpec(
            -32004, False, "The agent is known with another kind, or the session with another main agent."
        ),
        "node_conflict": ErrorSpec(-32005, False, "The node id is known with other content; `index` names the node."),
        "not_found": ErrorSpec(-32006, False, "No such memory, job, version, node or edit."),
        "memory_disabled": ErrorSpec(-32007, False, "`memory.enabled` is false: nothing is extracted."),
        "busy": ErrorSpec(-32008, True, "Too much is waiting; try again shortly."),
        "storage_full": ErrorSpec(-32009, True, "The disk is full; nothing of this call was kept."),
        "read_only": ErrorSpec(
            -32010, False, "The daemon may not write at present; recall works. `doctor` and `verify` say why."
        ),
        "protocol_version": ErrorSpec(-32011, False, "The client speaks a protocol version that this daemon does not."),
        "memory_changed": ErrorSpec(-32012, False, "The file differs from the sha256 that was named, or changed meanwhile."),
        "message_too_large": ErrorSpec(
            -32013, False, "The line or a node's text is over the limit; cut it and say so in `metadata`."
        ),
        "shutting_down": ErrorSpec(-32014, True, "The daemon is draining; call again after it restarted."),
        "model_unconfigured": ErrorSpec(
            -32015, False, "No model is configured: set [model] in memoryd.toml (`builtin` needs no key)."
        ),
    }
)


def error_object(error: RequestError) -> dict[str, object]:
    """The JSON-RPC error member for an error of the table: ``{code, message, data{code, retryable, hint, field?, index?}}``."""
    spec = ERRORS[error.code]
    data: dict[str, object] = {"code": error.code, "retryable": spec.retryable, "hint": error.hint or spec.raised_when}
    if error.field is not None:
        data["field"] = error.field
    if error.index is not None:
        data["index"] = error.index
    return {"code": spec.number, "message": error.text, "data": data}
