from __future__ import annotations

import pytest

from bench.eval import prompts


@pytest.mark.rule("house.prompt-versions")
@pytest.mark.parametrize("prompt", prompts.current(), ids=lambda prompt: prompt.name)
def test_a_prompt_is_what_its_version_says_and_has_been_evaluated(prompt: prompts.Prompt) -> None:
    rows = [row for row in prompts.recorded() if row.name == prompt.name]
    assert rows, f"docs/prompts.md has no row for {prompt.name}"
    latest = rows[-1]
    said = f"{prompt.name}: raise PROMPT_VERSION and add a row with {prompt.fingerprint} to docs/prompts.md after `make eval`"
    assert (latest.version, latest.fingerprint) == (prompt.version, prompt.fingerprint), said
    assert len(latest.evaluation) > 20


@pytest.mark.rule("house.prompt-versions")
def test_versions_only_go_up_and_each_stands_for_one_text() -> None:
    rows = prompts.recorded()
    for name in {row.name for row in rows}:
        own = [row for row in rows if row.name == name]
        assert [int(row.version) for row in own] == list(range(1, len(own) + 1))
        assert len({row.fingerprint for row in own}) == len(own)
        assert [row.date for row in own] == sorted(row.date for row in own)


def test_a_changed_word_or_tool_changes_the_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {each.name: each.fingerprint for each in prompts.current()}
    monkeypatch.setattr(prompts.rules, "MEND", prompts.rules.MEND + " Please.")
    monkeypatch.setattr(prompts.selector, "SYSTEM", prompts.selector.SYSTEM + " Please.")
    after = {each.name: each.fingerprint for each in prompts.current()}
    assert all(before[name] != after[name] for name in before)
