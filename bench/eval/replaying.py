"""A public set replayed: every session to the daemon, then each question, and where what it recalls comes from.

Owns: the replay and recall@k by source, in sessions and in turns. Must not know the sets' files, or judge an answer.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.eval import stage
from bench.eval.datasets import Asked, History, Talk
from bench.eval.scripted import Hoarder
from bench.eval.subject import Subject
from bench.report import Report
from bench.wire import Stopwatch

Json = dict[str, Any]
TOP = 5
NOT_MEASURED = (
    "Not measured: whether an answer made from these memories is right. That takes a model to answer and another to judge, "
    "so nothing here compares with published question answering scores.",
    "What the assistant or the other speaker said cannot become a memory here, by design: questions about it are counted "
    "apart or found only through what the user said beside it.",
    "Times in these files are replayed as the nodes' dates; waiting is not.",
)
HOARDED = (
    "Here the scripted model keeps every message of the user as a memory, in the user's words: the most that evidence allows. "
    "It chooses nothing, so recall goes by words."
)
Source = tuple[str, str]  # session, node


@dataclass(frozen=True, slots=True)
class Answered:
    """One question: which shares of its evidence stand behind memories at all, and behind the recalled ones."""

    question_id: str
    kind: str
    kept_sessions: float
    found_sessions: float
    found_turns: float | None
    recalled: int


def measure(report: Report, subject: Subject, scratch: Path, name: str, histories: Sequence[History]) -> Json:
    """Replay each history in a home of its own, ask its questions, and say what is not measured."""
    answers: list[Answered] = []
    spent = stage.Spent()
    counts = {"histories": len(histories), "sessions": 0, "memories": 0, "user turns": 0}
    left_out: dict[str, int] = {}
    for history in histories:
        for why, count in history.left_out.items():
            left_out[why] = left_out.get(why, 0) + count
        if not history.asked:
            continue
        home = scratch / f"{name}-{len(answers)}"
        with subject.config(Hoarder()) as config, stage.running(home, config) as client:
            for talk in history.talks:
                _add(spent, stage.play(client, talk.session_id, _nodes(talk)))
            sources = _sources(client)
            answers += [ask(client, question, sources) for question in history.asked]
        shutil.rmtree(home)
        counts["sessions"] += len(history.talks)
        counts["memories"] += len(sources)
        counts["user turns"] += sum(turn.role == "user" for talk in history.talks for turn in talk.turns)
    summarise(report, name, answers, counts, spent)
    for why, count in left_out.items():
        report.note(f"{name}: {count} questions not asked: {why}")
    if subject.kind == "scripted":
        report.note(HOARDED)
    for line in NOT_MEASURED:
        report.note(line)
    return {
        "counts": counts,
        "left_out": left_out,
        "answers": [asdict(answer) for answer in answers],
        "by_kind": _by_kind(answers),
    }


def summarise(report: Report, name: str, answers: Sequence[Answered], counts: Mapping[str, int], spent: stage.Spent) -> None:
    """The figures over all questions, then by kind of question."""
    for what, count in counts.items():
        report.add(name, what, count, "")
    asked = f"of {len(answers)}"
    report.add(name, "evidence sessions with any memory from them", _mean([each.kept_sessions for each in answers]), asked)
    report.add(name, f"evidence sessions recalled@{TOP}", _mean([each.found_sessions for each in answers]), asked)
    turns = [each.found_turns for each in answers if each.found_turns is not None]
    report.add(name, f"evidence turns recalled@{TOP}", _mean(turns), f"of {len(turns)}")
    for kind, figures in _by_kind(answers).items():
        report.add(name, f"{kind}: evidence sessions recalled@{TOP}", figures["found_sessions"], f"of {figures['asked']}")
    report.add(name, "prompt tokens a user turn", spent.prompt_tokens / max(1, counts["user turns"]), "tokens")
    report.add(name, "failed attempts", len(spent.failures), "attempts")


def ask(client: Stopwatch, question: Asked, sources: Mapping[str, frozenset[Source]]) -> Answered:
    """An operator's recall: nothing is stored, no session knows of it."""
    answer = client.call("memory.recall", query=question.text, user_request=question.text, top_k=TOP)
    found = frozenset[Source]().union(*(sources[memory["id"]] for memory in answer["recalled"][:TOP]))
    kept = frozenset[Source]().union(*sources.values())
    return Answered(question.question_id, question.kind,
                    _part(question.session_ids, {session for session, _ in kept}),
                    _part(question.session_ids, {session for session, _ in found}),
                    _part(question.turn_ids, {node for _, node in found}) if question.turn_ids else None,
                    len(answer["recalled"]))  # fmt: skip


def _sources(client: Stopwatch) -> dict[str, frozenset[Source]]:
    """Every memory's sources, older ones included."""
    return {memory_id: frozenset((each["session_id"], each["node_id"])
                                 for each in client.call("memory.why", memory_id=memory_id)["sources"])
            for memory_id in stage.store(client)}  # fmt: skip


def _nodes(talk: Talk) -> list[Json]:
    dated = {"created_at": talk.at} if talk.at else {}
    return [{"node_id": turn.turn_id, "kind": stage.KINDS[turn.role], "text": turn.text, **dated} for turn in talk.turns]


def _add(total: stage.Spent, one: stage.Spent) -> None:
    total.calls += one.calls
    total.prompt_tokens += one.prompt_tokens
    total.completion_tokens += one.completion_tokens
    total.failures += one.failures


def _part(wanted: frozenset[str], there: set[str]) -> float:
    return len(wanted & there) / len(wanted) if wanted else 1.0


def _by_kind(answers: Sequence[Answered]) -> dict[str, Json]:
    kinds = sorted({answer.kind for answer in answers})
    groups = {kind: [answer for answer in answers if answer.kind == kind] for kind in kinds}
    return {
        kind: {"asked": len(some), "found_sessions": _mean([each.found_sessions for each in some])}
        for kind, some in groups.items()
    }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
