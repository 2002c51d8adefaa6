"""What is imported: one statement, where it stands, and why it is passed over if it is.

Owns: the item, its id, and reading files safely. Must not know: any one format.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from soong_memoryd.cli.exits import CliError, Exit

MAX_FILE_BYTES = 256 << 20
ID_CHARS = 24


class Item(NamedTuple):
    """``text`` as it was found, ``source`` for people (file and place), ``at`` an RFC 3339 time or None.

    ``skipped`` says why it is not offered, None for what is.
    """

    text: str
    source: str
    at: str | None = None
    skipped: str | None = None


def item_id(tool: str, text: str) -> str:
    """The node id of an item: the same text is imported once, however often and from wherever it is read."""
    digest = hashlib.sha256(" ".join(text.split()).encode("utf-8", "replace")).hexdigest()
    return f"import:{tool}:{digest[:ID_CHARS]}"


def distinct(items: Iterable[Item]) -> Iterator[Item]:
    """Items with a text; one whose text was seen before is marked as skipped."""
    seen: set[str] = set()
    for item in items:
        flat = " ".join(item.text.split())
        if not flat:
            continue
        yield item if flat not in seen or item.skipped else item._replace(skipped="same text")
        seen.add(flat)


def read_text(path: Path) -> str:
    """A file's text; ``CliError`` when it cannot be read."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise CliError(Exit.USAGE, f"{path} is larger than {MAX_FILE_BYTES >> 20} MiB", f"split {path}")
        return path.read_bytes().decode("utf-8-sig", "replace").replace("\r\n", "\n")
    except OSError as error:
        raise CliError(Exit.USAGE, f"{path} cannot be read ({error.strerror})", f"ls -l {path}") from None


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON lines file; a line that is none is passed over (the last may be half written)."""
    for line in read_text(path).split("\n"):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def files_below(path: Path, *suffixes: str) -> list[Path]:
    """The file itself, or the files below a directory with one of these suffixes, sorted, hidden ones left out."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise CliError(Exit.USAGE, f"{path} is not there", f"ls {path.parent}")
    below = (found for found in path.rglob("*") if found.suffix in suffixes and found.is_file())
    return sorted(found for found in below if not any(part.startswith(".") for part in found.relative_to(path).parts))


def name_of(path: Path, root: Path) -> str:
    """How a file is called in a preview: below the directory that was named, or by its name."""
    return str(path.relative_to(root)) if path != root and root in path.parents else path.name
