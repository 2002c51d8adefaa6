"""Every pattern is bounded: what it can cost and how far it can reach is read off its parsed form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from soong_memoryd.text.secrets import (
    SecretFinder,
    contextual,
    credentials,
    entropy,
    folding,
    grammar,
    lookalikes,
    names,
    rules,
    values,
)
from soong_memoryd.text.secrets.finder import MARGIN_CHARS, OVERLAP_CHARS
from soong_memoryd.text.secrets.words import LANGUAGES, STEMS

parser: Any = re._parser  # type: ignore[attr-defined]
REPEATS = {parser.MAX_REPEAT, parser.MIN_REPEAT, parser.POSSESSIVE_REPEAT}
MAX_NESTED_WAYS = 12_000
FINDER = SecretFinder()


def module_patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for module in (contextual, credentials, entropy, folding, grammar, lookalikes, names, values):
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                yield f"{module.__name__}.{name}", value
    for rule in (*rules.TOKEN_RULES, *credentials.CREDENTIAL_RULES):
        yield rule.kind, rule.pattern


PATTERNS = list(module_patterns())


def repeats(tree: Any, nested: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield for each repeat of varying count its maximum, those around it first."""
    for operator, argument in tree:
        inner = nested
        if operator in REPEATS:
            low, high, body = argument
            if low != high and high > 1:
                inner = (*nested, int(high))
                yield inner
            yield from repeats(body, inner)
            continue
        for part in argument if isinstance(argument, (tuple, list)) else ():
            if isinstance(part, parser.SubPattern):
                yield from repeats(part, nested)
            elif isinstance(part, list):
                for branch in part:
                    if isinstance(branch, parser.SubPattern):
                        yield from repeats(branch, nested)


@pytest.mark.rule("secrets.linear")
@pytest.mark.parametrize(("name", "pattern"), PATTERNS, ids=[name for name, _ in PATTERNS])
def test_no_pattern_has_an_unbounded_or_explosive_repeat(name: str, pattern: re.Pattern[str]) -> None:
    for bounds in repeats(parser.parse(pattern.pattern, pattern.flags)):
        assert bounds[-1] != parser.MAXREPEAT, name
        assert len(bounds) <= 2, name
        ways = bounds[0] * bounds[-1] if len(bounds) == 2 else 1
        assert ways <= MAX_NESTED_WAYS, (name, bounds)


@pytest.mark.parametrize("rule", (*rules.TOKEN_RULES, *credentials.CREDENTIAL_RULES))
def test_no_rule_reaches_further_than_two_chunks_overlap(rule: rules.Rule) -> None:
    widest = parser.parse(rule.pattern.pattern, rule.pattern.flags).getwidth()[1]
    assert widest <= OVERLAP_CHARS - 2 * MARGIN_CHARS


def test_the_structural_check_sees_what_it_forbids() -> None:
    assert (parser.MAXREPEAT, parser.MAXREPEAT) in list(repeats(parser.parse(r"(?:a+)+")))
    assert (5, 9) in list(repeats(parser.parse(r"x|(?=(?:a{1,9}b){0,5})")))


def test_there_are_many_token_kinds_each_with_its_own_prefilter() -> None:
    assert len({rule.kind for rule in rules.TOKEN_RULES}) >= 45
    for rule in (*rules.TOKEN_RULES, *credentials.CREDENTIAL_RULES):
        assert rule.literals
        assert all(literal == literal.lower() for literal in rule.literals)


def test_every_telling_noun_holds_a_stem_that_opens_a_window() -> None:
    plain = re.compile(r"[\[\](){}?*+|\\^$]")
    for language in LANGUAGES:
        for noun in (*language.passwords, *language.pins, *language.keys, *language.compounds):
            if not plain.search(noun):
                assert any(stem in noun for stem in STEMS), noun


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "A1",
        "eyJ",
        "sk-",
        "a.",
        "password=",
        "password ",
        "a:",
        "://a:",
        "key=a1",
        "密码",
        "密码是",
        "cookie: a=1;",
        '"',
        "--token ",
        "-----BEGIN PRIVATE KEY-----",
        "password for a ",
        "pin 1 ",
        "login for a/",
        "backup code abcd-",
        "[",
        "deadbeef",
        "a/",
        "\u200b",
        "bearer ",
        "[REDACTED:",
        "password Ab1!",
        "mysql -u a ",
        "seed phrase abc ",
        "１",
        "İ password ",
    ],
)
def test_a_hostile_text_ends_and_redacting_it_twice_changes_nothing(unit: str) -> None:
    text = unit * (4000 // len(unit))
    once = FINDER.redact(text)
    assert FINDER.redact(once) == once
    assert all(0 <= finding.start < finding.end <= len(text) for finding in FINDER.find(text))
