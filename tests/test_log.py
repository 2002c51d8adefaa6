"""What recurs while a disk is full is said once a minute."""

from __future__ import annotations

import pytest
import structlog

from soong_memoryd.log import OnceAMinute


@pytest.mark.rule("durability.log")
def test_the_same_trouble_is_said_once_a_minute_another_one_at_once():
    now = 0.0
    once = OnceAMinute(lambda: now)

    def said(event, **fields):
        try:
            return once(None, "error", {"event": event, **fields}) is not None
        except structlog.DropEvent:
            return False

    assert [said("schedule_stalled", code="storage_full") for _ in range(3)] == [True, False, False]
    assert said("schedule_stalled", code="read_only")
    assert [said("ready") for _ in range(2)] == [True, True]
    now = 59.0
    assert not said("schedule_stalled", code="storage_full")
    now = 60.0
    assert said("schedule_stalled", code="storage_full")
