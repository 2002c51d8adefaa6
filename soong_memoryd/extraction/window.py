"""Which part of a conversation one extraction job reads: fixed once, before the model is asked.

Owns: which root user messages enter a window, where the cursor goes, and what of the nodes around them is shown.
Must not know: prompts, models, memories, SQLite, the clock. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from soong_memoryd.extraction.excerpts import cut, shown_text, source_text
from soong_memoryd.memories.evidence import SourceNode
from soong_memoryd.state.rows import NodeRow, Scan
from soong_memoryd.text.fold import one_line, truncate
from soong_memoryd.text.tokens import estimate_tokens

NODE_OVERHEAD_TOKENS = 24  # the label and the fence of one node
MIN_BUDGET_TOKENS = 256  # below this no message could be read at all, however often a window was halved
EARLIER_SHARE = 5  # one fifth of the budget may go to what was scanned before
EARLIER_MESSAGES = 2  # so many scanned messages are enough for "save that" to have a "that"
FOLLOWING_TOKENS = 800  # what may stand between one message and the next
FOLLOWING_NODES = 12
SUMMARY_TOKENS, SUMMARY_SHARE = 800, 10  # the compact summary: at most so much, and no more than a tenth of the budget
DIGEST_LINES, DIGEST_LINE_SHARE = 8, 500  # lines, and no more than one for each so many tokens of the budget
DIGEST_CHARS = 100


@dataclass(frozen=True, slots=True)
class WindowNode:
    """One node as the model sees it: ``text`` may be cut; ``use`` is ``new`` (to be examined), ``scanned`` or ``context``."""

    row: NodeRow
    text: str
    use: str

    def as_source(self) -> SourceNode:
        """The node as evidence is checked against: its whole text. What only explains was never scanned and never will be."""
        return SourceNode(
            node_id=self.row.node_id,
            kind=self.row.kind,
            origin=self.row.origin,
            agent_kind=self.row.agent_kind,
            text=source_text(self.row),
            sequence=self.row.sequence,
            candidate=self.use in ("new", "scanned"),
            after_cursor=self.use != "scanned",
        )


@dataclass(frozen=True, slots=True)
class Window:
    """One job's reading matter. ``from_sequence``..``to_sequence`` (inclusive) counts as scanned once the job completed."""

    session_id: str
    cursor: int
    to_sequence: int
    nodes: tuple[WindowNode, ...]
    summary: str
    digest: tuple[str, ...]
    more: bool

    @property
    def from_sequence(self) -> int:
        """The first sequence after the cursor."""
        return self.cursor + 1

    @property
    def messages(self) -> tuple[WindowNode, ...]:
        """The root user messages to be examined, in order."""
        return tuple(node for node in self.nodes if node.use == "new")


@dataclass(frozen=True, slots=True)
class _Segment:
    """A candidate and what followed it up to the next one: the unit that enters a window whole."""

    candidate: NodeRow
    following: tuple[WindowNode, ...]

    @property
    def following_tokens(self) -> int:
        return sum(_tokens(node) for node in self.following)

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.candidate.text) + NODE_OVERHEAD_TOKENS + self.following_tokens


def fix_window(source: Scan, budget_tokens: int, halvings: int = 0) -> Window | None:
    """The next window of a session, or None when no root user message waits.

    Candidates enter in order while they fit; the first always does, cut where it must be. ``budget_tokens`` is the room for
    nodes, in estimated tokens; each halving halves it, or what is there if that is less, so that it bites on short windows.
    """
    path = [node for node in source.nodes if _on_main_path(node) and node.sequence <= source.limit_sequence]
    path.sort(key=lambda node: node.sequence)
    candidates = [node for node in path if _is_root_message(node) and node.candidate and node.sequence > source.cursor]
    if not candidates:
        return None
    first = candidates[0]
    segments = _segments(path, candidates)
    whole = sum(segment.tokens for segment in segments)
    available = min(budget_tokens, whole) if halvings else budget_tokens
    budget = max(MIN_BUDGET_TOKENS, available >> halvings)
    earlier = _earlier([node for node in path if node.sequence < first.sequence], budget // EARLIER_SHARE, source.cursor)
    chosen = _fitting(segments, budget - sum(_tokens(node) for node in earlier))
    left_out = candidates[len(chosen) :]
    nodes = (*earlier, *(node for segment in chosen for node in segment))
    summary = _current_summary(path)
    return Window(
        session_id=source.session_id,
        cursor=source.cursor,
        to_sequence=left_out[0].sequence - 1 if left_out else source.limit_sequence,
        nodes=nodes,
        summary=cut(summary.text, min(SUMMARY_TOKENS, budget_tokens // SUMMARY_SHARE)) if summary else "",
        digest=_digest(path, nodes[0].row.sequence, summary, min(DIGEST_LINES, budget_tokens // DIGEST_LINE_SHARE)),
        more=bool(left_out) or source.truncated,
    )


def _on_main_path(node: NodeRow) -> bool:
    return node.agent_kind == "main" and not node.abandoned


def _is_root_message(node: NodeRow) -> bool:
    return node.kind == "user_message" and node.origin == "typed"


def _tokens(node: WindowNode) -> int:
    return estimate_tokens(node.text) + NODE_OVERHEAD_TOKENS


def _segments(path: Sequence[NodeRow], candidates: Sequence[NodeRow]) -> list[_Segment]:
    wanted = {node.sequence for node in candidates}
    starts = [index for index, node in enumerate(path) if node.sequence in wanted]
    ends = [*starts[1:], len(path)]
    return [
        _Segment(path[start], _latest(path[start + 1 : end], FOLLOWING_TOKENS)) for start, end in zip(starts, ends, strict=True)
    ]


def _latest(rows: Sequence[NodeRow], budget_tokens: int, cursor: int | None = None) -> tuple[WindowNode, ...]:
    """The latest of these nodes that fit: what is nearest to the next message explains it best."""
    taken: list[WindowNode] = []
    for row in reversed(rows):
        text = shown_text(row)
        if text is None:
            continue
        scanned = cursor is not None and _is_root_message(row) and row.candidate and row.sequence <= cursor
        node = WindowNode(row, text, "scanned" if scanned else "context")
        budget_tokens -= _tokens(node)
        if budget_tokens < 0 or len(taken) == FOLLOWING_NODES:
            break
        taken.append(node)
    return tuple(reversed(taken))


def _earlier(rows: Sequence[NodeRow], budget_tokens: int, cursor: int) -> tuple[WindowNode, ...]:
    messages = [node.sequence for node in rows if _is_root_message(node)]
    start = messages[-EARLIER_MESSAGES] if len(messages) >= EARLIER_MESSAGES else 0
    return _latest([node for node in rows if node.sequence >= start], budget_tokens, cursor)


def _fitting(segments: Sequence[_Segment], budget_tokens: int) -> list[tuple[WindowNode, ...]]:
    chosen: list[tuple[WindowNode, ...]] = []
    for segment in segments:
        if segment.tokens > budget_tokens:
            if not chosen:
                chosen.append(_cut_to_fit(segment, budget_tokens))
            break
        budget_tokens -= segment.tokens
        chosen.append((WindowNode(segment.candidate, segment.candidate.text, "new"), *segment.following))
    return chosen


def _cut_to_fit(segment: _Segment, budget_tokens: int) -> tuple[WindowNode, ...]:
    """The message goes first: what followed it stays only where there is room besides."""
    room = budget_tokens - NODE_OVERHEAD_TOKENS
    following = segment.following if segment.following_tokens <= room // 4 else ()
    room -= segment.following_tokens if following else 0
    return (WindowNode(segment.candidate, cut(segment.candidate.text, max(room, 1)), "new"), *following)


def _current_summary(path: Sequence[NodeRow]) -> NodeRow | None:
    return next((node for node in reversed(path) if node.kind == "compact_summary"), None)


def _digest(path: Sequence[NodeRow], before_sequence: int, summary: NodeRow | None, max_lines: int) -> tuple[str, ...]:
    """One line for each of the last messages on the active path that the window itself does not show."""
    since = summary.sequence if summary else 0
    texts = [n.text for n in path if _is_root_message(n) and since < n.sequence < before_sequence and n.text]
    return tuple(truncate(one_line(text), DIGEST_CHARS) for text in texts[max(0, len(texts) - max_lines) :])
