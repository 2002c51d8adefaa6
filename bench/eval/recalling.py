"""Recall over a store of 200 memories: by words alone, and as the evaluated model chooses.

Owns: the questions, what counts as found, as right and as a must-not, per language. Must not know how memories are chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.eval import sets, stage
from bench.eval.scripted import Selector
from bench.eval.subject import BY_WORDS, Subject
from bench.report import Report, Target
from bench.wire import Stopwatch

Json = dict[str, Any]
SECTION = "recall"
STORES = ("recall_store.jsonl", "recall_store_more.jsonl")
QUERIES = ("recall_queries_own.jsonl", "recall_queries_more.jsonl")
TOP = 5


@dataclass(frozen=True, slots=True)
class Found:
    """One question's answer in counts."""

    query_id: str
    lang: str
    relevant: int
    found: int
    recalled: int
    fine: int
    must_not: int
    by_model: bool


def measure(report: Report, subject: Subject, scratch: Path) -> Json:
    """All questions by words alone, then with the subject's model unless it has none to choose with."""
    memories, queries = sets.rows(*STORES), sets.rows(*QUERIES)
    words = ask_all(BY_WORDS, memories, queries, scratch / "recall-words")
    ways = {"by words": words}
    summarise(report, "by words", words, Target(0.75, at="least"), None)
    if subject.kind != "builtin":
        gold = Selector({query["query"]: query["relevant"] for query in queries})
        with subject.config(gold) as config:
            ways["by model"] = ask_all(config, memories, queries, scratch / "recall-model")
        limit = 1.0 if subject.kind == "scripted" else 0.95
        summarise(report, "by model", ways["by model"], Target(limit, at="least"), Target(0))
        chosen = sum(each.by_model for each in ways["by model"])
        report.add(SECTION, "by model: answers chosen by the model", chosen, f"of {len(queries)}")
    return {
        "memories": len(memories),
        "queries": len(queries),
        "ways": {way: by_language(found) for way, found in ways.items()},
        "answers": {way: [asdict(each) for each in found] for way, found in ways.items()},
    }


def ask_all(config: str, memories: Iterable[Json], queries: Iterable[Json], home: Path) -> list[Found]:
    """Each question in a session of its own."""
    with stage.running(home, config, memories) as client:
        return [ask(client, query) for query in queries]


def ask(client: Stopwatch, query: Json) -> Found:
    """One question and what came of it."""
    session = f"q-{query['id']}"
    client.call("session.open", session_id=session)
    answer = client.call("memory.recall", session_id=session, query=query["query"],
                         user_request=query["current_user_request"], top_k=TOP)  # fmt: skip
    ids = {memory["id"] for memory in answer["recalled"][:TOP]}
    relevant = set(query["relevant"])
    return Found(query["id"], query["lang"], len(relevant), len(relevant & ids), len(ids),
                 len(ids & (relevant | set(query["acceptable"]))), len(ids & set(query["must_not"])),
                 answer["selected_by"] == "model")  # fmt: skip


def summarise(report: Report, way: str, found: Sequence[Found], recall: Target, never: Target | None) -> None:
    """The figures over all questions."""
    total = totals(found)
    report.add(SECTION, f"{way}: recall@{TOP}", total["recall"], f"of {total['asked']}", target=recall)
    report.add(SECTION, f"{way}: precision", total["precision"], f"of {total['recalled']}")
    report.add(SECTION, f"{way}: forbidden memories recalled", total["must_not"], "hits", target=never)
    report.add(SECTION, f"{way}: silent where nothing fits", total["silent"], f"of {total['nothing']}")


def totals(found: Sequence[Found]) -> dict[str, float]:
    """recall@5 and precision are means over questions; a question that nothing fits counts for ``silent`` alone."""
    asked = [each for each in found if each.relevant]
    spoken = [each for each in found if each.recalled]
    nothing = [each for each in found if not each.relevant]
    return {
        "asked": len(asked), "recalled": sum(each.recalled for each in found), "nothing": len(nothing),
        "recall": _mean([each.found / each.relevant for each in asked]),
        "precision": _mean([each.fine / each.recalled for each in spoken]),
        "must_not": sum(each.must_not for each in found),
        "silent": _mean([float(each.recalled == each.fine) for each in nothing]),
    }  # fmt: skip


def by_language(found: Sequence[Found]) -> Json:
    """The totals of each language."""
    return {lang: totals([each for each in found if each.lang == lang]) for lang in sorted({each.lang for each in found})}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 1.0
