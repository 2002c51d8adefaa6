"""From a conversation to the body of one request, in the form of a rung.

Owns: messages, tools, schemas and parameters of a request. Must not know HTTP, or what the tools do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from soong_memoryd.llm.conversation import Conversation, Round, ToolCall, ToolSpec
from soong_memoryd.llm.ladder import (
    JSON_OBJECT,
    JSON_SCHEMA,
    NO_EXTRA_BODY,
    NO_FORCED_CHOICE,
    NO_STRICT,
    NO_TEMPERATURE,
    SWAP_TOKEN_FIELD,
    TOOLS,
    Learned,
)
from soong_memoryd.llm.profiles import Profile

Json = dict[str, Any]

OTHER_TOKEN_FIELD = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
NO_CALL = "(no call could be read)"

_TOOL_NAME = re.compile(r"[^A-Za-z0-9_-]")


def build(profile: Profile, conversation: Conversation, learned: Learned) -> Json:
    """The body of one request."""
    request: Json = {"model": profile.name, **(profile.quirks.extra_body if NO_EXTRA_BODY not in learned.fixes else {})}
    request |= profile.extra_body
    field = profile.quirks.token_field
    request[OTHER_TOKEN_FIELD[field] if SWAP_TOKEN_FIELD in learned.fixes else field] = profile.max_output_tokens
    if profile.temperature is not None and NO_TEMPERATURE not in learned.fixes:
        request["temperature"] = profile.temperature
    if learned.rung == TOOLS:
        forced = profile.quirks.forces_tools and NO_FORCED_CHOICE not in learned.fixes
        return request | {
            "messages": list(_tool_messages(conversation)),
            "tools": [_tool(spec) for spec in conversation.tools],
            "tool_choice": "required" if forced else "auto",
        }
    schema = answer_schema(conversation.tools)
    request["messages"] = list(_json_messages(conversation, schema))
    if learned.rung == JSON_SCHEMA:
        named = {"name": "answer", "strict": NO_STRICT not in learned.fixes, "schema": schema}
        request["response_format"] = {"type": "json_schema", "json_schema": named}
    elif learned.rung == JSON_OBJECT:
        request["response_format"] = {"type": "json_object"}
    return request


def prompt_text(request: Mapping[str, Any]) -> str:
    """What a request says to the model, for counting its tokens; tools, which providers count differently, are left out."""
    return "\n".join(message.get("content") or "" for message in request["messages"])


def answer_schema(tools: Sequence[ToolSpec]) -> Json:
    """The JSON schema of an answer without tools: one tool's arguments, or a list of operations for several."""
    if len(tools) == 1:
        return closed(tools[0].parameters)
    operations = [
        {
            "type": "object",
            "properties": {"tool": {"type": "string", "enum": [spec.name]}, "arguments": closed(spec.parameters)},
            "required": ["tool", "arguments"],
            "additionalProperties": False,
        }
        for spec in tools
    ]
    listed = {"type": "array", "items": {"anyOf": operations}}
    return {"type": "object", "properties": {"operations": listed}, "required": ["operations"], "additionalProperties": False}


def closed(schema: Mapping[str, Any]) -> Json:
    """The schema as strict modes want it: every object closed, every property required."""
    closing = {"additionalProperties": False}
    return cast("Json", _each_object(schema, lambda found: {**found, "required": list(found["properties"]), **closing}))


def opened(schema: Mapping[str, Any]) -> Json:
    """The schema as tool definitions want it: some providers refuse additionalProperties there."""
    return cast("Json", _each_object(schema, lambda found: {k: v for k, v in found.items() if k != "additionalProperties"}))


def _each_object(schema: Any, change: Callable[[Json], Json]) -> Any:
    if isinstance(schema, Mapping):
        copied = {key: _each_object(value, change) for key, value in schema.items() if key != "properties"}
        if "properties" not in schema:
            return copied
        properties = {name: _each_object(sub, change) for name, sub in schema["properties"].items()}
        return change(copied | {"properties": properties})
    return [_each_object(item, change) for item in schema] if isinstance(schema, list | tuple) else schema


def _tool(spec: ToolSpec) -> Json:
    function = {"name": spec.name, "description": spec.description, "parameters": opened(spec.parameters)}
    return {"type": "function", "function": function}


def _tool_messages(conversation: Conversation) -> Iterator[Json]:
    yield {"role": "system", "content": conversation.system}
    yield {"role": "user", "content": conversation.user}
    made = 0
    for earlier in conversation.rounds:
        numbered = [(f"call_{made + at}", call) for at, call in enumerate(earlier.calls, 1)]
        made += len(numbered)
        if numbered:
            yield {"role": "assistant", "content": None, "tool_calls": [_made(call_id, call) for call_id, call in numbered]}
        else:
            yield {"role": "assistant", "content": NO_CALL}
        for (call_id, _), result in zip(numbered, earlier.results, strict=True):
            yield {"role": "tool", "tool_call_id": call_id, "content": result}
        if earlier.note:
            yield {"role": "user", "content": earlier.note}


def _made(call_id: str, call: ToolCall) -> Json:
    # Our own ids: providers repeat theirs. A name that no provider would accept is made acceptable.
    name = _TOOL_NAME.sub("_", call.name)[:64] or "unknown"
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": _dump(call.arguments or {})}}


def _json_messages(conversation: Conversation, schema: Json) -> Iterator[Json]:
    yield {"role": "system", "content": f"{conversation.system}\n\n{_instruction(conversation.tools, schema)}"}
    yield {"role": "user", "content": conversation.user}
    for earlier in conversation.rounds:
        yield {"role": "assistant", "content": _said(conversation.tools, earlier)}
        answered = enumerate(zip(earlier.calls, earlier.results, strict=True), 1)
        told = [f"{at}. {call.name}: {result}" for at, (call, result) in answered]
        yield {"role": "user", "content": "\n".join(filter(None, (*told, earlier.note))) or NO_CALL}


def _instruction(tools: Sequence[ToolSpec], schema: Json) -> str:
    if len(tools) == 1:
        what = tools[0].description
    else:
        listed = "\n".join(f"- {spec.name}: {spec.description}" for spec in tools)
        what = f"Its operations are calls of these tools, in order:\n{listed}"
    return f"Answer with one JSON object and nothing else. {what}\nThe JSON schema of the answer:\n{_dump(schema)}"


def _said(tools: Sequence[ToolSpec], earlier: Round) -> str:
    if not earlier.calls:
        return NO_CALL
    if len(tools) == 1:
        return _dump(earlier.calls[0].arguments or {})
    return _dump({"operations": [{"tool": call.name, "arguments": call.arguments or {}} for call in earlier.calls]})


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
