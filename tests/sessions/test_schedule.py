"""The transition table, exhaustively, and what follows a failed attempt."""

from __future__ import annotations

import itertools

import pytest

from soong_memoryd.sessions import schedule
from soong_memoryd.sessions.triggers import REASONS

ACTIONS = {
    schedule.NOTHING,
    schedule.CANCEL,
    schedule.NEW_NOW,
    schedule.NEW_IDLE,
    schedule.REARM,
    schedule.HASTEN,
    schedule.RENAME,
    schedule.UNPARK,
}


@pytest.mark.rule("schedule.table")
def test_every_arrival_at_every_slot_has_one_action():
    assert set(schedule.ARRIVALS) == set(itertools.product(schedule.SLOTS, schedule.ARRIVING))
    assert set(schedule.ARRIVALS.values()) <= ACTIONS


@pytest.mark.rule("schedule.idle-cancel")
def test_a_new_run_cancels_an_idle_job_and_nothing_else():
    cancelled = {slot for slot in schedule.SLOTS if schedule.ARRIVALS[slot, schedule.RUN_STARTED] == schedule.CANCEL}
    assert cancelled == {schedule.IDLE}


@pytest.mark.rule("schedule.parked")
@pytest.mark.parametrize("heard", schedule.ARRIVING)
def test_only_an_explicit_wish_and_the_operator_wake_a_parked_session(heard):
    expected = schedule.UNPARK if heard in ("explicit", schedule.OPERATOR) else schedule.NOTHING
    assert schedule.ARRIVALS[schedule.PARKED, heard] == expected


@pytest.mark.rule("schedule.one-pending-job")
@pytest.mark.parametrize(("slot", "heard"), list(itertools.product(schedule.SLOTS[1:], schedule.ARRIVING)))
def test_a_second_job_is_never_created_beside_a_waiting_one(slot, heard):
    assert schedule.ARRIVALS[slot, heard] not in (schedule.NEW_NOW, schedule.NEW_IDLE)


@pytest.mark.rule("schedule.operator")
@pytest.mark.parametrize("slot", schedule.SLOTS)
def test_the_operator_is_always_heard(slot):
    assert schedule.ARRIVALS[slot, schedule.OPERATOR] in (schedule.NEW_NOW, schedule.HASTEN, schedule.UNPARK)


@pytest.mark.rule("schedule.priority")
def test_reasons_run_in_the_order_explicit_message_token_idle():
    assert tuple(sorted(REASONS, key=schedule.rank)) == ("explicit", "message_backlog", "token_backlog", "idle")
    assert schedule.stronger("idle", "message_backlog") == "message_backlog"


@pytest.mark.parametrize(
    ("status", "reason", "attempt", "failed", "slot"),
    [
        (None, None, 0, False, schedule.EMPTY),
        ("pending", "idle", 0, False, schedule.IDLE),
        ("pending", "explicit", 0, False, schedule.DUE),
        ("pending", "idle", 1, True, schedule.BACKOFF),
        ("parked", "idle", 6, True, schedule.PARKED),
    ],
)
def test_a_waiting_job_stands_in_one_slot(status, reason, attempt, failed, slot):
    assert schedule.slot(status, reason, attempt, failed) == slot


@pytest.mark.rule("schedule.backoff")
def test_the_wait_grows_from_a_minute_to_six_hours_and_no_further():
    waits = [schedule.backoff_seconds(n) for n in range(1, 10)]
    assert waits == sorted(waits) and (waits[0], waits[-1]) == (60, 6 * 3600)


@pytest.mark.rule("schedule.halving", "schedule.parking")
def test_invalid_answers_halve_the_window_after_two_and_park_the_session_after_six():
    endings, failures = [], 0
    while not endings or not endings[-1].parked:
        ending = schedule.after_failure("window", attempt=1, window_failures=failures, profile_failures=0, wished_seconds=None)
        endings.append(ending)
        failures = ending.window_failures
    assert [ending.window_halvings for ending in endings] == [0, 1, 1, 2, 2, 3]
    assert all(ending.retry_after_seconds for ending in endings[:-1]) and endings[-1].retry_after_seconds is None


@pytest.mark.rule("schedule.profile-pause")
def test_a_provider_that_fails_pauses_its_profile_and_costs_the_session_nothing():
    ending = schedule.after_failure("profile", attempt=1, window_failures=1, profile_failures=0, wished_seconds=90.0)
    assert (ending.window_failures, ending.parked, ending.pause_profile, ending.retry_after_seconds) == (1, False, True, 90.0)


@pytest.mark.parametrize(("attempt", "wait"), [(1, 0.0), (2, 60.0), (3, 300.0)])
def test_a_moved_ground_is_tried_again_at_once_and_then_with_growing_waits(attempt, wait):
    ending = schedule.after_failure("none", attempt=attempt, window_failures=3, profile_failures=2, wished_seconds=None)
    assert (ending.window_failures, ending.retry_after_seconds, ending.pause_profile) == (3, wait, False)
