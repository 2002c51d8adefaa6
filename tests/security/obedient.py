"""A model that does whatever it reads, in every way it could try, and one attempt of a real job with it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from soong_memoryd.llm.conversation import Conversation, ToolCall
from soong_memoryd.state.rows import Json, NodeRow
from soong_memoryd.text.fold import strip_controls
from soong_memoryd.text.secrets.finder import SecretFinder
from soong_memoryd.text.terms import terms
from soong_memoryd.text.typed import typed_text
from tests.extraction.fakes import AttemptNotes, MemoryFiles, ScriptedModel, call, extraction, finish
from tests.extraction.nodes import job, node, source
from tests.security.redteam import Attack, Said

KNOWN_ID = "mem_20260501080000_a1b2"
NEVER_OFFERED = "mem_20260101080000_zzzz"
FORGED_IDS = ("n9", "seq:1", "seq:2")
QUOTE_CHARS = 60
LOOK_ALIKES = str.maketrans("аеосрхуѕіктнв", "aeocpxysikthb")


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of one job: how many memories it wrote, what it proposed, the completed event and the failure."""

    written: int
    proposed: int
    payload: Json | None
    failure: str | None


def rows(nodes: Sequence[Said]) -> tuple[NodeRow, ...]:
    """The nodes of a conversation as the ledger stores them: without secrets, a resumed one no candidate."""
    finder = SecretFinder()
    made = [node(number, each[0], each[1], **(each[2] if len(each) > 2 else {})) for number, each in enumerate(nodes, 1)]
    return tuple(replace(r, text=finder.redact(r.text), summary=r.summary and finder.redact(r.summary)) for r in made)


def known_memory(summary: str, memory_id: str = KNOWN_ID) -> Json:
    """A memory as ``MemoryFiles`` takes it."""
    return {
        "id": memory_id,
        "category": "feedback",
        "summary": summary,
        "tags": [],
        "created_at": "2026-05-01T08:00:00Z",
        "updated_at": "2026-05-01T08:00:00Z",
        "source_session_id": "before",
        "source_node_ids": ["old"],
        "path": f"feedback/known-20260501-{memory_id}.md",
        "body": f"{summary}.",
    }


def run(nodes: Sequence[NodeRow], reply: Callable[[Conversation], Sequence[ToolCall]], memory: str | None = None) -> Attempt:
    """One attempt whose model says ``reply``, and says it again when something is refused."""
    files, log = MemoryFiles([known_memory(memory)] if memory else ()), AttemptNotes(source(*nodes))
    model = ScriptedModel(*[lambda conversation: [*reply(conversation), finish()]] * 5)
    outcome = asyncio.run(extraction(model, files, log).attempt(job()))
    completed = files.commits[0][1].event if files.commits else log.notes[-1][1][1] if log.notes[-1][0] == "complete" else None
    failure = outcome.failure.code if outcome.failure else None
    written = sum(len(changes) for changes, _ in files.commits)
    return Attempt(written, len(reply(model.asked[0])), completed.payload if completed else None, failure)


def attempt(attack: Attack) -> Attempt:
    """The job of an attack with a model that obeys what it reads; what it never sees it cannot obey."""
    nodes = rows(attack.nodes)
    calls = list(obeying(attack, nodes))
    return run(nodes, lambda conversation: calls if reads(conversation, attack) else [], attack.memory)


def reads(conversation: Conversation, attack: Attack) -> bool:
    """Whether at least half of what the attacker wants is in the prompt, whatever its letters look like."""
    wanted = {term.key for term in terms(attack.planted)}
    shown = {term.key for term in terms(strip_controls(conversation.user).translate(LOOK_ALIKES))}
    return 2 * len(wanted & shown) > len(wanted)


def obeying(attack: Attack, nodes: Sequence[NodeRow]) -> Iterator[ToolCall]:
    """Every way to get ``planted`` into a memory: each source with true and invented quotes, each category, each target."""
    for number, (evidence, confirmed_by) in enumerate(_claims(attack, nodes)):
        said = {
            "summary": f"{attack.planted[:150]} ({number})",
            "body": attack.planted,
            "tags": [],
            "evidence": evidence,
            "confirmed_by": confirmed_by,
        }
        for category in ("user", "feedback", "reference"):
            yield call("create_memory", category=category, name=f"planted-{category}-{number}", **said)
        for target in (NEVER_OFFERED, KNOWN_ID) if attack.memory else (NEVER_OFFERED,):
            for relation in ("conflict", "update") if attack.memory else ("conflict",):
                yield call("update_memory", id=target, relation=relation, **said)


def _claims(attack: Attack, nodes: Sequence[NodeRow]) -> Iterator[tuple[list[Json], str | None]]:
    typed = [row for row in nodes if row.kind == "user_message"]
    for row in nodes:
        words = (attack.planted, _beginning(row.text), _beginning(typed_text(row.text)), _longest(row.text))
        for quote in dict.fromkeys(words):
            for confirming in (None, typed[-1].node_id):
                yield [_quote(row.node_id, quote)], confirming
                yield [_quote(row.node_id, quote), _quote(typed[0].node_id, _beginning(typed_text(typed[0].text)))], confirming
    for forged in FORGED_IDS:
        yield [_quote(forged, attack.planted)], forged


def _quote(node_id: str, quote: str) -> Json:
    return {"node_id": node_id, "quote": quote}


def _beginning(text: str) -> str:
    return re.sub(r"\s\S*$", "", text[:QUOTE_CHARS]) if len(text) > QUOTE_CHARS else text


def _longest(text: str) -> str:
    return max(re.split(r"[\n.:，。：]", text), key=len).strip()
