"""How a model server goes wrong, by name: the tables behind ``ModelServer.queue`` and ``ModelServer.refuse``.

Owns: what each fault puts on the wire. Must not know sockets (``model_server.py``) or who asks.
``STATUS_FAULTS`` answer instead of the model, ``MESSAGE_FAULTS`` change a good assistant message in place,
``REPLY_FAULTS`` change the whole reply, ``WIRE_FAULTS`` are shown by the handler itself (``name:seconds``).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]

STATUS_FAULTS: dict[str, tuple[int, str, str, dict[str, str]]] = {  # name -> status, error code, text, extra headers
    "http_400": (400, "invalid_request", "the request is not valid", {}),
    "http_401": (401, "invalid_api_key", "invalid api key", {}),
    "http_402": (402, "insufficient_balance", "insufficient balance", {}),
    "http_403": (403, "forbidden", "you may not use this model", {}),
    "http_404": (404, "model_not_found", "no such model", {}),
    "http_408": (408, "timeout", "took too long", {}),
    "http_413": (413, "too_large", "request entity too large", {}),
    "http_429": (429, "rate_limit_exceeded", "rate limit reached", {}),
    "quota_429": (429, "insufficient_quota", "you exceeded your current quota", {}),
    "http_500": (500, "server_error", "internal error", {}),
    "http_503": (503, "overloaded", "overloaded", {"Retry-After": "soon"}),
    "http_529": (529, "overloaded_error", "overloaded", {}),
    "overflow_400": (400, "context_length_exceeded", "This model's maximum context length is 8192 tokens; max_tokens", {}),
    "filter_400": (400, "content_filter", "the response was filtered due to the content management policy", {}),
    "redirect": (307, "", "", {"Location": "/v1/elsewhere/chat/completions"}),
}

WIRE_FAULTS = ("hang", "slow_drip", "reset", "cut_body", "huge_body", "endless_body", "html", "bad_json", "array_error_body")

REFUSABLE = {  # feature -> the text of the 400 that refuses it
    "tools": "this model does not support 'tools'",
    "tool_choice": "tool_choice 'required' is not supported while thinking",
    "json_schema": "response_format 'json_schema' is not supported",
    "strict": "response_format.json_schema.strict must be false",
    "json_object": "'response_format.type' must be 'json_schema' or 'text', not json_object",
    "max_tokens": "Unsupported parameter: 'max_tokens' is not supported with this model.",
    "max_completion_tokens": "body.max_completion_tokens: Extra inputs are not permitted",
    "temperature": "Unsupported value: 'temperature' does not support this value with this model",
    "extra": "Unrecognized request argument supplied: thinking",
}


def asked_features(request: Json) -> set[str]:
    """The refusable features that a request uses."""
    response_format = request.get("response_format") or {}
    features = {name for name in ("tools", "max_tokens", "max_completion_tokens", "temperature") if name in request}
    features |= {response_format["type"]} if response_format else set()
    features |= {"strict"} if (response_format.get("json_schema") or {}).get("strict") else set()
    features |= {"tool_choice"} if request.get("tool_choice") not in (None, "auto", "none") else set()
    return features | ({"extra"} if "thinking" in request else set())


def _each_text(change: Callable[[str], Any]) -> Callable[[Json], None]:
    """A fault that changes every answer text: the arguments of each tool call, or else the content."""

    def fault(message: Json) -> None:
        for call in message.get("tool_calls") or []:
            call["function"]["arguments"] = change(call["function"]["arguments"])
        if not message.get("tool_calls"):
            message["content"] = change(message.get("content") or "")

    return fault


def _replace_quotes(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: "words that nobody typed here" if key == "quote" else _replace_quotes(item) for key, item in value.items()}
    return [_replace_quotes(item) for item in value] if isinstance(value, list) else value


def _decoy() -> str:
    arguments = {"category": "user", "name": "decoy", "summary": "decoy", "tags": [], "body": "decoy", "evidence": []}
    return json.dumps({"operations": [{"tool": "create_memory", "arguments": arguments}]})


def _think_first(message: Json) -> None:
    message["content"] = f"<think>Perhaps {_decoy()}? No.</think>\n" + (message.get("content") or "")


def _think_unopened(message: Json) -> None:
    message["content"] = f"Perhaps {_decoy()}? No.\n</think>\n" + (message.get("content") or "")


def _think_only(message: Json) -> None:
    message.update(content=f"<think>Perhaps {_decoy()}", tool_calls=None)


def _unknown_tool(message: Json) -> None:
    call = {"id": "call_unknown", "type": "function", "function": {"name": "write_file", "arguments": '{"path": "../x"}'}}
    if message.get("tool_calls"):
        message["tool_calls"].insert(0, call)
    else:
        message["content"] = json.dumps({"operations": [{"tool": "write_file", "arguments": {"path": "../x"}}]})


def _duplicate_tool_call_ids(message: Json) -> None:
    for call in message.get("tool_calls") or []:
        call["id"] = "call_0"


def _answer_in_reasoning(message: Json) -> None:
    message["reasoning_content"] = message.get("content")
    message["content"] = None


def _content_parts(message: Json) -> None:
    message["content"] = [{"type": "text", "text": message.get("content") or ""}]


def _extra_fields(message: Json) -> None:
    message.update(annotations=[], audio=None, reasoning_details=[{"type": "x"}], provider_specific={"cached": True})


MESSAGE_FAULTS: dict[str, Callable[[Json], None]] = {
    "truncated_json": _each_text(lambda text: text[: len(text) // 2]),
    "half_json": _each_text(lambda text: text[: len(text) // 2]),  # cut as well, but the server says it finished
    "prose_around_json": _each_text(lambda text: f"Sure, here it is:\n```json\n{text}\n```\nAnything else?"),
    "fenced": _each_text(lambda text: f"```json\n{text}\n```"),
    "wrong_schema": _each_text(lambda _: '{"memory": {"note": 1}}'),
    "not_json": _each_text(lambda _: "I could not find anything worth keeping."),
    "bad_quote": _each_text(lambda text: json.dumps(_replace_quotes(json.loads(text)), ensure_ascii=False)),
    "arguments_object": _each_text(lambda text: json.loads(text) if text else text),
    "arguments_twice": _each_text(lambda text: json.dumps(text)),
    "lone_surrogate": _each_text(lambda _: '{"operations": [], "text": "\\ud800"}'),
    "think_first": _think_first,
    "think_unopened": _think_unopened,
    "think_only": _think_only,
    "unknown_tool": _unknown_tool,
    "duplicate_tool_call_ids": _duplicate_tool_call_ids,
    "answer_in_reasoning": _answer_in_reasoning,
    "content_parts": _content_parts,
    "extra_fields": _extra_fields,
    "refusal": lambda message: message.update(content=None, tool_calls=None, refusal="I will not do that"),
    "empty": lambda message: message.update(content="", tool_calls=None),
}


def _finish(reason: str) -> Callable[[Json], Any]:
    return lambda reply: reply["choices"][0].update(finish_reason=reason)


def _prompt_truncated(reply: Json) -> None:
    reply["usage"]["prompt_tokens"] = max(1, reply["usage"]["prompt_tokens"] // 10)


def _error_in_200(reply: Json) -> None:
    reply.clear()
    reply["error"] = {"message": "upstream died", "code": 502}


REPLY_FAULTS: dict[str, Callable[[Json], Any]] = {
    "truncated_json": _finish("length"),
    "cut_length": _finish("length"),
    "content_filter": _finish("content_filter"),
    "prompt_truncated": _prompt_truncated,
    "no_usage": lambda reply: reply.pop("usage"),
    "no_choices": lambda reply: reply.update(choices=[]),
    "null_choices": lambda reply: reply.update(choices=None),
    "empty_object": lambda reply: reply.clear(),
    "error_in_200": _error_in_200,
}

FAULTS = frozenset({*STATUS_FAULTS, *WIRE_FAULTS, *MESSAGE_FAULTS, *REPLY_FAULTS, *(f"no_{name}" for name in REFUSABLE)})
