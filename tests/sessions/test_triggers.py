"""The four triggers, exhaustively."""

from __future__ import annotations

from itertools import product

import pytest

from soong_memoryd.sessions.triggers import REASONS, TriggerInput, TriggerLimits, evaluate, is_stronger

LIMITS = TriggerLimits(extract_every_messages=3, extract_every_tokens=100)


@pytest.mark.rule("triggers.order")
@pytest.mark.parametrize(("messages", "tokens", "explicit"), list(product((1, 2, 3, 4), (0, 99, 100, 101), (False, True))))
def test_the_first_trigger_that_holds_wins(messages: int, tokens: int, explicit: bool) -> None:
    reason = evaluate(TriggerInput(True, messages, tokens, explicit), LIMITS)
    holding = {"explicit": explicit, "message_backlog": messages >= 3, "token_backlog": tokens >= 100, "idle": True}
    assert reason is not None
    assert holding[reason]
    assert not any(holding[stronger] for stronger in REASONS if is_stronger(stronger, reason))


@pytest.mark.rule("triggers.nothing")
@pytest.mark.parametrize(("tokens", "explicit"), list(product((0, 1000), (False, True))))
def test_nothing_holds_while_disabled_or_with_nothing_unscanned(tokens: int, explicit: bool) -> None:
    assert evaluate(TriggerInput(True, 0, tokens, explicit), LIMITS) is None
    assert evaluate(TriggerInput(False, 9, tokens, explicit), LIMITS) is None


def test_reasons_are_ordered_from_explicit_to_idle() -> None:
    assert REASONS == ("explicit", "message_backlog", "token_backlog", "idle")
    assert is_stronger("explicit", "idle")
    assert not is_stronger("idle", "idle")
    assert not is_stronger("token_backlog", "message_backlog")
