"""Pictures of a report as SVG text, to be set into the page.

Owns: the figures drawn and their colours (blue and orange, apart also without colour). Must not know how they were measured.
matplotlib is imported here alone; ``make eval`` installs it, and without it a report has no pictures.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Json = dict[str, Any]
BLUE, ORANGE, GREY = "#1f5fa8", "#e08214", "#888888"
SIZE = (7.2, 3.0)
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "soong", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}


def available() -> bool:
    """Whether matplotlib can be imported."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def draw(report: Json, history: Sequence[Json]) -> list[tuple[str, str]]:
    """(caption, SVG) of each picture that a report has data for; ``history``: earlier reports of the model, oldest first."""
    parts = report["parts"]
    made: list[tuple[str, str]] = []
    if "extraction" in parts:
        by, cases = parts["extraction"]["by"], parts["extraction"]["cases"]
        made.append(("Extraction by language: recall and precision", _shares(by["lang"], "recall", "precision")))
        made.append(
            ("Extraction by what a conversation tries: recall and clean conversations", _shares(by["kind"], "recall", "clean"))
        )
        if any(case["prompt_tokens"] for case in cases):
            made.append(("Prompt tokens of each conversation, sorted", _sorted_tokens(cases)))
    if "recall" in parts:
        made.append(("Recall@5 by language, by words and by the model", _recall(parts["recall"]["ways"])))
    if history:
        made.append(("This model's reports so far", _history([*history, report])))
    return made


def _shares(groups: Mapping[str, Json], first: str, second: str) -> str:
    def fill(axes: Any) -> None:
        places = range(len(groups))
        for shift, name, colour, hatch in ((-0.2, first, BLUE, ""), (0.2, second, ORANGE, "//")):
            axes.bar([at + shift for at in places], [group[name] for group in groups.values()], 0.38, label=name,
                     color=colour, hatch=hatch, edgecolor="white")  # fmt: skip
        axes.set_xticks(list(places), [f"{name} ({group['conversations']})" for name, group in groups.items()],
                        rotation=30, ha="right")  # fmt: skip
        axes.set_ylim(0, 1.05)
        axes.legend(frameon=False, ncols=2, loc="lower right", bbox_to_anchor=(1, 1))

    return picture(fill)


def _sorted_tokens(cases: Sequence[Json]) -> str:
    def fill(axes: Any) -> None:
        tokens = sorted(case["prompt_tokens"] for case in cases)
        axes.plot(range(1, len(tokens) + 1), tokens, color=BLUE, marker=".", linestyle="-")
        axes.set_ylim(bottom=0)
        axes.set_xlabel("conversations")
        axes.set_ylabel("prompt tokens")

    return picture(fill)


def _recall(ways: Mapping[str, Mapping[str, Json]]) -> str:
    def fill(axes: Any) -> None:
        languages = sorted({lang for groups in ways.values() for lang in groups})
        width = 0.8 / len(ways)
        for number, ((way, groups), colour, hatch) in enumerate(zip(ways.items(), (BLUE, ORANGE), ("", "//"), strict=False)):
            places = [at + (number - (len(ways) - 1) / 2) * width for at in range(len(languages))]
            axes.bar(places, [groups[lang]["recall"] for lang in languages], width * 0.95, label=way, color=colour,
                     hatch=hatch, edgecolor="white")  # fmt: skip
        axes.set_xticks(range(len(languages)), languages)
        axes.set_ylim(0, 1.05)
        axes.legend(frameon=False, ncols=2, loc="lower right", bbox_to_anchor=(1, 1))

    return picture(fill)


def _history(reports: Sequence[Json]) -> str:
    lines = (("extraction", "recall of what should be kept", BLUE, "o-"), ("extraction", "clean conversations", ORANGE, "s--"),
             ("recall", "by model: recall@5", GREY, "^:"))  # fmt: skip

    def fill(axes: Any) -> None:
        for section, name, colour, style in lines:
            values = [(at, value) for at, report in enumerate(reports) if (value := _value(report, section, name)) is not None]
            if values:
                axes.plot(*zip(*values, strict=True), style, color=colour, label=f"{section}: {name}")
        axes.set_xticks(
            range(len(reports)), [report["at"][:16].replace("T", " ") for report in reports], rotation=30, ha="right"
        )
        axes.set_ylim(0, 1.05)
        axes.legend(frameon=False, fontsize=8, loc="lower left")

    return picture(fill)


def _value(report: Json, section: str, name: str) -> float | None:
    return next((each["value"] for each in report["figures"] if (each["section"], each["name"]) == (section, name)), None)


def picture(fill: Callable[[Any], None]) -> str:
    """What ``fill`` draws into the axes it is handed, as SVG text that is the same for the same data."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = Figure(SIZE, layout="constrained")
        fill(figure.subplots())
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    drawn = text.getvalue()
    return re.sub(r"<metadata>.*?</metadata>", "", drawn[drawn.index("<svg") :], flags=re.DOTALL)
