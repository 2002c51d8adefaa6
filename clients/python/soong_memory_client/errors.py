"""What can go wrong in a call, as the caller tells it apart.

Owns: the exception classes. Must not know: sockets, files. No text carries user text or a rejected value.
"""

from __future__ import annotations

from collections.abc import Mapping


class MemoryClientError(Exception):
    """Root of every error that this package raises on purpose."""

    @property
    def log_name(self) -> str:
        """What a log may say of it: the kind of error, or the daemon's code; never what was said."""
        return type(self).__name__


class SocketPathError(MemoryClientError):
    """The socket's path does not fit into ``sockaddr_un``; the text names the variable to set."""


class DaemonUnavailable(MemoryClientError):
    """No daemon answers at the socket: none there, refused, or it closed the connection before it answered."""


class DeadlineExceeded(DaemonUnavailable):
    """The daemon is there and did not answer in time; whether the call took effect is unknown."""


class UntrustedServer(MemoryClientError):
    """The process behind the socket belongs to another user; nothing was sent to it."""


class OutboxFull(MemoryClientError):
    """The outbox has reached its bound, or the disk is full: the call was neither sent nor kept."""


class RpcError(MemoryClientError):
    """The daemon's error reply.

    ``number`` is the JSON-RPC code, ``code`` the stable string of ``error.data``, ``data`` all of it
    (``{code, retryable, hint, field?, index?}``).
    """

    def __init__(self, number: int, code: str, message: str = "", data: Mapping[str, object] | None = None) -> None:
        super().__init__(f"{code}: {message}" if message else code)
        self.number = number
        self.code = code
        self.message = message
        self.data: Mapping[str, object] = data or {"code": code}

    @property
    def log_name(self) -> str:
        """The daemon's code."""
        return self.code

    @property
    def retryable(self) -> bool:
        """True when the same call may succeed later."""
        return self.data.get("retryable") is True

    @property
    def hint(self) -> str:
        """The daemon's own next step, or an empty string."""
        return str(self.data.get("hint") or "")
