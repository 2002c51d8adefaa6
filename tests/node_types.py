"""The OpenRPC document as the Node client's types and method table: ``clients/node/protocol.d.ts`` and ``protocol.js``.

Owns: how a JSON Schema becomes TypeScript, and a method's name a JavaScript one. ``docs_current`` holds that the files in
the tree are what is rendered here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from soong_memoryd.protocol.methods import MAX_NODE_TEXT_BYTES
from soong_memoryd.protocol.openrpc import document
from soong_memoryd.protocol.values import MAX_NODES

Schema = Mapping[str, Any]
GENERATED = "// Generated from the OpenRPC document by `make docs`; do not edit."
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
KEPT_FOR_LATER = " | null"  # a durable call that waits in the outbox has no result yet


@cache
def _document() -> dict[str, Any]:
    return document("")


def type_of(schema: Schema) -> str:
    """The TypeScript of one JSON Schema, as the daemon's models draw them. ``KeyError`` for a form that is new here."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of(one) for one in schema["anyOf"]))
    if schema.get("type") == "array":
        return f"Array<{type_of(schema['items']) if 'items' in schema else 'unknown'}>"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {type_of(values) if isinstance(values, dict) and values else 'unknown'}>"
    return PLAIN[schema["type"]] if "type" in schema else "unknown"


def method_name(method: str) -> str:
    """``session.open`` -> ``sessionOpen``."""
    return re.sub(r"\.(\w)", lambda found: found[1].upper(), method)


def _params_name(method: str) -> str:
    name = method_name(method)
    return f"{name[0].upper()}{name[1:]}Params"


def _interface(name: str, fields: Iterable[tuple[str, bool, Schema]], about: str = "") -> list[str]:
    lines = [f"/** {_comment(about)} */"] if about else []
    members = [f"  {field}{'' if required else '?'}: {type_of(schema)};" for field, required, schema in fields]
    return (
        [*lines, f"export interface {name} {{", *members, "}", ""] if members else [*lines, f"export type {name} = {{}};", ""]
    )


def _comment(text: str) -> str:
    return text.replace("``", "`").replace("*/", "* /").splitlines()[0]


def _sent() -> set[str]:
    """The schemas that callers fill in: what these do not require may be left out; a result always has every member."""
    params = [param["schema"] for method in _document()["methods"] for param in method["params"]]
    return set(re.findall(rf'"{re.escape("#/components/schemas/")}(\w+)"', json.dumps(params)))


def _schema(name: str, schema: Schema) -> list[str]:
    required, sent = set(schema.get("required", ())), name in _sent()
    fields = [(field, field in required or not sent, one) for field, one in schema["properties"].items()]
    return _interface(name, fields, schema.get("description", ""))


def _params(method: Schema) -> list[str]:
    fields = [(param["name"], param["required"], param["schema"]) for param in method["params"]]
    return _interface(_params_name(method["name"]), fields, f"Params of `{method['name']}`.")


def _call(method: Schema) -> list[str]:
    needed = any(param["required"] for param in method["params"])
    result = type_of(method["result"]["schema"]) + (KEPT_FOR_LATER if method["x-ordered"] else "")
    params = f"params{'' if needed else '?'}: {_params_name(method['name'])}"
    return [
        f"  /** `{method['name']}` ({method['x-caller']}): {_comment(method['summary'])} */",
        f"  {method_name(method['name'])}({params}, options?: CallOptions): Promise<{result}>;",
    ]


def types() -> str:
    """``clients/node/protocol.d.ts``."""
    methods, errors = _document()["methods"], _document()["components"]["errors"]
    schemas = {name: schema for name, schema in _document()["components"]["schemas"].items() if "properties" in schema}
    lines = [GENERATED, "// Params and results of every method of the wire; `protocol.js` holds the same as a table.", ""]
    lines += [line for name, schema in schemas.items() for line in _schema(name, schema)]
    lines += [line for method in methods for line in _params(method)]
    codes = "\n".join(f'  | "{code}"' for code in errors)
    lines += ["/** The stable code of an error reply, `error.data.code`. */", f"export type RpcCode =\n{codes};", ""]
    lines += ["/** Method name -> its params and result. */", "export interface Methods {"]
    lines += [
        f'  "{method["name"]}": {{ params: {_params_name(method["name"])}; result: {type_of(method["result"]["schema"])} }};'
        for method in methods
    ]
    lines += ["}", "", "/** Of one call. */", "export interface CallOptions {"]
    lines += ["  /** Milliseconds until it gives up; the client's own limit when left out. */"]
    lines += ["  timeoutMs?: number;", "}", ""]
    lines += ["/** One function a method; null: a durable call that waits in the outbox. */", "export interface Calls {"]
    lines += [line for method in methods for line in _call(method)]
    lines += ["}", "", "export declare const PROTOCOL_VERSION: number;"]
    lines += ["export declare const MAX_NODES: number;", "export declare const MAX_NODE_TEXT_BYTES: number;"]
    lines += ["export declare const METHODS: Readonly<Record<keyof Calls, { method: keyof Methods; durable: boolean }>>;"]
    return "\n".join(lines) + "\n"


def table() -> str:
    """``clients/node/protocol.js``."""
    rows = [
        f'  {method_name(method["name"])}: {{ method: "{method["name"]}", durable: {json.dumps(method["x-ordered"])} }},'
        for method in _document()["methods"]
    ]
    lines = [
        GENERATED,
        f"export const PROTOCOL_VERSION = {_document()['info']['x-protocol-version']};",
        f"export const MAX_NODES = {MAX_NODES};",
        f"export const MAX_NODE_TEXT_BYTES = {MAX_NODE_TEXT_BYTES};",
        "",
        "/** Function -> the method that it calls; durable ones wait in the outbox until the daemon has them. */",
        "export const METHODS = Object.freeze({",
        *rows,
        "});",
    ]
    return "\n".join(lines) + "\n"


PAGES: Mapping[str, Callable[[], str]] = {"clients/node/protocol.d.ts": types, "clients/node/protocol.js": table}
