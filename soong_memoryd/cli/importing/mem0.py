"""mem0: an export as JSON (``{"results": [{"memory": …}]}`` or a list), or as blocks between lines of dashes.

Owns: these two forms. Must not know: the daemon.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from soong_memoryd.cli.exits import CliError, Exit
from soong_memoryd.cli.importing.items import Item, files_below, name_of, read_text

TEXT_KEYS = ("memory", "text", "data", "content")
LIST_KEYS = ("results", "memories")
_RULE = re.compile(r"^-{3,}\s*$", re.MULTILINE)


def read(path: Path) -> Iterator[Item]:
    """The memories of an export, or of every export below a directory."""
    for file in files_below(path, ".json", ".txt", ".md"):
        source, text = name_of(file, path), read_text(file)
        if file.suffix == ".json" or text.lstrip().startswith(("{", "[")):
            yield from _entries(text, source)
        else:
            yield from (Item(block.strip(), source) for block in _RULE.split(text))


def _entries(text: str, source: str) -> Iterator[Item]:
    try:
        entries: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise CliError(Exit.USAGE, f"{source} is not JSON", "soong-memoryctl import --help") from None
    if isinstance(entries, dict):
        entries = next((entries[key] for key in LIST_KEYS if isinstance(entries.get(key), list)), [])
    for number, entry in enumerate(entries if isinstance(entries, list) else [], 1):
        if isinstance(entry, str):
            yield Item(entry, f"{source}:{number}")
        elif isinstance(entry, dict):
            said = next((entry[key] for key in TEXT_KEYS if isinstance(entry.get(key), str)), "")
            at = entry.get("created_at")
            yield Item(said, f"{source}:{number}", at if isinstance(at, str) else None)
