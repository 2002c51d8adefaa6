"""A scripted OpenAI-compatible model server on real sockets: answers what it is told to, records, misbehaves on demand.

    with ModelServer(calls(("create_memory", {...}), ("finish", {...}))) as server:
        server.queue("http_429:2", "hang:3", "bad_quote")  # faults of the next requests, one each; "" for none
        server.refuse = {"tools"}                          # what this endpoint never understands (model_faults.REFUSABLE)
        server.base_url, server.requests, server.headers

Owns: the socket and the request log. Must not know what is wrong with a reply (``model_faults.py``).
``answer(request) -> assistant message`` is any callable of one request body; ``calls(...)`` makes one that says the same
calls in whatever form the request offers.
"""

from __future__ import annotations

import copy
import json
import math
import socket
import struct
import sys
import threading
import zlib
from collections import deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support.model_faults import (
    FAULTS,
    MESSAGE_FAULTS,
    REFUSABLE,
    REPLY_FAULTS,
    STATUS_FAULTS,
    WIRE_FAULTS,
    Json,
    asked_features,
)

Answer = Callable[[Json], Json]
EMBEDDING_SIZE = 64


def calls(*made: tuple[str, Json]) -> Answer:
    """An answer that makes these calls, in the form that the request offers (tools, else JSON for one or several tools)."""

    def answer(request: Json) -> Json:
        if request.get("tools"):
            functions = [{"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)} for name, arguments in made]
            return {"tool_calls": [{"id": f"call_{i}", "type": "function", "function": f} for i, f in enumerate(functions)]}
        operations = {"operations": [{"tool": name, "arguments": arguments} for name, arguments in made]}
        several = '"operations"' in json.dumps(request["messages"][:2]).replace("\\", "")
        return {"content": json.dumps(operations if several else made[0][1], ensure_ascii=False)}

    return answer


def size_chars(request: Json) -> int:
    """The size of a prompt: the characters of its messages, tools and response_format as JSON."""
    parts = [request.get(key) for key in ("messages", "tools", "response_format")]
    return sum(len(json.dumps(part, ensure_ascii=False)) for part in parts if part)


def embedding(text: str, size: int) -> list[float]:
    """A bag of words as a vector of length 1: texts that share words lie near each other, equal texts are equal."""
    counts = [0.0] * size
    for word in text.lower().split():
        counts[zlib.crc32(word.encode()) % size] += 1.0
    length = math.sqrt(sum(count * count for count in counts)) or 1.0
    return [count / length for count in counts]


class ModelServer:
    """A context manager; every attribute may be changed while it runs."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.refuse: set[str] = set()
        self.refuse_status = 400
        self.requests: list[Json] = []  # every request body, in order of arrival
        self.headers: list[dict[str, str]] = []  # the headers of each, names in lower case
        self.embedded = 0  # texts that somebody asked to embed: other memory systems do
        self._faults: deque[str] = deque()
        self._lock = threading.Lock()
        self.closing = threading.Event()
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.model = self
        self.base_url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def calls(self) -> int:
        """How many requests arrived."""
        return len(self.requests)

    def queue(self, *faults: str) -> None:
        """Faults of the next requests that are not refused, one each; "" lets one pass unharmed."""
        unknown = {fault.partition(":")[0] for fault in faults if fault} - FAULTS
        if unknown:
            raise ValueError(f"no such fault: {unknown}")
        self._faults.extend(faults)

    def release(self) -> None:
        """Let the answers that hang or drip go on at once."""
        self.closing.set()
        self.closing.clear()

    def take(self, request: Json, headers: dict[str, str]) -> str:
        """Record one request and say what goes wrong with it."""
        with self._lock:
            self.requests.append(request)
            self.headers.append(headers)
            refused = [feature for feature in REFUSABLE if feature in self.refuse & asked_features(request)]
            if refused:
                return f"no_{refused[0]}"
            return self._faults.popleft() if self._faults else ""

    def reply(self, request: Json, fault: str) -> Json:
        """The body of a 200 reply, with the fault of this request applied."""
        message = {"role": "assistant", "content": None, **copy.deepcopy(self.answer(request))}
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        MESSAGE_FAULTS.get(fault, lambda _: None)(message)
        prompt, completion = size_chars(request) // 4, len(json.dumps(message, ensure_ascii=False)) // 4
        reply = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": request.get("model", "scripted"),
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion},
        }
        REPLY_FAULTS.get(fault, lambda _: None)(reply)
        return reply

    def __enter__(self) -> ModelServer:
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: ModelServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], OSError):  # a client that went away is no news; a bug in an answer is
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        if self.path == "/v1/embeddings":
            return self._send(200, self._embeddings(request))
        if self.path != "/v1/chat/completions":
            return self._send(404, {"error": {"message": "not found"}})
        model = self.server.model
        fault, _, seconds = model.take(request, {name.lower(): value for name, value in self.headers.items()}).partition(":")
        if fault in STATUS_FAULTS:
            status, code, text, headers = STATUS_FAULTS[fault]
            wait = {"Retry-After": seconds} if seconds else {}
            return self._send(status, {"error": {"message": text, "type": "error", "code": code}}, headers={**headers, **wait})
        if fault.startswith("no_") and fault[3:] in REFUSABLE:
            return self._send(model.refuse_status, {"error": {"message": REFUSABLE[fault[3:]], "type": "error", "code": None}})
        if fault in WIRE_FAULTS:
            return getattr(self, f"_{fault}")(request, float(seconds or 5))
        return self._send(200, model.reply(request, fault))

    def _send(self, status: int, body: Any, content_type: str = "application/json", headers: Any = ()) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        self._head(status, len(data), content_type, headers)
        self.wfile.write(data)

    def _head(self, status: int, length: int | None, content_type: str = "application/json", headers: Any = ()) -> None:
        self.send_response(status)
        sized = {} if length is None else {"Content-Length": str(length)}
        for name, value in {"Content-Type": content_type, **sized, **dict(headers)}.items():
            self.send_header(name, value)
        self.end_headers()

    def _embeddings(self, request: Json) -> Json:
        texts = [request["input"]] if isinstance(request["input"], str) else request["input"]
        self.server.model.embedded += len(texts)
        size = request.get("dimensions") or EMBEDDING_SIZE
        data = [{"object": "embedding", "index": at, "embedding": embedding(text, size)} for at, text in enumerate(texts)]
        return {"object": "list", "model": "scripted", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}

    def _hang(self, request: Json, seconds: float) -> None:
        self.server.model.closing.wait(seconds)
        self._send(200, self.server.model.reply(request, ""))

    def _slow_drip(self, request: Json, seconds: float) -> None:
        """The whole answer, one byte after another, spread over ``seconds``."""
        data = json.dumps(self.server.model.reply(request, "")).encode()
        self._head(200, len(data))
        for at in range(len(data)):
            self.wfile.write(data[at : at + 1])
            self.server.model.closing.wait(seconds / len(data))

    def _reset(self, *_: object) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        socket.socket(fileno=self.connection.detach()).close()  # lingering for 0 s: the peer sees a reset

    def _cut_body(self, request: Json, _: float) -> None:
        data = json.dumps(self.server.model.reply(request, "")).encode()
        self._head(200, len(data))
        self.wfile.write(data[: len(data) // 2])
        self.close_connection = True

    def _huge_body(self, request: Json, _: float) -> None:
        self._send(200, {**self.server.model.reply(request, ""), "padding": "x" * 20_000_000})

    def _endless_body(self, *_: object) -> None:
        """An error that never ends and does not say how long it is."""
        self._head(500, None)
        self.close_connection = True
        while not self.server.model.closing.is_set():
            self.wfile.write(b"x" * 65536)

    def _html(self, *_: object) -> None:
        self._send(200, b"<html><body>Please sign in to the wireless network</body></html>", "text/html")

    def _bad_json(self, *_: object) -> None:
        self._send(200, b'{"choices": [{"ind')

    def _array_error_body(self, *_: object) -> None:
        self._send(400, [{"error": {"code": 400, "message": "Function calling with tools is unsupported", "status": "BAD"}}])
