"""Clients that send prepared lines and take the time until the answer: as little work of their own as possible.

Owns: the clocks around a call. Must not know what the lines say.
"""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from soong_memoryd.protocol.methods import PROTOCOL_VERSION

INITIALIZE = {"protocol_version": PROTOCOL_VERSION, "client": {"name": "bench", "version": "1"}}


def line(method: str, /, **params: Any) -> bytes:
    """A request as it goes over the socket. All carry one id: a client here waits for each answer."""
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, ensure_ascii=False).encode() + b"\n"


class Stopwatch:
    """One blocking connection."""

    def __init__(self, path: Path, answer_seconds: float = 30.0) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(answer_seconds)
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise

    def __enter__(self) -> Stopwatch:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def exchange(self, request: bytes) -> bytes:
        self._socket.sendall(request)
        parts: list[bytes] = []
        while not parts or not parts[-1].endswith(b"\n"):
            data = self._socket.recv(1 << 18)
            if not data:
                raise ConnectionError("the server closed the connection")
            parts.append(data)
        return b"".join(parts)

    def call(self, method: str, /, **params: Any) -> Any:
        answer = json.loads(self.exchange(line(method, **params)))
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def times_ms(self, requests: Sequence[bytes], at_most_seconds: float = 60.0) -> list[float]:
        """How long each call took, for as many as fit into the time; none may fail."""
        taken: list[float] = []
        until = time.perf_counter() + at_most_seconds
        for request in requests:
            began = time.perf_counter()
            answer = self.exchange(request)
            ended = time.perf_counter()
            if b'"error":' in answer[:80]:
                raise RuntimeError(answer[:300].decode())
            taken.append((ended - began) * 1000)
            if ended > until:
                break
        return taken


class _Client(asyncio.Protocol):
    """Sends its next line as soon as the answer to the last one is complete."""

    def __init__(self, requests: Iterator[bytes]) -> None:
        self._requests = requests
        self.times_ms: list[float] = []
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._next()

    def _next(self) -> None:
        request = next(self._requests, None)
        if request is None:
            self._transport.close()
            return
        self._began = time.perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        if b'"error":' in data[:80] and not self.done.done():
            self.done.set_exception(RuntimeError(data[:300].decode()))
        if data.endswith(b"\n"):
            self.times_ms.append((time.perf_counter() - self._began) * 1000)
            self._next()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result(None)


def crowd_ms(path: Path, requests: Sequence[Sequence[bytes]], at_most_seconds: float) -> tuple[list[float], float]:
    """(time of each call, seconds for all): one connection for each list of lines, all at once."""

    async def run() -> tuple[list[float], float]:
        loop = asyncio.get_running_loop()
        began = time.perf_counter()

        def in_time(lines: Sequence[bytes]) -> Iterator[bytes]:
            return (request for request in lines if time.perf_counter() - began < at_most_seconds)

        clients = []
        for lines in requests:
            _, client = await loop.create_unix_connection(partial(_Client, in_time(lines)), str(path))
            clients.append(client)
        await asyncio.gather(*(client.done for client in clients))
        return [taken for client in clients for taken in client.times_ms], time.perf_counter() - began

    return asyncio.run(run())
