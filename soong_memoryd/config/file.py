"""One TOML file on disk: read safely, with the line of every key.

Owns: opening, the mode and size rules, TOML errors, key lines. Must not know what the keys mean.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from soong_memoryd.errors import ConfigError

MAX_FILE_BYTES = 1 << 20

KeyPath = tuple[str, ...]

_HEADER = re.compile(r"\s*\[\[?\s*(?P<path>[^\[\]]+?)\s*\]\]?\s*(#.*)?")
_ASSIGNMENT = re.compile(r"""\s*(?P<path>(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=(?P<value>.*)""")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_AT_LINE = re.compile(r"\(at line ([0-9]+), column ([0-9]+)\)")


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A parsed file. ``lines`` holds the line of each key and table that stands on one of its own."""

    name: str
    tables: Mapping[str, Any]
    lines: Mapping[KeyPath, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def place(self, path: KeyPath) -> str:
        """``name:line`` of a key, or of the nearest table around it."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.lines:
                return f"{self.name}:{self.lines[path[:length]]}"
        return self.name


def read_config_file(path: Path) -> ConfigFile | None:
    """The file's tables, or None when there is no such file.

    Raises:
        ConfigError: unreadable, foreign, writable by others, too large, or not TOML.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{path.name} cannot be read ({os.strerror(error.errno or 0)})", hint=f"Check {path}.") from None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        _refuse_unsafe(path, status)
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise ConfigError(f"{path.name} is larger than {MAX_FILE_BYTES} bytes")
    readable = status.st_mode & (stat.S_IRGRP | stat.S_IROTH)
    warnings = (f"{path.name} can be read by other users; run: chmod 600 {path}",) if readable else ()
    return _parse(path.name, data, warnings)


def key_lines(text: str) -> dict[KeyPath, int]:
    """The line (from 1) of each table header and assignment; keys inside inline tables have none of their own."""
    lines: dict[KeyPath, int] = {}
    table: KeyPath = ()
    open_quote = ""
    for number, line in enumerate(text.split("\n"), 1):
        if open_quote:  # inside a multi-line string
            open_quote = "" if open_quote in line else open_quote
            continue
        header = _HEADER.fullmatch(line)
        if header:
            table = _parts(header["path"])
            lines.setdefault(table, number)
            continue
        assignment = _ASSIGNMENT.fullmatch(line)
        if assignment:
            lines.setdefault((*table, *_parts(assignment["path"])), number)
            open_quote = next((quote for quote in ('"""', "'''") if assignment["value"].count(quote) % 2), "")
    return lines


def _parts(path: str) -> KeyPath:
    return tuple(part.strip("\"'") for part in _PART.findall(path))


def _refuse_unsafe(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ConfigError(f"{path.name} is not a regular file")
    if status.st_uid not in (os.geteuid(), 0):
        raise ConfigError(f"{path.name} belongs to another user", hint=f"Make {path} your own file.")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise ConfigError(f"{path.name} can be changed by other users", hint=f"Run: chmod 600 {path}")


def _parse(name: str, data: bytes, warnings: tuple[str, ...]) -> ConfigFile:
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{name}:{line}: not UTF-8 text") from None
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _AT_LINE.search(str(error))  # the rest of its text may quote a value
        line, column = (int(found[1]), int(found[2])) if found else (text.count("\n") + 1, 1)
        raise ConfigError(f"{name}:{line}: not valid TOML (column {column})", hint="Do strings have quotes?") from None
    except RecursionError:
        raise ConfigError(f"{name}: nested too deeply") from None
    return ConfigFile(name, tables, key_lines(text), warnings)
