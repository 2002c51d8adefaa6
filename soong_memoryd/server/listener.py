"""The socket: taking the path, accepting, and refusing whoever is not this user.

Owns: bind, modes, the accept loop, the limit of connections. Must not know what is said on a connection.
The loop is our own: anyio's ``serve`` ends for good when one accept or one handler fails. Call ``bind`` only while the
home's lock is held: then any socket at the path is dead.
"""

from __future__ import annotations

import os
import socket
import stat
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import anyio
import anyio.abc
import structlog

from soong_memoryd.errors import ConfigError
from soong_memoryd.protocol.methods import MAX_CONNECTIONS

BACKLOG = 512
RETRY_ACCEPT_SECONDS = 0.1

_log = structlog.get_logger(__name__)


def bind(path: Path) -> socket.socket:
    """A listening socket at ``path``: 0600 in a 0700 directory of ours, from the first moment on.

    Raises:
        ConfigError: the path is too long, taken by something that is not a socket, or in a directory that others may write.
    """
    folder = path.parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    info = folder.lstat()
    if not stat.S_ISDIR(info.st_mode) or info.st_uid != os.geteuid() or info.st_mode & 0o022:
        raise ConfigError("the socket's directory must be a directory of yours that nobody else may write", code="socket_dir")
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise ConfigError("there is something at the socket's path that is not a socket: move it away", code="socket_path")
        path.unlink()
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)  # so that the socket is never open to others, not even between bind and chmod
    try:
        listening.bind(str(path))
        listening.listen(BACKLOG)
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        raise ConfigError(f"the socket cannot be bound ({error.strerror})", code="socket_path") from error
    finally:
        os.umask(before)
    return listening


def peer_uid(raw: socket.socket) -> int | None:
    """The uid at the other end, None where the system does not tell."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    data = raw.getsockopt(socket.SOL_SOCKET, option, struct.calcsize("3i"))
    return int(struct.unpack("3i", data)[1])


class Listener:
    """Accepts connections on a listening socket and gives each to ``serve`` in a task of its own."""

    def __init__(self, listening: socket.socket, serve: Callable[[anyio.abc.SocketStream], Awaitable[None]]) -> None:
        self._listening = listening
        self._serve = serve
        self._places = anyio.Semaphore(MAX_CONNECTIONS)
        self._accepting = anyio.CancelScope()
        self.connections = 0

    async def run(self) -> None:
        """Accept until told to stop; then wait for the connections that there are."""
        listener = await anyio.abc.SocketListener.from_socket(self._listening)
        async with listener, anyio.create_task_group() as tasks:
            with self._accepting:
                await self._accept(listener, tasks)

    def stop_accepting(self) -> None:
        """Take no further connection."""
        self._accepting.cancel()

    async def _accept(self, listener: anyio.abc.SocketListener, tasks: anyio.abc.TaskGroup) -> None:
        while True:
            await self._places.acquire()
            try:
                stream = await listener.accept()
            except (OSError, anyio.BrokenResourceError) as error:  # out of file descriptors, or a peer that left at once
                self._places.release()
                _log.warning("accept_failed", error=type(error).__name__)
                await anyio.sleep(RETRY_ACCEPT_SECONDS)
                continue
            tasks.start_soon(self._guard, stream)

    async def _guard(self, stream: anyio.abc.SocketStream) -> None:
        """One connection's boundary: whatever goes wrong in it ends it alone."""
        self.connections += 1
        try:
            uid = peer_uid(stream.extra(anyio.abc.SocketAttribute.raw_socket))
            if uid is not None and uid != os.geteuid():
                _log.warning("peer_refused", uid=uid)
                await stream.aclose()
                return
            await self._serve(stream)
        except Exception as error:
            _log.error("connection_failed", error=type(error).__name__, exc_info=True)
        finally:
            self.connections -= 1
            self._places.release()
