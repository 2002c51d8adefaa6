"""One asynchronous connection to the daemon: a line out, a line back.

Owns: the socket and the bytes that are still half a line. Must not know: methods, the outbox, deadlines. A plain socket
and no stream: it outlives the event loop that opened it, and a framework's ``run_sync`` has a loop for every call.
"""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path
from typing import Any

from soong_memory_client.connection import MAX_REPLY_BYTES, check_server
from soong_memory_client.errors import DaemonUnavailable
from soong_memory_client.wire import Json, decode, encode, result_of


class AsyncConnection:
    """A connection made by ``open``; for one task at a time, of whichever loop runs."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._buffer = b""

    @classmethod
    async def open(cls, path: Path) -> AsyncConnection:
        """Connect; raises ``DaemonUnavailable`` when nobody answers, ``UntrustedServer`` when someone else's process does."""
        connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connected.setblocking(False)
            await asyncio.get_running_loop().sock_connect(connected, os.fspath(path))
            check_server(connected)
        except OSError as error:
            connected.close()
            raise DaemonUnavailable(f"no daemon answers at {path}") from error
        except BaseException:
            connected.close()
            raise
        return cls(connected)

    async def call(self, request: Json) -> Any:
        """Send a request and return its result; raises ``RpcError`` and ``DaemonUnavailable``."""
        try:
            await asyncio.get_running_loop().sock_sendall(self._socket, encode(request))
            while True:
                message = await self._read()
                if "method" not in message and message.get("id") in (request["id"], None):
                    return result_of(message)
        except OSError as error:
            raise DaemonUnavailable("the daemon closed the connection") from error

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    async def _read(self) -> Json:
        chunks = [self._buffer]
        size_bytes = len(self._buffer)
        while b"\n" not in chunks[-1]:
            if size_bytes > MAX_REPLY_BYTES:
                raise DaemonUnavailable("the daemon sends a line without an end")
            data = await asyncio.get_running_loop().sock_recv(self._socket, 1 << 16)
            if not data:
                raise DaemonUnavailable("the daemon closed the connection")
            chunks.append(data)
            size_bytes += len(data)
        line, _, self._buffer = b"".join(chunks).partition(b"\n")
        try:
            return decode(line)
        except ValueError as error:
            raise DaemonUnavailable("what answers at the socket does not speak JSON-RPC") from error
