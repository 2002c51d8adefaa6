"""The generated pages say what the tables say; the README names what a newcomer types; no page names what does not exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from soong_memoryd.cli.ctl import build_parser
from soong_memoryd.cli.words import tree
from tests import troubleshooting
from tests.docs_current import stale

ROOT = Path(__file__).resolve().parent.parent
READMES = ("README.md", "README.zh-CN.md")
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("clients/*/README.md")])
SOURCES = sorted([*(ROOT / "soong_memoryd").rglob("*.py"), *(ROOT / "clients").rglob("*.py")])
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
COMMAND = re.compile(r"soong-memoryctl ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def test_generated_pages_are_current():
    assert stale() == []


def test_the_readme_says_how_to_begin():
    first_screen = "\n".join((ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:40])
    assert "make demo" in first_screen and "make test" in first_screen


@cache
def commands() -> frozenset[tuple[str, ...]]:
    return frozenset(word.path for word in tree(build_parser()).all())


def unknown_commands(text: str) -> Iterator[str]:
    """What is written as a command of soong-memoryctl and is none."""
    known = commands()
    groups = {path[0] for path in known if len(path) == 2}
    for found in COMMAND.finditer(text):
        path = (found[1], found[2]) if found[1] in groups else (found[1],)
        if path not in known:
            yield found[0]


@pytest.mark.rule("docs.commands-exist")
@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_that_a_page_names_exists(page: Path):
    code = "\n".join(CODE.findall(page.read_text(encoding="utf-8")))
    assert list(unknown_commands(code)) == []


@pytest.mark.rule("docs.commands-exist")
def test_every_command_that_an_error_or_hint_names_exists():
    assert list(unknown_commands("run soong-memoryctl repair x")) == ["soong-memoryctl repair x"]
    wrong = [
        (str(path.relative_to(ROOT)), node.lineno, command)
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for command in unknown_commands(node.value)
    ]
    assert wrong == []


@pytest.mark.rule("docs.links")
@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_to_a_file_leads_to_one(page: Path):
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.rule("docs.every-error")
def test_every_code_that_is_raised_stands_in_the_troubleshooting_page():
    page = troubleshooting.page()
    raised = troubleshooting.codes_raised()
    assert len(raised) > 40, "the source was read"
    assert {code: where for code, where in raised.items() if f"`{code}`" not in page} == {}
    assert sorted(set(troubleshooting.INNER) - set(raised)) == [], "a row of an error that nobody raises any more"


@pytest.mark.rule("docs.every-error")
def test_every_row_of_the_troubleshooting_page_names_what_to_type():
    rows = [helps for *_, helps in (*troubleshooting.SYMPTOMS, *troubleshooting.INNER.values())]
    assert [helps for helps in rows if "`" not in helps and "restart" not in helps] == []
