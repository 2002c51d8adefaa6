"""Lines to JSON values and back, strictly, without I/O (after h11: the core of the protocol never touches a socket).

Owns: what a line may be. Its promise: any bytes in any chunks become values or ``Fault`` values, never any other error, and
never more than ``max_bytes`` of an unfinished line is kept. Must not know JSON-RPC.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

MAX_DEPTH = 64
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """One readable line: ``value`` is any JSON value."""

    value: Any


@dataclass(frozen=True, slots=True)
class Fault:
    """One line that is refused: the error code, our words, and whether the stream is lost (close after answering)."""

    code: str
    text: str
    close: bool = False


class _RefusedError(ValueError):
    pass


class Framer:
    """Cuts a byte stream into lines. ``unfinished`` tells whether a line was begun and not yet ended."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._buffer = bytearray()
        self._searched = 0
        self._lost = False

    @property
    def unfinished(self) -> bool:
        """Whether bytes of a line wait for its end."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> Iterator[Line | Fault]:
        """What the bytes complete, in order. After a fault with ``close`` everything else is ignored."""
        if self._lost:
            return
        self._buffer += data
        while (end := self._buffer.find(b"\n", self._searched)) >= 0:
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            self._searched = 0
            if len(line) > self._max_bytes:
                yield self._too_long()
                return
            if line.strip(b" \t\r"):
                yield read_line(line)
        self._searched = len(self._buffer)
        if len(self._buffer) > self._max_bytes:
            yield self._too_long()

    def _too_long(self) -> Fault:
        self._lost = True
        self._buffer.clear()
        return Fault("message_too_large", f"a line is over {self._max_bytes} bytes", close=True)


def read_line(line: bytes) -> Line | Fault:
    """One line without its end, as a value or the reason why it is refused."""
    if line.startswith(_BOM):
        return Fault("parse_error", "the line begins with a byte order mark")
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return Fault("parse_error", "the line is not valid UTF-8")
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite)
    except _RefusedError as refusal:
        return Fault("parse_error", str(refusal))
    except RecursionError:
        return Fault("parse_error", f"nesting is deeper than {MAX_DEPTH}")
    except ValueError:
        return Fault("parse_error", "the line is not valid JSON")
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth_exceeds(value, MAX_DEPTH):
        return Fault("parse_error", f"nesting is deeper than {MAX_DEPTH}")
    if "\\ud" in text.casefold() and not _encodable(value):
        return Fault("parse_error", "a string holds a lone surrogate")
    return Line(value)


def write_line(value: Any) -> bytes:
    """A JSON value as one line with its end."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _RefusedError("an object names a key twice")
    return value


def _no_constant(_: str) -> NoReturn:
    raise _RefusedError("NaN and Infinity are not JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _RefusedError("a number is out of range")
    return value


def _depth_exceeds(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        containers = [part for part in level if isinstance(part, dict | list)]
        level = [item for part in containers for item in (part.values() if isinstance(part, dict) else part)]
    return any(isinstance(part, dict | list) for part in level)


def _encodable(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
