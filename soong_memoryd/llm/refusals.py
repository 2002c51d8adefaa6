"""What an endpoint's refusal means: mend a parameter, go one rung down, or fail, and who pays for it.

Owns: the tables that read statuses and error texts. Must not know HTTP clients, or say on what a provider said.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from soong_memoryd.errors import ModelError
from soong_memoryd.llm.json_text import parse
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

NAMING_STATUSES = frozenset({400, 404, 415, 422})  # those whose text may name a feature that is not understood
LONGEST_RETRY_AFTER_SECONDS = 21_600.0
MAX_ERROR_CHARS = 4000


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a call gave nothing. ``retryable``: the same request may do better in a moment."""

    code: str
    blame: str = "profile"
    retryable: bool = False
    retry_after_seconds: float | None = None

    def error(self) -> ModelError:
        """The failure as an exception, in our words."""
        text, hint = FAILURES[self.code]
        return ModelError(self.code, text, blame=self.blame, hint=hint, retry_after_seconds=self.retry_after_seconds)


FAILURES: Mapping[str, tuple[str, str]] = {  # code -> text, hint
    "model_unreachable": ("the model's endpoint cannot be reached", "Check base_url and the network."),
    "model_timeout": ("the model did not answer in time", "Raise timeout_ms, or choose a faster model."),
    "model_unavailable": ("the model's provider failed", "It is tried again later."),
    "model_rate_limited": ("the model's provider wants fewer requests", "It is tried again later."),
    "model_quota": ("the account at the model's provider is used up", "Check its balance."),
    "model_auth": ("the model's provider refused the key", "Check api_key_env or api_key_file."),
    "model_key_missing": ("no key for the model's provider was found", "Name it with api_key_env, and set that variable."),
    "model_key_unusable": ("the key for the model's provider has characters that no key has", "Look for spaces and quotes."),
    "model_unsendable": ("the prompt holds characters that cannot be sent", ""),
    "model_key_file": ("the file with the model's key cannot be used", "It must be readable and of mode 0600."),
    "model_not_found": ("the model's provider does not know this model or address", "Check name and base_url."),
    "model_redirected": ("the model's endpoint points elsewhere, which is not followed", "Set base_url to the final address."),
    "model_rejected": ("the model's provider refused the request", "Run a config check; see structured_output and extra_body."),
    "model_output_limit": ("the model's provider allows fewer output tokens", "Lower max_output_tokens."),
    "model_not_an_answer": ("what the endpoint sent is not a model's answer", "Check base_url."),
    "model_too_large": ("what the endpoint sent is too large", "Check base_url."),
    "model_overflow": ("the prompt is larger than the model's context", "Lower context_window to what the model has."),
    "model_refused": ("the model or its provider declined to answer", ""),
    "model_cut": ("the answer was cut at its token limit", "Raise max_output_tokens."),
    "model_prompt_cut": (
        "the server cut the prompt silently",
        "Raise the context of the server (num_ctx, OLLAMA_CONTEXT_LENGTH, -c), or lower context_window.",
    ),
}

STATUSES: Mapping[int, Failure] = {
    401: Failure("model_auth"),
    402: Failure("model_quota"),
    403: Failure("model_auth"),
    404: Failure("model_not_found"),
    408: Failure("model_timeout", retryable=True),
    409: Failure("model_unavailable", retryable=True),
    413: Failure("model_overflow", blame="window"),
    425: Failure("model_unavailable", retryable=True),
    429: Failure("model_rate_limited", retryable=True),
}

_SPEAKING = frozenset(
    {"error", "errors", "message", "code", "param", "type", "detail", "details", "loc", "msg", "status", "metadata", "raw"}
)
_TOKEN_FIELDS = r"max_(?:completion_|output_)?tokens"  # noqa: S105

NAMED_FAILURES: tuple[tuple[re.Pattern[str], Failure], ...] = (  # error texts, first match first
    (
        re.compile(
            r"context_length_exceeded|(?:maximum |available |model'?s )?context (?:length|size|window)|prompt is too long"
            r"|too many (?:input )?tokens|input (?:is )?too long|reduce the length|input token count|exceed_context_size"
        ),
        Failure("model_overflow", blame="window"),
    ),
    (
        re.compile(r"content[_ ]filter|content management policy|content_policy|data_inspection"),
        Failure("model_refused", blame="window"),
    ),
    (
        re.compile(rf"{_TOKEN_FIELDS}.{{0,80}}(?:too (?:large|high|big)|at most|exceed|less than|maximum value|range of)"),
        Failure("model_output_limit"),
    ),
)

NAMED_RUNGS: Mapping[str, re.Pattern[str]] = {
    TOOLS: re.compile(r"\btools?\b|tool[_ -]?(?:use|call|choice)|function[_ ]?call|\bfunctions?\b"),
    JSON_SCHEMA: re.compile(r"json[_ -]?schema|response[_ ]format|structured[_ ]output|\bschema\b"),
    JSON_OBJECT: re.compile(r"json[_ -]?(?:object|mode)|response[_ ]format"),
}


def judge(
    status: int,
    body: bytes,
    headers: Mapping[str, str],
    request: Mapping[str, Any],
    learned: Learned,
    extra_fields: Collection[str] = (),
) -> Learned | Failure:
    """What to do about an error reply: ask again in another way (``Learned``), or give up on this call (``Failure``).

    ``extra_fields`` are the request fields that a preset added of itself, which may be left out.
    """
    said = _said(body)
    if status in NAMING_STATUSES:
        named = next((failure for pattern, failure in NAMED_FAILURES if pattern.search(said)), None)
        if named is not None:
            return named
        changed = _mend(said, request, learned, extra_fields)
        if changed is None and learned.rung in NAMED_RUNGS and NAMED_RUNGS[learned.rung].search(said):
            changed = learned.step_down()
        if changed is not None:
            return changed
    if 300 <= status < 400:
        return Failure("model_redirected")
    if status == 429 and "insufficient_quota" in said:
        return Failure("model_quota")
    default = Failure("model_unavailable", retryable=True) if status >= 500 else Failure("model_rejected")
    found = STATUSES.get(status, default)
    if not found.retryable:
        return found
    return Failure(found.code, found.blame, True, retry_after_seconds(headers.get("retry-after"), headers.get("date")))


def retry_after_seconds(value: str | None, date: str | None) -> float | None:
    """A Retry-After header as seconds (bounded), None when unreadable. A moment counts from the reply's own date."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(value) - parsedate_to_datetime(date or "")).total_seconds()
        except (TypeError, ValueError):
            return None
    return min(max(0.0, seconds), LONGEST_RETRY_AFTER_SECONDS) if seconds == seconds else None


def _mend(said: str, request: Mapping[str, Any], learned: Learned, extra_fields: Collection[str]) -> Learned | None:
    """The first parameter that the request has, the text names, and that was not mended yet."""
    response_format = request.get("response_format") or {}
    token_fields = [name for name in ("max_tokens", "max_completion_tokens") if name in request]
    named = (  # fix, whether the request has what it mends, words that name it
        (NO_FORCED_CHOICE, request.get("tool_choice") == "required", ("tool_choice", "tool choice")),
        (SWAP_TOKEN_FIELD, bool(token_fields), token_fields),
        (NO_TEMPERATURE, "temperature" in request, ("temperature",)),
        (NO_STRICT, bool((response_format.get("json_schema") or {}).get("strict")), ("strict",)),
        (NO_EXTRA_BODY, bool(extra_fields), extra_fields),
    )
    for fix, sent, words in named:
        if sent and fix not in learned.fixes and any(word in said for word in words):
            return learned.with_fix(fix)
    return None


def _said(body: bytes) -> str:
    """The words of an error body, in lower case: of JSON only the fields that speak of the request, none that echo it."""
    try:
        value = parse(body)
    except ValueError:
        return body[:MAX_ERROR_CHARS].decode("utf-8", "replace").casefold()
    return "\n".join(_strings(value, 0))[:MAX_ERROR_CHARS].casefold()


def _strings(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < 6 and isinstance(value, dict):
        for key, item in value.items():
            if key in _SPEAKING:
                yield from _strings(item, depth + 1)
    elif depth < 6 and isinstance(value, list):
        for item in value[:8]:
            yield from _strings(item, depth + 1)
