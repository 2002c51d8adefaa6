"""One blocking connection to the daemon: a line out, a line back, each within a deadline.

Owns: the socket and the bytes that are still half a line. Must not know: methods, the outbox.
"""

from __future__ import annotations

import os
import socket
import struct
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from soong_memory_client.errors import DaemonUnavailable, DeadlineExceeded, UntrustedServer
from soong_memory_client.wire import Json, decode, encode, result_of

MAX_REPLY_BYTES = 32 << 20


class Connection:
    """A connection that is open from construction on; not for several threads at once.

    Raises ``DaemonUnavailable`` when nobody answers at ``path``, ``UntrustedServer`` when someone else's process does.
    """

    def __init__(self, path: Path, timeout_seconds: float) -> None:
        self._buffer = b""
        self._notifications: list[Json] = []
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(max(timeout_seconds, 0.001))
            self._socket.connect(os.fspath(path))
            check_server(self._socket)
        except OSError as error:
            self._socket.close()
            raise DaemonUnavailable(f"no daemon answers at {path}") from error
        except UntrustedServer:
            self._socket.close()
            raise

    def call(self, request: Json, deadline: float) -> Any:
        """Send a request and return its result; ``deadline`` is on the monotonic clock.

        Raises ``RpcError``, ``DeadlineExceeded``, ``DaemonUnavailable``; after the last two the connection is of no use.
        """
        self._send(encode(request), deadline)
        while True:
            message = self._read(deadline)
            if "method" in message:
                self._notifications.append(message)
            elif message.get("id") in (request["id"], None):
                return result_of(message)

    def notification(self, deadline: float) -> Json:
        """The next notification: one that came in between, else the next one within the deadline."""
        while not self._notifications:
            message = self._read(deadline)
            if "method" in message:
                self._notifications.append(message)
        return self._notifications.pop(0)

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    def _send(self, data: bytes, deadline: float) -> None:
        try:
            self._socket.settimeout(_left(deadline))
            self._socket.sendall(data)
        except TimeoutError as error:
            raise DeadlineExceeded("the daemon does not read in time") from error
        except OSError as error:
            raise DaemonUnavailable("the daemon closed the connection") from error

    def _read(self, deadline: float) -> Json:
        chunks = [self._buffer]
        size_bytes = len(self._buffer)
        while b"\n" not in chunks[-1]:
            if size_bytes > MAX_REPLY_BYTES:
                raise DaemonUnavailable("the daemon sends a line without an end")
            chunks.append(self._receive(deadline))
            size_bytes += len(chunks[-1])
        line, _, self._buffer = b"".join(chunks).partition(b"\n")
        try:
            return decode(line)
        except ValueError as error:
            raise DaemonUnavailable("what answers at the socket does not speak JSON-RPC") from error

    def _receive(self, deadline: float) -> bytes:
        try:
            self._socket.settimeout(_left(deadline))
            data = self._socket.recv(1 << 16)
        except TimeoutError as error:
            raise DeadlineExceeded("no answer in time") from error
        except OSError as error:
            raise DaemonUnavailable("the daemon closed the connection") from error
        if not data:
            raise DaemonUnavailable("the daemon closed the connection")
        return data

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def check_server(connected: socket.socket) -> None:
    """``UntrustedServer`` unless the process behind a connected Unix socket runs as this user (or root)."""
    if not hasattr(socket, "SO_PEERCRED"):  # not Linux: the 0700 directory around the socket has to do
        return
    uid = struct.unpack("3i", peer_credentials(connected))[1]
    if uid not in (os.getuid(), 0):
        raise UntrustedServer(f"the process behind the socket runs as user {uid}, not as you: nothing was sent to it")


def peer_credentials(connected: socket.socket) -> bytes:
    """Process, user and group behind a connected Unix socket, as the kernel's ``struct ucred``."""
    return connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
