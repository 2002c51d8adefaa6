"""A report as one HTML page that needs nothing else.

Owns: what stands where on the page. Must not know how anything was measured or drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from bench.eval.difference import Difference
from bench.report import MARKS

Json = dict[str, Any]
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 60rem; margin: 2rem auto }
table { border-collapse: collapse; margin: .5rem 0 1.5rem }
td, th { padding: .15rem .7rem; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top }
.MISSED { font-weight: 600; color: #b45309 }
.note { border-left: 4px solid #1f5fa8; padding: .2rem .8rem; background: #f3f6fa }
svg { max-width: 100%; height: auto; background: #fff }
@media (prefers-color-scheme: dark) {
  body { background: #181a1b; color: #ddd } .note { background: #23272b }
  td, th { border-color: #444 } .MISSED { color: #f0a54a }
}"""


def render(report: Json, pictures: Sequence[tuple[str, str]], difference: Difference | None) -> str:
    """The whole page; ``pictures`` are (caption, SVG)."""
    model, machine = report["model"], report["machine"]
    head = [
        f"<h1>Evaluation of {escape(model['label'])}</h1>",
        f'<p class="note">{escape(model["meaning"])}</p>',
        _table((), [
            ("when", report["at"]), ("command", report["command"]), ("took", f"{report['seconds']:.0f} s"),
            ("machine", f"{machine['cpu']}, {machine['system']}, Python {machine['python']}, load {machine['load'][0]}"),
            ("daemon", report["daemon"]), *((f"prompt {name}", said) for name, said in report["prompts"].items()),
            *((f"set {name}", said) for name, said in report["sets"].items()),
        ]),
    ]  # fmt: skip
    body = [*_figures(report, difference), *_changes(difference)]
    body += [f"<h2>{escape(caption)}</h2>\n{svg}" for caption, svg in pictures]
    body += _cases(report["parts"].get("extraction", {}).get("cases", ()))
    body += [f"<p>{escape(note)}</p>" for note in report["notes"]]
    title = f"<title>Evaluation of {escape(model['label'])}</title>"
    return "\n".join(["<!doctype html>", '<html lang="en"><head><meta charset="utf-8">', title, f"<style>{STYLE}</style>",
                      "</head><body>", *head, *body, "</body></html>", ""])  # fmt: skip


def _figures(report: Json, difference: Difference | None) -> Iterable[str]:
    before = {(section, name): was for section, name, was, _ in difference.figures} if difference else {}
    for section in dict.fromkeys(figure["section"] for figure in report["figures"]):
        rows = []
        for figure in (each for each in report["figures"] if each["section"] == section):
            mark = MARKS[figure["reached"]]
            was = before.get((section, figure["name"]))
            changed = "" if was is None else f"was {was:.3g}"
            rows.append((figure["name"], _number(figure["value"]), figure["unit"], mark, changed))
        yield f"<h2>{escape(section)}</h2>{_table(('', 'value', '', 'target', 'last report'), rows)}"


def _changes(difference: Difference | None) -> Iterable[str]:
    if difference is None:
        yield "<h2>Since the last report</h2><p>There is no earlier report on this model.</p>"
        return
    lines = "".join(f"<li>{escape(line)}</li>" for line in difference.lines())
    yield f"<h2>Since the report of {escape(difference.against)}</h2><ul>{lines}</ul>"


def _cases(cases: Iterable[Json]) -> Iterable[str]:
    wrong = [case for case in cases if case["faults"]]
    if wrong:
        rows = [(case["case_id"], case["lang"], case["kind"], case["title"], _faults(case)) for case in wrong]
        yield f"<h2>Conversations that are not clean ({len(wrong)})</h2>{_table(('', '', 'kind', '', 'faults'), rows)}"


def _faults(case: Json) -> str:
    return "; ".join(f"{fault}: {', '.join(found)}" for fault, found in case["faults"].items())


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = f"<tr>{''.join(f'<th>{escape(cell)}</th>' for cell in header)}</tr>" if header else ""
    return f"<table>{head}{''.join(f'<tr>{_cells(row)}</tr>' for row in rows)}</table>"


def _cells(row: Sequence[str]) -> str:
    marks = {mark: f' class="{mark}"' for mark in MARKS.values() if mark == "MISSED"}
    return "".join(f"<td{marks.get(cell, '')}>{escape(str(cell))}</td>" for cell in row)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"
