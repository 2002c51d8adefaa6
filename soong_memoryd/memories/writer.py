"""The Memory Writer: the one way in which an extraction job changes memories.

Owns: what one job has staged, and the checks between a proposal and a file. Must not know: models, prompts, how files are
committed, the clock, randomness. What the model wrote is stored byte for byte or refused; it is never rewritten.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from soong_memoryd.clock import timestamp
from soong_memoryd.errors import InvalidDocument
from soong_memoryd.memories.change import Change
from soong_memoryd.memories.content import content_refusals
from soong_memoryd.memories.document import serialise
from soong_memoryd.memories.evidence import EvidenceVerdict, Quote, SourceNode, check_evidence
from soong_memoryd.memories.index import Entry, Snapshot
from soong_memoryd.memories.naming import collision_key, file_name
from soong_memoryd.memories.proposals import CreateMemory, QuoteIn, UpdateMemory
from soong_memoryd.memories.refusals import Refusal, refuse, strongest
from soong_memoryd.memories.schema import Document, Frontmatter, time_order
from soong_memoryd.text.fold import fold

__all__ = ["Change", "CreateMemory", "MemoryWriter", "Outcome", "QuoteIn", "Staged", "UpdateMemory"]

MIN_CREATES = 8
CREATES_PER_ROOT_MESSAGE = 2
_ID_ATTEMPTS = 8
_REMEMBERED_SUMMARIES = 32_768  # every job that creates something compares the same ones


@dataclass(frozen=True, slots=True)
class Staged:
    """A proposal that will be committed with the job; ``path`` is relative to the memory directory."""

    memory_id: str
    path: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the completed event says of the staged changes; a conflict is in ``updated`` as well."""

    created: tuple[str, ...]
    updated: tuple[str, ...]
    conflicts: tuple[tuple[str, tuple[str, ...]], ...]  # (memory id, the nodes that overruled it)
    source_node_ids: tuple[str, ...]
    files_changed: tuple[str, ...]


class MemoryWriter:
    """Checks and stages the proposals of one job.

    ``snapshot`` is what the job read; ``offered`` the memory ids it may update; ``nodes`` the window's nodes by id;
    ``secret_refusal`` names the kind of secret in a text, or gives None; ``forgotten`` are node ids of this session that may
    prove nothing any more; ``root_messages`` counts the root user messages of the window.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        offered: frozenset[str],
        nodes: Mapping[str, SourceNode],
        session_id: str,
        now_wall_seconds: float,
        new_id: Callable[[], str],
        secret_refusal: Callable[[str], str | None],
        forgotten: frozenset[str],
        root_messages: int,
    ) -> None:
        self._snapshot = snapshot
        self._offered = offered
        self._nodes = nodes
        self._session_id = session_id
        self._now = timestamp(now_wall_seconds)
        self._new_id = new_id
        self._secret_refusal = secret_refusal
        self._forgotten = forgotten
        self._max_creates = max(MIN_CREATES, CREATES_PER_ROOT_MESSAGE * root_messages)
        self._staged: dict[str, _Staging] = {}

    @property
    def changes(self) -> tuple[Change, ...]:
        """The files of the commit, in the order in which they were proposed."""
        return tuple(staging.change for staging in self._staged.values())

    @property
    def outcome(self) -> Outcome:
        """The staged changes in the words of the completed event."""
        changes = self.changes
        return Outcome(
            created=tuple(change.memory_id for change in changes if change.op == "create"),
            updated=tuple(change.memory_id for change in changes if change.op == "update"),
            conflicts=tuple((change.memory_id, change.source_node_ids) for change in changes if change.relation == "conflict"),
            source_node_ids=_joined(change.source_node_ids for change in changes),
            files_changed=tuple(change.path for change in changes),
        )

    def create(self, proposal: CreateMemory) -> Staged | Refusal:
        """Stage a new memory, or say what is wrong with it. The same call again is staged once."""
        again = next((staging.result for staging in self._staged.values() if staging.proposal == proposal), None)
        if again is not None:
            return again
        verdict = self._judge(proposal.category, proposal)
        refusals = self._refusals(proposal.name, proposal, verdict)
        if self._is_known(proposal):
            refusals.append(refuse("duplicate", "a memory of this category has this summary; update that one"))
        if sum(staging.change.op == "create" for staging in self._staged.values()) >= self._max_creates:
            refusals.append(refuse("limit", f"at most {self._max_creates}"))
        refusal = strongest(refusals)
        return refusal if refusal is not None else self._stage_new(proposal, verdict)

    def update(self, proposal: UpdateMemory) -> Staged | Refusal:
        """Stage new text for an offered memory; its id, category, path and creation time stay."""
        staged = self._staged.get(proposal.id)
        if staged is not None:
            return staged.result if staged.proposal == proposal else refuse("duplicate", "this memory was changed already")
        entry = self._snapshot.by_id.get(proposal.id)
        if entry is None or proposal.id not in self._offered:
            return refuse("not_offered")
        verdict = self._judge(entry.frontmatter.category, proposal)
        refusal = strongest(self._refusals(None, proposal, verdict))
        return refusal if refusal is not None else self._stage_update(proposal, entry, verdict)

    def _judge(self, category: str, proposal: CreateMemory | UpdateMemory) -> EvidenceVerdict:
        quotes = [Quote(item.node_id, item.quote) for item in proposal.evidence]
        return check_evidence(category, quotes, proposal.confirmed_by, self._nodes, self._forgotten)

    def _refusals(self, name: str | None, proposal: CreateMemory | UpdateMemory, verdict: EvidenceVerdict) -> list[Refusal]:
        found = content_refusals(name, proposal.summary, proposal.tags, proposal.body, self._secret_refusal)
        return found if verdict.refusal is None else [verdict.refusal, *found]

    @cached_property
    def _taken_paths(self) -> frozenset[str]:
        return self._snapshot.taken_paths()

    @cached_property
    def _stored_summaries(self) -> frozenset[tuple[str, str]]:
        heads = (entry.frontmatter for entry in self._snapshot.entries)
        return frozenset((head.category, _folded(head.summary)) for head in heads)

    def _is_known(self, proposal: CreateMemory) -> bool:
        key = (proposal.category, fold(proposal.summary))
        proposals = [staging.proposal for staging in self._staged.values()]
        staged = {(other.category, fold(other.summary)) for other in proposals if isinstance(other, CreateMemory)}
        return key in staged or key in self._stored_summaries

    def _stage_new(self, proposal: CreateMemory, verdict: EvidenceVerdict) -> Staged | Refusal:
        memory_id = self._free_id()
        if memory_id is None:
            return refuse("collision", "no free id was found")
        path = f"{proposal.category}/{file_name(proposal.name, self._now, memory_id)}"
        if collision_key(path) in self._taken_paths:
            return refuse("collision")
        head = Frontmatter(
            id=memory_id,
            category=proposal.category,
            summary=proposal.summary,
            tags=tuple(proposal.tags),
            created_at=self._now,
            updated_at=self._now,
            source_session_id=self._session_id,
            source_node_ids=verdict.source_node_ids,
            confirmed_by_node_id=verdict.confirmed_by,
            evidence=verdict.evidence,
        )
        return self._stage(proposal, Change("create", "new", memory_id, path, None, b"", verdict.source_node_ids), head)

    def _stage_update(self, proposal: UpdateMemory, entry: Entry, verdict: EvidenceVerdict) -> Staged | Refusal:
        old = entry.frontmatter
        # Node ids mean something within their session only: what an earlier session contributed is kept in the state.
        merges = proposal.relation == "update" and old.source_session_id == self._session_id
        head = replace(
            old,
            summary=proposal.summary,
            tags=tuple(proposal.tags),
            updated_at=max(self._now, old.created_at, key=time_order),
            source_session_id=self._session_id,
            source_node_ids=_joined([old.source_node_ids if merges else (), verdict.source_node_ids]),
            confirmed_by_node_id=verdict.confirmed_by or (old.confirmed_by_node_id if merges else None),
            evidence=tuple(dict.fromkeys([*(old.evidence if merges else ()), *verdict.evidence])),
        )
        change = Change("update", proposal.relation, old.id, entry.path, entry.sha256, b"", verdict.source_node_ids)
        return self._stage(proposal, change, head)

    def _stage(self, proposal: CreateMemory | UpdateMemory, change: Change, head: Frontmatter) -> Staged | Refusal:
        try:
            data = _serialised(Document(head, proposal.body), keep=frozenset(change.source_node_ids))
        except InvalidDocument as error:
            return refuse("schema", error.text)
        result = Staged(change.memory_id, change.path)
        self._staged[change.memory_id] = _Staging(proposal, replace(change, data=data), result)
        return result

    def _free_id(self) -> str | None:
        taken = self._snapshot.by_id.keys() | self._staged.keys()
        return next((i for i in (self._new_id() for _ in range(_ID_ATTEMPTS)) if i not in taken), None)


@dataclass(frozen=True, slots=True)
class _Staging:
    proposal: CreateMemory | UpdateMemory
    change: Change
    result: Staged


def _serialised(document: Document, keep: Collection[str]) -> bytes:
    """The bytes of a memory; where years of merges outgrew the header, its oldest sources go, those of ``keep`` never."""
    while True:
        try:
            return serialise(document)
        except InvalidDocument as error:
            head = document.frontmatter
            oldest = next((node_id for node_id in head.source_node_ids if node_id not in keep), None)
            if error.code != "header_long" or oldest is None:
                raise
            sources = tuple(node_id for node_id in head.source_node_ids if node_id != oldest)
            evidence = tuple(ref for ref in head.evidence if ref.node_id != oldest)
            document = replace(document, frontmatter=replace(head, source_node_ids=sources, evidence=evidence))


@lru_cache(_REMEMBERED_SUMMARIES)
def _folded(summary: str) -> str:
    return fold(summary)


def _joined(groups: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(node_id for group in groups for node_id in group))
