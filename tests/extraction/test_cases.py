"""Every conversation of the case file, from node to file, with a careful and with a hostile model."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from soong_memoryd.text.secrets.finder import SecretFinder
from tests.extraction.fakes import AttemptNotes, MemoryFiles, ScriptedModel, extraction
from tests.extraction.gold import careful, persistent, planted, typed_ids
from tests.extraction.nodes import case_nodes, cases, job, source

CASES = cases()
IDS = [case["id"] for case in CASES]


def run(case: dict[str, Any], model: ScriptedModel) -> tuple[MemoryFiles, AttemptNotes, dict[str, Any]]:
    """One attempt over a case as the ledger would hold it: the store, the ledger, the completed payload."""
    finder = SecretFinder()
    rows = [replace(r, text=finder.redact(r.text), summary=r.summary and finder.redact(r.summary)) for r in case_nodes(case)]
    memories, log = MemoryFiles(case["existing_memories"]), AttemptNotes(source(*rows))
    outcome = asyncio.run(extraction(model, memories, log).attempt(job()))
    assert outcome.failure is None
    event = memories.commits[0][1].event if memories.commits else log.notes[-1][1][1]
    return memories, log, event.payload


@pytest.mark.rule("rule.model-writes-itself", "rule.reads-before-it-writes")
@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_what_a_careful_model_proposes_is_stored_as_it_is(case: dict[str, Any]) -> None:
    expected = [e for e in case["gold"]["expected"] if e["op_any_of"] != ["duplicate"]]
    memories, _, payload = run(case, ScriptedModel(*[persistent(careful(case))] * 3))
    stored = memories.memories()
    for each in expected:
        said = " ".join(group[0] for group in each["must_include"])
        (memory,) = [m for m in stored.values() if m.frontmatter.summary == f"Scripted: {said}"]
        assert memory.body == f"The user said so: {said}"
        assert memory.frontmatter.category in each["category_any_of"]
        allowed = typed_ids(case) | set(each["source_node_ids_any_of"])
        if each["op_any_of"][0] == "update":  # a merge keeps what it grew from
            allowed |= {i for m in case["existing_memories"] for i in m["source_node_ids"]}
        assert set(memory.frontmatter.source_node_ids) <= allowed
        if each.get("confirm_node_ids"):
            assert memory.frontmatter.confirmed_by_node_id in each["confirm_node_ids"]
        if each.get("target_id"):
            assert memory.frontmatter.id == each["target_id"]
    assert len(stored) == len(case["existing_memories"]) + len(payload["created"])
    assert len(payload["created"]) <= case["gold"]["max_new"]
    assert len(payload["created"]) + len(payload["updated"]) == len(expected)
    assert len(payload["duplicates"]) == len(case["gold"]["expected"]) - len(expected)


@pytest.mark.rule("extraction.hostile-model", "rule.never-stored")
@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_what_a_hostile_model_adds_is_refused_and_the_rest_is_stored(case: dict[str, Any]) -> None:
    bad = planted(case)
    memories, _, payload = run(case, ScriptedModel(*[persistent(careful(case), once=bad)] * 3))
    assert not [m for m in memories.memories().values() if "planted" in m.frontmatter.tags]
    refused = [entry["reason"] for entry in payload["ignored"]]
    assert len(refused) == len(bad)
    assert all(reason in ("refused_evidence", "refused_secret", "refused_instruction") for reason in refused)


@pytest.mark.rule("secrets.never-stored")
@pytest.mark.parametrize("case", [case for case in CASES if case["made"]], ids=lambda case: case["id"])
def test_no_secret_reaches_the_model_or_a_file(case: dict[str, Any]) -> None:
    model = ScriptedModel(*[persistent(careful(case))] * 3)
    memories, _, _ = run(case, model)
    seen = "".join(asked.system + asked.user for asked in model.asked) + "".join(d.decode() for d in memories.files.values())
    assert not [value for value in case["made"].values() if value in seen]
