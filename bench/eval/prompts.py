"""The versions of the prompts and what they stand for.

Owns: the fingerprint of every word that a model is told, and the table of versions in ``docs/prompts.md``.
Must not know what a prompt says.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

from soong_memoryd.extraction import prompt, rules
from soong_memoryd.extraction.prescreen import Screening
from soong_memoryd.extraction.window import Window
from soong_memoryd.llm.conversation import ToolSpec
from soong_memoryd.recall import selector
from soong_memoryd.recall.lexical import Question

PAGE = Path(__file__).resolve().parents[2] / "docs" / "prompts.md"
HASH_CHARS = 12
_ROW = re.compile(r"^\| (\w+) \| (\w+) \| `(\w+)` \| (\d{4}-\d\d-\d\d) \| (.+) \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt as it is now."""

    name: str
    version: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """One row of the page: a version, what it stood for, and what an evaluation said of it."""

    name: str
    version: str
    fingerprint: str
    date: str
    evaluation: str


def current() -> tuple[Prompt, ...]:
    """The prompts of extraction and recall."""
    empty = prompt.build(Window("s", 0, 0, (), "", (), False), Screening((), (), 0), {}, "2026-01-01")
    later = (rules.READ_FIRST, rules.READ_ENOUGH, rules.MEND, rules.CALL_FINISH, rules.CALL_TOOLS)
    asked = selector.build(Question("query", "request"), (), 5)
    return (
        Prompt("extraction", rules.PROMPT_VERSION, _fingerprint(empty.system, empty.user, *later, *map(_spelled, empty.tools))),
        Prompt("recall", selector.PROMPT_VERSION, _fingerprint(asked.system, asked.user, _spelled(selector.TOOL))),
    )


def recorded() -> list[Recorded]:
    """The rows of the page, oldest first."""
    return [Recorded(*row) for row in _ROW.findall(PAGE.read_text(encoding="utf-8"))]


def _spelled(tool: ToolSpec) -> str:
    return json.dumps([tool.name, tool.description, tool.parameters], ensure_ascii=False, sort_keys=True)


def _fingerprint(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:HASH_CHARS]
