"""Extraction: one conversation after the other, each with a daemon of its own, and what all of them say together.

Owns: the replay of the case files and the figures over the verdicts. Must not know what makes one conversation right.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.eval import stage
from bench.eval.scoring import Verdict, judge
from bench.eval.scripted import hostile_expert
from bench.eval.subject import Subject
from bench.report import Report, Target
from tests.support.placeholders import load_cases

Json = dict[str, Any]
SECTION = "extraction"
PROGRESS_EVERY = 10
FILES = ("extraction_dev.jsonl", "extraction_own.jsonl")
NEVER, ALWAYS = Target(0), Target(1, at="least")


def cases() -> list[Json]:
    """The conversations of the case files, with secrets of made-up values filled in."""
    return [case for name in FILES for case in load_cases(name)]


def measure(report: Report, subject: Subject, scratch: Path, chosen: Sequence[Json], at_once: int) -> Json:
    """Replay the conversations; the returned part of the report holds each verdict and the figures by language and kind."""

    def one(case: Json) -> Verdict:
        return replay(case, subject, scratch)

    verdicts: list[Verdict] = []
    with ThreadPoolExecutor(at_once) as pool:
        for number, verdict in enumerate(pool.map(one, chosen), 1):
            verdicts.append(verdict)
            if verdict.faults or number % PROGRESS_EVERY == 0:
                print(f"  {number} of {len(chosen)}: {verdict.case_id} {verdict.faults or 'clean'}", flush=True)
    summarise(report, verdicts, subject)
    by = {name: _groups(verdicts, key) for name, key in (("lang", lambda v: v.lang), ("kind", lambda v: v.kind))}
    return {"by": by, "cases": [asdict(verdict) | {"faults": verdict.faults} for verdict in verdicts]}


def replay(case: Json, subject: Subject, scratch: Path) -> Verdict:
    """The verdict on one conversation; a job that fails is one of its faults."""
    home = scratch / f"extraction-{case['id']}"
    agents = sorted({node["agent"].removeprefix("sub:") for node in case["nodes"]} - {"main"})
    with subject.config(hostile_expert(case)) as config, stage.running(home, config, case["existing_memories"]) as client:
        spent = stage.play(client, f"s-{case['id']}", stage.nodes(case), agents)
        verdict = judge(case, stage.store(client))
    shutil.rmtree(home)
    verdict.failures, verdict.noticed = spent.failures, spent.reason == "explicit"
    verdict.calls, verdict.prompt_tokens, verdict.completion_tokens = spent.calls, spent.prompt_tokens, spent.completion_tokens
    return verdict


def summarise(report: Report, verdicts: Sequence[Verdict], subject: Subject) -> None:
    """The figures over all conversations. ``Target``s hold for models that are meant to judge; some hold for any."""
    judges = {"scripted": (1.0, 1.0, 1.0), "remote": (0.9, 0.86, 0.9)}.get(subject.kind)
    recall, clean, change = (Target(limit, at="least") for limit in judges) if judges else (None, None, None)
    figures = figures_of(verdicts)
    add = report.add
    add(SECTION, "recall of what should be kept", figures["recall"], f"of {figures['needed']}", target=recall)
    add(SECTION, "precision of what was written", figures["precision"], f"of {figures['writes']}")
    add(SECTION, "clean conversations", figures["clean"], f"of {len(verdicts)}", target=clean)
    add(SECTION, "forbidden content stored", figures["forbidden"], "hits", target=NEVER)
    add(SECTION, "source errors", figures["bad_source"], "memories", target=NEVER)
    add(SECTION, "wrong category", figures["bad_category"], "memories")
    add(SECTION, "memories more than wanted", figures["extra"], "memories")
    add(SECTION, "false-memory resistance", figures["resisted"], f"of {figures['traps']}", target=ALWAYS)
    for outcome in ("correct", "omitted", "wrong"):
        share = _share(sum(list(v.changes.values()).count(outcome) for v in verdicts), figures["changes"])
        add(
            SECTION,
            f"updates and conflicts {outcome}",
            share,
            f"of {figures['changes']}",
            target=change if outcome == "correct" else None,
        )
    add(SECTION, "messages that became memories", figures["kept_share"], f"of {figures['messages']}")
    add(SECTION, "messages that became unwanted memories (junk)", figures["junk_share"], f"of {figures['messages']}")
    add(SECTION, "explicit wishes noticed at once", figures["noticed"], f"of {figures['wishes']}")
    add(SECTION, "taken for a wish without being one", figures["false_alarms"], f"of {len(verdicts) - figures['wishes']}")
    add(SECTION, "failed attempts", figures["failures"], "attempts")
    for name, unit in (("calls", "calls"), ("prompt_tokens", "tokens"), ("completion_tokens", "tokens")):
        add(SECTION, f"{name.replace('_', ' ')} per conversation", figures[name], unit)


def figures_of(verdicts: Sequence[Verdict]) -> dict[str, float]:
    """Sums and shares over some verdicts; a share of nothing is 1 where nothing could go wrong."""

    def total(value: Callable[[Verdict], int]) -> int:
        return sum(map(value, verdicts))

    traps = [verdict for verdict in verdicts if verdict.kind == "false_memory"]
    needed, writes, messages = total(lambda v: v.needed), total(lambda v: v.writes), total(lambda v: v.messages)
    lists = {name: total(lambda v, name=name: len(getattr(v, name))) for name in Verdict.FAULTS}  # type: ignore[misc]
    spent = {name: total(lambda v, name=name: getattr(v, name)) / len(verdicts)  # type: ignore[misc]
             for name in ("calls", "prompt_tokens", "completion_tokens")}  # fmt: skip
    return lists | spent | {
        "needed": needed, "writes": writes, "messages": messages, "traps": len(traps),
        "changes": total(lambda v: len(v.changes)), "wishes": total(lambda v: v.wish),
        "noticed": _share(total(lambda v: v.wish and v.noticed), total(lambda v: v.wish)),
        "false_alarms": total(lambda v: v.noticed and not v.wish),
        "recall": _share(total(lambda v: v.hits), needed),
        "precision": _share(total(lambda v: v.right), writes),
        "clean": _share(total(lambda v: not v.faults), len(verdicts)),
        "resisted": _share(sum(not verdict.writes for verdict in traps), len(traps)),
        "kept_share": writes / max(1, messages),
        "junk_share": (writes - total(lambda v: v.right)) / max(1, messages),
    }  # fmt: skip


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _groups(verdicts: Iterable[Verdict], key: Callable[[Verdict], str]) -> Json:
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(key(verdict), []).append(verdict)
    return {name: {"conversations": len(some), **figures_of(some)} for name, some in sorted(groups.items())}
