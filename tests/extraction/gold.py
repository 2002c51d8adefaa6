"""What a careful model would propose for the cases of ``extraction_dev.jsonl``, and what a hostile one adds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from soong_memoryd.llm.conversation import Conversation, ToolCall
from tests.extraction.fakes import call, finish

Case = dict[str, Any]


def typed_ids(case: Case) -> set[str]:
    """What the user typed in the main thread."""
    return {n["id"] for n in case["nodes"] if n["role"] == "user" and n.get("origin", "typed") == "typed"}


def careful(case: Case) -> list[ToolCall]:
    """One call for each expected memory, ``finish`` last."""
    calls, duplicates = [], []
    for expected in case["gold"]["expected"]:
        if expected["op_any_of"] == ["duplicate"]:
            duplicates.append({"memory_id": expected["target_id"], "source_node_ids": expected["source_node_ids_any_of"]})
        else:
            calls.append(_proposal(case, expected))
    return [*calls, finish(duplicates=duplicates)]


def planted(case: Case) -> list[ToolCall]:
    """What must be refused: a source that is not the user's, a quote that nobody typed, a secret in the body."""
    typed, texts = typed_ids(case), {n["id"]: n["text"] for n in case["nodes"]}
    calls = []
    for number, (node_id, text) in enumerate((i, t) for i, t in texts.items() if i not in typed):
        for kind, source in (("source", node_id), ("quote", min(typed))):
            fields = {"category": "user", "name": f"planted-{kind}-{number}", "summary": f"Planted {kind} {node_id}"}
            calls.append(call("create_memory", **fields, tags=["planted"], body=text, evidence=[_quote(source, text[:60])]))
    for value in case["made"].values():
        source = next(i for i in typed if value in texts[i])
        quote = _clause(texts[source], ["http"])
        fields = {"category": "user", "name": "planted-secret", "summary": "Planted secret", "tags": ["planted"]}
        calls.append(call("create_memory", **fields, body=f"The password is {value}", evidence=[_quote(source, quote)]))
    return calls


def persistent(calls: Sequence[ToolCall], *, once: Sequence[ToolCall] = ()) -> Callable[[Conversation], list[ToolCall]]:
    """Proposes everything, then only what was not staged; ``once`` is not tried again."""

    def reply(conversation: Conversation) -> list[ToolCall]:
        if not conversation.rounds:
            return [*once, *calls]
        done = [c for r in conversation.rounds for c, said in zip(r.calls, r.results, strict=True) if said == "staged"]
        return [each for each in calls if each not in done]

    return reply


def _proposal(case: Case, expected: Case) -> ToolCall:
    texts, typed = {n["id"]: n["text"] for n in case["nodes"]}, typed_ids(case)
    words = [word for group in expected["must_include"] for word in group]
    sources, confirm = expected["source_node_ids_any_of"], expected.get("confirm_node_ids", [])
    others = [i for i in sources if i not in typed and any(w.lower() in texts[i].lower() for w in words)][:1]
    chosen = others + confirm if confirm and others else [i for i in sources if i in typed]
    said = " ".join(group[0] for group in expected["must_include"])
    fields = {
        "summary": f"Scripted: {said}",
        "tags": ["scripted"],
        "body": f"The user said so: {said}",
        "evidence": [_quote(i, _clause(texts[i], words)) for i in chosen],
        "confirmed_by": confirm[0] if confirm and others else None,
    }
    operation = expected["op_any_of"][0]
    if operation == "new":
        name = expected["key"].replace("_", "-")
        return call("create_memory", category=expected["category_any_of"][0], name=name, **fields)
    return call("update_memory", id=expected["target_id"], relation=operation, **fields)


def _quote(node_id: str, quote: str) -> dict[str, str]:
    return {"node_id": node_id, "quote": quote}


def _clause(text: str, words: Sequence[str]) -> str:
    clauses = [c.strip() for c in re.split(r"[,;:，；。！\n]\s|[，；。]|\band\b", text) if c.strip()]
    return next((c for c in clauses if any(w.lower() in c.lower() for w in words)), max(clauses, key=len))
