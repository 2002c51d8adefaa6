"""HTTP to a model's endpoint: the only module that knows the openai client.

Owns: one request and its raw reply, within bounds of time, size and headers. Must not know what is asked or answered.

The client's habits that would hurt here are switched off: its own retries (they multiply with ours), redirects (a 307
sends the conversation to another host), proxies and keys from the environment, headers about this machine, replies
without a size limit, and exceptions that carry the provider's text. It is imported on first use, in a worker thread.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from soong_memoryd import __version__
from soong_memoryd.llm.refusals import Failure

if TYPE_CHECKING:
    import openai

MAX_BODY_BYTES = 2 << 20
SENT_HEADERS = frozenset({"host", "connection", "content-length", "content-type", "accept", "authorization"})
KEPT_HEADERS = ("retry-after", "date")
NO_KEY = "none"


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A whole reply, whatever its status; of its headers those of ``KEPT_HEADERS``."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class ChatEndpoint:
    """One base_url. ``post`` opens it on first use; ``close`` ends its connections."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._client: openai.AsyncOpenAI | None = None
        self._opening = anyio.Lock()

    async def open(self) -> None:
        """Import and build the client, without holding up the event loop."""
        async with self._opening:
            if self._client is None:
                self._client = await anyio.to_thread.run_sync(_build, self._base_url)

    async def post(self, request: Mapping[str, Any], key: str | None, timeout_seconds: float) -> HttpReply | Failure:
        """One POST to /chat/completions; the failure is one of transport. Nothing that the endpoint said is raised."""
        await self.open()
        import openai

        assert self._client is not None
        client = self._client.with_options(api_key=key or NO_KEY, timeout=timeout_seconds)
        try:
            # Through extra_body the request goes out as it is, whatever the client's own signature knows.
            raw = await client.chat.completions.with_raw_response.create(messages=[], model="", extra_body=dict(request))
            return _reply(raw.http_response)
        except openai.APIStatusError as error:
            return _reply(error.response)
        except openai.APITimeoutError:
            return Failure("model_timeout", retryable=True)
        except openai.APIConnectionError:
            return Failure("model_unreachable", retryable=True)
        except _BodyTooLargeError:
            return Failure("model_too_large")
        except UnicodeError:  # it would carry the whole prompt
            return Failure("model_unsendable", blame="window")

    async def close(self) -> None:
        """End all connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None


class _BodyTooLargeError(Exception):
    """A reply that is larger than ``MAX_BODY_BYTES``."""


def _reply(response: Any) -> HttpReply:
    return HttpReply(response.status_code, dict(response.headers), response.content)


def _build(base_url: str) -> openai.AsyncOpenAI:
    import openai

    for name in ("openai", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.WARNING)  # below that they log whole requests

    class BoundedClient(openai.DefaultAsyncHttpxClient):
        """Sends only the headers that are needed and reads only as much as an answer may have."""

        async def send(self, request: Any, **options: Any) -> Any:
            given = request.headers
            needed = {name: value for name, value in given.items() if name.lower() in SENT_HEADERS}
            sent = {name: value for name, value in needed.items() if value != f"Bearer {NO_KEY}"}
            # A compressed reply could unfold to any size.
            own = {"user-agent": f"soong-memoryd/{__version__}", "accept-encoding": "identity"}
            request.headers = type(given)({**sent, **own})
            try:
                response = await super().send(request, **{**options, "stream": True})
            finally:
                request.headers = given  # the caller looks for its own marks
            try:
                body = bytearray()
                async for chunk in response.aiter_raw():
                    body += chunk
                    if len(body) > MAX_BODY_BYTES:
                        raise _BodyTooLargeError
            finally:
                await response.aclose()
            kept = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
            return type(response)(response.status_code, headers=kept, content=bytes(body), request=request)

    http_client = BoundedClient(follow_redirects=False, trust_env=False)
    return openai.AsyncOpenAI(api_key=NO_KEY, base_url=base_url, max_retries=0, http_client=http_client)
