"""The method table as an OpenRPC document and as the reference page ``docs/protocol.md``.

Owns: the two renderings. Must not know anything that the tables do not say.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from soong_memoryd.protocol.errors import ERRORS
from soong_memoryd.protocol.methods import METHODS, PROTOCOL_VERSION, Method
from soong_memoryd.protocol.values import Event, Node

OPENRPC_VERSION = "1.3.2"
_REF = "#/components/schemas/{model}"


@cache
def document(server_version: str) -> dict[str, Any]:
    """The OpenRPC document of ``rpc.discover``; made once, since drawing the schemas would hold up everybody else."""
    schemas: dict[str, Any] = {}
    methods = [_method(name, method, schemas) for name, method in METHODS.items()]
    for model in (Node, Event):
        _collect(model.model_json_schema(ref_template=_REF), model.__name__, schemas)
    errors = {
        code: {"code": spec.number, "message": spec.raised_when, "data": {"code": code, "retryable": spec.retryable}}
        for code, spec in ERRORS.items()
    }
    return {
        "openrpc": OPENRPC_VERSION,
        "info": {"title": "soong-memoryd", "version": server_version, "x-protocol-version": PROTOCOL_VERSION},
        "methods": methods,
        "components": {"schemas": schemas, "errors": errors},
        "x-notifications": [{"name": "event", "params": {"$ref": _REF.format(model="Event")}}],
    }


def _method(name: str, method: Method, schemas: dict[str, Any]) -> dict[str, Any]:
    params = method.params.model_json_schema(ref_template=_REF)
    schemas.update(params.pop("$defs", {}))
    required = set(params.get("required", ()))
    if method.result is None:
        result: dict[str, Any] = {"type": "object"}
    else:
        _collect(method.result.model_json_schema(ref_template=_REF), method.result.__name__, schemas)
        result = {"$ref": _REF.format(model=method.result.__name__)}
    return {
        "name": name,
        "summary": method.summary,
        "paramStructure": "by-name",
        "params": [
            {"name": field, "required": field in required, "schema": schema}
            for field, schema in params.get("properties", {}).items()
        ],
        "result": {"name": "result", "schema": result},
        "x-caller": method.caller,
        "x-notification": method.notification,
        "x-ordered": method.ordered,
    }


def _collect(schema: dict[str, Any], name: str, schemas: dict[str, Any]) -> None:
    schemas.update(schema.pop("$defs", {}))
    schemas[name] = schema


def reference() -> str:
    """``docs/protocol.md``: methods and errors as tables."""
    lines = [
        "# Protocol reference",
        "",
        "Generated from `soong_memoryd/protocol/` by `make docs`; do not edit. JSON-RPC 2.0, one UTF-8 JSON message a line,",
        "over the Unix socket `$SOONG_MEMORYD_SOCKET`, else `$SOONG_AGENT_HOME/memoryd/memoryd.sock`. `rpc.discover` returns",
        "the schemas; they stand in [openrpc.json](openrpc.json) too.",
        "",
        f"Protocol version {PROTOCOL_VERSION}. `?` marks what may be left out; N what may also be sent as a notification.",
        "",
        "| method | caller | params | result | what it does |",
        "|---|---|---|---|---|",
    ]
    for name, method in METHODS.items():
        result = "the OpenRPC document" if method.result is None else _fields(method.result.model_fields)
        marks = " N" if method.notification else ""
        lines.append(
            f"| `{name}`{marks} | {method.caller} | {_fields(method.params.model_fields)} | {result} | {method.summary} |"
        )
    lines += ["", "## Errors", "", "| number | code | retry | when |", "|---|---|---|---|"]
    lines += [
        f"| {spec.number} | `{code}` | {'yes' if spec.retryable else ''} | {spec.raised_when} |"
        for code, spec in ERRORS.items()
    ]
    return "\n".join(lines) + "\n"


def _fields(fields: dict[str, Any]) -> str:
    return ", ".join(f"`{name}`{'' if field.is_required() else '?'}" for name, field in fields.items()) or "–"
