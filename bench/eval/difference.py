"""What changed since the last report of the same model.

Owns: which report is the last one, and the comparison of two. Must not know how a figure was measured. Pure but for reading.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = dict[str, Any]
SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Difference:
    """``figures``: (section, name, before, now) of those that differ; cases by id; ``notes`` say what is not comparable."""

    against: str
    figures: tuple[tuple[str, str, float | None, float], ...]
    broken: tuple[str, ...]
    mended: tuple[str, ...]
    notes: tuple[str, ...]

    def lines(self) -> list[str]:
        """For the terminal."""
        changed = [f"{section}: {name}: {_number(before)} → {_number(now)}" for section, name, before, now in self.figures]
        cases = [
            f"{what}: {', '.join(ids)}" for what, ids in (("no longer clean", self.broken), ("clean now", self.mended)) if ids
        ]
        return [*self.notes, *(changed or ["no figure differs"]), *cases]


def last(directory: Path, label: str) -> Json | None:
    """The newest report on a model, None if there is none; names begin with the time."""
    for file in sorted(directory.glob("*.json"), reverse=True):
        report: Json = json.loads(file.read_text(encoding="utf-8"))
        if report.get("model", {}).get("label") == label:
            return report
    return None


def compare(before: Json, now: Json) -> Difference:
    """From an earlier report to a new one; figures that only the earlier one has are left out: a part was not run."""
    known = {(each["section"], each["name"]): each["value"] for each in before["figures"]}
    pairs = [
        (each["section"], each["name"], known.get((each["section"], each["name"])), each["value"]) for each in now["figures"]
    ]
    figures = tuple(pair for pair in pairs if pair[2] is None or abs(pair[2] - pair[3]) > SAME)
    clean_before, clean_now = _clean(before), _clean(now)
    both = clean_before.keys() & clean_now.keys()
    return Difference(
        before["at"],
        figures,
        tuple(sorted(case for case in both if clean_before[case] and not clean_now[case])),
        tuple(sorted(case for case in both if clean_now[case] and not clean_before[case])),
        tuple(_notes(before, now)),
    )


def _clean(report: Json) -> Mapping[str, bool]:
    return {case["case_id"]: not case["faults"] for case in report["parts"].get("extraction", {}).get("cases", ())}


def _notes(before: Json, now: Json) -> list[str]:
    prompts = [f"prompt {name}: {before['prompts'].get(name)} → {said}" for name, said in now["prompts"].items()
               if before["prompts"].get(name) != said]  # fmt: skip
    sets = [f"{name} is another set than before" for name, said in now["sets"].items() if before["sets"].get(name) != said]
    counts = len(_clean(before)), len(_clean(now))
    return prompts + sets + ([f"{counts[0]} conversations then, {counts[1]} now"] if counts[0] != counts[1] else [])


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"
