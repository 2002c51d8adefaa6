"""How cost grows, as pictures: ``python -m bench.curves [--to DIR] REPORT.json…`` draws every curve that the reports hold.

Owns: what each curve is called and how its axes run. Must not know how anything is measured.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.eval.plots import BLUE, GREY, ORANGE, available, picture

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
STYLES = (("o-", BLUE), ("s--", ORANGE), ("^-.", "#2c7a3f"), ("d:", "#7b3f9e"))
Points = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Curve:
    """One picture; ``linear``: beside a line of linear growth from the first point, both axes logarithmic."""

    file: str
    x: str
    y: str
    linear: bool = True


CURVES = {
    "reads": Curve("reads.svg", "memories", "p50, ms"),
    "start": Curve("start.svg", "memories", "start to ready, s"),
    "edit": Curve("edit.svg", "memories", "rename to visible, ms"),
    "append by size": Curve("append-size.svg", "node, KB", "p50, ms"),
    "append by nodes": Curve("append-nodes.svg", "nodes in the session", "p50, ms"),
    "append by sessions": Curve("append-sessions.svg", "open sessions", "p50, ms"),
    "life": Curve("life.svg", "messages so far", "prompt tokens a message", linear=False),
}


def draw(curve: Curve, lines: dict[str, Points]) -> str:
    """A curve as SVG text."""

    def fill(axes: Any) -> None:
        for (name, points), (style, colour) in zip(lines.items(), STYLES, strict=False):
            axes.plot(*zip(*points, strict=True), style, color=colour, label=name)
        if curve.linear:
            axes.set_xscale("log")
            axes.set_yscale("log")
            x, y = max((points[0] for points in lines.values()), key=lambda point: point[1])
            last = max(points[-1][0] for points in lines.values())
            axes.plot((x, last), (y, y * last / x), color=GREY, linewidth=0.8, label="linear growth")
        else:
            axes.set_ylim(bottom=0)
        axes.set_xlabel(curve.x)
        axes.set_ylabel(curve.y)
        axes.legend(frameon=False, fontsize=8)

    return picture(fill)


def main() -> int:
    """Draw what the reports hold and name the files."""
    parser = argparse.ArgumentParser("python -m bench.curves", description=main.__doc__)
    parser.add_argument("reports", nargs="+", type=Path, metavar="REPORT.json")
    parser.add_argument("--to", type=Path, default=PICTURES, metavar="DIR")
    options = parser.parse_args()
    if not available():
        parser.error("matplotlib is not installed here: make bench-pictures installs it")
    options.to.mkdir(parents=True, exist_ok=True)
    for report in options.reports:
        for name, lines in json.loads(report.read_text(encoding="utf-8")).get("curves", {}).items():
            path = options.to / CURVES[name].file
            path.write_text(draw(CURVES[name], lines), encoding="utf-8")
            print(path)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
