"""Attempts with the embedded model: what it proposes passes the same checks as any other model's."""

from __future__ import annotations

import asyncio

import pytest

from soong_memoryd.llm.builtin import BuiltinModel
from soong_memoryd.sessions.scheduler import Outcome
from tests.extraction.fakes import AttemptNotes, MemoryFiles, extraction
from tests.extraction.nodes import job, node, source


@pytest.mark.rule("extraction.embedded-model")
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The build is green. Remember that I have two cats at home.", "two cats"),
        ("构建通过了。记住，以后都用中文回答我。", "中文"),
    ],
)
def test_what_the_user_asks_to_keep_is_stored_in_their_words(text: str, kept: str) -> None:
    files, log = MemoryFiles(), AttemptNotes(source(node(1, "user", text), node(2, "assistant", "All right.")))
    assert asyncio.run(extraction(BuiltinModel(), files, log).attempt(job())) == Outcome()
    (memory,) = files.memories().values()
    assert kept in memory.body
    assert memory.frontmatter.source_node_ids == ("n1",)


def test_what_nobody_asked_to_keep_is_not_stored() -> None:
    files, log = MemoryFiles(), AttemptNotes(source(node(1, "user", "the build fails with exit code 2")))
    assert asyncio.run(extraction(BuiltinModel(), files, log).attempt(job())) == Outcome()
    assert files.memories() == {}
