"""Takes secrets out of memories on their way to a model: the check before storage may have missed one, or a person added it.

Owns: the cache of what was cleaned, by file version. Must not know: what a secret looks like, files, sessions.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from soong_memoryd.memories.index import Entry
from soong_memoryd.memories.schema import Document, Frontmatter
from soong_memoryd.recall.wrapper import Recallable

T = TypeVar("T")

_REMEMBERED_BODIES = 512
_REMEMBERED_HEADERS = 20_000
_REMEMBERED_TEXTS = 4
_MARKER = re.compile(r"\[REDACTED[^\]]{0,60}\]")
_SAYS_SOMETHING = re.compile(r"[^\W_]")


class Redaction:
    """Texts without secrets. ``redact`` is pure and may take milliseconds: it runs in a worker thread, once a file version."""

    def __init__(self, redact: Callable[[str], str]) -> None:
        self._redact = redact
        self._headers = _Recent[Frontmatter](_REMEMBERED_HEADERS)
        self._bodies = _Recent[str](_REMEMBERED_BODIES)
        self._repeated = _Recent[str](_REMEMBERED_TEXTS)

    async def text(self, text: str) -> str:
        """A text without secrets, such as a query."""
        return await asyncio.to_thread(self._redact, text) if text else text

    async def repeated(self, text: str) -> str:
        """The same for a long text that is asked for again and again, such as the catalog."""
        cleaned = self._repeated.get(text)
        return self._repeated.put(text, await self.text(text)) if cleaned is None else cleaned

    async def headers(self, entries: Sequence[Entry]) -> list[Frontmatter]:
        """The headers of some memories, summary and tags without secrets."""
        known = {entry.sha256: self._headers.get(entry.sha256) for entry in entries}
        missing = [entry for entry in entries if known[entry.sha256] is None]
        if missing:
            for entry, cleaned in zip(missing, await asyncio.to_thread(self._clean, missing), strict=True):
                known[entry.sha256] = self._headers.put(entry.sha256, cleaned)
        return [header for entry in entries if (header := known[entry.sha256])]

    async def memory(self, document: Document, sha256: str, path: str) -> Recallable | None:
        """A memory without secrets; None when nothing but secrets was in it."""
        summary = await self.text(document.frontmatter.summary)
        body = self._bodies.get(sha256)
        if body is None:
            body = self._bodies.put(sha256, await self.text(document.body))
        if not _SAYS_SOMETHING.search(_MARKER.sub("", f"{summary}\n{body}")):
            return None
        head = document.frontmatter
        return Recallable(head.id, head.category, summary, head.updated_at, path, sha256, body)

    def _clean(self, entries: Sequence[Entry]) -> list[Frontmatter]:
        heads = [entry.frontmatter for entry in entries]
        return [replace(h, summary=self._redact(h.summary), tags=tuple(map(self._redact, h.tags))) for h in heads]


class _Recent(Generic[T]):
    """The values that were put last, by file hash or text."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: dict[str, T] = {}

    def get(self, key: str) -> T | None:
        return self._values.get(key)

    def put(self, key: str, value: T) -> T:
        self._values[key] = value
        while len(self._values) > self._size:
            del self._values[next(iter(self._values))]
        return value
