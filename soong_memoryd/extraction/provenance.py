"""Where the words of a proposed memory come from: what the user typed, or something else that the model read.

Owns: which texts of a window may speak in a memory. Must not know: how texts are compared (``traces``), whether the quotes
stand (``memories.evidence``), prompts, files. Pure.
The evidence gate sees to it that a proposal quotes the user. A model that was talked into something by a page can still quote
any sentence of the user and write down what the page said; here that is noticed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from soong_memoryd.extraction.traces import Traces
from soong_memoryd.extraction.window import Window, WindowNode
from soong_memoryd.memories.evidence import CONTEXT_KINDS, KEEP_WISH_REACH
from soong_memoryd.memories.proposals import CreateMemory, UpdateMemory
from soong_memoryd.memories.refusals import Refusal, refuse
from soong_memoryd.text.intent.match import bare_assent, explicit_wish, keep_wish
from soong_memoryd.text.typed import typed_text

ADDRESS = "an address in it was not given by the user; leave it out, or quote where it stands"
WORDS = "its words are those of a tool, page, paste or other memory, not of the user"
NOTHING = "nothing that the user typed is about it"

_CLAUSE_END = re.compile(r"[,.;:!?，。；：！？、\n–—]")


@dataclass(frozen=True, slots=True)
class _Own:
    """What the user said, or asked to keep, by node id; ``approved``: ids of what a quoted message agrees to, which may speak
    where no other text says the same; ``wishes``: a quoted message asks for something lasting."""

    texts: Mapping[str, str]
    approved: frozenset[str]
    wishes: bool

    @property
    def text(self) -> str:
        return "\n".join(self.texts.values())


class Provenance:
    """Judges the proposals of one job. ``memories``: what the model was shown of known memories, text by id."""

    def __init__(self, window: Window, memories: Mapping[str, str]) -> None:
        self._nodes = window.nodes
        self._summary = window.summary
        self._memories = memories
        self._traces = Traces()

    def refusal(self, proposal: CreateMemory | UpdateMemory) -> Refusal | None:
        """The refusal of a proposal whose words, or an address in it, were taken from where the user did not put them."""
        target = proposal.id if isinstance(proposal, UpdateMemory) else None
        own = self._own(proposal)
        written, known = f"{proposal.summary}\n{proposal.body}", self._memories.get(target or "", "")
        speaking = f"{own.text}\n{known}"
        nodes = list(self._foreign(own.texts.keys() | own.approved))
        others = [text for memory_id, text in self._memories.items() if memory_id != target]
        if self._traces.has_foreign_address(written, speaking, [*nodes, *others]):
            return refuse("evidence", ADDRESS)
        if self._traces.is_borrowed(written, speaking, [*nodes, *others]):
            return refuse("evidence", WORDS)
        # A wish in another language than the memory may meet a phrase of a page by chance.
        may_meet = own.wishes and self._traces.supported(written, speaking)
        if not may_meet and self._traces.is_copied(written, speaking, nodes, own.text):
            return refuse("evidence", WORDS)
        if target is not None and not own.wishes and self._only_repeats(written, own.text, known):
            return refuse("evidence", NOTHING)
        return None

    @cached_property
    def _messages(self) -> dict[str, str]:
        """What the user typed, by node id."""
        typed = (node.row for node in self._nodes if node.as_source().is_root_user_message)
        return {row.node_id: typed_text(row.text) for row in typed}

    def _own(self, proposal: CreateMemory | UpdateMemory) -> _Own:
        cited = {quote.node_id for quote in proposal.evidence} | {proposal.confirmed_by}
        may_be_shown = isinstance(proposal, UpdateMemory) or proposal.category == "reference"
        own, approved, wishes = dict(self._messages), set[str](), False
        for place, node in enumerate(self._nodes):
            if node.row.node_id not in cited:
                continue
            said = self._messages.get(node.row.node_id)
            if said is not None:
                wish = explicit_wish(said)
                wishes = wishes or wish
                if wish or _agrees(said):
                    approved |= _texts([*self._before(place, 1), *self._after(place)], {"assistant_message"}).keys()
                if keep_wish(said):
                    own[node.row.node_id] = node.row.text  # with what came along
                    own |= _texts(self._before(place, KEEP_WISH_REACH), CONTEXT_KINDS if may_be_shown else ())
            elif may_be_shown and node.as_source().is_context:
                own[node.row.node_id] = node.text  # the gate asks for the user's confirmation
        return _Own(own, frozenset(approved), wishes)

    def _foreign(self, spoken_for: Collection[str]) -> Iterator[str]:
        yield self._summary
        for node in self._nodes:
            typed = node.row.kind == "user_message" and node.row.origin == "typed"
            if node.row.node_id in self._messages or not (typed or node.row.node_id in spoken_for):
                yield node.text  # of a message also what came along with its typed words

    def _before(self, place: int, messages: int) -> Iterator[WindowNode]:
        """The nodes before one, back over so many messages of the user, itself included."""
        for node in reversed(self._nodes[:place]):
            messages -= node.row.node_id in self._messages
            if messages <= 0:
                return
            yield node

    def _after(self, place: int) -> Iterator[WindowNode]:
        """The nodes after one, up to the next message of the user."""
        for node in self._nodes[place + 1 :]:
            if node.row.node_id in self._messages:
                return
            yield node

    def _only_repeats(self, written: str, own: str, known: str) -> bool:
        """Whether an update says only what its memory says, and nothing of the user is about either."""
        about = self._traces.supported(written, own) or self._traces.supported(known, own)
        return not about and self._traces.repeats(written, known)


def _texts(nodes: Iterable[WindowNode], kinds: Collection[str]) -> dict[str, str]:
    return {node.row.node_id: node.text for node in nodes if node.row.kind in kinds}


def _agrees(said: str) -> bool:
    """Whether it opens with a yes and goes on: "exactly, always do it like that"."""
    first = _CLAUSE_END.split(said.strip(), maxsplit=1)[0]
    return bool(first) and bare_assent(first) and not bare_assent(said)
