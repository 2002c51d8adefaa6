"""A session with a running extraction job, for commits that complete one."""

from __future__ import annotations

from soong_memoryd.clock import Deadline
from soong_memoryd.state.queries import jobs, nodes, sessions
from soong_memoryd.state.rows import Effects, EventDraft, JobCompletion, JobRow, NodeRow
from tests.memories.homes import Home

NODE = NodeRow(
    session_id="s1",
    sequence=1,
    node_id="n1",
    parent_id=None,
    agent_id="main",
    agent_kind="main",
    run_id=None,
    kind="user_message",
    origin="typed",
    text="remember: tabs",
    summary=None,
    artifact_refs=(),
    metadata={},
    created_at="2026-12-01T00:00:00Z",
    candidate=True,
)
JOB = JobRow("j1", "s1", "idle", "schedule", "running", 1, Deadline("b", 0.0, 0.0), None, None, "t", "t", None, None, None)


async def session_with_job(home: Home) -> Effects:
    def fill(connection) -> None:
        sessions.insert(connection, "s1", "main", None, "t")
        nodes.insert(connection, NODE, b"hash", "t")
        jobs.insert(connection, JOB)

    await home.database.run(fill)
    completion = JobCompletion("j1", "s1", cursor_from=0, cursor_to=1, source_node_ids=("n1",), result={"created": []})
    return Effects(EventDraft("memory_extraction_completed", "s1", "j1"), "update", completion)


async def cursor(home: Home) -> int:
    row = await home.database.run(lambda connection: sessions.get(connection, "s1"))
    assert row is not None
    return row.cursor
