"""Rules and tests name each other: every rule is shown by a test, every mark names a rule, no row of the wire is left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from soong_memoryd.protocol.errors import ERRORS
from soong_memoryd.protocol.methods import METHODS
from tests.requirements import RULES

TESTS = Path(__file__).resolve().parent
ID = re.compile(r"[a-z_]+\.[a-z0-9_-]+")
EVENTS = {
    "memory_extraction_started", "memory_extraction_completed", "memory_extraction_failed", "memory_recalled",
    "memory_forgotten", "memory_edited", "memory_edited_outside", "catalog_edit_kept", "memory_dir_suspect",
    "extraction_skipped", "session_parked", "session_unparked", "model_paused", "model_resumed", "daemon_started",
    "daemon_stopped",
}  # fmt: skip
WRITTEN_EVENT = re.compile(r"(?:EventDraft|_announce)\(\s*\"([a-z_]+)\"|COMPLETED_EVENT = \"([a-z_]+)\"")


def _ids(decorator: ast.expr) -> list[str] | None:
    """The ids of a mark, None for any other decorator. An id that is no literal is an error of its test file."""
    if not isinstance(decorator, ast.Call) or ast.unparse(decorator.func) != "pytest.mark.rule":
        return None
    assert not decorator.keywords and all(isinstance(argument, ast.Constant) for argument in decorator.args)
    return [str(argument.value) for argument in decorator.args if isinstance(argument, ast.Constant)]


def _marks_of(path: Path) -> Iterator[tuple[str, str]]:
    """``(id, test)`` of every mark in a file; a mark on anything but a test that pytest collects shows nothing."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        for ids in map(_ids, getattr(node, "decorator_list", ())):
            if ids is None:
                continue
            where = f"{path.relative_to(TESTS)}::{getattr(node, 'name', '?')}"
            is_test = node in tree.body and isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
            assert is_test and path.name.startswith("test_"), f"{where} is marked and no test"
            yield from ((each, where) for each in ids)


@cache
def marks() -> dict[str, list[str]]:
    """Rule id → the tests that carry it."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("*.py")):
        for rule, test in _marks_of(path):
            found.setdefault(rule, []).append(test)
    return found


def test_every_rule_is_shown_by_a_test():
    assert [rule for rule in RULES if rule not in marks()] == []


def test_every_mark_names_a_rule():
    assert [(rule, tests) for rule, tests in marks().items() if rule not in RULES] == []


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_a_plain_id_and_says_one_thing(rule):
    assert ID.fullmatch(rule)
    assert re.fullmatch(r"\S[^\n]{8,}\.", RULES[rule])


def test_no_two_rules_say_the_same():
    assert len(set(RULES.values())) == len(RULES)


def test_no_test_carries_an_id_twice():
    for rule, tests in marks().items():
        assert len(set(tests)) == len(tests), rule


def area(name: str) -> set[str]:
    return {rule.partition(".")[2] for rule in RULES if rule.startswith(f"{name}.")}


def test_every_method_and_error_of_the_wire_is_a_rule_and_no_other():
    assert area("method") == {name.replace(".", "-") for name in METHODS}
    assert area("error") == set(ERRORS)


def test_every_event_that_the_daemon_can_write_is_a_rule():
    package = TESTS.parent / "soong_memoryd"
    sources = "\n".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    written = {one or other for one, other in WRITTEN_EVENT.findall(sources)}
    assert written == EVENTS <= area("event")
