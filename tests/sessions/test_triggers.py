"""The four triggers, exhaustively."""

from __future__ import annotations

from itertools import product

import pytest

from soong_memoryd.sessions.triggers import REASONS, TriggerInput, TriggerLimits, evaluate

LIMITS = TriggerLimits(extract_every_messages=3, extract_every_tokens=100)


@pytest.mark.rule("trigger.order")
@pytest.mark.parametrize(("messages", "tokens", "explicit"), list(product((1, 2, 3, 4), (0, 99, 100, 101), (False, True))))
def test_the_first_trigger_that_holds_wins(messages: int, tokens: int, explicit: bool) -> None:
    reason = evaluate(TriggerInput(True, messages, tokens, explicit), LIMITS)
    holding = {"explicit": explicit, "message_backlog": messages >= 3, "token_backlog": tokens >= 100, "idle": True}
    assert reason is not None
    assert holding[reason]
    assert not any(holding[stronger] for stronger in REASONS if REASONS.index(stronger) < REASONS.index(reason))


@pytest.mark.rule("trigger.nothing")
@pytest.mark.parametrize(("tokens", "explicit"), list(product((0, 1000), (False, True))))
def test_nothing_holds_while_disabled_or_with_nothing_unscanned(tokens: int, explicit: bool) -> None:
    assert evaluate(TriggerInput(True, 0, tokens, explicit), LIMITS) is None
    assert evaluate(TriggerInput(False, 9, tokens, explicit), LIMITS) is None
