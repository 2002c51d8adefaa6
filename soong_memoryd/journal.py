"""The journal's own protocol: one datagram an entry, with a field for each value, so that they can be searched for.

Owns: when stderr leads to the journal, the names of fields and their encoding. Must not know who logs what.
Format: systemd's JOURNAL_NATIVE_PROTOCOL. ``journalctl --user -u soong-memoryd SOONG_JOB_ID=…`` finds a job.
"""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

JOURNAL_SOCKET = "/run/systemd/journal/socket"
IDENTIFIER = "soong-memoryd"
PREFIX = "SOONG_"
PRIORITIES = {"critical": 2, "error": 3, "warning": 4, "info": 6, "debug": 7}
LEFT_OUT = frozenset({"timestamp", "level"})  # the journal has its own


class Journal:
    """Sends entries to the journal; what it does not take goes to ``fallback`` as JSON. Log levels are its methods."""

    def __init__(self, path: str, fallback: TextIO) -> None:
        self._path = path
        self._fallback = fallback
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)

    @staticmethod
    def behind(stream: TextIO, environment: Mapping[str, str], path: str = JOURNAL_SOCKET) -> Journal | None:
        """The journal, if ``$JOURNAL_STREAM`` (``device:inode``) says that ``stream`` leads to it; else None."""
        device, _, inode = environment.get("JOURNAL_STREAM", "").partition(":")
        if not (device.isdecimal() and inode.isdecimal()):
            return None
        try:
            found = os.fstat(stream.fileno())
        except (OSError, ValueError):
            return None
        return Journal(path, stream) if (found.st_dev, found.st_ino) == (int(device), int(inode)) else None

    def debug(self, entry: Mapping[str, Any]) -> None:
        """Send one entry; its level is in it."""
        try:
            self._socket.sendto(encode(entry), self._path)
        except OSError:  # the journal restarts, or the entry is too long for a datagram
            self._fallback.write(json.dumps(dict(entry), ensure_ascii=False, default=str) + "\n")
            self._fallback.flush()

    info = warning = error = critical = exception = msg = debug

    def close(self) -> None:
        """Let go of the socket."""
        self._socket.close()


def encode(entry: Mapping[str, Any]) -> bytes:
    """An entry (``event``, ``level``, and values) in the native protocol. Pure."""
    return b"".join(_field(name, value) for name, value in _fields(entry))


def _fields(entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    values = {key: _text(value) for key, value in entry.items() if key not in LEFT_OUT and value is not None}
    event = values.pop("event", "")
    yield "MESSAGE", " ".join([event, *(f"{key}={value}" for key, value in values.items())])
    yield "PRIORITY", str(PRIORITIES.get(str(entry.get("level")), PRIORITIES["info"]))
    yield "SYSLOG_IDENTIFIER", IDENTIFIER
    yield f"{PREFIX}EVENT", event
    for key, value in values.items():
        yield PREFIX + "".join(char if char.isascii() and char.isalnum() else "_" for char in key).upper(), value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _field(name: str, value: str) -> bytes:
    data = value.encode("utf-8", "replace")
    if b"\n" in data:  # a value of several lines is sent with its length
        return name.encode() + b"\n" + struct.pack("<Q", len(data)) + data + b"\n"
    return name.encode() + b"=" + data + b"\n"
