"""The prompt of one extraction job.

Owns: the order (stable first, variable last), the labels, and the fences that no text inside can close or forge.
Must not know: what the model answers, files, providers. Pure: the date is handed in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from soong_memoryd.extraction import rules
from soong_memoryd.extraction.prescreen import Screening, line
from soong_memoryd.extraction.toolspecs import TOOLS
from soong_memoryd.extraction.window import Window, WindowNode
from soong_memoryd.llm.conversation import Conversation, Facts, KnownMemory, Message
from soong_memoryd.text.fold import strip_controls
from soong_memoryd.text.tokens import estimate_tokens

PROMPT_VERSION = rules.PROMPT_VERSION
ROLES = {
    "user_message": "user",
    "assistant_message": "assistant",
    "tool_result": "tool",
    "memory_context": "memory",
    "other": "other",
}
_PLAIN_ID = re.compile(r"(?!seq:)\w[\w.:@/+-]{0,99}\Z")
_GAP = r"[\s\u200d\ufe00-\ufe0f]*"
_TAG = re.compile(rf"<(?={_GAP}/?{_GAP}(?:node|memory|memories|summary|path)\b)", re.IGNORECASE)
_CHARS_A_TOKEN = 4


def label(node: WindowNode) -> str:
    """The name under which a node is cited: its id, or one made from its sequence where the id could be misread."""
    return node.row.node_id if _PLAIN_ID.match(node.row.node_id) else f"seq:{node.row.sequence}"


def fence(text: str) -> str:
    """``text`` without anything that opens or closes one of our elements, and without characters that nobody sees.

    The full-width sign stands in for ``<``: it is visibly another one, and comparing folds it back, so a quote still fits.
    """
    return _TAG.sub("＜", strip_controls(text))


def build(window: Window, screening: Screening, bodies: Mapping[str, str], today: str) -> Conversation:
    """The first request of a job.

    ``bodies``: by memory id, for the likely duplicates; all texts of memories redacted by the caller. ``today``: ISO date.
    """
    parts = (_memories(screening, bodies), _conversation(window), _request(window, today))
    return Conversation(
        system=rules.SYSTEM,
        user="\n\n".join(parts),
        tools=TOOLS,
        facts=Facts(
            messages=tuple(Message(label(node), node.row.text) for node in window.messages),
            memories=tuple(
                KnownMemory(m.id, m.category, m.summary, f"{m.summary}\n{bodies.get(m.id, '')}".strip())
                for m in screening.offered
            ),
        ),
    )


def fixed_tokens() -> int:
    """What every prompt costs before a word of the conversation: the rules and the tools, estimated."""
    tools = sum(len(str(spec.parameters)) + len(spec.description) + len(spec.name) for spec in TOOLS)
    return estimate_tokens(rules.SYSTEM) + tools // _CHARS_A_TOKEN


def memory_text(memory_id: str, body: str) -> str:
    """One memory's body in its fence."""
    return f'<memory id="{memory_id}">\n{fence(body)}\n</memory>'


def _memories(screening: Screening, bodies: Mapping[str, str]) -> str:
    if not screening.offered:
        return "# Known memories\nNone yet."
    hidden = screening.total - len(screening.offered)
    more = f" ({hidden} more that seem unrelated are not listed)" if hidden else ""
    lines = "\n".join(fence(line(memory)) for memory in screening.offered)
    listed = f"# Known memories{more}\n<memories>\n{lines}\n</memories>"
    shown = [memory_text(memory.id, bodies[memory.id]) for memory in screening.offered if memory.id in bodies]
    return "\n".join((listed, *(("Bodies of those that may be about the same:", *shown) if shown else ())))


def _conversation(window: Window) -> str:
    parts = ["# Conversation"]
    if window.summary:
        parts.append(f"<summary>\n{fence(window.summary)}\n</summary>")
    if window.digest:
        digest = "\n".join(f"- {fence(said)}" for said in window.digest)
        parts.append(f"<path>\n{digest}\n</path>")
    parts += [_node(node) for node in window.nodes]
    return "\n".join(parts)


def _node(node: WindowNode) -> str:
    row = node.row
    date = f' date="{row.created_at[:10]}"' if node.use == "new" else ""
    attributes = f'id="{label(node)}" role="{ROLES.get(row.kind, "other")}" origin="{row.origin}" use="{node.use}"{date}'
    return f"<node {attributes}>\n{fence(node.text) or '[text no longer kept]'}\n</node>"


def _request(window: Window, today: str) -> str:
    count = len(window.messages)
    return f'Today is {today}. Examine the messages with use="new" ({count} in all) and make all calls now, finish last.'
