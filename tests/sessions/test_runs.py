"""When runs end, the daemon decides whether and when to look; lost and reordered calls must not change that for long."""

from __future__ import annotations

from dataclasses import replace

import pytest

from soong_memoryd.clock import timestamp
from soong_memoryd.errors import RequestError
from soong_memoryd.sessions import attempts, ledger, run_life
from soong_memoryd.sessions.attempts import Failure
from soong_memoryd.state.queries import intents, jobs, nodes
from soong_memoryd.state.rows import Effects, EventDraft, JobCompletion
from tests.support.ledger import LedgerBench


@pytest.fixture
def bench():
    bench = LedgerBench()
    bench.open()
    yield bench
    bench.close()


def run_with(bench, run_id, *texts):
    bench.start(run_id)
    for index, text in enumerate(texts):
        bench.say(f"{run_id}-{index}", text)
    return bench.complete(run_id)


@pytest.mark.rule("trigger.idle", "method.run-completed")
def test_the_end_of_a_run_arms_the_idle_clock(bench):
    decision = run_with(bench, "r", "hello")
    assert decision["reason"] == "idle" and decision["job_id"] == bench.pending()[0].job_id
    assert bench.pending()[0].due.remaining_seconds(bench.clock, 1e9) == 120


@pytest.mark.rule("trigger.explicit")
def test_an_explicit_wish_in_this_run_looks_at_once(bench):
    assert run_with(bench, "r", "remember: tabs")["reason"] == "explicit"
    assert bench.pending()[0].due.remaining_seconds(bench.clock, 1e9) == 0


@pytest.mark.rule("trigger.message-backlog")
def test_enough_unscanned_messages_look_at_once(bench):
    assert run_with(bench, "r", "a", "b", "c", "d")["reason"] == "message_backlog"


@pytest.mark.rule("trigger.token-backlog")
def test_enough_unscanned_tokens_look_at_once(bench):
    assert run_with(bench, "r", "x" * 4000)["reason"] == "token_backlog"


@pytest.mark.rule("trigger.nothing")
def test_a_run_without_anything_unscanned_decides_nothing(bench):
    assert run_with(bench, "r") is None and bench.pending() == []


@pytest.mark.rule("trigger.disabled")
def test_with_memory_disabled_no_trigger_holds(bench):
    bench.say("before", "remember: tabs")
    bench.policy = replace(bench.policy, enabled=False)
    assert bench.complete("r") is None


@pytest.mark.rule("method.run-started", "schedule.idle-cancel")
def test_a_new_root_run_cancels_the_idle_job_and_its_end_decides_anew(bench):
    first = run_with(bench, "r1", "hello")
    assert bench.start("r2") == {"cancelled_idle": True}
    assert jobs.get(bench.connection, first["job_id"]).status == "cancelled"
    assert bench.complete("r2")["reason"] == "idle"


@pytest.mark.rule("run.idempotent")
def test_a_run_that_is_started_or_completed_twice_counts_once(bench):
    run_with(bench, "r1", "hello")
    assert bench.complete("r1") is None
    assert bench.start("r1") == {"cancelled_idle": False}
    assert len(bench.pending()) == 1


@pytest.mark.rule("run.any-order")
def test_the_end_of_a_run_may_come_before_its_start_or_without_one(bench):
    bench.say("n", run_id="r")
    assert bench.complete("r")["reason"] == "idle"
    assert bench.start("r") == {"cancelled_idle": False}
    assert bench.complete("other-run")["reason"] == "idle"


@pytest.mark.rule("run.late-message")
def test_a_message_that_names_a_completed_run_is_evaluated_as_if_it_had_come_in_time(bench):
    assert run_with(bench, "r") is None
    bench.say("late", "remember: tabs", run_id="r")
    assert [job.reason for job in bench.pending()] == ["explicit"]


@pytest.mark.rule("run.none")
def test_a_message_without_a_run_arms_the_idle_clock_and_the_next_one_arms_it_again(bench):
    bench.say("a")
    bench.clock.advance(100)
    bench.say("b")
    assert [job.reason for job in bench.pending()] == ["idle"]
    assert bench.pending()[0].due.remaining_seconds(bench.clock, 1e9) == 120


def test_a_message_of_an_open_run_schedules_nothing_before_its_end(bench):
    bench.start("r")
    bench.say("a", "remember: tabs")
    assert bench.pending() == []


@pytest.mark.rule("run.next-ends-previous")
def test_a_new_root_run_ends_the_one_before(bench):
    bench.start("r1")
    bench.say("a", "remember: tabs")
    bench.start("r2")
    assert [job.reason for job in bench.pending()] == ["explicit"]
    assert attempts.read_scan(bench.connection, "s").limit_sequence == 1


@pytest.mark.rule("run.abandoned")
def test_a_silent_run_is_abandoned_and_evaluated_like_a_completed_one(bench):
    bench.start("r")
    bench.say("a")
    bench.clock.advance(1799)
    assert run_life.abandon_silent_runs(bench.connection, bench.moment) == 0
    bench.clock.advance(2)
    assert run_life.abandon_silent_runs(bench.connection, bench.moment) == 1
    assert [job.reason for job in bench.pending()] == ["idle"]


def test_a_run_that_was_abandoned_too_early_still_counts_when_it_completes(bench):
    bench.start("r")
    bench.clock.advance(2000)
    run_life.abandon_silent_runs(bench.connection, bench.moment)
    bench.say("a", "remember: tabs", run_id="r")
    assert bench.complete("r")["reason"] == "explicit"


@pytest.mark.rule("method.session-close")
def test_closing_a_session_abandons_its_open_run_and_the_idle_clock_goes_on(bench):
    bench.start("r")
    bench.say("a")
    ledger.close_session(bench.connection, bench.moment, "s")
    assert [job.reason for job in bench.pending()] == ["idle"]


@pytest.mark.rule("run.not-root")
@pytest.mark.parametrize("kind", ["sub", "fork", "worker", "compact"])
def test_runs_of_other_agents_schedule_and_cancel_nothing(bench, kind):
    bench.register("other", kind)
    run_with(bench, "r", "hello")
    assert bench.start("x", "other") == {"cancelled_idle": False}
    assert bench.complete("x", "other") is None
    assert [job.reason for job in bench.pending()] == ["idle"]


@pytest.mark.rule("schedule.merge")
def test_a_merged_job_keeps_the_strongest_reason(bench):
    run_with(bench, "r1", "remember: tabs")
    run_with(bench, "r2", "b", "c", "d")
    assert [job.reason for job in bench.pending()] == ["explicit"]


@pytest.mark.rule("schedule.deadline-survives")
def test_an_idle_deadline_survives_a_reboot_and_a_clock_that_jumps(bench):
    run_with(bench, "r", "hello")
    due = bench.pending()[0].due
    bench.clock.jump(-365 * 86400)
    assert due.remaining_seconds(bench.clock, 120) == 120, "the wall clock does not matter within one boot"
    bench.clock.reboot(off_seconds=30)
    assert due.remaining_seconds(bench.clock, 120) == 120, (
        "after a reboot a wall clock that went back waits no longer than idle"
    )
    bench.clock.jump(366 * 86400)
    assert due.remaining_seconds(bench.clock, 120) == 0


def begin(bench):
    job = bench.pending()[0]
    scan = attempts.read_scan(bench.connection, "s")
    attempts.begin(bench.connection, bench.moment, job.job_id, scan.cursor + 1, scan.limit_sequence, {"model": "m"})
    return job


def completion(bench, job, sources=()):
    scan = attempts.read_scan(bench.connection, "s")
    return JobCompletion(job.job_id, "s", scan.cursor, scan.limit_sequence, tuple(sources), {})


@pytest.mark.rule("cursor.moves-on-completion", "event.started-then-one-end")
def test_completing_moves_the_cursor_and_writes_the_event_in_one_step(bench):
    run_with(bench, "r", "hello")
    job = begin(bench)
    done = completion(bench, job, ["r-0"])
    attempts.complete(bench.connection, bench.moment, done, EventDraft("memory_extraction_completed", "s", job.job_id, {}))
    assert bench.open()["unscanned_messages"] == 0
    assert [event["type"] for event in bench.events()] == ["memory_extraction_started", "memory_extraction_completed"]
    assert jobs.get(bench.connection, job.job_id).status == "completed"


@pytest.mark.rule("cursor.source-rewound")
def test_a_source_that_was_rewound_meanwhile_makes_the_job_run_again(bench):
    bench.append({"node_id": "base", "kind": "other"})
    run_with(bench, "r", "hello")
    job = begin(bench)
    done = completion(bench, job, ["r-0"])
    bench.rewind("base")
    with pytest.raises(Exception, match="rewound"):
        attempts.complete(bench.connection, bench.moment, done, EventDraft("memory_extraction_completed", "s", job.job_id, {}))


@pytest.mark.rule("cursor.failure-keeps-it")
def test_a_failed_attempt_leaves_the_cursor_and_waits_with_its_error(bench):
    run_with(bench, "r", "hello")
    job = begin(bench)
    attempts.fail(bench.connection, bench.moment, job.job_id, Failure("bad_answer", "no call could be read", "window"), 0)
    waiting = bench.pending()[0]
    assert (waiting.status, waiting.attempt, waiting.error["code"]) == ("pending", 1, "bad_answer")
    assert waiting.due.remaining_seconds(bench.clock, 1e9) == 60
    assert bench.open()["unscanned_messages"] == 1
    assert bench.events("memory_extraction_failed")[0]["payload"]["next_attempt_at"] is not None


@pytest.mark.rule("schedule.parking", "method.extraction-retry")
def test_six_bad_answers_park_the_session_until_somebody_asks(bench):
    run_with(bench, "r", "hello")
    for _ in range(6):
        job = begin(bench)
        attempts.fail(bench.connection, bench.moment, job.job_id, Failure("bad_answer", "no", "window"), 0)
    assert jobs.get(bench.connection, job.job_id).status == "parked" and bench.pending() == []
    assert bench.events("session_parked")
    run_with(bench, "r2", "hello again")
    assert bench.pending() == [], "an ordinary run does not wake it"
    attempts.retry(bench.connection, bench.moment, "s")
    assert [waiting.job_id for waiting in bench.pending()] == [job.job_id] and bench.events("session_unparked")


@pytest.mark.rule("schedule.daily-unpark")
def test_a_parked_session_is_tried_again_once_a_day(bench):
    run_with(bench, "r", "hello")
    for _ in range(6):
        job = begin(bench)
        attempts.fail(bench.connection, bench.moment, job.job_id, Failure("bad_answer", "no", "window"), 0)
    assert attempts.unpark_all(bench.connection, bench.moment, "daily", older_than_seconds=86400) == 0
    bench.clock.advance(86401)
    assert attempts.unpark_all(bench.connection, bench.moment, "daily", older_than_seconds=86400) == 1


@pytest.mark.rule("schedule.skip")
def test_skipping_gives_up_the_stalled_windows_messages_and_only_those(bench):
    run_with(bench, "r", "hello")
    job = begin(bench)
    attempts.fail(bench.connection, bench.moment, job.job_id, Failure("bad_answer", "no", "window"), 0)
    run_with(bench, "r2", "later")
    assert attempts.skip(bench.connection, bench.moment, "s") == ["r-0"]
    assert bench.open()["unscanned_messages"] == 1
    assert jobs.get(bench.connection, job.job_id).status == "failed"
    assert bench.events("extraction_skipped")[0]["payload"] == {"source_node_ids": ["r-0"]}


@pytest.mark.rule("method.extraction-trigger")
def test_the_operator_gets_a_job_for_every_session_with_something_unscanned(bench):
    bench.open("other")
    run_with(bench, "r", "hello")
    bench.say("x", session_id="other")
    triggered = attempts.trigger(bench.connection, bench.moment, None)
    assert {job.session_id for job in triggered} == {"s", "other"}
    assert {(job.reason, job.requested_by) for job in triggered} == {("explicit", "operator")}
    again = attempts.trigger(bench.connection, bench.moment, None)
    assert [job.job_id for job in again] == [job.job_id for job in triggered], "it merges with the pending job"


def test_a_trigger_with_nothing_unscanned_starts_nothing(bench):
    assert attempts.trigger(bench.connection, bench.moment, "s") == []


@pytest.mark.rule("recovery.interrupted")
def test_a_job_found_running_at_start_is_queued_again_and_says_so(bench):
    run_with(bench, "r", "hello")
    job = begin(bench)
    assert attempts.recover_interrupted(bench.connection, bench.moment) == [job.job_id]
    assert bench.pending()[0].attempt == 1
    assert bench.events("memory_extraction_failed")[0]["payload"]["error"]["code"] == "interrupted"


@pytest.mark.rule("extraction.open-run-waits")
def test_a_window_ends_before_the_first_node_of_an_open_run(bench):
    run_with(bench, "r1", "hello")
    bench.start("r2")
    bench.say("r2-a")
    assert attempts.read_scan(bench.connection, "s").limit_sequence == 1


@pytest.mark.rule("node.pruning")
def test_scanned_nodes_lose_their_text_but_not_their_identity_except_sources(bench):
    run_with(bench, "r", "hello", "kept")
    job = begin(bench)
    attempts.complete(
        bench.connection, bench.moment, completion(bench, job), EventDraft("memory_extraction_completed", "s", job.job_id)
    )
    bench.say("new", "unscanned")
    assert nodes.prune(bench.connection, "9999", [("s", "r-1")], 100) == 1
    assert [nodes.get(bench.connection, "s", i).text for i in ("r-0", "r-1", "new")] == ["", "kept", "unscanned"]
    assert bench.say("r-0", "hello", run_id="r")["duplicates"] == ["r-0"]


# what follows failures -------------------------------------------------------------------------------------------------


def fail(bench, job, code="bad_answer", blame="window", **fields):
    return attempts.fail(bench.connection, bench.moment, job.job_id, Failure(code, "no", blame, **fields), 0)


@pytest.mark.rule("schedule.wish-during-attempt")
def test_an_operators_wish_made_during_a_failing_attempt_is_served_at_once(bench):
    run_with(bench, "r", "hello")
    job = begin(bench)
    (wish,) = attempts.trigger(bench.connection, bench.moment, "s")
    assert fail(bench, job).merged_job_id == wish.job_id
    (waiting,) = bench.pending()
    assert (waiting.job_id, waiting.requested_by) == (job.job_id, "operator")
    assert waiting.due.remaining_seconds(bench.clock, 1e9) == 0


@pytest.mark.rule("schedule.wish-during-attempt")
def test_an_explicit_wish_made_during_the_sixth_failure_is_tried_once_more_before_parking(bench):
    run_with(bench, "r", "hello")
    for _ in range(5):
        fail(bench, begin(bench))
    job = begin(bench)
    assert run_with(bench, "r2", "remember: tabs")["reason"] == "explicit"
    fail(bench, job)
    assert [waiting.status for waiting in bench.pending()] == ["pending"] and not bench.events("session_parked")
    fail(bench, begin(bench))
    assert bench.pending() == [] and bench.events("session_parked")


@pytest.mark.rule("schedule.profile-pause")
def test_a_profile_failure_leaves_the_job_due_so_that_only_the_gate_holds_it_back(bench):
    run_with(bench, "r", "hello")
    fail(bench, begin(bench), "model_auth", "profile", retry_after_seconds=600.0)
    assert bench.pending()[0].due.remaining_seconds(bench.clock, 1e9) == 0
    promised = bench.events("memory_extraction_failed")[0]["payload"]["next_attempt_at"]
    assert promised == timestamp(bench.clock.wall_seconds() + 600)


@pytest.mark.rule("event.started-then-one-end")
def test_an_attempt_that_never_began_reports_no_failure(bench):
    run_with(bench, "r", "remember: tabs")
    (job,) = bench.pending()
    fail(bench, job, "storage_full", "none")
    assert bench.events() == [] and bench.pending()[0].due.remaining_seconds(bench.clock, 1e9) == 60


@pytest.mark.rule("event.started-then-one-end", "recovery.interrupted")
def test_a_job_whose_commit_is_prepared_is_left_to_recovery(bench):
    run_with(bench, "r", "hello")
    job = begin(bench)
    effects = Effects(EventDraft("memory_extraction_completed", "s", job.job_id), "create", completion(bench, job))
    intents.prepare(bench.connection, "txn", [], effects, bench.moment.at)
    assert attempts.recover_interrupted(bench.connection, bench.moment) == []
    assert [event["type"] for event in bench.events()] == ["memory_extraction_started"]


@pytest.mark.rule("extraction.more-follows")
def test_a_scan_that_is_cut_says_that_more_follows(bench, monkeypatch):
    monkeypatch.setattr(attempts, "NODES_AFTER_CURSOR", 5)
    bench.start("r")
    bench.say("first")
    bench.append(*({"node_id": f"a{i}", "kind": "assistant_message"} for i in range(10)))
    bench.say("last")
    bench.complete("r")
    scan = attempts.read_scan(bench.connection, "s")
    assert scan.truncated and scan.limit_sequence == scan.nodes[-1].sequence == 5
    assert not attempts.read_scan(bench.connection, "s").nodes[-1].candidate


@pytest.mark.rule("source.worker-brief")
def test_a_message_of_another_agents_run_is_not_taken_for_the_persons(bench):
    bench.register("w", "worker")
    bench.start("work", "w")
    for call in (lambda: bench.say("brief", "remember: x", run_id="work"), lambda: bench.start("work")):
        with pytest.raises(RequestError) as refused:
            call()
        assert refused.value.code == "invalid_params"
    assert bench.say("own", agent_id="w", run_id="work")["appended"] == 1


@pytest.mark.rule("schedule.deadline-survives")
def test_after_a_reboot_with_the_date_set_back_a_deadline_still_runs_down(bench):
    run_with(bench, "r", "hello")
    bench.open("busy")
    bench.start("open", session_id="busy")
    bench.clock.reboot()
    bench.clock.jump(-30 * 86400)
    attempts.settle_deadlines(bench.connection, bench.moment)
    bench.clock.advance(121)
    assert bench.pending()[0].due.remaining_seconds(bench.clock, 120) == 0
    bench.clock.advance(1800)
    assert run_life.abandon_silent_runs(bench.connection, bench.moment) == 1


@pytest.mark.rule("node.pruning")
def test_text_goes_in_time_also_where_nothing_was_ever_typed(bench):
    bench.append({"node_id": "a", "kind": "assistant_message", "text": "long ago"})
    assert nodes.prune(bench.connection, "9999", [], 100) == 1


@pytest.mark.rule("method.extraction-retry")
def test_retry_wakes_a_parked_session_also_when_nothing_is_left_to_scan(bench):
    bench.append({"node_id": "base", "kind": "other"})
    run_with(bench, "r", "hello")
    for _ in range(6):
        fail(bench, begin(bench))
    bench.rewind("base")
    attempts.retry(bench.connection, bench.moment, "s")
    assert bench.events("session_unparked")


@pytest.mark.rule("schedule.net")
def test_messages_that_were_left_without_a_job_get_one(bench):
    run_with(bench, "r", "hello")
    bench.policy = replace(bench.policy, enabled=False)
    bench.start("r2")
    bench.complete("r2")
    assert len(bench.pending()) == 1, "while memory is off, a run does not cancel what no end would arm again"
    bench.connection.execute("UPDATE jobs SET status = 'cancelled'")
    assert attempts.give_every_session_a_job(bench.connection, bench.moment) == []
    bench.policy = replace(bench.policy, enabled=True)
    assert attempts.give_every_session_a_job(bench.connection, bench.moment) == ["s"]
    assert [job.reason for job in bench.pending()] == ["idle"]
    assert attempts.give_every_session_a_job(bench.connection, bench.moment) == []
