"""Keeps the lexical index in step with the memory directory.

Owns: which file versions are indexed. Must not know: queries, models, sessions. Reads through the store, writes nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from soong_memoryd.errors import MemorydError
from soong_memoryd.memories.index import Entry, Snapshot
from soong_memoryd.memories.naming import parse_file_name
from soong_memoryd.memories.schema import Document
from soong_memoryd.recall.lexical import LexicalIndex, memory_terms

_HEADER_ONLY = ""  # stands for the hash of a version whose body was not read yet


class Store(Protocol):
    """What recall needs of ``memories.store.MemoryStore``."""

    async def snapshot(self) -> Snapshot:
        """The memories as they are now."""
        ...

    async def read(self, memory_id: str) -> tuple[Document, str, str]:
        """(document, sha256 of the file, path); raises MemorydError when it cannot be read."""
        ...


class Lexicon:
    """A lexical index that follows snapshots. Bodies are read once per file version."""

    def __init__(self, store: Store, seconds: Callable[[], float]) -> None:
        self.index = LexicalIndex()
        self._store = store
        self._seconds = seconds
        self._versions: dict[str, str] = {}
        self._complete: Snapshot | None = None
        self._lock = asyncio.Lock()

    async def follow(self, snapshot: Snapshot, at_most_seconds: float) -> bool:
        """Index what is new or changed, newest first, and forget what is gone; returns whether nothing is left to do.

        When time runs out (many new files at once) the rest is indexed by its header alone until the next call.
        """
        async with self._lock:
            if snapshot is self._complete:
                return True
            for memory_id in self._versions.keys() - snapshot.by_id.keys():
                self.index.remove(memory_id)
                del self._versions[memory_id]
            changed = [entry for entry in snapshot.entries if self._versions.get(entry.frontmatter.id) != entry.sha256]
            until = self._seconds() + at_most_seconds
            late = 0
            for entry in changed:
                in_time = self._seconds() < until
                late += not in_time
                await self._take_up(entry, with_body=in_time)
            self._complete = None if late else snapshot
            return not late

    async def _take_up(self, entry: Entry, with_body: bool) -> None:
        head, body, version = entry.frontmatter, "", _HEADER_ONLY
        if with_body:
            version = entry.sha256
            try:
                document, _, _ = await self._store.read(head.id)
            except MemorydError:  # gone or unreadable meanwhile: what the header says can still be found
                pass
            else:
                head, body = document.frontmatter, document.body
        elif head.id in self._versions:
            return
        await asyncio.sleep(0)  # a thousand new files must not hold up the event loop
        self.index.put(head.id, memory_terms(_name(entry.path), head.summary, head.tags, body))
        self._versions[head.id] = version


def _name(path: str) -> str:
    """What the memory is called: the name in its path, or what a person called the file."""
    file = path.rpartition("/")[2]
    parts = parse_file_name(file)
    return parts.name if parts else file.removesuffix(".md")
