"""Where a report ends up: JSON and a page, named by time and model, and what changed since the last one.

Owns: file names and the order of writing. Must not know what is in a report.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from bench.eval import difference, page, plots

Json = dict[str, Any]
HISTORY = 12


def write(report: Json, directory: Path, against: Path | None = None) -> Path:
    """Write both files, print where they are and what differs from ``against`` or from the last report; returns the JSON."""
    directory.mkdir(parents=True, exist_ok=True)
    label = report["model"]["label"]
    before = json.loads(against.read_text(encoding="utf-8")) if against else difference.last(directory, label)
    changed = difference.compare(before, report) if before else None
    stem = f"{report['at'].replace(':', '').replace('-', '')}-{re.sub(r'[^A-Za-z0-9_.]+', '-', label)}"
    if plots.available():
        pictures = plots.draw(report, _history(directory, label))
    else:
        pictures = []
        report["notes"].append("No pictures: matplotlib is not installed here; `make eval` installs it.")
    file = directory / f"{stem}.json"
    file.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (directory / f"{stem}.html").write_text(page.render(report, pictures, changed), encoding="utf-8")
    if changed:
        print(f"\nsince {changed.against}")
        for line in changed.lines():
            print(f"  {line}")
    aimed = [figure for figure in report["figures"] if figure["reached"] is not None]
    print(f"\n{sum(figure['reached'] for figure in aimed)} of {len(aimed)} targets reached in {report['seconds']:.0f} s")
    for figure in aimed:
        if not figure["reached"]:
            print(f"  missed: {figure['section']}: {figure['name']}")
    print(f"written to {file} and {file.with_suffix('.html').name} beside it")
    return file


def _history(directory: Path, label: str) -> list[Json]:
    reports = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(directory.glob("*.json"))]
    return [report for report in reports if report.get("model", {}).get("label") == label][-HISTORY:]
