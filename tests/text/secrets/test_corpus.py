from __future__ import annotations

from collections import Counter

import pytest

from soong_memoryd.text.secrets import SecretFinder
from tests.support.placeholders import load_cases
from tests.text.secrets.corpus import ISSUED_SHAPES, Case, Maker, harmless, positives

FINDER = SecretFinder()
OTHERS = ("ja", "ko", "de", "fr", "es", "pt", "ru", "it")
MIN_CAUGHT, MIN_UNALTERED = 0.93, 0.97


def needle(secret: str) -> str:
    """A piece from the middle of a long secret: it must not survive either."""
    start = max(0, len(secret) // 2 - 12)
    return max(secret[start : start + 24].split("\n"), key=len)


def leaks(case: Case) -> bool:
    assert case.secret is not None
    return needle(case.secret) in FINDER.redact(case.text)


def by_language(cases: list[Case]) -> dict[str, list[Case]]:
    grouped: dict[str, list[Case]] = {}
    for case in cases:
        grouped.setdefault(case.language, []).append(case)
    return grouped


def test_the_corpus_is_large_and_the_same_on_every_run() -> None:
    assert len(positives()) >= 600
    assert len(harmless()) >= 500
    assert positives() == positives()
    assert len(ISSUED_SHAPES) >= 35


@pytest.mark.rule("secrets.caught")
@pytest.mark.parametrize("language", ["en", "zh", "form", *OTHERS])
def test_secrets_are_redacted_in_every_language(language: str) -> None:
    cases = by_language(positives())[language]
    missed = [case for case in cases if leaks(case)]
    assert 1 - len(missed) / len(cases) >= MIN_CAUGHT, Counter(case.kind for case in missed)


@pytest.mark.rule("secrets.harmless")
@pytest.mark.parametrize("language", ["en", "zh", *OTHERS])
def test_harmless_text_passes_unaltered_in_every_language(language: str) -> None:
    cases = by_language(harmless())[language]
    altered = [case.text for case in cases if FINDER.redact(case.text) != case.text]
    assert 1 - len(altered) / len(cases) >= MIN_UNALTERED, altered


@pytest.mark.rule("secrets.shapes")
@pytest.mark.parametrize("kind", sorted(ISSUED_SHAPES))
@pytest.mark.parametrize(
    "after", ["", ",", ".", ")", "]", "，别忘了", "。", "）", "」", "、", "！", "；", "的", "です", " ok", "\n"]
)
def test_an_issued_token_is_found_whole_whatever_follows_it(kind: str, after: str) -> None:
    maker = Maker(7)
    for before in ("", "use ", "令牌是", "（", "key=", '"'):
        token = ISSUED_SHAPES[kind](maker)
        redacted = FINDER.redact(before + token + after)
        assert token[:16] not in redacted
        assert token[-8:] not in redacted
        assert redacted.startswith(before)
        assert redacted.endswith(after)


@pytest.mark.parametrize("seed", range(5))
def test_the_labelled_cases_are_all_judged_right(seed: int) -> None:
    for case in load_cases("redaction_dev.jsonl", seed):
        redacted = FINDER.redact(case["text"])
        if case["is_secret"]:
            assert needle(case["secret"]) not in redacted, case["id"]
        else:
            assert redacted == case["text"], case["id"]


@pytest.mark.rule("secrets.idempotent")
def test_redacting_twice_changes_nothing_more() -> None:
    for case in positives():
        once = FINDER.redact(case.text)
        assert FINDER.redact(once) == once


def test_the_writer_refuses_what_the_redactor_removes_and_nothing_harmless() -> None:
    caught = [case for case in positives() if not leaks(case)]
    assert all(FINDER.refusal(case.text) for case in caught)
    refused = [case.text for case in harmless() if FINDER.refusal(case.text)]
    assert len(refused) / len(harmless()) <= 1 - MIN_UNALTERED, refused
