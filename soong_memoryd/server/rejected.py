"""Outbox lines that were refused for good: kept for the person to read, without the secrets that may be in them.

Owns: when such a file is cleaned again. Must not know what a secret looks like, or how an outbox is written.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from soong_memory_client.outbox import REJECTED_DIRECTORY, Outbox, client_names
from soong_memory_client.wire import decode, encode

Stamp = tuple[int, int]


class RejectedLines:
    """Cleans the files below ``outbox/rejected``; each again only after a line was added. Runs in a worker thread."""

    def __init__(self, outbox: Path, redact_value: Callable[[Any], Any]) -> None:
        self._outbox = outbox
        self._redact_value = redact_value
        self._cleaned: dict[str, Stamp] = {}

    def clean(self) -> None:
        """Take the secrets out.

        Raises:
            OSError: a file cannot be read or replaced.
        """
        for client in client_names(self._outbox / REJECTED_DIRECTORY):
            outbox = Outbox(self._outbox, client)
            if _stamp(outbox.rejected_path) != self._cleaned.get(client):
                outbox.rewrite_rejected(self._clean_line)
                self._cleaned[client] = _stamp(outbox.rejected_path)

    def _clean_line(self, line: bytes) -> bytes:
        try:
            return encode(self._redact_value(decode(line)))
        except (ValueError, RecursionError):  # torn by a crash
            return encode({"request": self._redact_value(line.decode("utf-8", "replace"))})


def _stamp(path: Path) -> Stamp:
    found = path.stat()
    return found.st_mtime_ns, found.st_size
