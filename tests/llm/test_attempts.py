"""When to try again."""

from __future__ import annotations

import pytest

from soong_memoryd.config import RetrySettings
from soong_memoryd.llm.attempts import wait_seconds

RETRY = RetrySettings(max_attempts=5, initial_backoff_ms=500, max_backoff_ms=1500)


@pytest.mark.parametrize(("attempt", "full"), [(1, 0.5), (2, 1.0), (3, 1.5), (4, 1.5)])
def test_waits_double_up_to_a_bound_and_are_jittered_downwards(attempt: int, full: float) -> None:
    assert wait_seconds(attempt, RETRY, None, 1.0) == full
    assert wait_seconds(attempt, RETRY, None, 0.0) == full / 2


def test_after_the_last_attempt_nothing_is_waited_for() -> None:
    assert wait_seconds(5, RETRY, None, 1.0) is None


@pytest.mark.rule("llm.retry-after-bounded")
def test_a_provider_is_never_asked_earlier_than_it_wants_and_left_alone_if_it_wants_long() -> None:
    assert wait_seconds(1, RETRY, 1.2, 0.0) == 1.2
    assert wait_seconds(1, RETRY, 0.1, 1.0) == 0.5
    assert wait_seconds(1, RETRY, 120.0, 0.0) is None
