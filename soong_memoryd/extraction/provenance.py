"""Where the words of a proposed memory come from: what the user typed, or something else that the model read.

Owns: the comparison of a proposal with everything its job's model was shown. Must not know: whether the quotes stand
(``memories.evidence``), what an order looks like, prompts, files. Pure.
The evidence gate sees to it that a proposal quotes the user. A model that was talked into something by a page can still quote
any sentence of the user and write down what the page said; here that is noticed. Only what is traced to another text is
refused: a paraphrase in words that stand nowhere passes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from soong_memoryd.extraction.window import Window, WindowNode
from soong_memoryd.memories.evidence import CONTEXT_KINDS, KEEP_WISH_REACH
from soong_memoryd.memories.proposals import CreateMemory, UpdateMemory
from soong_memoryd.memories.quoting import comparable
from soong_memoryd.memories.refusals import Refusal, refuse
from soong_memoryd.text.intent.match import bare_assent, explicit_wish, keep_wish
from soong_memoryd.text.terms import Term, terms
from soong_memoryd.text.typed import typed_text

MIN_BORROWED_WEIGHT = 1.5
"""Fewer telling words may be shared by chance."""
MIN_BORROWED_SHARE = 0.5
"""So much of a memory's telling words must stand in one foreign text."""
BORROWED_TO_OWN = 2.0
"""And they must outweigh the user's own words in it so many times."""
MIN_TERM_WEIGHT = 0.3
"""Words that occur in notes about anything tell nothing."""

_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]{1,15}://[!-~]+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+"
    r"|(?:[\w-]{1,64}\.)+[a-z]{2,24}/[!-~]+|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]))",
    re.ASCII,
)
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]{1,15}://")
_CLAUSE_END = re.compile(r"[,.;:!?，。；：！？、\n–—]")


class Provenance:
    """Judges the proposals of one job. ``memories``: what the model was shown of known memories, text by id."""

    def __init__(self, window: Window, memories: Mapping[str, str]) -> None:
        self._window = window
        self._memories = memories
        self._telling: dict[str, dict[str, Term]] = {}

    def refusal(self, proposal: CreateMemory | UpdateMemory) -> Refusal | None:
        """The refusal of a proposal whose words, or an address in it, were taken from where the user did not put them."""
        target = proposal.id if isinstance(proposal, UpdateMemory) else None
        own = self._own(proposal, target)
        foreign = [text for text in self._foreign(own, target) if text]
        written = f"{proposal.summary}\n{proposal.body}"
        if _has_foreign_address(written, own.values(), foreign):
            return refuse("evidence", "an address in it was not given by the user; leave it out, or quote where it stands")
        if self._is_borrowed(written, "\n".join(own.values()), foreign):
            return refuse("evidence", "its words are those of a tool, page, paste or other memory, not of the user")
        return None

    @cached_property
    def _messages(self) -> dict[str, str]:
        """What the user typed, by node id."""
        nodes = self._window.nodes
        return {node.row.node_id: typed_text(node.row.text) for node in nodes if node.as_source().is_root_user_message}

    def _own(self, proposal: CreateMemory | UpdateMemory, target: str | None) -> dict[str, str]:
        """The texts that may speak in a proposal: by node id, the target memory under its id."""
        cited = {quote.node_id for quote in proposal.evidence} | {proposal.confirmed_by or ""}
        own = dict(self._messages)
        own |= {node.row.node_id: node.text for node in self._window.nodes if node.row.node_id in cited - own.keys()}
        for place, node in enumerate(self._window.nodes):
            said = self._messages.get(node.row.node_id)
            if said is None or node.row.node_id not in cited:
                continue
            if keep_wish(said):
                own[node.row.node_id] = node.row.text  # it asks to keep what came along with it
                if isinstance(proposal, CreateMemory) and proposal.category == "reference":
                    own |= _texts(self._before(place, KEEP_WISH_REACH), CONTEXT_KINDS)
            if explicit_wish(said) or _opens_with_assent(said):
                own |= _texts([*self._before(place, 1), *self._after(place)], {"assistant_message"})
        if target is not None:
            own[target] = self._memories.get(target, "")
        return own

    def _foreign(self, own: Collection[str], target: str | None) -> Iterator[str]:
        yield self._window.summary
        for node in self._window.nodes:
            typed = node.row.kind == "user_message" and node.row.origin == "typed"
            if node.row.node_id in self._messages or not (typed or node.row.node_id in own):
                yield node.text  # of a message also what came along with its typed words
        for memory_id, text in self._memories.items():
            if memory_id != target:
                yield text

    def _before(self, place: int, messages: int) -> Iterator[WindowNode]:
        """The nodes before one, back over so many messages of the user."""
        for node in reversed(self._window.nodes[:place]):
            messages -= node.row.node_id in self._messages
            if messages <= 0:
                return
            yield node

    def _after(self, place: int) -> Iterator[WindowNode]:
        """The nodes after one, up to the next message of the user."""
        for node in self._window.nodes[place + 1 :]:
            if node.row.node_id in self._messages:
                return
            yield node

    def _is_borrowed(self, written: str, own: str, foreign: Iterable[str]) -> bool:
        telling, given = self._terms(written), self._terms(own)
        topics = {topic for term in given.values() for topic, _ in term.also}
        supported = {key for key, term in telling.items() if key in given or any(topic in topics for topic, _ in term.also)}
        enough = max(
            MIN_BORROWED_WEIGHT,
            MIN_BORROWED_SHARE * _weight(telling, telling),
            BORROWED_TO_OWN * _weight(telling, supported),
        )
        loose = telling.keys() - supported
        return any(_weight(telling, loose & self._terms(text).keys()) >= enough for text in foreign)

    def _terms(self, text: str) -> dict[str, Term]:
        if text not in self._telling:
            self._telling[text] = {term.key: term for term in terms(text) if term.weight >= MIN_TERM_WEIGHT}
        return self._telling[text]


def _texts(nodes: Iterable[WindowNode], kinds: Collection[str]) -> dict[str, str]:
    return {node.row.node_id: node.text for node in nodes if node.row.kind in kinds}


def _opens_with_assent(said: str) -> bool:
    first = _CLAUSE_END.split(said.strip(), maxsplit=1)[0]
    return bool(first) and bare_assent(first)


def _has_foreign_address(written: str, own: Iterable[str], foreign: Sequence[str]) -> bool:
    given, elsewhere = comparable("\n".join(own)), comparable("\n".join(foreign))
    addresses = (_SCHEME.sub("", found).rstrip("/.,;:!?)]}>'\"") for found in _ADDRESS.findall(comparable(written)))
    return any(address not in given and address in elsewhere for address in addresses if address)


def _weight(among: Mapping[str, Term], keys: Iterable[str]) -> float:
    return sum(among[key].weight for key in keys)
