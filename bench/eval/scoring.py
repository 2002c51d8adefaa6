"""What one conversation left behind, judged against what it should have.

Owns: the verdict on a store after a job. Must not know the daemon, the model, sums over verdicts. Pure.
A case has the shape of ``tests/cases/extraction_own.jsonl``; a memory is its frontmatter with ``body`` and ``path``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from tests.extraction.gold import typed_ids

Json = dict[str, Any]

KINDS = ("false_memory", "conflict", "update", "duplicate", "secret", "save_that", "implicit", "correction", "explicit",
         "one_off", "project_scope", "hypothetical", "role_play", "chatter", "reference", "new", "ignore")  # fmt: skip
"""What a conversation tries, the most telling first: its kind is the first of these among its tags."""


@dataclass(slots=True)
class Verdict:
    """What a job did right and wrong. Lists hold keys of the case or ids of memories, never texts."""

    case_id: str
    title: str
    lang: str
    kind: str
    messages: int = 0
    wish: bool = False  # whether the user asks in so many words
    noticed: bool = False  # whether the daemon took it so, and looked at once
    needed: int = 0
    hits: int = 0
    writes: int = 0
    right: int = 0
    missed: list[str] = field(default_factory=list)
    forbidden: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    bad_source: list[str] = field(default_factory=list)
    bad_category: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    changes: dict[str, str] = field(default_factory=dict)  # key of an expected change -> correct, omitted or wrong
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    FAULTS: ClassVar = ("missed", "forbidden", "extra", "bad_source", "bad_category", "moved", "lost", "failures")

    @property
    def faults(self) -> dict[str, list[str]]:
        """What is wrong, by kind; empty when the conversation is clean."""
        return {name: found for name in self.FAULTS if (found := getattr(self, name))}


def judge(case: Json, after: Mapping[str, Json]) -> Verdict:
    """The verdict on the store (memories by id) that a case's job left behind."""
    before = {memory["id"]: memory for memory in case["existing_memories"]}
    new = [memory for memory_id, memory in after.items() if memory_id not in before]
    changed = [memory for memory_id, memory in after.items() if memory_id in before and not _same(memory, before[memory_id])]
    kind = next((kind for kind in KINDS if kind in case["tags"]), case["tags"][0])
    verdict = Verdict(case["id"], case["title"], case["lang"][0], kind, messages=len(typed_ids(case)))
    verdict.wish = case["trigger_reason"] == "explicit"
    verdict.writes = len(new) + len(changed)
    free = list(new)
    matched: set[str] = set()
    for expected in case["gold"]["expected"]:
        target = expected.get("target_id")
        memory = _changed(expected, before, after, verdict) if target else next((m for m in free if _fits(expected, m)), None)
        known = target in after and "duplicate" in expected["op_any_of"] and _same(after[target], before[target])
        required = not expected.get("optional", False)
        verdict.needed += required
        if memory is not None:
            free = [each for each in free if each is not memory]
            matched.add(memory["id"])
            _examine(expected, memory, before, case, verdict)
        if memory is not None or known:
            verdict.hits += required
        elif required:
            verdict.missed.append(expected["key"])
    verdict.right = len(matched)
    allowed = typed_ids(case).union(*(expected["source_node_ids_any_of"] for expected in case["gold"]["expected"]))
    for memory in [*new, *changed]:
        text = text_of(memory)
        rules = case["gold"]["forbidden"]
        verdict.forbidden += [rule["reason"] for rule in rules if any(pattern.lower() in text for pattern in rule["patterns"])]
        if memory["id"] not in matched and not set(memory["source_node_ids"]) <= allowed:
            verdict.bad_source.append(memory["id"])
    verdict.extra = [memory["id"] for memory in new][case["gold"]["max_new"] :]
    verdict.lost = [memory_id for memory_id in before if memory_id not in after]
    return verdict


def text_of(memory: Json) -> str:
    """All that a memory says, in lower case."""
    return " ".join([memory["summary"], memory["body"].strip(), *memory["tags"]]).lower()


def _same(one: Json, other: Json) -> bool:
    return text_of(one) == text_of(other)


def _changed(expected: Json, before: Mapping[str, Json], after: Mapping[str, Json], verdict: Verdict) -> Json | None:
    """The memory that an expected change should be found in, if it is; notes how the change went."""
    target = expected["target_id"]
    memory = after.get(target)
    untouched = memory is not None and _same(memory, before[target])
    fits = memory is not None and not untouched and _fits(expected, memory)
    if expected["op_any_of"] != ["duplicate"]:
        verdict.changes[expected["key"]] = "correct" if fits else "omitted" if untouched else "wrong"
    return memory if fits and expected["op_any_of"] != ["duplicate"] else None


def _fits(expected: Json, memory: Json) -> bool:
    text = text_of(memory)
    wanted = all(any(word.lower() in text for word in words) for words in expected["must_include"])
    return wanted and not any(word.lower() in text for word in expected["must_not_include"])


def _examine(expected: Json, memory: Json, before: Mapping[str, Json], case: Json, verdict: Verdict) -> None:
    """Sources, category and place of a memory that says what was expected."""
    sources, target = set(memory["source_node_ids"]), expected.get("target_id")
    allowed = typed_ids(case) | set(expected["source_node_ids_any_of"])
    if expected["op_any_of"][0] == "update":  # a merge keeps what it grew from; a conflict replaces
        allowed |= set(before[target]["source_node_ids"])
    confirming = set(expected.get("confirm_node_ids", ()))
    unconfirmed = confirming and not confirming & (sources | {memory.get("confirmed_by_node_id")})
    if not sources or not sources <= allowed or unconfirmed:
        verdict.bad_source.append(expected["key"])
    if memory["category"] not in expected["category_any_of"]:
        verdict.bad_category.append(expected["key"])
    places: Sequence[str] = ("path", "created_at")
    if target and any(memory[name] != before[target][name] for name in places):
        verdict.moved.append(expected["key"])
