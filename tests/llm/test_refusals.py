"""What an endpoint's refusal means."""

from __future__ import annotations

import json
from typing import Any

import pytest

from soong_memoryd.llm.ladder import Learned
from soong_memoryd.llm.refusals import FAILURES, STATUSES, Failure, judge, retry_after_seconds
from soong_memoryd.llm.request import build
from tests.llm.conversations import SEVERAL
from tests.support.models import profile_at

PROFILE = profile_at("http://127.0.0.1:9/v1")


def judged(rung: str, message: str, status: int = 400, fixes: frozenset[str] = frozenset(), **error: Any) -> Learned | Failure:
    learned = Learned(rung, fixes)
    body = json.dumps({"error": {"message": message, **error}}).encode()
    return judge(status, body, {}, build(PROFILE, SEVERAL, learned), learned, {"thinking"})


REFUSED_RUNGS = [
    ("tools", "this model does not support 'tools'"),
    ("tools", "registry.ollama.ai/library/gemma does not support tools"),
    ("tools", "No endpoints found that support tool use. Try disabling it."),
    ("tools", "Function calling is not enabled for this model"),
    ("json_schema", "This response_format type is unavailable now"),
    ("json_schema", "'response_format' of type 'json_schema' is not supported with this model"),
    ("json_schema", "Invalid schema for response_format"),
    ("json_object", "'response_format.type' must be 'json_schema' or 'text'"),
    ("json_object", "JSON mode is not enabled for this model"),
]
NEXT = {"tools": "json_schema", "json_schema": "json_object", "json_object": "plain"}


@pytest.mark.rule("llm.ladder-steps-down")
@pytest.mark.parametrize(("rung", "message"), REFUSED_RUNGS)
@pytest.mark.parametrize("status", [400, 404, 415, 422])
def test_a_refusal_that_names_the_rung_leads_one_rung_down(rung: str, message: str, status: int) -> None:
    assert judged(rung, message, status) == Learned(NEXT[rung])


@pytest.mark.rule("llm.ladder-steps-down")
@pytest.mark.parametrize(("rung", "message"), REFUSED_RUNGS)
@pytest.mark.parametrize("status", [401, 403, 408, 429, 500, 503])
def test_no_other_status_leads_down_whatever_it_says(rung: str, message: str, status: int) -> None:
    assert isinstance(judged(rung, message, status), Failure)


def test_a_refusal_that_names_another_rung_or_none_leads_nowhere() -> None:
    assert judged("tools", "json_schema is not supported") == Failure("model_rejected")
    assert judged("plain", "tools and response_format are not supported") == Failure("model_rejected")
    assert judged("tools", "the model `x` does not exist", 404) == Failure("model_not_found")


@pytest.mark.rule("llm.ladder-steps-down")
def test_what_an_error_echoes_of_the_request_is_not_what_it_says() -> None:
    body = json.dumps(
        {"detail": [{"msg": "Field required", "loc": ["body", "x"], "input": "about tools and temperature"}]}
    ).encode()
    learned = Learned("tools")
    assert judge(422, body, {}, build(PROFILE, SEVERAL, learned), learned) == Failure("model_rejected")


@pytest.mark.rule("llm.parameters-mended")
@pytest.mark.parametrize(
    ("rung", "message", "fix"),
    [
        ("tools", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "swap_token_field"),
        (
            "tools",
            "'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
            "no_temperature",
        ),
        ("tools", "tool_choice 'required' is not supported in thinking mode", "no_forced_choice"),
        ("json_schema", "strict is not a permitted field", "no_strict"),
        ("tools", "Unrecognized request argument supplied: thinking", "no_extra_body"),
    ],
)
def test_a_refusal_that_names_a_parameter_mends_it_once(rung: str, message: str, fix: str) -> None:
    assert judged(rung, message) == Learned(rung, frozenset({fix}))
    assert judged(rung, message, fixes=frozenset({fix})) != Learned(rung, frozenset({fix}))


@pytest.mark.rule("llm.blame")
@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 8192 tokens, however you requested 9000 (max_tokens 4096)",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "the request exceeds the available context size",
        "The input token count (40000) exceeds the maximum number of tokens allowed",
        "max_tokens is too large: 4096. This model's maximum context length is 4096 tokens",
    ],
)
def test_an_overflow_is_the_windows_fault(message: str) -> None:
    assert judged("tools", message) == Failure("model_overflow", blame="window")


def test_a_request_for_too_many_output_tokens_is_the_profiles_fault() -> None:
    assert judged("tools", "max_tokens is too large: 32768. At most 16384 completion tokens.") == Failure("model_output_limit")


def test_a_provider_that_declines_is_the_windows_fault() -> None:
    assert judged("tools", "filtered", code="content_filter") == Failure("model_refused", blame="window")


@pytest.mark.rule("llm.blame")
@pytest.mark.parametrize(
    ("status", "code", "retryable"),
    [
        (301, "model_redirected", False),
        (307, "model_redirected", False),
        (401, "model_auth", False),
        (402, "model_quota", False),
        (403, "model_auth", False),
        (404, "model_not_found", False),
        (408, "model_timeout", True),
        (418, "model_rejected", False),
        (429, "model_rate_limited", True),
        (500, "model_unavailable", True),
        (529, "model_unavailable", True),
    ],
)
def test_statuses_that_say_nothing_of_the_request_blame_the_profile(status: int, code: str, retryable: bool) -> None:
    assert judged("tools", "no", status) == Failure(code, "profile", retryable)


def test_a_used_up_account_is_not_asked_again() -> None:
    assert judged("tools", "no", 429, code="insufficient_quota") == Failure("model_quota")


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"<html>tools</html>", b"[]", b"[" * 3000, b'"tools"', b'{"error": null}'])
def test_any_error_body_is_read(body: bytes) -> None:
    learned = Learned("tools")
    verdict = judge(400, body, {}, build(PROFILE, SEVERAL, learned), learned)
    assert verdict == (Learned("json_schema") if b"tools" in body else Failure("model_rejected"))


def test_every_failure_has_a_text_and_a_known_blame() -> None:
    for failure in STATUSES.values():
        error = failure.error()
        assert error.text == FAILURES[failure.code][0]
        assert error.blame in ("profile", "window")


@pytest.mark.rule("llm.retry-after-bounded")
@pytest.mark.parametrize(
    ("value", "date", "seconds"),
    [
        ("2", None, 2.0),
        ("0.5", None, 0.5),
        ("-3", None, 0.0),
        ("1e9", None, 21_600.0),
        ("inf", None, 21_600.0),
        ("nan", None, None),
        ("soon", None, None),
        ("", None, None),
        (None, None, None),
        ("Tue, 01 Dec 2026 10:00:30 GMT", "Tue, 01 Dec 2026 10:00:00 GMT", 30.0),
        ("Tue, 01 Dec 2026 10:00:30 GMT", None, None),
    ],
)
def test_a_retry_after_is_read_as_seconds_within_bounds(value: str | None, date: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(value, date) == seconds
