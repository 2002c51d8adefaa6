"""A daemon for other people's tests: the real wire over a real Unix socket, in a thread, without a model or a disk.

Owns: enough of the contract that an agent's calls behave (ids, duplicates, sequences, runs), and ways to fail on
purpose. Must not know: how memories are made; answers of the operator's methods are given by the test.

    with FakeDaemon() as daemon:
        client = MemoryClient("my-agent", home=daemon.home)
        client.session_open("s1")
        assert daemon.methods() == ["session.open"]
"""

from __future__ import annotations

import shutil
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

from soong_memory_client.errors import RpcError
from soong_memory_client.fake_answers import BUILT_IN, Answer, Session, refusal
from soong_memory_client.paths import socket_path
from soong_memory_client.wire import Json, decode, encode

__all__ = ["Answer", "FakeDaemon", "refusal"]


class FakeDaemon:
    """Listens on ``socket_path`` of ``home`` (a directory of its own unless one is given) until it is stopped.

    ``answers`` maps a method to what it replies; the agent-facing methods have built-in answers. ``received`` holds every
    request in arrival order. ``close_before_reply`` and ``close_after_taking`` name methods whose next call ends the
    connection: before the call takes effect, or after it took effect and without a reply.
    ``hang_up_after_events`` closes a connection once a subscriber has got ``events``.
    """

    def __init__(self, home: Path | None = None, answers: Mapping[str, Answer] | None = None) -> None:
        self._owns_home = home is None
        self.home = home or Path(tempfile.mkdtemp(prefix="fake-memoryd-"))
        self.socket_path = socket_path(home_flag=self.home)
        self.answers: dict[str, Answer] = dict(answers or {})
        self.received: list[Json] = []
        self.events: list[Json] = []
        self.sessions: dict[str, Session] = {}
        self.close_before_reply: set[str] = set()
        self.close_after_taking: set[str] = set()
        self.hang_up_after_events = False
        self._lock = threading.Lock()
        self._listener: socket.socket | None = None
        self._connections: list[socket.socket] = []
        self._threads: list[threading.Thread] = []

    def start(self) -> FakeDaemon:
        """Listen; what it knew before a ``stop`` it still knows."""
        self.socket_path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.socket_path.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(str(self.socket_path))
        listener.listen(64)
        self._listener = listener
        self._run(self._accept, listener)
        return self

    def stop(self) -> None:
        """Close the socket and every connection at once, as a killed daemon does."""
        listener, self._listener = self._listener, None
        if listener is None:
            return
        self.socket_path.unlink(missing_ok=True)
        for opened in [listener, *self._connections]:
            with suppress(OSError):  # the client may have closed it
                opened.shutdown(socket.SHUT_RDWR)
            opened.close()
        for thread in self._threads:
            thread.join(timeout=5)
        self._connections, self._threads = [], []

    @contextmanager
    def paused(self) -> Iterator[None]:
        """For as long as the block lasts connections are accepted and nobody is answered."""
        with self._lock:
            yield

    def methods(self) -> list[str]:
        """The methods that were called, in order."""
        return [message["method"] for message in self.received]

    def nodes(self, session_id: str) -> list[Json]:
        """The nodes of a session, in sequence order, each once."""
        return self.sessions[session_id].nodes

    def _run(self, target: Callable[[socket.socket], None], connected: socket.socket) -> None:
        thread = threading.Thread(target=target, args=(connected,), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connected, _ = listener.accept()
            except OSError:
                return
            self._connections.append(connected)
            self._run(self._serve, connected)

    def _serve(self, connected: socket.socket) -> None:
        try:
            with connected, connected.makefile("rb") as lines:
                for line in lines:
                    if line.strip() and not self._handle(connected, decode(line)):
                        return
        except (OSError, ValueError):
            return  # the client is gone, or sends what is no JSON

    def _handle(self, connected: socket.socket, message: Json) -> bool:
        method, params = message["method"], message.get("params", {})
        with self._lock:
            self.received.append(message)
            if method in self.close_before_reply:
                self.close_before_reply.discard(method)
                return False
            reply = self._reply(method, params)
            if method in self.close_after_taking:
                self.close_after_taking.discard(method)
                return False
        if "id" in message:
            connected.sendall(encode({"jsonrpc": "2.0", "id": message["id"], **reply}))
        if method == "events.subscribe":
            for event in self.events:
                connected.sendall(encode({"jsonrpc": "2.0", "method": "event", "params": event}))
            return not self.hang_up_after_events
        return True

    def _reply(self, method: str, params: Json) -> Json:
        try:
            if method in self.answers:
                answer = self.answers[method]
                answer = answer(params) if callable(answer) else answer
            else:
                answer = BUILT_IN.get(method, refusal("method_not_found"))
                answer = answer(self, params) if callable(answer) else answer
        except RpcError as error:
            answer = error
        if isinstance(answer, RpcError):
            return {"error": {"code": answer.number, "message": answer.message or answer.code, "data": dict(answer.data)}}
        return {"result": answer}

    def __enter__(self) -> FakeDaemon:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()
        if self._owns_home:
            shutil.rmtree(self.home, ignore_errors=True)
