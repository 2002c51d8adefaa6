"""An import through a real daemon: real jobs, honest sources, and a page that shows them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from soong_memoryd.cli.ctl import main
from tests.support.daemon import DaemonProcess


def ctl(home: Path, *argv: str) -> dict[str, object]:
    out, err = io.StringIO(), io.StringIO()
    assert main([*argv, "--json"], env={"SOONG_AGENT_HOME": str(home)}, out=out, err=err) == 0, err.getvalue()
    data: dict[str, object] = json.loads(out.getvalue())["data"]
    return data


@pytest.mark.rule("cli.import-provenance")
@pytest.mark.rule("view.content")
def test_an_imported_sentence_becomes_a_memory_whose_source_it_is(tmp_path: Path) -> None:
    said = "以后所有项目都用 uv 装依赖, 不要用 pip。"
    (tmp_path / "notes.md").write_text(f"# Notes\n- {said}\n", encoding="utf-8")
    home = tmp_path / "h"
    with DaemonProcess(home):
        imported = ctl(home, "import", "markdown", str(tmp_path / "notes.md"), "--yes")
        (job,) = imported["jobs"]  # type: ignore[misc]
        assert job["status"] == "completed" and len(job["result"]["created"]) == 1
        again = ctl(home, "import", "markdown", str(tmp_path / "notes.md"), "--yes")
        assert ctl(home, "list")["total"] == 1 and again["session_id"] == imported["session_id"]
        page = tmp_path / "page.html"
        ctl(home, "view", "-o", str(page))
        text = page.read_text(encoding="utf-8")
        assert str(imported["session_id"]) in text and text.count(said) >= 2, "the memory and the sentence it came from"
        assert ctl(home, "config", "show")["settings"]
