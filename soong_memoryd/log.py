"""What the daemon says about itself: ids, counts, durations and codes; never bodies, prompts, keys or user text.

Owns: how a log line looks and the last net under it (every string is redacted and cut). Must not know who logs what.
On a terminal lines are for eyes, elsewhere JSON.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, MutableMapping
from typing import Any, TextIO

import structlog
from structlog.tracebacks import ExceptionDictTransformer

MAX_VALUE_CHARS = 300
NOISY_LIBRARIES = ("openai", "httpx2", "httpcore2", "asyncio", "aiosqlite", "jsonrpcserver", "watchfiles")

Entry = MutableMapping[str, Any]


def configure(redact: Callable[[str], str], stream: TextIO | None = None) -> None:
    """Set up structlog for this process. ``redact`` takes secrets out of any string."""
    out = stream or sys.stderr
    for name in NOISY_LIBRARIES:  # they log urls, bodies and exception texts of their own
        logging.getLogger(name).setLevel(logging.CRITICAL)

    def clean(_logger: Any, _method: str, entry: Entry) -> Entry:
        return {key: _clean(value, redact) for key, value in entry.items()}

    renderer: Any = structlog.dev.ConsoleRenderer() if out.isatty() else structlog.processors.JSONRenderer(ensure_ascii=False)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            # Local variables hold user text and keys: a traceback names places only.
            structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False, max_frames=20)),
            _without_exception_texts,
            clean,
            renderer,
        ],
        logger_factory=structlog.WriteLoggerFactory(file=out),
        cache_logger_on_first_use=True,
    )


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
