"""The outbox: JSON-RPC requests of one client that the daemon has not acknowledged yet, one a line.

Owns: the file format, its locks, and what becomes of a line. Must not know: how a request is sent.

``<home>/memoryd/outbox/<client>.jsonl`` (0600) is appended to under ``flock`` and synced. Whoever takes the lock must
then see that the path still names the file it locked, because removing lines replaces the file. Only the holder of
the *claim* (``flock`` on ``<client>.lock``) sends lines and removes them: requests reach the daemon in order, from one
sender at a time. A line that can never be accepted moves to ``rejected/<client>.jsonl``, so that it neither blocks the
lines behind it nor disappears.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from soong_memory_client.errors import OutboxFull, RpcError
from soong_memory_client.locking import (
    locked,
    make_private,
    open_private,
    read_all,
    read_unlocked,
    replace_content,
    take,
    write_all,
)
from soong_memory_client.wire import decode, encode

MAX_OUTBOX_BYTES = 8 << 20
MAX_REJECTED_BYTES = 2 << 20
REJECTED_DIRECTORY = "rejected"
CLIENT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")

# Sent twice in a row they change nothing; sent again after later lines they would undo those. Removed before the next is sent.
ORDER_SENSITIVE = frozenset({"context.rewind", "session.close"})
# The daemon may take the line later although it does not call the error retryable.
KEPT_ERRORS = frozenset({"read_only", "protocol_version"})


class OutboxLine(NamedTuple):
    """One line: its bytes without the newline, and the request in it, or None when there is none."""

    raw: bytes
    request: dict[str, Any] | None


class Backlog(NamedTuple):
    """What waits in one outbox."""

    client: str
    lines: int
    size_bytes: int
    rejected: int


def parse(data: bytes) -> tuple[OutboxLine, ...]:
    """The lines of an outbox file; a torn last line counts as a line, usually one without a request. Pure."""
    return tuple(OutboxLine(raw, _request_in(raw)) for raw in data.split(b"\n") if raw.strip())


def without(data: bytes, gone: tuple[bytes, ...]) -> bytes:
    """The file's bytes without those lines, each removed once, from the front. Pure."""
    left = list(gone)
    kept = []
    for raw in data.split(b"\n"):
        if raw in left:
            left.remove(raw)
        elif raw.strip():
            kept.append(raw + b"\n")
    return b"".join(kept)


def keeps(error: RpcError) -> bool:
    """True when the line stays for a later attempt, False when it can never be accepted. Pure."""
    return error.retryable or error.code in KEPT_ERRORS


def client_names(directory: Path) -> list[str]:
    """The clients that have an outbox in ``directory``, sorted; an absent directory has none."""
    try:
        names = os.listdir(directory)
    except OSError:
        return []
    stems = (name.removesuffix(".jsonl") for name in names if name.endswith(".jsonl"))
    return sorted(stem for stem in stems if CLIENT_NAME.fullmatch(stem))


class Outbox:
    """The outbox of one client in ``directory``; objects of several processes may share it."""

    def __init__(self, directory: Path, client: str, max_bytes: int = MAX_OUTBOX_BYTES) -> None:
        if not CLIENT_NAME.fullmatch(client):
            raise ValueError("a client's name is 1 to 64 of A-Z a-z 0-9 _ -, starting with a letter or digit")
        self.client = client
        self.path = directory / f"{client}.jsonl"
        self.claim_path = directory / f"{client}.lock"
        self.rejected_path = directory / REJECTED_DIRECTORY / f"{client}.jsonl"
        self._max_bytes = max_bytes

    def append(self, *requests: dict[str, Any]) -> None:
        """Add requests at the end, synced before this returns: all of them or, with ``OutboxFull``, none."""
        data = b"".join(encode(request) for request in requests)
        try:
            self._append(data)
        except OSError as error:
            raise OutboxFull(f"the outbox cannot be written ({os.strerror(error.errno or 0)})") from error

    def _append(self, data: bytes) -> None:
        make_private(self.path.parent)
        with locked(self.path) as fd:
            size_bytes = os.fstat(fd).st_size
            if size_bytes + len(data) > self._max_bytes:
                raise OutboxFull(f"the outbox holds {size_bytes} of {self._max_bytes} bytes: is the daemon running?")
            if size_bytes and os.pread(fd, 1, size_bytes - 1) != b"\n":
                data = b"\n" + data  # a writer died in its last line: it must not swallow ours
            try:
                write_all(fd, data)
                os.fsync(fd)
            except OSError:
                os.ftruncate(fd, size_bytes)
                raise

    def backlog(self) -> Backlog:
        """How much waits, without taking a lock."""
        data, rejected = read_unlocked(self.path), read_unlocked(self.rejected_path)
        return Backlog(self.client, len(parse(data)), len(data), rejected.count(b"\n"))

    def is_empty(self) -> bool:
        """True when nothing waits."""
        try:
            return self.path.stat().st_size == 0
        except OSError:
            return True

    @contextmanager
    def claim(self, wait_seconds: float = 0.0) -> Iterator[Claim | None]:
        """The right to send this outbox, or None when someone else has it for longer than ``wait_seconds``."""
        make_private(self.path.parent)
        fd = open_private(self.claim_path)
        try:
            if not take(fd, wait_seconds):
                yield None
                return
            with Claim(self) as claim:
                yield claim
        finally:
            os.close(fd)

    def rewrite_rejected(self, clean: Callable[[bytes], bytes]) -> None:
        """Put ``clean(line)`` in the place of each line that was kept aside: nobody sends it again, so secrets may go."""
        for path in (self.rejected_path, self.rejected_path.with_suffix(".old")):
            if path.exists():
                with locked(path) as fd:
                    data = read_all(fd)
                    cleaned = b"".join(map(clean, data.splitlines(keepends=True)))
                    if cleaned != data:
                        replace_content(path, fd, cleaned)

    def _read(self) -> bytes:
        if self.is_empty():
            return b""
        with locked(self.path) as fd:
            return read_all(fd)

    def _remove(self, gone: tuple[bytes, ...]) -> None:
        with locked(self.path) as fd:
            replace_content(self.path, fd, without(read_all(fd), gone))

    def _keep_rejected(self, line: OutboxLine, code: str) -> None:
        make_private(self.rejected_path.parent)
        with locked(self.rejected_path) as fd:
            if os.fstat(fd).st_size > MAX_REJECTED_BYTES:  # bounded: the generation before the last goes
                os.replace(self.rejected_path, self.rejected_path.with_suffix(".old"))
        kept = line.request if line.request is not None else line.raw.decode("utf-8", "replace")
        with locked(self.rejected_path) as fd:
            write_all(fd, encode({"code": code, "at_wall_seconds": int(time.time()), "request": kept}))
            os.fsync(fd)


class Claim:
    """The exclusive right to send one outbox; leaving it removes what was settled from the file."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._gone: list[bytes] = []

    def pending(self) -> tuple[OutboxLine, ...]:
        """What waits now, in order. Lines that are no request are rejected on the way."""
        self.flush()
        lines = [line for line in parse(self._outbox._read()) if line.raw not in self._gone]
        for line in lines:
            if line.request is None:
                self.reject(line, "not_a_request")
        return tuple(line for line in lines if line.request is not None)

    def acknowledge(self, line: OutboxLine) -> None:
        """The daemon has it: the line goes."""
        self._gone.append(line.raw)
        if line.request is not None and line.request["method"] in ORDER_SENSITIVE:
            self.flush()

    def reject(self, line: OutboxLine, code: str) -> bool:
        """The daemon will never take it: the line is kept aside with the error's code. False: no room, it stays."""
        try:
            self._outbox._keep_rejected(line, code)
        except OSError:
            return False
        self.acknowledge(line)
        return True

    def settle(self, line: OutboxLine, error: RpcError | None, *, own: bool = False) -> bool:
        """Apply a reply (``None``: a result); False when the line stays and sending has to stop.

        ``own``: whoever made the request waits for it, so a refusal is raised to them and nothing is kept aside.
        """
        if error is not None and keeps(error):
            return False
        if error is not None and not own:
            return self.reject(line, error.code)
        self.acknowledge(line)
        if error is not None:
            raise error
        return True

    def flush(self) -> None:
        """Remove what was settled so far. On a full disk it stays and is sent again later: nothing doubles."""
        if self._gone:
            gone, self._gone = tuple(self._gone), []
            try:
                self._outbox._remove(gone)
            except OSError:
                self._gone = list(gone)

    def __enter__(self) -> Claim:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.flush()


def _request_in(raw: bytes) -> dict[str, Any] | None:
    try:
        message = decode(raw)
    except (ValueError, RecursionError):
        return None
    whole = message.get("jsonrpc") == "2.0" and isinstance(message.get("method"), str)
    return message if whole and isinstance(message.get("params", {}), dict) else None
