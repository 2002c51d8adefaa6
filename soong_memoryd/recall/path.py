"""What of the active path helps to choose memories: the current request, and a digest of what was said lately.

Owns: which nodes are told and how short. Must not know: where the nodes come from, how memories are chosen. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from soong_memoryd.state.rows import NodeRow
from soong_memoryd.text.fold import one_line, truncate

MAX_DIGEST_CHARS = 2_000
_MAX_LINE_CHARS = 300
_TOLD = {"user_message": "user", "assistant_message": "assistant", "compact_summary": "summary"}


def current_request(path: Sequence[NodeRow]) -> str:
    """The last message that the person typed, or nothing."""
    return next((node.text for node in reversed(path) if _is_typed(node)), "")


def digest(path: Sequence[NodeRow]) -> str:
    """One short line for each message before the current request, the newest ones if not all fit, oldest first."""
    request = next((node for node in reversed(path) if _is_typed(node)), None)
    lines: list[str] = []
    left_chars = MAX_DIGEST_CHARS
    for node in reversed(path):
        if node is request or node.kind not in _TOLD or not node.text.strip():
            continue
        told = f"{_TOLD[node.kind]}: {truncate(one_line(node.text), _MAX_LINE_CHARS)}"
        left_chars -= len(told) + 1
        if left_chars < 0:
            break
        lines.append(told)
    return "\n".join(reversed(lines))


def _is_typed(node: NodeRow) -> bool:
    return node.kind == "user_message" and node.origin == "typed" and bool(node.text.strip())
