"""The generated pages say what the tables say; the README names what a newcomer types."""

from __future__ import annotations

from pathlib import Path

from tests.docs_current import stale

ROOT = Path(__file__).resolve().parent.parent


def test_generated_pages_are_current():
    assert stale() == []


def test_the_readme_says_how_to_begin():
    first_screen = "\n".join((ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:40])
    assert "make demo" in first_screen and "make test" in first_screen
