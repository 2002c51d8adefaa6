"""A model behind an HTTP endpoint: asks on the best rung, retries, learns, and reads the answer.

Owns: the loop of one ask. Must not know HTTP (``client.py``), request forms (``request.py``), or what the tools do.
"""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

import anyio
import anyio.to_thread

from soong_memoryd.config.keys import Key, KeyRing
from soong_memoryd.errors import ConfigError, ModelError
from soong_memoryd.llm.attempts import wait_seconds
from soong_memoryd.llm.client import ChatEndpoint, HttpReply
from soong_memoryd.llm.conversation import Answer, Conversation, ToolSpec, Usage
from soong_memoryd.llm.endpoints import EndpointMemory
from soong_memoryd.llm.ladder import NO_EXTRA_BODY, Learned
from soong_memoryd.llm.profiles import Profile
from soong_memoryd.llm.reading import ErrorIn200, Reply, read_calls, read_reply
from soong_memoryd.llm.refusals import Failure, judge
from soong_memoryd.llm.request import build, prompt_text
from soong_memoryd.text.tokens import estimate_tokens, lower_bound_tokens

PROMPT_CUT = "model_prompt_cut"
NO_USAGE = "model_no_usage"

PROBE = Conversation(
    "You check a connection.",
    "Report that you can read this.",
    (
        ToolSpec(
            "report",
            "Report whether you can read the message.",
            {"type": "object", "properties": {"readable": {"type": "boolean"}}, "required": ["readable"]},
        ),
    ),
)


class SpentModelError(ModelError):
    """Raised when an answer was paid for and is unusable; ``usage`` says what it cost."""

    usage = Usage()


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """What one tiny call showed. ``state`` is ok | failing; ``error`` a code, ``hint`` what to do about it."""

    use: str
    provider: str
    name: str
    rung: str | None
    key_source: str | None
    state: str
    error: str | None
    hint: str


class RemoteModel:
    """Implements ``Model`` for one profile. ``sleep`` and ``jitter`` (0..1) are given by tests."""

    def __init__(
        self,
        profile: Profile,
        keys: KeyRing,
        endpoints: EndpointMemory,
        *,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._profile = profile
        self._keys = keys
        self._endpoints = endpoints
        self._http = ChatEndpoint(profile.base_url)
        self._sleep = sleep
        self._jitter = jitter

    @property
    def label(self) -> str:
        """See ``Model.label``."""
        return self._profile.label

    @property
    def context_tokens(self) -> int:
        """See ``Model.context_tokens``."""
        return self._profile.context_tokens

    async def ask(self, conversation: Conversation) -> Answer:
        """See ``Model.ask``. All of it, retries included, ends within the profile's ``timeout_ms``.

        Raises:
            ModelError: see ``refusals.FAILURES`` for the codes; ``SpentModelError`` when an answer was paid for.
        """
        known = await self._endpoints.find(self._profile.base_url, self._profile.name)
        first = self._profile.first_rung
        if known is None:
            known = Learned(first or self._profile.quirks.first_rung)
        elif first is not None:
            known = replace(known, rung=first)
        return await self._ask(conversation, known)

    async def check(self) -> ModelCheck:
        """One tiny call, from the top of the ladder: what the endpoint learnt meanwhile is found out."""
        key: Key | None = None
        try:
            key = await self._key()
            learned = Learned(self._profile.first_rung or self._profile.quirks.first_rung)
            answer = await self._ask(PROBE, learned)
        except ModelError as error:
            return ModelCheck(*self.describe(), None, key.source if key else None, "failing", error.code, error.hint)
        return ModelCheck(*self.describe(), answer.rung, key.source if key else None, "ok", None, "")

    def describe(self) -> tuple[str, str, str]:
        """(use, provider, name), for status."""
        return self._profile.use, self._profile.provider, self._profile.name

    async def open(self) -> None:
        """Import and build what the first call needs, ahead of it."""
        await self._http.open()

    async def close(self) -> None:
        """End all connections."""
        await self._http.close()

    async def _key(self) -> Key | None:
        try:
            key = await anyio.to_thread.run_sync(self._keys.read, self._profile)
        except ConfigError as error:
            raise ModelError("model_key_file", error.text, hint=error.hint) from None
        if key is None and self._profile.needs_key:
            raise Failure("model_key_missing").error()
        if key is not None and not (key.value.isascii() and key.value.isprintable()):
            raise Failure("model_key_unusable").error()
        return key

    async def _ask(self, conversation: Conversation, learned: Learned) -> Answer:
        key = await self._key()
        await self._http.open()
        outcome: _Answered | Failure = Failure("model_timeout")
        with anyio.move_on_after(self._profile.timeout_seconds):
            outcome = await self._pursue(conversation, learned, key.value if key else None)
        if isinstance(outcome, Failure):
            raise outcome.error()
        if outcome.learned != await self._endpoints.find(self._profile.base_url, self._profile.name):
            await self._endpoints.keep(self._profile.base_url, self._profile.name, outcome.learned)
        return self._read(conversation, outcome)

    async def _pursue(self, conversation: Conversation, learned: Learned, key: str | None) -> _Answered | Failure:
        """Ask until there is a reply that is an answer: one rung or fix further at a time, waiting where that helps."""
        deadline = time.monotonic() + self._profile.timeout_seconds
        attempt = 1
        while True:
            request = build(self._profile, conversation, learned)
            sent = await self._http.post(request, key, max(0.001, deadline - time.monotonic()))
            verdict = sent if isinstance(sent, Failure) else self._judge(sent, request, learned)
            if isinstance(verdict, Reply):
                return _Answered(verdict, request, learned)
            if isinstance(verdict, Learned):  # each is further than the one before: this ends
                learned = verdict
                continue
            retry_after = verdict.retry_after_seconds
            wait = wait_seconds(attempt, self._profile.retry, retry_after, self._jitter()) if verdict.retryable else None
            if wait is None or time.monotonic() + wait >= deadline:
                return verdict
            await self._sleep(wait)
            attempt += 1

    def _judge(self, sent: HttpReply, request: dict[str, Any], learned: Learned) -> Reply | Learned | Failure:
        status = sent.status
        if status == 200:
            reply = read_reply(sent.body)
            if not isinstance(reply, ErrorIn200):
                return reply
            status = reply.status
        quirks = self._profile.quirks.extra_body.keys() - self._profile.extra_body.keys()
        extra_fields = frozenset() if NO_EXTRA_BODY in learned.fixes else quirks
        return judge(status, sent.body, sent.headers, request, learned, extra_fields)

    def _read(self, conversation: Conversation, answered: _Answered) -> Answer:
        reply, prompt = answered.reply, prompt_text(answered.request)
        usage = reply.usage(estimate_tokens(prompt), estimate_tokens(str(reply.message)))
        failure = reply.failure()
        warning = NO_USAGE if reply.prompt_tokens is None else None
        if reply.prompt_tokens is not None and reply.prompt_tokens < lower_bound_tokens(prompt) / 2:
            warning = PROMPT_CUT
            if self._profile.quirks.cuts_prompts_silently:
                failure = Failure(PROMPT_CUT, blame="window")
        if failure is not None:
            raise _spent(failure, usage)
        calls, problem = read_calls(reply.message, conversation.tools)
        return Answer(calls, usage, answered.learned.rung, problem, warning)


@dataclass(frozen=True, slots=True)
class _Answered:
    """A reply that is an answer, to which request, and what was learnt on the way."""

    reply: Reply
    request: dict[str, Any]
    learned: Learned


def _spent(failure: Failure, usage: Usage) -> SpentModelError:
    error = failure.error()
    spent = SpentModelError(error.code, error.text, blame=error.blame, hint=error.hint)
    spent.usage = usage
    return spent
