"""The feedback loop: everything is recalled and said again by the assistant, and nothing of it may become a memory.

Owns: that conversation and the count of what changed. Must not know what is in the memories.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.eval import sets, stage
from bench.eval.recalling import STORES
from bench.eval.scripted import Parrot
from bench.eval.subject import Subject
from bench.report import Report, Target
from bench.wire import Stopwatch

Json = dict[str, Any]
SECTION = "feedback loop"
MEMORIES = 40
A_SESSION = 8
NEUTRAL = ("ok, go on", "thanks, and now the next step please", "好的，继续", "what is still open?")
"""What the user says in between: nothing to keep."""


def measure(report: Report, subject: Subject, scratch: Path) -> Json:
    """Recall each memory, let the assistant repeat it, and look: the scripted model proposes all that it reads."""
    memories = sets.rows(*STORES)[:MEMORIES]
    with subject.config(Parrot()) as config, stage.running(scratch / "echo", config, memories) as client:
        before = stage.store(client)
        recalled, failures = 0, 0
        for at in range(0, MEMORIES, A_SESSION):
            shown, spent = _session(client, f"echo-{at}", memories[at : at + A_SESSION])
            recalled, failures = recalled + shown, failures + len(spent.failures)
        after = stage.store(client)
    new = sorted(set(after) - set(before))
    changed = sorted(
        memory_id for memory_id, memory in before.items() if after.get(memory_id, {}).get("sha256") != memory["sha256"]
    )
    report.add(SECTION, "memories recalled and repeated", recalled, f"of {MEMORIES}")
    report.add(SECTION, "new memories after that", len(new), "memories", target=Target(0))
    report.add(SECTION, "memories that changed", len(changed), "memories", target=Target(0))
    report.add(SECTION, "failed attempts", failures, "attempts", target=Target(0))
    return {"recalled": recalled, "new": new, "changed": changed}


def _session(client: Stopwatch, session: str, memories: list[Json]) -> tuple[int, stage.Spent]:
    client.call("session.open", session_id=session)
    client.call("run.started", session_id=session, run_id="r")
    shown: set[str] = set()
    for number, memory in enumerate(memories):
        answer = client.call("memory.recall", session_id=session, query=memory["summary"], user_request=memory["summary"])
        shown |= {each["id"] for each in answer["recalled"]}
        said = [
            ("user_message", NEUTRAL[number % len(NEUTRAL)]),
            ("assistant_message", f"I remember: {memory['summary']}. {memory['body']}"),
            ("tool_result", f"memory file: {memory['body']}"),
        ]
        nodes = [{"node_id": f"{session}-{number}-{at}", "kind": kind, "text": text, **({"summary": text} if at == 2 else {})}
                 for at, (kind, text) in enumerate(said)]  # fmt: skip
        client.call("context.append", session_id=session, nodes=nodes)
    end = {"node_id": f"{session}-end", "kind": "user_message", "text": "good, that is all for today"}
    client.call("context.append", session_id=session, nodes=[end])
    client.call("run.completed", session_id=session, run_id="r", status="completed")
    wanted = {memory["id"] for memory in memories}
    return len(shown & wanted), stage.examine(client, session)
