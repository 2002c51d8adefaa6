"""Both READMEs say the same in two languages, and the session in them is what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import readme_session

ROOT = Path(__file__).resolve().parent.parent
ENGLISH, CHINESE = (ROOT / name for name in readme_session.STORIES)
BLOCK = re.compile(r"```(\w*)\n(.*?)\n```", re.DOTALL)
COMMAND = re.compile(r"`((?:make|soong-memory\w+|pipx|python -m|uv) [^`\n]+)`")
LINK = re.compile(r"\]\(([^)]+)\)")
SAID = re.compile(r'("text": ?|recall\()"[^"]*"')  # what is said in an example is said in the reader's language


def code(readme: Path) -> list[tuple[str, list[str]]]:
    """Every block, without comments and without what is said in it."""
    return [
        (language, [SAID.sub(r"\1…", re.sub(r"\s*# .*", "", line)) for line in text.splitlines() if line.lstrip()[:2] != "# "])
        for language, text in BLOCK.findall(readme.read_text(encoding="utf-8"))
        if not text.startswith("Claude Code>")
    ]


def links(readme: Path) -> list[str]:
    """Where it leads, without the other language and places within the page."""
    found = LINK.findall(readme.read_text(encoding="utf-8"))
    return sorted(link for link in found if not link.startswith(("README", "#")))


def rows(readme: Path) -> list[tuple[str, list[str]]]:
    """The last column of every table row that names a command, and the figures in the row."""
    lines = [line for line in readme.read_text(encoding="utf-8").splitlines() if re.search(r"\| `(?:make|python)", line)]
    return [(line.split("|")[-2].strip(), sorted(re.findall(r"\d[\d,.]*\d|\d", line))) for line in lines]


@pytest.mark.rule("docs.readmes")
def test_both_readmes_have_the_same_code_commands_links_and_figures():
    assert len(code(ENGLISH)) >= 6 and len(rows(ENGLISH)) >= 6
    assert code(CHINESE) == code(ENGLISH)
    commands = [sorted(set(COMMAND.findall(readme.read_text(encoding="utf-8")))) for readme in (CHINESE, ENGLISH)]
    assert commands[0] == commands[1]
    assert links(CHINESE) == links(ENGLISH)
    assert rows(CHINESE) == rows(ENGLISH)
    headings = [re.findall(r"^(#+) ", readme.read_text(encoding="utf-8"), re.MULTILINE) for readme in (CHINESE, ENGLISH)]
    assert headings[0] == headings[1]


@pytest.mark.rule("docs.readmes")
@pytest.mark.parametrize("name", readme_session.STORIES)
def test_the_session_in_a_readme_is_what_is_printed(name: str):
    shown = readme_session.shown(ROOT / name)
    assert len(shown.splitlines()) == 12
    played = readme_session.play(readme_session.STORIES[name])
    assert readme_session.without_chance(shown) == readme_session.without_chance(played)
