"""Figures, targets, and the table and JSON they end up in.

Owns: what a figure is and how it is shown. Must not know how anything is measured.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

MARKS = {True: "reached", False: "MISSED", None: ""}


@dataclass(frozen=True, slots=True)
class Target:
    """A limit for a figure's value, or for its ratio to the baseline of the same run."""

    limit: float
    of: Literal["value", "ratio"] = "value"
    at: Literal["most", "least"] = "most"

    def holds(self, figure: Figure) -> bool:
        measured = figure.value if self.of == "value" else figure.ratio
        assert measured is not None
        return measured <= self.limit if self.at == "most" else measured >= self.limit

    def text(self, unit: str) -> str:
        sign = "≤" if self.at == "most" else "≥"
        return f"{sign} {self.limit:g} ×" if self.of == "ratio" else f"{sign} {self.limit:,g} {unit}".rstrip()


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value; ``baseline`` names what ``ratio`` compares it with, measured in the same run."""

    section: str
    name: str
    value: float
    unit: str
    ratio: float | None = None
    baseline: str = ""
    target: Target | None = None

    @property
    def reached(self) -> bool | None:
        return None if self.target is None else self.target.holds(self)


@dataclass(slots=True)
class Report:
    """The figures of one run, in the order they were measured; each is printed as soon as it is there."""

    figures: list[Figure] = field(default_factory=list)
    curves: dict[str, dict[str, list[tuple[float, float]]]] = field(default_factory=dict)
    """Curve (one of ``curves.CURVES``) -> line -> points."""
    notes: list[str] = field(default_factory=list)

    def add(
        self,
        section: str,
        name: str,
        value: float,
        unit: str,
        *,
        over: float | None = None,
        baseline: str = "",
        target: Target | None = None,
    ) -> Figure:
        """Add a figure; ``over`` is the baseline's value in the same unit."""
        figure = Figure(section, name, value, unit, None if over is None else value / over, baseline, target)
        if not any(known.section == section for known in self.figures):
            print(f"\n{section}", flush=True)
        self.figures.append(figure)
        print(_line(figure), flush=True)
        return figure

    def note(self, text: str) -> None:
        """Something that a reader of the figures has to know."""
        self.notes.append(text)
        print(f"  note: {text}", flush=True)

    def point(self, curve: str, line: str, x: float, y: float) -> None:
        """One point of a line of a curve."""
        self.curves.setdefault(curve, {}).setdefault(line, []).append((x, y))

    def missed(self) -> list[Figure]:
        return [figure for figure in self.figures if figure.reached is False]

    def close(self, path: Path, seconds: float) -> None:
        """Print the summary and write the JSON."""
        aimed = sum(figure.target is not None for figure in self.figures)
        print(f"\n{aimed - len(self.missed())} of {aimed} targets reached; {seconds:.0f} s on {machine()['cpu']}")
        for figure in self.missed():
            print(f"  missed: {figure.section}: {figure.name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self.as_json(seconds), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"written to {path}")

    def as_json(self, seconds: float) -> dict[str, Any]:
        figures = [asdict(figure) | {"reached": figure.reached} for figure in self.figures]
        return {
            "at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "command": " ".join(["python", "-m", *_module(), *sys.argv[1:]]),
            "seconds": round(seconds, 1),
            "machine": machine(),
            "figures": figures,
            "curves": self.curves,
            "notes": self.notes,
        }


def machine() -> dict[str, Any]:
    """Where this ran, in the words that a figure needs beside it; the load says how quiet it was."""
    return {
        "cpu": f"{os.cpu_count()} cores, {platform.machine()}",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "load": [round(value, 2) for value in os.getloadavg()],
    }


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that ``percent`` of the sorted values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def _module() -> list[str]:
    name = getattr(sys.modules["__main__"].__spec__, "name", "bench")
    return [name.removesuffix(".__main__")]


def _line(figure: Figure) -> str:
    ratio = "" if figure.ratio is None else f"{_short(figure.ratio)} × {figure.baseline}"
    target = "" if figure.target is None else f"{figure.target.text(figure.unit)}: {MARKS[figure.reached]}"
    return f"  {figure.name:<52}{_short(figure.value):>9} {figure.unit:<9}{ratio:<26}{target}".rstrip()


def _short(value: float) -> str:
    """Three digits say all that a measurement of this kind can."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
