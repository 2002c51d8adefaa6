"""The scheduler shows that it is alive: it looks again when asked, or is busy with an attempt."""

from __future__ import annotations

import asyncio

import pytest

from soong_memoryd.errors import RequestError
from tests.sessions.test_scheduler import play


@pytest.mark.rule("service.watchdog")
def test_a_loop_that_sleeps_turns_when_it_is_asked(tmp_path):
    async def scenario(service, clock):
        for _ in range(3):
            await asyncio.wait_for(service.scheduler.turn(), 5)

    play(tmp_path, scenario)


@pytest.mark.rule("service.watchdog")
def test_a_loop_whose_database_refuses_turns_as_well(tmp_path):
    async def scenario(service, clock):
        def refuse(transaction, **_):
            raise RequestError("storage_full", "the disk is full")

        service.database.submit, submit = refuse, service.database.submit
        await asyncio.wait_for(service.scheduler.turn(), 5)
        service.database.submit = submit

    play(tmp_path, scenario)


@pytest.mark.rule("service.watchdog")
def test_a_loop_in_an_attempt_is_alive(tmp_path):
    async def scenario(service, clock):
        service.scheduler.running_job_id = "job_1"
        await asyncio.wait_for(service.scheduler.turn(), 5)
        service.scheduler.running_job_id = None

    play(tmp_path, scenario)
