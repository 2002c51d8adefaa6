"""The phrase tables as data."""

from __future__ import annotations

import re
from re import _constants, _parser  # the one way to look into a pattern without running it

import pytest

from soong_memoryd.text.fold import fold_letters
from soong_memoryd.text.intent.languages import LANGUAGES
from soong_memoryd.text.intent.phrases import CLAUSE, KINDS, Phrases

REQUIRED = {"en", "zh", "ja", "ko", "de", "fr", "es", "pt", "ru", "it"}


def _unbounded_gaps(parsed: object) -> int:
    """How many times ``.`` may be repeated without a bound in a parsed pattern."""
    count = 0
    for operation, argument in parsed:  # type: ignore[attr-defined]
        if operation in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            _, most, repeated = argument
            if most is _constants.MAXREPEAT and any(inner is _constants.ANY for inner, _ in repeated):
                count += 1
            count += _unbounded_gaps(repeated)
        elif operation is _constants.SUBPATTERN:
            count += _unbounded_gaps(argument[-1])
        elif operation is _constants.BRANCH:
            count += sum(_unbounded_gaps(branch) for branch in argument[1])
    return count


def test_every_required_language_has_wishes_rules_preferences_requests_and_keeps() -> None:
    tables = {table.language: table for table in LANGUAGES}
    assert set(tables) >= REQUIRED
    assert len(tables) == len(LANGUAGES)
    for table in LANGUAGES:
        assert all(getattr(table, kind) for kind in ("wishes", "rules", "preferences", "requests", "keeps", "vetoes"))


@pytest.mark.parametrize("table", LANGUAGES, ids=lambda table: table.language)
def test_patterns_are_lower_case_and_have_bounded_gaps(table: Phrases) -> None:
    for kind in KINDS:
        for pattern in getattr(table, kind):
            bare = pattern.removeprefix(CLAUSE)
            assert CLAUSE not in bare
            assert not re.search(r"(?<!\\)[A-Z]", bare), pattern
            assert _unbounded_gaps(_parser.parse(bare)) == 0, pattern


@pytest.mark.parametrize("table", LANGUAGES, ids=lambda table: table.language)
def test_hints_are_written_as_folded_text_has_them(table: Phrases) -> None:
    for hint in table.folded_hints:
        assert hint
        assert fold_letters(f"x{hint}x") == f"x{hint}x"
