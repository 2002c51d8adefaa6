"""A model over real sockets, on every rung and with every way in which a server goes wrong."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest

from soong_memoryd.errors import ModelError
from soong_memoryd.llm.conversation import Answer, Conversation, ToolCall
from soong_memoryd.llm.endpoints import ForgetfulEndpoints
from soong_memoryd.llm.ladder import Learned
from soong_memoryd.llm.remote import RemoteModel, SpentModelError
from tests.llm.conversations import DONE, MADE, REPAIR, SEVERAL, SINGLE, TEA
from tests.support.model_server import ModelServer, calls
from tests.support.models import Waits, remote_at

T = TypeVar("T")
CALLS = (ToolCall("create_memory", TEA), ToolCall("finish", DONE))
KEY_NAME = "MODEL_KEY"
KEY = "-".join(["made", "at", "run", "time"])


def using(model: RemoteModel, act: Callable[[RemoteModel], Awaitable[T]]) -> T:
    """Run one thing with a model and close it, in an event loop of its own."""

    async def run() -> T:
        try:
            return await act(model)
        finally:
            await model.close()

    return anyio.run(run)


def ask(base_url: str, conversation: Conversation = SEVERAL, **settings: Any) -> Answer:
    return using(remote_at(base_url, **settings), lambda model: model.ask(conversation))


def failure(base_url: str, **settings: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        ask(base_url, **settings)
    return caught.value


LADDER = [
    (set(), "tools", 1),
    ({"tools"}, "json_schema", 2),
    ({"tools", "json_schema"}, "json_object", 3),
    ({"tools", "json_schema", "json_object"}, "plain", 4),
]


@pytest.mark.rule("llm.ladder-steps-down")
@pytest.mark.parametrize(("refused", "rung", "requests"), LADDER)
@pytest.mark.parametrize("status", [400, 422])
def test_an_endpoint_is_asked_one_rung_lower_within_the_same_call(
    refused: set[str], rung: str, requests: int, status: int
) -> None:
    with ModelServer(calls(*MADE)) as server:
        server.refuse, server.refuse_status = refused, status
        answer = ask(server.base_url)
        assert (answer.calls, answer.rung, answer.problem) == (CALLS, rung, None)
        assert server.calls == requests
        assert answer.usage.calls == 1 and answer.usage.prompt_tokens > 0


@pytest.mark.parametrize(("refused", "rung", "requests"), LADDER)
def test_one_tool_and_earlier_rounds_work_on_every_rung(refused: set[str], rung: str, requests: int) -> None:
    with ModelServer(calls(("choose", {"ids": ["mem_1"]}))) as server:
        server.refuse = refused
        assert ask(server.base_url, SINGLE).calls == (ToolCall("choose", {"ids": ["mem_1"]}),)
        server.answer = calls(*MADE)
        assert ask(server.base_url, REPAIR).calls == CALLS


@pytest.mark.rule("llm.rung-remembered")
def test_what_was_learnt_is_not_learnt_again_by_the_next_call_or_model() -> None:
    memory = ForgetfulEndpoints()
    with ModelServer(calls(*MADE)) as server:
        server.refuse = {"tools", "temperature"}
        ask(server.base_url, endpoints=memory)
        learned = anyio.run(memory.find, server.base_url, "scripted")
        assert learned == Learned("json_schema", frozenset({"no_temperature"}))
        before = server.calls
        ask(server.base_url, endpoints=memory)
        assert server.calls == before + 1
        ask(server.base_url, endpoints=memory, name="another")
        assert server.calls > before + 2


@pytest.mark.rule("llm.rung-remembered")
def test_a_remembered_rung_that_is_refused_later_leads_further_down() -> None:
    memory = ForgetfulEndpoints()
    with ModelServer(calls(*MADE)) as server:
        anyio.run(memory.keep, server.base_url, "scripted", Learned("json_schema"))
        server.refuse = {"json_schema"}
        assert ask(server.base_url, endpoints=memory).rung == "json_object"


def test_a_configured_rung_is_where_the_ladder_begins() -> None:
    memory = ForgetfulEndpoints()
    with ModelServer(calls(*MADE)) as server:
        anyio.run(memory.keep, server.base_url, "scripted", Learned("tools"))
        assert ask(server.base_url, endpoints=memory, structured_output="json_object").rung == "json_object"
        assert server.calls == 1


@pytest.mark.rule("llm.parameters-mended")
@pytest.mark.parametrize(
    ("refused", "settings", "sent"),
    [
        ({"max_tokens"}, {}, "max_completion_tokens"),
        ({"max_completion_tokens"}, {"max_tokens_field": "max_completion_tokens"}, "max_tokens"),
        ({"temperature"}, {}, "max_tokens"),
        ({"tool_choice"}, {}, "max_tokens"),
        ({"max_tokens", "temperature", "tool_choice"}, {}, "max_completion_tokens"),
        ({"tools", "strict"}, {}, "max_tokens"),
        ({"extra"}, {"provider": "deepseek"}, "max_tokens"),
    ],
)
def test_a_parameter_that_is_refused_is_mended_within_the_same_call(
    refused: set[str], settings: dict[str, Any], sent: str
) -> None:
    with ModelServer(calls(*MADE)) as server:
        server.refuse = refused
        assert ask(server.base_url, **settings).calls == CALLS
        assert server.calls == 1 + len(refused)
        assert sent in server.requests[-1]


@pytest.mark.parametrize(
    "fault",
    [
        *(
            "prose_around_json",
            "fenced",
            "arguments_object",
            "arguments_twice",
            "think_first",
            "think_unopened",
            "extra_fields",
        ),
        *("answer_in_reasoning", "content_parts", "duplicate_tool_call_ids", "no_usage"),
    ],
)
@pytest.mark.parametrize(
    "refused", [set(), {"tools"}, {"tools", "json_schema", "json_object"}], ids=["tools", "schema", "plain"]
)
def test_an_answer_in_an_odd_form_is_understood(fault: str, refused: set[str]) -> None:
    with ModelServer(calls(*MADE)) as server:
        server.refuse = refused
        server.queue(fault)
        assert ask(server.base_url).calls == CALLS


@pytest.mark.rule("llm.unreadable-is-no-answer")
@pytest.mark.parametrize("fault", ["empty", "think_only", "not_json", "half_json", "lone_surrogate"])
@pytest.mark.parametrize(
    "refused", [set(), {"tools"}, {"tools", "json_schema", "json_object"}], ids=["tools", "schema", "plain"]
)
def test_an_answer_that_cannot_be_read_has_no_call_and_a_problem(fault: str, refused: set[str]) -> None:
    with ModelServer(calls(("finish", DONE))) as server:
        server.refuse = refused
        server.queue(fault)
        answer = ask(server.base_url)
        assert answer.calls == () and answer.problem is not None
        assert answer.usage.calls == 1


def test_calls_of_unknown_tools_are_passed_on() -> None:
    with ModelServer(calls(*MADE)) as server:
        server.queue("unknown_tool")
        assert [call.name for call in ask(server.base_url).calls] == ["write_file", "create_memory", "finish"]


@pytest.mark.parametrize(
    "fault",
    ["http_408", "http_429", "http_500", "http_503", "http_529", "reset", "cut_body", "bad_json", "error_in_200"],
)
def test_what_may_pass_in_a_moment_is_tried_again(fault: str) -> None:
    waits = Waits()
    with ModelServer(calls(*MADE)) as server:
        server.queue(fault)
        assert ask(server.base_url, waits=waits).calls == CALLS
        assert server.calls == 2
        assert waits.seconds == [0.001]


@pytest.mark.rule("llm.blame")
@pytest.mark.parametrize(
    ("fault", "code", "blame", "requests"),
    [
        ("http_400", "model_rejected", "profile", 1),
        ("http_401", "model_auth", "profile", 1),
        ("http_402", "model_quota", "profile", 1),
        ("http_403", "model_auth", "profile", 1),
        ("http_404", "model_not_found", "profile", 1),
        ("http_429", "model_rate_limited", "profile", 2),
        ("quota_429", "model_quota", "profile", 1),
        ("http_500", "model_unavailable", "profile", 2),
        ("error_in_200", "model_unavailable", "profile", 2),
        ("reset", "model_unreachable", "profile", 2),
        ("cut_body", "model_unreachable", "profile", 2),
        ("bad_json", "model_not_an_answer", "profile", 2),
        ("html", "model_not_an_answer", "profile", 1),
        ("empty_object", "model_not_an_answer", "profile", 1),
        ("no_choices", "model_not_an_answer", "profile", 1),
        ("null_choices", "model_not_an_answer", "profile", 1),
        ("http_413", "model_overflow", "window", 1),
        ("overflow_400", "model_overflow", "window", 1),
        ("filter_400", "model_refused", "window", 1),
        ("content_filter", "model_refused", "window", 1),
        ("refusal", "model_refused", "window", 1),
        ("truncated_json", "model_cut", "window", 1),
        ("cut_length", "model_cut", "window", 1),
    ],
)
def test_what_stays_wrong_is_a_coded_failure_that_says_who_pays(fault: str, code: str, blame: str, requests: int) -> None:
    with ModelServer(calls(*MADE)) as server:
        server.queue(fault, fault)
        error = failure(server.base_url)
        assert (error.code, error.blame) == (code, blame)
        assert server.calls == requests


def test_a_failure_that_was_paid_for_says_what_it_cost() -> None:
    with ModelServer(calls(*MADE)) as server:
        server.queue("cut_length")
        error = failure(server.base_url)
        assert isinstance(error, SpentModelError)
        assert error.usage.calls == 1 and error.usage.prompt_tokens > 0 and error.usage.completion_tokens > 0


def test_nobody_listening_is_unreachable() -> None:
    with ModelServer(calls(*MADE)) as server:
        pass
    assert failure(server.base_url).code == "model_unreachable"


@pytest.mark.rule("llm.total-deadline")
@pytest.mark.parametrize("fault", ["hang:30", "slow_drip:30"])
def test_a_whole_call_ends_in_time_even_if_bytes_keep_coming(fault: str) -> None:
    with ModelServer(calls(*MADE)) as server:
        server.queue(fault)
        model = remote_at(server.base_url, timeout_ms=300)
        began = time.monotonic()
        with pytest.raises(ModelError) as caught:
            using(model, _opened_then_asked)
        assert (caught.value.code, caught.value.blame) == ("model_timeout", "profile")
        assert time.monotonic() - began < 5


async def _opened_then_asked(model: RemoteModel) -> Answer:
    await model.open()
    return await model.ask(SEVERAL)


@pytest.mark.rule("llm.retry-after-bounded")
def test_a_short_retry_after_is_waited_for_and_a_long_one_is_handed_on() -> None:
    waits = Waits()
    with ModelServer(calls(*MADE)) as server:
        server.queue("http_429:2")
        assert ask(server.base_url, waits=waits).calls == CALLS
        assert waits.seconds == [2.0]
        server.queue("http_429:120")
        error = failure(server.base_url, waits=waits)
        assert (error.code, error.retry_after_seconds) == ("model_rate_limited", 120.0)
        assert waits.seconds == [2.0] and server.calls == 3


def test_a_wait_that_would_outlast_the_call_is_not_begun() -> None:
    waits = Waits()
    with ModelServer(calls(*MADE)) as server:
        server.queue("http_429:3")
        assert failure(server.base_url, waits=waits, timeout_ms=2000).retry_after_seconds == 3.0
        assert waits.seconds == []


@pytest.mark.rule("llm.body-bounded")
@pytest.mark.parametrize("fault", ["huge_body", "endless_body"])
def test_a_reply_of_any_size_is_read_only_as_far_as_an_answer_goes(fault: str) -> None:
    with ModelServer(calls(*MADE)) as server:
        server.queue(fault)
        assert failure(server.base_url).code == "model_too_large"


@pytest.mark.rule("llm.no-redirects")
def test_a_redirect_is_not_followed_and_the_conversation_not_sent_again() -> None:
    with ModelServer(calls(*MADE)) as server:
        server.queue("redirect")
        assert failure(server.base_url).code == "model_redirected"
        assert server.calls == 1


@pytest.mark.rule("llm.environment-ignored")
def test_the_environment_changes_neither_address_nor_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_CUSTOM_HEADERS"):
        monkeypatch.setenv(name, "X-From: the-environment")
    with ModelServer(calls(*MADE)) as server:
        assert ask(server.base_url).calls == CALLS
        assert "the-environment" not in str(server.headers)
        assert set(server.headers[0]) <= {
            *("host", "connection", "accept", "accept-encoding", "content-type", "content-length", "user-agent"),
        }
        assert server.headers[0]["user-agent"].startswith("soong-memoryd/")


@pytest.mark.rule("llm.key-read-at-call")
def test_the_key_is_read_when_a_call_is_made_and_sent_in_the_header_alone(tmp_path: Path) -> None:
    async def with_changing_key(model: RemoteModel) -> None:
        for value in ("first-key", "second-key"):
            (tmp_path / "memoryd").mkdir(exist_ok=True)
            (tmp_path / "memoryd/env").touch(0o600)
            (tmp_path / "memoryd/env").write_text(f"{KEY_NAME}={value}", encoding="utf-8")
            await model.ask(SEVERAL)

    with ModelServer(calls(*MADE)) as server:
        using(remote_at(server.base_url, home=tmp_path, api_key_env=KEY_NAME), with_changing_key)
        assert [headers["authorization"] for headers in server.headers] == ["Bearer first-key", "Bearer second-key"]
        assert "-key" not in str(server.requests)


def test_a_public_endpoint_without_a_key_is_not_called_at_all() -> None:
    error = failure("https://models.example.com/v1", api_key_env=KEY_NAME)
    assert (error.code, error.blame) == ("model_key_missing", "profile")


@pytest.mark.parametrize("value", ["密钥", "two\nlines"])
def test_a_key_that_no_header_can_carry_is_not_sent_and_not_shown(value: str) -> None:
    error = failure("http://127.0.0.1:9/v1", api_key_env=KEY_NAME, env={KEY_NAME: value})
    assert error.code == "model_key_unusable"
    assert value not in f"{error} {error.hint}"


def test_text_that_cannot_be_encoded_is_the_windows_fault_and_not_shown() -> None:
    with ModelServer(calls(*MADE)) as server:
        unsendable = Conversation(SEVERAL.system, "half a character: \ud800", SEVERAL.tools)
        with pytest.raises(ModelError) as caught:
            ask(server.base_url, unsendable)
        assert (caught.value.code, caught.value.blame) == ("model_unsendable", "window")
        assert caught.value.__cause__ is None and caught.value.__context__ is None
        assert server.calls == 0


def test_a_key_file_that_is_open_to_others_fails_the_call_with_the_fix(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(KEY, encoding="utf-8")
    (tmp_path / "key").chmod(0o644)
    error = failure("http://127.0.0.1:9/v1", home=tmp_path, api_key_file="key")
    assert error.code == "model_key_file" and "chmod 600" in error.hint


@pytest.mark.rule("llm.provider-text-never-shown")
@pytest.mark.parametrize(
    "fault", ["http_400", "http_401", "http_429", "http_500", "filter_400", "redirect", "reset", "html", "refusal"]
)
def test_neither_key_nor_prompt_nor_the_providers_words_reach_errors_or_logs(
    fault: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_LOG", "debug")
    caplog.set_level(logging.DEBUG)
    with ModelServer(calls(*MADE)) as server:
        server.queue(fault, fault)
        error = failure(server.base_url, api_key_env=KEY_NAME, env={KEY_NAME: KEY})
    shown = [str(error), error.hint, caplog.text]
    cause: BaseException | None = error
    while cause is not None:
        shown.append(f"{cause} {cause.args}")
        cause = cause.__cause__ or cause.__context__
    said = ("invalid api key", "rate limit reached", "internal error", "not valid", "sign in", "will not", "management policy")
    for word in (KEY, "I like tea", "我喜欢茶", *said):
        assert word not in "\n".join(shown)


@pytest.mark.rule("llm.prompt-cut")
@pytest.mark.parametrize(("provider", "fails"), [("ollama", True), ("llama.cpp", True), ("lm-studio", True), ("vllm", False)])
def test_a_prompt_that_was_cut_silently_fails_where_that_is_known_and_warns_elsewhere(provider: str, fails: bool) -> None:
    long = Conversation(SEVERAL.system, "我喜欢茶 and I like long walks on the beach. " * 200, SEVERAL.tools)
    with ModelServer(calls(*MADE)) as server:
        assert ask(server.base_url, long, provider=provider).warning is None
        server.queue("prompt_truncated")
        model = remote_at(server.base_url, provider=provider)
        if fails:
            with pytest.raises(ModelError) as caught:
                using(model, lambda model: model.ask(long))
            assert (caught.value.code, caught.value.blame) == ("model_prompt_cut", "window")
        else:
            answer = using(model, lambda model: model.ask(long))
            assert (answer.warning, answer.calls) == ("model_prompt_cut", CALLS)


def test_a_server_that_does_not_count_is_noted() -> None:
    with ModelServer(calls(*MADE)) as server:
        server.queue("no_usage")
        answer = ask(server.base_url)
        assert answer.warning == "model_no_usage" and answer.usage.prompt_tokens > 0


def test_a_check_is_one_tiny_call_that_climbs_the_ladder_anew() -> None:
    memory = ForgetfulEndpoints()
    with ModelServer(calls(("report", {"readable": True}))) as server:
        anyio.run(memory.keep, server.base_url, "scripted", Learned("plain"))
        model = remote_at(server.base_url, endpoints=memory, api_key_env=KEY_NAME, env={KEY_NAME: KEY})
        checked = using(model, lambda model: model.check())
        assert (checked.state, checked.rung, checked.error, checked.key_source) == (
            "ok",
            "tools",
            None,
            f"environment {KEY_NAME}",
        )
        assert (checked.use, checked.provider, checked.name) == ("extract", "openai-compatible", "scripted")
        assert server.calls == 1
        assert anyio.run(memory.find, server.base_url, "scripted") == Learned("tools")
        server.queue("http_401")
        checked = using(remote_at(server.base_url), lambda model: model.check())
        assert (checked.state, checked.rung, checked.error) == ("failing", None, "model_auth")


@pytest.mark.rule("llm.client-imported-late")
def test_the_http_client_is_not_imported_before_it_is_needed() -> None:
    code = "import sys, soong_memoryd.llm.remote; sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_calls_at_the_same_time_do_not_disturb_each_other() -> None:
    answers: list[Answer] = []

    async def ask_five(model: RemoteModel) -> None:
        async def one() -> None:
            answers.append(await model.ask(SEVERAL))

        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(one)

    with ModelServer(calls(*MADE)) as server:
        server.refuse = {"tools"}
        using(remote_at(server.base_url), ask_five)
    assert [answer.calls for answer in answers] == [CALLS] * 5


def test_being_cancelled_leaves_the_model_usable() -> None:
    async def cancelled_then_asked(model: RemoteModel) -> Answer:
        await model.open()
        with anyio.move_on_after(0.1) as scope:
            await model.ask(SEVERAL)
        assert scope.cancelled_caught
        return await model.ask(SEVERAL)

    with ModelServer(calls(*MADE)) as server:
        server.queue("hang:30")
        assert using(remote_at(server.base_url), cancelled_then_asked).calls == CALLS
