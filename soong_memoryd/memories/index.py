"""What the memory directory holds, as one immutable value.

Owns: which files are memories, in which order, and which are not and why. Must not know: how files are read or watched,
how memories are searched or ranked. It keeps headers only: bodies are read when they are needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
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
    """A memory file: header, ``path`` (``<category>/<file>.md``), the hash of its bytes and the stamp it was read with."""

    frontmatter: Frontmatter
    path: str
    sha256: str
    stamp: FileStamp


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


def read_entry(path: str, data: bytes, stamp: FileStamp) -> Entry | Invalid:
    """The index entry of a file's bytes, or what is wrong with it.

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
    return Entry(head, path, hashlib.sha256(data).hexdigest(), stamp)


def take_snapshot(
    read: Iterable[Entry | Invalid], catalog_max_tokens: int, redact: Callable[[str], str] = catalog.as_it_is
) -> Snapshot:
    """The snapshot of what was read, in whatever order. Of two files with one id the lower path wins.

    ``redact`` takes out of the catalog what a person wrote into a summary and nobody is to be told.
    """
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
    rendered = catalog.render_ordered(entries, catalog_max_tokens, redact)
    return Snapshot(entries, MappingProxyType(by_id), tuple(invalid), rendered)


def index_files(files: Iterable[tuple[str, bytes, FileStamp]], catalog_max_tokens: int) -> Snapshot:
    """The snapshot of (path, bytes, stamp) triples."""
    return take_snapshot([read_entry(*file) for file in files], catalog_max_tokens)


def _path(item: Entry | Invalid) -> str:
    return item.path
