"""A marked block of ours in the text of somebody else's TOML file.

Owns: the marks, and the proof that the file says the same as before apart from the block. Must not know: files, tools. Pure.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from soong_memoryd.cli.connect.json_text import NotOurs, Ours

BEGIN = "# >>> soong-memory: written by `soong-memoryctl connect`, removed by `soong-memoryctl disconnect`"
END = "# <<< soong-memory"
_MARKED = rf"{re.escape(BEGIN)}\n.*?^{re.escape(END)}\n"
# with the empty line that parts it from the rest: behind a block at the top, before any other
_BLOCK = re.compile(rf"\A{_MARKED}\n?|(?:(?<=\n)\n)?^{_MARKED}", re.MULTILINE | re.DOTALL)


def taken(text: str) -> str:
    """``text`` without our blocks."""
    return _BLOCK.sub("", text)


def put(text: str, top: str, bottom: str) -> str:
    """``text`` with our blocks and no older ones: ``top`` before the first table, ``bottom`` at the end; empty: no block.

    Raises:
        NotOurs: the text is no TOML, or has keys of its own where ours would go.
    """
    foreign = taken(text)
    before = read(foreign)
    body = foreign if not foreign or foreign.endswith("\n") else foreign + "\n"
    head = _block(top) + ("\n" if body else "") if top else ""
    tail = ("\n" if body else "") + _block(bottom) if bottom else ""
    after = head + body + tail
    ours = _merged(read(top), read(bottom))
    try:
        same = tomllib.loads(after) == _merged(before, ours)
    except tomllib.TOMLDecodeError:
        same = False
    if not same:
        raise NotOurs("it has keys of its own where ours would go")
    return text if taken(after) == taken(text) and _blocks(after) == _blocks(text) else after


def read(text: str) -> dict[str, Any]:
    """The file's content; ``NotOurs`` when it is no TOML."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        raise NotOurs("it is not TOML") from None


def ours(text: str) -> list[Ours]:
    """Our blocks, in the order of the file, each named by its first key: there is one in each."""
    return [Ours(*_first_key(block), tuple(block.splitlines())) for block in _blocks(text)]


def _first_key(block: str) -> tuple[str, str]:
    try:
        key, value = next(iter(read(block).items()))
    except (NotOurs, StopIteration):  # somebody wrote in it; it goes all the same
        return "soong-memory", ""
    return key, next(iter(value), "") if isinstance(value, dict) else ""


def _block(lines: str) -> str:
    return f"{BEGIN}\n{lines}{END}\n"


def _blocks(text: str) -> list[str]:
    return [found.strip() for found in _BLOCK.findall(text)]


def _merged(one: Any, other: Any) -> Any:
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return other
    return one | {name: _merged(one[name], value) if name in one else value for name, value in other.items()}
