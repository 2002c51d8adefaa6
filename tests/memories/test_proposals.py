from __future__ import annotations

import pytest
from pydantic import ValidationError

from soong_memoryd.memories.proposals import CreateMemory, QuoteIn, UpdateMemory

WRITTEN = {
    "summary": "Prefers pnpm",
    "tags": ["js"],
    "body": "The user prefers pnpm.",
    "evidence": [{"node_id": "n1", "quote": "use pnpm"}],
}
CREATE = {**WRITTEN, "category": "feedback", "name": "use-pnpm"}
UPDATE = {**WRITTEN, "id": "mem_20260502080000_a1b2", "relation": "conflict"}


@pytest.mark.rule("memory.arguments-forgiven")
def test_what_says_the_same_is_taken_for_the_same():
    plain = CreateMemory.model_validate(CREATE)
    assert plain.evidence == [QuoteIn(node_id="n1", quote="use pnpm")]
    assert CreateMemory.model_validate({**CREATE, "confirmed_by": None, "source_node_ids": ["n1"]}) == plain
    assert CreateMemory.model_validate({**CREATE, "name": " use-pnpm ", "category": "Feedback", "confirmed_by": ""}) == plain
    update = UpdateMemory.model_validate(UPDATE)
    other = {
        **WRITTEN,
        "memory_id": UPDATE["id"],
        "relation": "CONFLICT",
        "category": "user",
        "name": "x",
        "confirmed_by_node_id": None,
    }
    assert UpdateMemory.model_validate(other) == update


def test_missing_lists_are_empty_and_text_is_never_touched():
    proposal = CreateMemory.model_validate({**CREATE, "tags": None, "evidence": None, "summary": " a ", "body": "b\r\n "})
    assert (proposal.tags, proposal.evidence, proposal.summary, proposal.body) == ([], [], " a ", "b\r\n ")


@pytest.mark.rule("memory.arguments-strict", "scope.three-categories")
@pytest.mark.parametrize(
    ("model", "arguments"),
    [
        (CreateMemory, {"memory": {"note": 1}}),
        (CreateMemory, {**CREATE, "relation": "conflict"}),
        (CreateMemory, {**CREATE, "id": UPDATE["id"]}),
        (CreateMemory, {**CREATE, "content": "more"}),
        (CreateMemory, {**CREATE, "category": "project"}),
        (CreateMemory, {**CREATE, "tags": "js"}),
        (CreateMemory, {**CREATE, "tags": [1]}),
        (CreateMemory, {**CREATE, "body": None}),
        (CreateMemory, {**CREATE, "evidence": [{"node_id": "n1"}]}),
        (CreateMemory, {**CREATE, "evidence": [{"node_id": 1, "quote": "use pnpm"}]}),
        (CreateMemory, {**CREATE, "evidence": ["use pnpm"]}),
        (CreateMemory, []),
        (UpdateMemory, {**UPDATE, "relation": "new"}),
        (UpdateMemory, {key: value for key, value in UPDATE.items() if key != "id"}),
    ],
)
def test_anything_else_is_refused(model, arguments):
    with pytest.raises(ValidationError):
        model.model_validate(arguments)


def test_an_error_never_repeats_what_the_model_wrote():
    with pytest.raises(ValidationError) as caught:
        CreateMemory.model_validate({**CREATE, "category": "canary"})
    assert "canary" not in str(caught.value)
