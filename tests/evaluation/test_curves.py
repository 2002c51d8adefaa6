"""Every curve that a benchmark measures has a picture, and the page shows it."""

from __future__ import annotations

import ast
from pathlib import Path

from bench.curves import CURVES

ROOT = Path(__file__).resolve().parents[2]


def measured() -> set[str]:
    """The first argument of every ``report.point(…)``; what varies in it is a star."""
    names = set()
    for path in (ROOT / "bench").glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "point":
                name = call.args[0]
                if isinstance(name, ast.Constant):
                    names.add(str(name.value))
                elif isinstance(name, ast.JoinedStr):
                    names.add("".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in name.values))
    return names


def test_every_curve_that_is_measured_is_drawn_and_no_other() -> None:
    found = measured()
    assert found == {name for name in CURVES if not name.startswith("append by") or name == "append by size"} | {"append by *"}


def test_the_page_shows_every_picture() -> None:
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    for curve in CURVES.values():
        assert f"pictures/{curve.file})" in page
        assert (ROOT / "docs" / "pictures" / curve.file).read_text(encoding="utf-8").startswith("<svg")
