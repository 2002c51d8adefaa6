"""What the benchmarks feed to the daemon: texts, nodes, and homes full of memories. The same in every run.

Owns: made-up content. Must not know what is measured with it.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from soong_memoryd.memories.document import serialise
from soong_memoryd.memories.naming import file_name
from soong_memoryd.memories.schema import CATEGORIES, Document, Frontmatter

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases"
Json = dict[str, Any]

_WHO = ("the billing service", "the mobile app", "the importer", "the nightly report", "the search page", "the staging cluster",
        "the parser", "the login form", "the queue worker", "the data warehouse", "计费服务", "夜间报表")  # fmt: skip
_WHAT = ("runs on port", "keeps its fixtures below", "is deployed from branch", "logs to file", "is owned by team",
         "was last reviewed in sprint", "must answer within budget", "reads its settings from", "部署在集群",
         "日志写入目录")  # fmt: skip
_HOW = ("tabs over spaces", "short commit subjects", "tests before the change", "answers in Chinese", "British spelling",
        "tables over lists", "no emoji in documents", "type hints everywhere", "用中文回答", "先写测试再改代码")  # fmt: skip


@cache
def turns() -> list[Json]:
    """The 24 turns of the cost set: a user message, an assistant message and the fact in the first."""
    return [json.loads(line) for line in (CASES / "cost_turns.jsonl").read_text(encoding="utf-8").splitlines() if line]


@cache
def _prose(kind: str) -> str:
    return "\n\n".join(turn["user" if kind == "user_message" else "assistant"] for turn in turns())


def text_of(size: int, number: int, kind: str) -> str:
    """Prose of ``size`` characters: what people and agents write to each other, cut at another place for each number."""
    prose = _prose(kind)
    start = number * 997 % len(prose)
    return ((prose[start:] + prose) * (size // len(prose) + 2))[:size]


def node(number: int, size: int, prefix: str = "n") -> Json:
    """A node of about ``size`` characters; one in four is the user's, as in a session with an agent that uses tools."""
    kind = ("user_message", "assistant_message", "tool_result", "assistant_message")[number % 4]
    return {"node_id": f"{prefix}{number}", "kind": kind, "text": text_of(size, number, kind)}


def memory(number: int) -> tuple[str, bytes]:
    """Path and bytes of one of many memories, no two alike."""
    category = CATEGORIES[number % 3]
    who, what, how = _WHO[number % 12], _WHAT[number // 12 % 10], _HOW[number // 7 % 10]
    created = (datetime(2025, 1, 1, tzinfo=UTC) + timedelta(minutes=number)).strftime("%Y-%m-%dT%H:%M:%SZ")
    digits = created.translate({ord(char): None for char in "-:TZ"})
    memory_id = f"mem_{digits}_{number:08d}"
    summary = f"{who} {what} {number}" if number % 2 else f"For {who} the user wants {how} ({number})"
    body = f"{summary}. Said on {created[:10]} while working on {_WHO[number % 11]}; it holds until further notice.\n\n" * 3
    head = Frontmatter(memory_id, category, summary, (f"topic{number % 50}", who.split()[-1]), created, created,
                       f"session-{number // 20}", (f"node-{number}",))  # fmt: skip
    return f"{category}/{file_name('fact', created, memory_id)}", serialise(Document(head, body.strip()))


def fill(home: Path, count: int) -> None:
    """Put ``count`` memories below a home, as if they had been written long ago."""
    for category in CATEGORIES:
        (home / "memory" / category).mkdir(mode=0o700, parents=True, exist_ok=True)
    (home / "memory").chmod(0o700)
    home.chmod(0o700)
    for number in range(count):
        path, data = memory(number)
        file = home / "memory" / path
        file.write_bytes(data)
        file.chmod(0o600)


QUESTIONS = (
    "which port does the billing service run on",
    "how does the user like commit messages",
    "where does the importer keep its fixtures",
    "用户希望用什么语言回答",
    "topic17 staging cluster branch",
    "who owns the queue worker and where are its logs",
    "计费服务部署在哪个集群",
    "does the user want tests before the change",
)
