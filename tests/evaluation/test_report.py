"""What is written after a run: the page stands alone, the difference says what changed, a mini-run fills both."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.eval import __main__ as program
from bench.eval import difference, page, plots
from bench.eval.output import write
from bench.eval.subject import read


def report(at: str, value: float, *, faults: tuple[str, ...] = (), prompt: str = "1 (a)") -> dict[str, Any]:
    figure = {"section": "extraction", "name": "recall", "value": value, "unit": "of 2", "reached": value >= 0.9}
    return {
        "at": at, "command": "python -m bench.eval", "seconds": 2.0, "daemon": "0", "figures": [figure], "notes": ["a <note>"],
        "machine": {"cpu": "2 cores", "system": "Linux", "python": "3", "load": [0.1]},
        "model": {"label": "m", "kind": "remote", "meaning": "means"}, "prompts": {"extraction": prompt},
        "sets": {"s": "2 rows"},
        "parts": {"extraction": {"cases": [
            {"case_id": "c1", "lang": "en", "kind": "explicit", "title": "<1>", "faults": {each: ["k"] for each in faults}}]}},
    }  # fmt: skip


def test_the_difference_names_figures_cases_prompts_and_sets() -> None:
    before, now = report("2026-01-01T00:00:00Z", 0.5, faults=("missed",)), report("2026-01-02T00:00:00Z", 1.0, prompt="2 (b)")
    changed = difference.compare(before, now)
    assert changed.figures == (("extraction", "recall", 0.5, 1.0),)
    assert (changed.broken, changed.mended) == ((), ("c1",))
    assert changed.notes == ("prompt extraction: 1 (a) → 2 (b)",)
    assert difference.compare(now, now).lines() == ["no figure differs"]


def test_the_last_report_is_the_newest_on_the_same_model(tmp_path: Path) -> None:
    for name, made in (("20260101-m", report("1", 1)), ("20260102-m", report("2", 1)), ("20260103-o", report("3", 1))):
        made["model"]["label"] = name[-1]
        (tmp_path / f"{name}.json").write_text(json.dumps(made), encoding="utf-8")
    last = difference.last(tmp_path, "m")
    assert last is not None
    assert last["at"] == "2"
    assert difference.last(tmp_path, "unknown") is None


def test_the_page_needs_nothing_from_elsewhere_and_escapes_what_it_shows() -> None:
    made = report("2026-01-02T00:00:00Z", 0.5, faults=("missed",))
    html = page.render(made, [("a picture", "<svg></svg>")], difference.compare(report("2026-01-01T00:00:00Z", 1.0), made))
    assert "&lt;1&gt;" in html
    assert "a &lt;note&gt;" in html
    assert '<td class="MISSED">MISSED</td><td>was 1</td>' in html
    assert not re.search(r"(src|href)=|@import|url\(", html)


@pytest.mark.parametrize("text", ["", '[model]\nname = "x"\n'])
def test_a_config_without_a_provider_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "memoryd.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="provider"):
        read(path)


def test_a_scripted_mini_run_writes_a_report_that_the_next_one_is_compared_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(plots, "available", lambda: False)
    monkeypatch.setattr(sys, "argv", ["eval", "--only", "extraction", "--cases", "ev32,ev54", "--out", str(tmp_path)])
    program.main()
    (file,) = tmp_path.glob("*.json")
    made = json.loads(file.read_text(encoding="utf-8"))
    figures = {figure["name"]: figure["value"] for figure in made["figures"]}
    assert figures["recall of what should be kept"] == figures["false-memory resistance"] == 1.0
    assert figures["updates and conflicts correct"] == 1.0
    cases = made["parts"]["extraction"]["cases"]
    assert [case["faults"] for case in cases] == [{}, {}]
    assert all(case["prompt_tokens"] > 1000 for case in cases)
    assert "matplotlib is not installed" in file.with_suffix(".html").read_text(encoding="utf-8")
    cases[0]["faults"] = {"missed": ["k"]}
    write(made | {"at": "2999-01-01T00:00:00Z"}, tmp_path)
    assert "no longer clean: ev32" in capsys.readouterr().out
