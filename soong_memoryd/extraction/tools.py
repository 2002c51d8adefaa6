"""Applies what a model called to a Memory Writer, call by call, and says what became of each.

Owns: the meaning of the four tools during one attempt, and which proposals stand refused.
Must not know: how the model is reached, when it is asked again, how files are committed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from soong_memoryd.extraction.closing import Finish
from soong_memoryd.extraction.prompt import label, memory_text
from soong_memoryd.extraction.proposals import FORM, OWN_REFUSALS, Proposal, Refused
from soong_memoryd.extraction.provenance import Provenance
from soong_memoryd.extraction.rules import IGNORE_REASONS
from soong_memoryd.extraction.toolspecs import CREATE, FINISH, READ, UPDATE
from soong_memoryd.extraction.window import Window
from soong_memoryd.llm.conversation import Answer, ToolCall
from soong_memoryd.memories.proposals import CreateMemory, UpdateMemory
from soong_memoryd.memories.refusals import Refusal
from soong_memoryd.memories.writer import MemoryWriter, Staged

STAGED, NOTED = "staged", "noted"
_SHAPES: Mapping[str, type[CreateMemory] | type[UpdateMemory]] = {CREATE: CreateMemory, UPDATE: UpdateMemory}
Noted = tuple[str, tuple[str, ...]]  # (reason or memory id, node ids)


class Workbench:
    """One attempt's tools: stages through the writer, remembers what stands refused and what ``finish`` said.

    ``known``: what the model was shown of the memories that may be read and updated, by id; ``shown``: those whose bodies
    it has seen.
    """

    def __init__(self, writer: MemoryWriter, window: Window, known: Mapping[str, str], shown: Collection[str]) -> None:
        self._writer = writer
        self._known_texts = dict(known)
        self._provenance = Provenance(window, self._known_texts)
        self._node_ids = {name: n.row.node_id for n in window.nodes for name in (label(n), n.row.node_id)}
        self._offered = frozenset(known)
        self._shown = set(shown)
        self._staged: set[str] = set()
        self._ignored: dict[Noted, None] = {}
        self._duplicates: dict[Noted, None] = {}
        self.finished = False
        self.standing: list[Refused] = []
        self.fresh: list[Refused] = []

    @property
    def ignored(self) -> tuple[Noted, ...]:
        """(reason, node ids) that the model dropped; reasons from the fixed list."""
        return tuple(self._ignored)

    @property
    def duplicates(self) -> tuple[Noted, ...]:
        """(memory id, node ids) of what is known already; offered ids only."""
        return tuple(self._duplicates)

    def bodies_wanted(self, answer: Answer, *, may_read: bool = True) -> tuple[str, ...]:
        """The offered memories whose bodies these calls need: to be read (while that is allowed), or merged into unseen."""
        wanted = [_body_needed(call) for call in answer.calls if may_read or call.name != READ]
        return tuple(dict.fromkeys(i for i in wanted if i in self._offered - self._shown))

    def apply(self, answer: Answer, bodies: Mapping[str, str]) -> tuple[str, ...]:
        """Apply the calls of one answer in order; one result a call, ``staged`` or ``refused: <code>: <why>`` where it writes.

        ``bodies``: the redacted texts of ``bodies_wanted``. Afterwards ``fresh`` holds what was refused for the first time,
        ``standing`` everything refused that was not replaced by a later proposal.
        """
        earlier, self.standing = self.standing, []
        for memory_id, body in bodies.items():
            self._known_texts[memory_id] += f"\n{body}"
        results = tuple(self._apply(call, bodies, earlier) for call in answer.calls)
        self._shown |= set(bodies)
        self.fresh = [refused for refused in self.standing if not refused.mended]
        if any(call.name in (CREATE, UPDATE, FINISH) and call.arguments is not None for call in answer.calls):
            # An unknown tool proposes nothing by itself: it is settled once the model uses the ones there are.
            earlier = [refused for refused in earlier if refused.code != "unknown_tool"]
        self.standing = earlier + self.standing
        return results

    def _apply(self, call: ToolCall, bodies: Mapping[str, str], earlier: list[Refused]) -> str:
        if call.name == READ:
            return self._read(call, bodies)
        if call.name == FINISH:
            return self._finish(call)
        proposal = self._proposal(call)
        if call.name not in _SHAPES:
            return self._refuse(proposal, "unknown_tool", earlier)
        if call.arguments is None:
            return self._refuse(proposal, "schema", earlier)
        try:
            arguments = _SHAPES[call.name].model_validate(self._translated(call.arguments))
        except ValidationError as error:
            return self._refuse(proposal, "schema", earlier, _where(error))
        unread = bodies.get(_body_needed(call))
        if unread is not None:
            return f"{self._refuse(proposal, 'unread', earlier)}\n{memory_text(_body_needed(call), unread)}"
        outcome = self._stage(arguments)
        if isinstance(outcome, Refusal):
            return self._refuse(proposal, outcome.code, earlier, outcome.why, outcome.kind)
        if outcome.memory_id not in self._staged:  # where answers are JSON text, a model may repeat all that it said
            self._staged.add(outcome.memory_id)
            _replaces_one(proposal, earlier)
        return STAGED

    def _stage(self, arguments: CreateMemory | UpdateMemory) -> Staged | Refusal:
        borrowed = self._provenance.refusal(arguments)
        if borrowed is not None:
            return borrowed
        if isinstance(arguments, CreateMemory):
            return self._writer.create(arguments)
        return self._writer.update(arguments)

    def _refuse(self, proposal: Proposal, code: str, earlier: list[Refused], why: str = "", kind: str = FORM) -> str:
        self.standing.append(Refused(proposal, code, kind, _replaces_one(proposal, earlier)))
        return f"refused: {code}: {why or OWN_REFUSALS[code]}"

    def _read(self, call: ToolCall, bodies: Mapping[str, str]) -> str:
        memory_id = _body_needed(call)
        if memory_id not in self._offered:
            return "refused: not_offered: only a listed memory can be read"
        if memory_id in bodies:
            return memory_text(memory_id, bodies[memory_id])
        return "shown above" if memory_id in self._shown else "refused: limit: no more reading"

    def _finish(self, call: ToolCall) -> str:
        try:
            said = Finish.model_validate(call.arguments)
        except ValidationError as error:
            return f"refused: schema: {_where(error)}"
        for ignored in said.ignored:
            reason = ignored.reason if ignored.reason in IGNORE_REASONS else "other"
            self._ignored[(reason, self._known(ignored.source_node_ids))] = None
        for known in said.duplicates:
            node_ids = self._known(known.source_node_ids)
            if known.memory_id in self._offered:
                self._duplicates[(known.memory_id, node_ids)] = None
            else:
                self._ignored[("refused_not_offered", node_ids)] = None
        self.finished = True
        return NOTED

    def _known(self, names: Iterable[object]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._node_ids[n] for n in names if isinstance(n, str) and n in self._node_ids))

    def _translated(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments with node ids for labels."""
        said = {**arguments, "confirmed_by": self._node_id(arguments.get("confirmed_by"))}
        if isinstance(said.get("evidence"), list):
            said["evidence"] = [self._translated_quote(quote) for quote in said["evidence"]]
        return said

    def _translated_quote(self, quote: object) -> object:
        return {**quote, "node_id": self._node_id(quote.get("node_id"))} if isinstance(quote, dict) else quote

    def _node_id(self, name: object) -> object:
        return self._node_ids.get(name.strip(), name) if isinstance(name, str) else name

    def _proposal(self, call: ToolCall) -> Proposal:
        arguments = call.arguments or {}
        texts = {key: value for key, value in arguments.items() if isinstance(value, str)}
        quotes = arguments.get("evidence")
        node_ids = self._known(q.get("node_id") for q in (quotes if isinstance(quotes, list) else []) if isinstance(q, dict))
        return Proposal(call.name, texts.get("id"), texts.get("name"), texts.get("summary"), frozenset(node_ids))


def _body_needed(call: ToolCall) -> str:
    """The memory whose body must be known before this call counts; empty for none.

    A merge into a text that the model never saw would lose what it says; a conflict replaces the text anyway.
    """
    arguments = call.arguments or {}
    merges = call.name == UPDATE and str(arguments.get("relation")).strip().lower() == "update"
    named = arguments.get("id", arguments.get("memory_id")) if merges or call.name == READ else None
    return named.strip() if isinstance(named, str) else ""


def _replaces_one(proposal: Proposal, earlier: list[Refused]) -> bool:
    """Take the refused proposal that this one repeats off the list; whether there was one."""
    likeness = [proposal.likeness(refused.proposal) for refused in earlier]
    if not any(likeness):
        return False
    del earlier[likeness.index(max(likeness))]
    return True


def _where(error: ValidationError) -> str:
    """Which arguments are wrong and how, never what they hold."""
    problems = [(".".join(str(part) for part in found["loc"]), found["type"]) for found in error.errors(include_input=False)]
    return "; ".join(f"{where or 'arguments'}: {kind}" for where, kind in problems[:6])
