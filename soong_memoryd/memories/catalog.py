"""``MEMORY.md``: one line for each memory, newest first, cut at the end when there is too much of it.

Owns: what a line looks like, its escapes and how it reads back. Must not know: files, or who asks for the catalog.
Nothing that a summary says may look like another entry, a tag or a second line. It is escaped, never deleted: deleting
once from a crafted text can leave what was to be deleted.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from soong_memoryd.memories.naming import is_memory_file_name, is_memory_id
from soong_memoryd.memories.schema import CATEGORIES, Frontmatter, time_order
from soong_memoryd.text.tokens import estimate_tokens


class Listed(Protocol):
    """What can stand in the catalog; ``path`` is ``<category>/<file>.md``."""

    @property
    def frontmatter(self) -> Frontmatter:
        """The header of the memory."""
        ...

    @property
    def path(self) -> str:
        """Where the memory lies, relative to the memory directory."""
        ...


L = TypeVar("L", bound=Listed)


@dataclass(frozen=True, slots=True)
class Catalog:
    """A rendered catalog: ``entries`` counts the listed ones, ``revision`` is the sha256 of the text."""

    text: str
    entries: int
    truncated: bool
    revision: str


@dataclass(frozen=True, slots=True)
class CatalogLine:
    """One entry read back from a catalog."""

    memory_id: str
    category: str
    summary: str
    path: str


def as_it_is(text: str) -> str:
    """What takes no secret out."""
    return text


def newest_first(listed: Iterable[L]) -> list[L]:
    """Catalog order: by ``created_at`` downwards, ties by id; the same for every order they come in."""
    by_id = sorted(listed, key=lambda item: (item.frontmatter.id, item.path))
    return sorted(by_id, key=lambda item: time_order(item.frontmatter.created_at), reverse=True)


def render(listed: Iterable[Listed], max_tokens: int) -> Catalog:
    """The catalog of some memories within ``max_tokens`` estimated tokens.

    When they do not fit, whole entries are left out at the end and the last line says how many; that line stays even
    where nothing else fits.
    """
    return render_ordered(newest_first(listed), max_tokens)


def render_ordered(ordered: Sequence[Listed], max_tokens: int, redact: Callable[[str], str] = as_it_is) -> Catalog:
    """As ``render``, of memories that are in catalog order already; ``redact`` takes secrets out of what is listed."""
    return _fitted((entry_line(item, redact) for item in ordered), len(ordered), max_tokens)


def shorten(rendered: Catalog, total: int, max_tokens: int) -> Catalog:
    """A rendered catalog of ``total`` memories within fewer tokens; one that fits comes out as it went in."""
    lines = rendered.text.split("\n")[: rendered.entries]
    return _fitted([f"{line}\n" for line in lines], total, max_tokens)


def entry_line(item: Listed, redact: Callable[[str], str] = as_it_is) -> str:
    """The line of one memory, with its line feed."""
    head = item.frontmatter
    return f"- `{head.id}` [{head.category}] {escape_summary(redact(head.summary))} ({item.path})\n"


def parse_line(line: str) -> CatalogLine | None:
    """The entry in one line (without its line end), else None."""
    found = _ENTRY.fullmatch(line)
    if found is None or not is_memory_id(found["id"]) or not is_memory_file_name(found["file"]):
        return None
    summary = _ESCAPED.sub(_unescaped, found["summary"])
    return CatalogLine(found["id"], found["category"], summary, f"{found['folder']}/{found['file']}")


def is_catalog(text: str) -> bool:
    """Whether a text holds nothing but catalog lines, so that nothing is lost when it is rendered again.

    Git's conflict markers count as such: a merge of two rendered catalogs puts them there, and nobody wrote them.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    return all(not line.strip() or _REST.fullmatch(line) or _MARKER.fullmatch(line) or parse_line(line) for line in lines)


def escape_summary(summary: str) -> str:
    """A summary as it may stand in a catalog line; character references take the place of what could pass for structure."""
    escaped = _FORGERY.sub(lambda found: _reference(found[0]), summary)
    if escaped.isprintable():
        return escaped
    return "".join(_reference(char) if _is_hidden(char) else char for char in escaped)


def _fitted(lines: Iterable[str], total: int, max_tokens: int) -> Catalog:
    """The catalog of ``total`` memories whose first lines these are."""
    kept: list[str] = []
    spent_tokens = 0
    for line in lines:
        spent_tokens += estimate_tokens(line)
        if spent_tokens > max_tokens:
            break
        kept.append(line)
    entries = len(kept)
    if entries < total:
        kept = _shortened(kept, total, max_tokens)
        entries = len(kept) - 1
    text = "".join(kept)
    return Catalog(text, entries, entries < total, hashlib.sha256(text.encode("utf-8")).hexdigest())


def _shortened(lines: Sequence[str], total: int, max_tokens: int) -> list[str]:
    """As many of ``lines`` as leave room for the line that counts the rest."""
    kept = list(lines)
    costs = [estimate_tokens(line) for line in kept]
    spent_tokens = sum(costs)
    while kept and spent_tokens + estimate_tokens(_rest_line(total - len(kept))) > max_tokens:
        kept.pop()
        spent_tokens -= costs.pop()
    return [*kept, _rest_line(total - len(kept))]


def _rest_line(count: int) -> str:
    return f"({count} older {'memory is' if count == 1 else 'memories are'} not listed)\n"


def _reference(char: str) -> str:
    return _NAMED.get(char) or f"&#x{ord(char):X};"


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in _HIDDEN and char not in _JOINERS_AND_MARKS


def _unescaped(found: re.Match[str]) -> str:
    return _CHARACTERS.get(found[0]) or chr(int(found["code"], 16))


_FOLDERS = "|".join(CATEGORIES)
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_JOINERS_AND_MARKS = frozenset("\u200c\u200d\u200e\u200f")  # scripts and emoji need them
_NAMED = {"<": "&lt;", "&": "&amp;"}
_CHARACTERS = {reference: char for char, reference in _NAMED.items()}
_ESCAPED = re.compile(r"&lt;|&amp;|&#x(?P<code>[0-9A-F]{1,6});")
# What could open a tag (also in the shapes that fold to one), an entry, a path, a link or an image.
_FORGERY = re.compile(
    r"[<\uff1c\ufe64]"
    r"|[\u2039\u3008\u27e8\u276e\u1438\u02c2](?=[\s/\\]*(?:memory|system|assistant|user|human|tool|im_|\|))"
    r"|&(?=lt;|amp;|#x[0-9A-F]{1,6};)"
    r"|`(?=\s*mem_)"
    rf"|\[(?=\s*(?:{_FOLDERS})\s*\])"
    rf"|\((?=\s*(?:{_FOLDERS})\s*/)"
    r"|(?<=\])\(",
    re.IGNORECASE,
)
_ENTRY = re.compile(
    rf"- `(?P<id>mem_[0-9]{{14}}_[a-z0-9]+)` \[(?P<category>{_FOLDERS})\] (?P<summary>.+)"
    rf" \((?P<folder>{_FOLDERS})/(?P<file>[^/()]+)\)"
)
_REST = re.compile(r"\([0-9]+ older (?:memory is|memories are) not listed\)")
_MARKER = re.compile(r"(?:<{7}|>{7}|\|{7})(?: .*)?|={7}")
