"""From the body of a 200 reply to calls: what the model meant, or why that cannot be known.

Owns: where an answer may stand and which answers count as none. Must not know HTTP, or what the tools do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from soong_memoryd.llm.conversation import ToolCall, ToolSpec, Usage
from soong_memoryd.llm.json_text import find_object, parse
from soong_memoryd.llm.refusals import Failure

CUT = frozenset({"length", "max_tokens"})
DECLINED = frozenset({"content_filter", "refusal", "safety"})
REASONING_FIELDS = ("reasoning_content", "reasoning")

NO_ANSWER = "the answer was empty"
NO_JSON = "the answer held no readable JSON object"
NO_OPERATIONS = 'the answer\'s "operations" is not a list of {"tool", "arguments"}'
NO_CALLS = "the answer made no call"
NO_ARGUMENTS = "the arguments are not a readable JSON object"


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that is a model's answer: its message, why it ended, and what the provider counted (None: it did not)."""

    message: Mapping[str, Any]
    finish_reason: str
    prompt_tokens: int | None
    completion_tokens: int | None

    def failure(self) -> Failure | None:
        """Why this answer counts as none at all, whatever it says."""
        if self.finish_reason in CUT:
            return Failure("model_cut", blame="window")
        if self.finish_reason in DECLINED or (self.message.get("refusal") and not self.message.get("tool_calls")):
            return Failure("model_refused", blame="window")
        return None

    def usage(self, prompt_estimate: int, completion_estimate: int) -> Usage:
        """What the call cost: as counted, else as estimated."""
        return Usage(1, self.prompt_tokens or prompt_estimate, self.completion_tokens or completion_estimate)


@dataclass(frozen=True, slots=True)
class ErrorIn200:
    """A provider's error that travels with status 200; ``status`` is the one it names, else 502."""

    status: int


def read_reply(body: bytes) -> Reply | ErrorIn200 | Failure:
    """The reply in a body of status 200."""
    try:
        value = parse(body)
    except ValueError:
        # cut or garbled in transit; a page of HTML (a portal's login) is not going to change in a moment
        return Failure("model_not_an_answer", retryable=body.lstrip()[:1] == b"{")
    if not isinstance(value, dict):
        return Failure("model_not_an_answer")
    if isinstance(value.get("error"), dict | str) and value["error"]:
        code = value["error"].get("code") if isinstance(value["error"], dict) else None
        return ErrorIn200(code if isinstance(code, int) and 400 <= code < 600 else 502)
    choices = value.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
        return Failure("model_not_an_answer")
    usage = value["usage"] if isinstance(value.get("usage"), dict) else {}
    finish = choice.get("finish_reason")
    return Reply(
        choice["message"],
        finish.casefold() if isinstance(finish, str) else "",
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
    )


def read_calls(message: Mapping[str, Any], tools: Sequence[ToolSpec]) -> tuple[tuple[ToolCall, ...], str | None]:
    """(calls in order, problem). Tool calls count first, then JSON in the content, wherever the answer was asked for.

    Calls of unknown tools are passed on by name. With no readable call the first part is empty and ``problem`` says why.
    """
    made = message.get("tool_calls")
    if isinstance(made, list) and made:
        return _readable(_tool_call(call, tools) for call in made if isinstance(call, dict))
    content = _joined(message.get("content"))
    wanted = frozenset(tools[0].parameters.get("properties", {})) if len(tools) == 1 else frozenset({"operations"})
    value = _as_object(content, wanted) if content else _answer_in_reasoning(message)
    if value is None:
        return (), NO_JSON if content else NO_ANSWER
    if len(tools) == 1 and "operations" not in value:
        return (ToolCall(tools[0].name, _unquoted(value, tools[0])),), None
    operations = value.get("operations")
    if not isinstance(operations, list) or not all(isinstance(item, dict) for item in operations):
        return (), NO_OPERATIONS
    return _readable(_operation(item, tools) for item in operations)


def _readable(made: Iterable[ToolCall]) -> tuple[tuple[ToolCall, ...], str | None]:
    calls = tuple(made)
    if any(call.arguments is not None for call in calls):
        return calls, None
    return (), NO_ARGUMENTS if calls else NO_CALLS


def _tool_call(call: Mapping[str, Any], tools: Sequence[ToolSpec]) -> ToolCall:
    function = call["function"] if isinstance(call.get("function"), dict) else {}
    return _call(function.get("name"), function.get("arguments"), tools)


def _operation(item: Mapping[str, Any], tools: Sequence[ToolSpec]) -> ToolCall:
    return _call(item.get("tool"), item.get("arguments"), tools)


def _call(name: Any, arguments: Any, tools: Sequence[ToolSpec]) -> ToolCall:
    name = name if isinstance(name, str) and name else "unknown"
    spec = next((spec for spec in tools if spec.name == name), None)
    read = _arguments(arguments, spec)
    return ToolCall(name, read, None if read is not None else NO_ARGUMENTS)


def _arguments(value: Any, spec: ToolSpec | None) -> dict[str, Any] | None:
    if value is None or value == "":
        return {}
    found = _as_object(value, frozenset(spec.parameters.get("properties", {})) if spec else frozenset())
    return _unquoted(found, spec) if found is not None and spec else found


def _as_object(value: Any, wanted: frozenset[str]) -> dict[str, Any] | None:
    """An object: given as one, as JSON text, as JSON text in JSON text, or with words around it."""
    if isinstance(value, str) and value.lstrip().startswith('"'):
        try:
            value = parse(value)
        except ValueError:
            return None
    if isinstance(value, str):
        return find_object(value, wanted)
    return value if isinstance(value, dict) else None


def _unquoted(arguments: dict[str, Any], spec: ToolSpec) -> dict[str, Any]:
    """Lists and objects that arrived as JSON text, as some models send nested arguments, as what they are."""
    mended = dict(arguments)
    for name, schema in spec.parameters.get("properties", {}).items():
        kinds = {"array": list, "object": dict}
        kind = schema.get("type") if isinstance(schema, Mapping) else None
        value = mended.get(name)
        if isinstance(value, str) and isinstance(kind, str) and kind in kinds:
            try:
                inner = parse(value)
            except ValueError:
                continue
            mended[name] = inner if isinstance(inner, kinds[kind]) else value
    return mended


def _answer_in_reasoning(message: Mapping[str, Any]) -> dict[str, Any] | None:
    """Some servers file a grammar-bound answer under reasoning: taken only if it is nothing but the object."""
    for name in REASONING_FIELDS:
        text = message.get(name)
        if isinstance(text, str) and text.strip():
            try:
                value = parse(text.strip())
            except ValueError:
                return None
            return value if isinstance(value, dict) else None
    return None


def _joined(content: Any) -> Any:
    """Content as text, stripped, its parts put together; an object, as some servers send it, as it is."""
    if isinstance(content, list):
        content = "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
    return content.strip() if isinstance(content, str) else content if isinstance(content, dict) else ""


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
