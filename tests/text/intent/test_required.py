from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from soong_memoryd.text.fold import plain_letters
from soong_memoryd.text.intent.languages import LANGUAGES
from soong_memoryd.text.intent.phrases import CLAUSE, KINDS, Phrases
from soong_memoryd.text.intent.required import required_literals
from soong_memoryd.text.intent.sentences import sentences

CASES = Path(__file__).parents[2] / "cases"


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("from now on", {"from now on"}),
        ("from (?:now|here)", {"from "}),
        ("(?:remember|record)", {"member", "cord"}),
        (r"\bi (?:really )*prefer\b", {"prefer"}),
        ("记住(?:我)?", {"记住"}),
        ("(?:记|note)", {"记", "note"}),
        ("a{2,3}bc", {"bc"}),
        ("(?=keep)x", {"x"}),
        (r"\w+", None),
        ("(?:keep|.{3})", None),
    ],
)
def test_every_match_holds_one_of_the_literals(pattern: str, expected: set[str] | None) -> None:
    assert required_literals(pattern) == expected


def _judged_sentences() -> set[str]:
    texts: list[str] = []
    for name in ("intent_dev.jsonl", "intent_own.jsonl", "intent_fresh.jsonl"):
        texts += [json.loads(line)["text"] for line in (CASES / name).read_text(encoding="utf-8").splitlines() if line]
    return {sentence.folded for text in texts for sentence in sentences(text)}


SENTENCES = sorted(_judged_sentences())


@pytest.mark.parametrize("table", LANGUAGES, ids=lambda table: table.language)
def test_leaving_out_phrases_by_their_literals_changes_no_verdict(table: Phrases) -> None:
    for kind in KINDS:
        anywhere = [plain_letters(phrase) for phrase in getattr(table, kind) if not phrase.startswith(CLAUSE)]
        all_at_once = re.compile("|".join(f"(?:{phrase})" for phrase in anywhere) or "(?!)")
        for sentence in SENTENCES:
            expected = all_at_once.search(sentence)
            found = table.find(kind, sentence)
            assert (found and found.span()) == (expected and expected.span()), (kind, sentence)
