"""What the memory directory holds, as one immutable value.

Owns: which files are memories, in which order, and which are not and why. Must not know: how files are read or watched,
how memories are searched or ranked. It keeps headers only: bodies are read when they are needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from soong_memoryd.errors import InvalidDocument
from soong_memoryd.memories import catalog
from soong_memoryd.memories.catalog import Catalog
from soong_memoryd.memories.document import Frontmatter, parse
from soong_memoryd.memories.naming import collision_key, is_memory_file_name, trailing_id


class FileStamp(NamedTuple):
    """By what a file is known to be unchanged without reading it. A tuple: a look at the files makes one for each."""

    size_bytes: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory file: header, ``path`` (``<category>/<file>.md``), the hash of its bytes and the stamp it was read with.

    ``listed_summary`` stands in the catalog where the summary itself holds a secret that a person wrote there.
    """

    frontmatter: Frontmatter
    path: str
    sha256: str
    stamp: FileStamp
    listed_summary: str | None = None

    def listed(self) -> Entry:
        """The entry as the catalog lists it."""
        if self.listed_summary is None:
            return self
        return replace(self, frontmatter=replace(self.frontmatter, summary=self.listed_summary), listed_summary=None)


@dataclass(frozen=True, slots=True)
class Invalid:
    """A file that is no memory; ``code`` is one of ``schema.PROBLEMS``, or of whoever could not read it."""

    path: str
    code: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The memories at one moment, newest first. ``invalid`` files are left alone and out of the catalog."""

    entries: tuple[Entry, ...]
    by_id: Mapping[str, Entry]
    invalid: tuple[Invalid, ...]
    catalog: Catalog

    def taken_paths(self) -> frozenset[str]:
        """The collision keys of all files that are there, valid or not."""
        taken = [entry.path for entry in self.entries] + [invalid.path for invalid in self.invalid]
        return frozenset(map(collision_key, taken))


def as_it_is(text: str) -> str:
    """What takes no secret out."""
    return text


def read_entry(path: str, data: bytes, stamp: FileStamp, redact: Callable[[str], str] = as_it_is) -> Entry | Invalid:
    """The index entry of a file's bytes, or what is wrong with it; ``redact`` takes secrets out of what the catalog lists.

    Identity comes from the header; folder and file name must not contradict it. ``path`` is ``<folder>/<file>``.
    """
    folder, _, name = path.partition("/")
    if not is_memory_file_name(name):
        return Invalid(path, "file_name")
    try:
        head = parse(data).frontmatter
    except InvalidDocument as error:
        return Invalid(path, error.code)
    if head.category != folder:
        return Invalid(path, "folder")
    if trailing_id(name) not in (None, head.id):
        return Invalid(path, "file_id")
    listed = redact(head.summary)
    sha256 = hashlib.sha256(data).hexdigest()
    return Entry(head, path, sha256, stamp, listed if listed != head.summary else None)


def take_snapshot(read: Iterable[Entry | Invalid], catalog_max_tokens: int) -> Snapshot:
    """The snapshot of what was read, in whatever order. Of two files with one id the lower path wins."""
    by_id: dict[str, Entry] = {}
    invalid: list[Invalid] = []
    for item in sorted(read, key=_path):
        if isinstance(item, Invalid):
            invalid.append(item)
        elif item.frontmatter.id in by_id:
            invalid.append(Invalid(item.path, "duplicate_id"))
        else:
            by_id[item.frontmatter.id] = item
    entries = tuple(catalog.newest_first(by_id.values()))
    return Snapshot(entries, MappingProxyType(by_id), tuple(invalid), render_catalog(entries, catalog_max_tokens))


def render_catalog(entries: Iterable[Entry], max_tokens: int) -> Catalog:
    """The catalog of entries, without secrets that stand in their summaries."""
    return catalog.render([entry.listed() for entry in entries], max_tokens)


def index_files(files: Iterable[tuple[str, bytes, FileStamp]], catalog_max_tokens: int) -> Snapshot:
    """The snapshot of (path, bytes, stamp) triples."""
    return take_snapshot([read_entry(*file) for file in files], catalog_max_tokens)


def _path(item: Entry | Invalid) -> str:
    return item.path
