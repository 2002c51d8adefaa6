"""Reading what other tools remember: each reader turns a path into items, text that a person may take over.

Owns: the table of readers. Must not know: the daemon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from soong_memoryd.cli.importing import claude_code, codex, markdown, mem0
from soong_memoryd.cli.importing.items import Item

Reader = Callable[[Path], Iterator[Item]]

READERS: Mapping[str, Reader] = MappingProxyType(
    {"claude-code": claude_code.read, "codex": codex.read, "mem0": mem0.read, "markdown": markdown.read}
)
