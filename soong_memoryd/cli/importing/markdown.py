"""Markdown: a file with frontmatter is one item; in any other each list entry and each paragraph is one.

Owns: that division. Must not know: who wrote the files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from soong_memoryd.cli.importing.items import Item, files_below, name_of, read_text

_ENTRY = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s+(?P<text>.*)")
_PAIR = re.compile(r"(?P<key>[A-Za-z_][\w-]*)\s*:\s*(?P<value>.*)")
_FENCE = ("```", "~~~")


class Page(NamedTuple):
    """A file: its frontmatter as plain pairs, its body."""

    front: Mapping[str, str]
    body: str


def read(path: Path) -> Iterator[Item]:
    """The items of a file, or of all ``.md`` files below a directory."""
    for file in files_below(path, ".md", ".markdown"):
        yield from items_of(read_text(file), name_of(file, path))


def items_of(text: str, source: str) -> Iterator[Item]:
    """The items of one text."""
    page = parse(text)
    if page.front:
        yield Item(page.body.strip(), source)
        return
    for line, block in blocks(page.body):
        yield Item(block, f"{source}:{line}")


def parse(text: str) -> Page:
    """Frontmatter between two lines of dashes, if the text begins with it, and what follows."""
    lines = text.split("\n")
    if lines[0].strip() != "---" or "---" not in (line.strip() for line in lines[1:]):
        return Page({}, text)
    end = next(place for place, line in enumerate(lines[1:], 1) if line.strip() == "---")
    pairs = (match for line in lines[1:end] if (match := _PAIR.fullmatch(line.strip())))
    return Page({match["key"]: match["value"].strip().strip("\"'") for match in pairs}, "\n".join(lines[end + 1 :]))


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """(line from 1, text) of every list entry and paragraph. Headings, tables, rules, comments and code are left out."""
    kept: list[str] = []
    first, fence = 0, ""
    for number, line in enumerate([*text.split("\n"), ""], 1):
        bare = line.strip()
        if fence or bare.startswith(_FENCE):
            fence = "" if fence and bare.startswith(fence) else fence or bare[:3]
            bare = ""
        entry = _ENTRY.fullmatch(bare)
        if (entry or not bare or bare.startswith(("#", "|", "<!--", "---", "***"))) and kept:
            yield first, "\n".join(kept)
            kept = []
        if entry:
            kept, first = [entry["text"]], number
        elif bare and not bare.startswith(("#", "|", "<!--", "---", "***")):
            first = first if kept else number
            kept.append(bare)
