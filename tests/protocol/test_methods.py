"""What the method table must never grow: a way in for memory text, a project, a write tool for agents."""

from __future__ import annotations

import pytest

from soong_memoryd.protocol.methods import AGENT, METHODS
from soong_memoryd.sessions import roles

NAMES_AND_NUMBERS = {
    "session_id", "agent_id", "run_id", "memory_id", "version_id", "edit_id", "sha256", "purge", "category", "tag", "limit",
    "offset", "max_tokens", "top_k", "token_budget",
}  # fmt: skip
WORDS_TO_FIND_BY = {"query", "user_request", "path_summary"}
OF_A_PROJECT = {"project", "project_id", "path", "cwd", "directory", "workspace", "repository", "root"}


def params(name: str) -> set[str]:
    return set(METHODS[name].params.model_fields)


@pytest.mark.rule("method.rpc-discover")
def test_the_table_has_the_33_methods_of_the_contract():
    assert list(METHODS) == [
        "initialize",
        *(f"session.{verb}" for verb in ("open", "close", "list")),
        "agent.register",
        *(f"context.{verb}" for verb in ("append", "rewind")),
        *(f"run.{verb}" for verb in ("started", "completed")),
        *(
            f"memory.{verb}"
            for verb in ("catalog", "recall", "list", "get", "search", "why", "forget", "history", "undo", "adopt")
        ),
        *(f"extraction.{verb}" for verb in ("trigger", "list", "get", "retry", "skip")),
        *(f"events.{verb}" for verb in ("list", "subscribe")),
        *(f"daemon.{verb}" for verb in ("status", "verify", "repair")),
        "config.check",
        *(f"daemon.{verb}" for verb in ("reload", "stop")),
        "rpc.discover",
    ]


@pytest.mark.rule("rule.writer-belongs-to-jobs")
def test_no_call_about_memories_carries_text_in():
    for name in METHODS:
        if name.startswith(("memory.", "extraction.")):
            words = WORDS_TO_FIND_BY if name in ("memory.recall", "memory.search") else set()
            assert params(name) <= NAMES_AND_NUMBERS | words | {"wait", "status", "job_id"}, name


@pytest.mark.rule("scope.no-project-config")
def test_no_call_names_a_project():
    for name in METHODS:
        assert params(name) & OF_A_PROJECT == set(), name


@pytest.mark.rule("job.not-by-agents", "rule.writer-belongs-to-jobs", "recall.internal")
def test_of_memories_an_agent_is_given_the_catalog_and_recall_alone():
    offered = {
        name for name, method in METHODS.items() if method.caller == AGENT and name.startswith(("memory.", "extraction."))
    }
    assert offered == {"memory.catalog", "memory.recall"}
    assert set(roles.MAY) == {"append", "run", "schedule", "be_source", "recall", "catalog"}, "no kind of agent may write"
