"""What the daemon says about itself: ids, counts, durations and codes; never bodies, prompts, keys or user text.

Owns: how a log line looks and the last net under it (every string is redacted and cut). Must not know who logs what.
On a terminal lines are for eyes, in the journal fields, elsewhere JSON.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import time
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, TextIO, cast

import structlog
from structlog.tracebacks import ExceptionDictTransformer

from soong_memoryd.journal import Journal

MAX_VALUE_CHARS = 300
NOISY_LIBRARIES = ("openai", "httpx2", "httpcore2", "asyncio", "aiosqlite", "jsonrpcserver", "watchfiles")

RECURRING = frozenset({"schedule_stalled", "commit_open", "chore_failed", "watch_interrupted", "look_failed", "accept_failed"})
"""What is tried again every few seconds while a disk is full or a limit reached: said once a minute, not each time."""
SAY_EVERY_SECONDS = 60.0

Entry = MutableMapping[str, Any]


def configure(redact: Callable[[str], str], stream: TextIO | None = None, environment: Mapping[str, str] | None = None) -> None:
    """Set up structlog for this process. ``redact`` takes secrets out of any string.

    With ``environment``, a stream that leads to the journal is replaced by the journal's own protocol.
    """
    out = stream or sys.stderr
    journal = Journal.behind(out, environment or {})
    for name in NOISY_LIBRARIES:  # they log urls, bodies and exception texts of their own
        logging.getLogger(name).setLevel(logging.CRITICAL)

    def clean(_logger: Any, _method: str, entry: Entry) -> Entry:
        return {key: _clean(value, redact) for key, value in entry.items()}

    renderer: Any = structlog.processors.JSONRenderer(ensure_ascii=False)
    if journal is not None:
        renderer = _as_keyword
    elif out.isatty():
        renderer = structlog.dev.ConsoleRenderer()
    structlog.configure(
        processors=[
            OnceAMinute(time.monotonic),
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            # Local variables hold user text and keys: a traceback names places only.
            structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False, max_frames=20)),
            _without_exception_texts,
            clean,
            renderer,
        ],
        logger_factory=structlog.WriteLoggerFactory(file=cast("TextIO", _Lossy(out)))
        if journal is None
        else lambda *_: journal,
        cache_logger_on_first_use=True,
    )


class OnceAMinute:
    """Drops a recurring event that was said with the same fields less than a minute ago. ``now``: seconds that only grow."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._said: dict[str, float] = {}

    def __call__(self, _logger: Any, _method: str, entry: Entry) -> Entry:
        """The entry, or ``DropEvent``: a processor of structlog."""
        if entry.get("event") in RECURRING:
            key, now = repr(sorted(entry.items())), self._now()
            self._said = {said: at for said, at in self._said.items() if now - at < SAY_EVERY_SECONDS}
            if key in self._said:
                raise structlog.DropEvent
            self._said[key] = now
        return entry


def _as_keyword(_logger: Any, _method: str, entry: Entry) -> Entry:
    """The entry as it is, for a logger that takes fields."""
    return {"entry": dict(entry)}


class _Lossy:
    """A stream that loses what cannot be written: a log on a full disk, or without a reader, must not end the daemon."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError):
            self._out.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._out.flush()


def _without_exception_texts(_logger: Any, _method: str, entry: Entry) -> Entry:
    """An exception's text may quote what it choked on: keep its type and where it happened."""
    traces = entry.get("exception")
    if isinstance(traces, list):
        entry["exception"] = [
            {"type": trace["exc_type"], "at": [f"{_short(f['filename'])}:{f['lineno']} {f['name']}" for f in trace["frames"]]}
            for trace in traces
        ]
    return entry


def _short(filename: str) -> str:
    return "/".join(filename.rsplit("/", 2)[-2:])


def _clean(value: Any, redact: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        kept = redact(value[: 4 * MAX_VALUE_CHARS])
        return kept if len(kept) <= MAX_VALUE_CHARS else kept[:MAX_VALUE_CHARS] + "…"
    if isinstance(value, list | tuple):
        return [_clean(item, redact) for item in value]
    if isinstance(value, dict):
        return {key: _clean(item, redact) for key, item in value.items()}
    return value
