"""The evidence gate: a memory needs words that the user typed, or confirmed.

Owns: which quotes prove a memory, and which nodes become its sources. Must not know: the model, files, SQLite, prompts.
A model can be talked into anything by what it reads; this decides without one. Both texts are brought to one form before
they are compared (``quoting``), so a quote may differ in typography and escapes but never in its words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from soong_memoryd.memories.quoting import comparable, stands_in, trimmed
from soong_memoryd.memories.refusals import Refusal, refuse, strongest
from soong_memoryd.memories.schema import EvidenceRef
from soong_memoryd.text.intent.match import bare_assent, keep_wish
from soong_memoryd.text.terms import terms
from soong_memoryd.text.typed import typed_text

KEEP_WISH_REACH = 3
"""A wish that names nothing ("save that") reaches back over so many root user messages, itself included."""

CONTEXT_KINDS = frozenset({"tool_result", "assistant_message"})


@dataclass(frozen=True, slots=True)
class SourceNode:
    """A node of the scan window as evidence sees it.

    ``text`` is what the model was shown of it (of a tool result: summary and artifact refs). ``after_cursor``: it was not
    scanned before; of those only a ``candidate`` may prove anything (a resumed transcript is none). Before the cursor the
    window itself vouches for what it holds.
    """

    node_id: str
    kind: str
    origin: str
    agent_kind: str
    text: str
    sequence: int
    candidate: bool
    after_cursor: bool

    @property
    def is_root_user_message(self) -> bool:
        """Whether a person typed it to the main agent."""
        return (
            self.kind == "user_message"
            and self.origin == "typed"
            and self.agent_kind == "main"
            and (self.candidate or not self.after_cursor)
        )

    @property
    def is_context(self) -> bool:
        """Whether it is tool or assistant text that the user can have seen in the main thread."""
        return self.kind in CONTEXT_KINDS and self.origin != "synthetic" and self.agent_kind == "main"


@dataclass(frozen=True, slots=True)
class Quote:
    """What the model claims to stand in a node, word for word."""

    node_id: str
    quote: str


@dataclass(frozen=True, slots=True)
class EvidenceVerdict:
    """``refusal``, or the nodes that prove a memory in their order, the confirming one included.

    ``evidence`` and ``confirmed_by`` are filled for a reference that rests on tool or assistant text.
    """

    refusal: Refusal | None
    source_node_ids: tuple[str, ...] = ()
    evidence: tuple[EvidenceRef, ...] = ()
    confirmed_by: str | None = None


def check_evidence(
    category: str,
    quotes: Sequence[Quote],
    confirmed_by: str | None,
    nodes: Mapping[str, SourceNode],
    forgotten: Collection[str] = frozenset(),
) -> EvidenceVerdict:
    """Judge the evidence of one proposal; ``nodes`` are the window's, ``forgotten`` node ids that may never prove anything.

    Every quote must stand in its node, and one of a root user message after the cursor must say something. A reference may
    quote tool or assistant text instead; then a later root user message must name it or ask to keep it. Where the model
    names no such message, one among the quoted ones will do. A confirmation that is not needed is not recorded.
    """
    if not quotes:
        return EvidenceVerdict(refuse("no_evidence"))
    problems: list[Refusal] = []
    for number, quote in enumerate(quotes, start=1):
        problem = _quote_problem(category, quote, nodes)
        if problem:
            problems.append(refuse("evidence", f"quote {number}: {problem}"))
    if any(quote.node_id in forgotten for quote in quotes):
        problems.append(refuse("forgotten"))
    refusal = strongest(problems)
    if refusal is not None:
        return EvidenceVerdict(refusal)
    cited = [(nodes[quote.node_id], quote) for quote in quotes]
    context = [(node, quote) for node, quote in cited if node.is_context]
    if context:
        return _confirmed(cited, context, confirmed_by, nodes, forgotten)
    if not any(node.after_cursor and _says_something(node, quote) for node, quote in cited):
        return EvidenceVerdict(refuse("evidence", "no quote of a new message says it; a bare yes proves nothing by itself"))
    return EvidenceVerdict(None, _in_order(node for node, _ in cited))


def _quote_problem(category: str, quote: Quote, nodes: Mapping[str, SourceNode]) -> str | None:
    node = nodes.get(quote.node_id)
    if node is None:
        return "there is no such message in this request"
    if not node.is_root_user_message and not (category == "reference" and node.is_context):
        return "only what the user typed proves this; quote the user's own message"
    words = typed_text(node.text) if node.is_root_user_message else node.text
    return None if stands_in(quote.quote, words) else "these words do not stand there; copy eight letters or more exactly"


def _says_something(node: SourceNode, quote: Quote) -> bool:
    return not bare_assent(quote.quote) and not bare_assent(typed_text(node.text))


def _confirmed(
    cited: Sequence[tuple[SourceNode, Quote]],
    context: Sequence[tuple[SourceNode, Quote]],
    confirmed_by: str | None,
    nodes: Mapping[str, SourceNode],
    forgotten: Collection[str],
) -> EvidenceVerdict:
    named = [node for node in (nodes.get(confirmed_by or ""),) if node is not None]
    quoted = [node for node, _ in cited if node.is_root_user_message]
    confirming = next((node for node in [*named, *quoted] if _confirms(node, context, nodes)), None)
    if confirming is None:
        lacking = "tool and assistant text needs a later user message that names it or asks to keep it"
        return EvidenceVerdict(refuse("evidence", lacking))
    if confirming.node_id in forgotten:
        return EvidenceVerdict(refuse("forgotten"))
    sources = _in_order([*(node for node, _ in cited), confirming])
    refs = tuple(EvidenceRef(node_id, nodes[node_id].kind) for node_id in sources)
    return EvidenceVerdict(None, sources, refs, confirming.node_id)


def _confirms(message: SourceNode, context: Sequence[tuple[SourceNode, Quote]], nodes: Mapping[str, SourceNode]) -> bool:
    if not message.is_root_user_message or not message.after_cursor:
        return False
    if any(message.sequence <= node.sequence for node, _ in context):
        return False
    said = typed_text(message.text)
    wishes = keep_wish(said)
    return all(
        names(said, quote.quote) or (wishes and _messages_between(node, message, nodes) <= KEEP_WISH_REACH)
        for node, quote in context
    )


def names(message: str, quote: str) -> bool:
    """Whether a message names what a quote says: an address or identifier of it, or the words that tell it apart.

    Two ordinary words that both share are enough, or one that is at least half of what the quote says.
    """
    said = comparable(message)
    if _DENIAL.match(said):
        return False
    if any(identifier in said for identifier in _identifiers(comparable(quote))):
        return True
    said_keys = {term.key for term in terms(message)}
    weights = {term.key: term.weight for term in terms(quote)}
    shared = sum(weight for key, weight in weights.items() if key in said_keys)
    return shared >= 2 or (shared >= 1 and 2 * shared >= sum(weights.values()))


def _identifiers(text: str) -> list[str]:
    """Addresses, versions, dotted and numbered names; of an address its host as well."""
    words = [trimmed(word) for word in _WORD.findall(text)]
    words += [word.split("://", 1)[1].partition("/")[0] for word in words if "://" in word]
    return [word for word in words if len(word) >= _MIN_IDENTIFIER_CHARS and _TELLING_CHAR.search(word)]


def _messages_between(source: SourceNode, message: SourceNode, nodes: Mapping[str, SourceNode]) -> int:
    """Root user messages after ``source`` up to ``message``, it included."""
    messages = (node.sequence for node in nodes.values() if node.is_root_user_message)
    return sum(1 for sequence in messages if source.sequence < sequence <= message.sequence)


def _in_order(nodes: Iterable[SourceNode]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(node.node_id for node in sorted(nodes, key=lambda node: node.sequence)))


_MIN_IDENTIFIER_CHARS = 5
_WORD = re.compile(r"[!-~]+")  # addresses and identifiers are ASCII, also between East Asian characters
_TELLING_CHAR = re.compile(r"[0-9.:@_#]")
_DENIAL = re.compile(r"(?:no|nope|nah|wrong|not|don't|do not|never mind|nein|non)\b|不是|不对|不要|别|错|違い|아니")
