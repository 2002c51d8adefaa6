from __future__ import annotations

import asyncio

import anyio
import anyio.lowlevel
import pytest

from soong_memoryd.extraction.shielding import to_the_end


async def fails() -> None:
    raise ValueError("no")


def test_a_result_and_an_error_come_through() -> None:
    assert asyncio.run(to_the_end(asyncio.sleep(0, "done"))) == "done"
    with pytest.raises(ValueError, match="no"):
        asyncio.run(to_the_end(fails()))


@pytest.mark.parametrize("ends_well", [True, False])
def test_a_cancelled_task_stays_cancelled_once_the_effect_has_ended(ends_well: bool) -> None:
    async def scenario() -> None:
        started, go_on, ended = asyncio.Event(), asyncio.Event(), []

        async def effect() -> None:
            started.set()
            await go_on.wait()
            ended.append(True)
            if not ends_well:
                raise ValueError("no")

        task = asyncio.ensure_future(to_the_end(effect()))
        await started.wait()
        task.cancel()
        await asyncio.sleep(0)
        assert not task.done()
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended == [True]

    asyncio.run(scenario())


def test_a_cancel_scope_waits_as_well() -> None:
    async def scenario() -> list[str]:
        ended: list[str] = []
        with anyio.CancelScope() as scope:

            async def effect() -> None:
                scope.cancel()
                await asyncio.sleep(0)
                ended.append("committed")

            await to_the_end(effect())
            await anyio.lowlevel.checkpoint()
            ended.append("went on")
        return ended

    assert anyio.run(scenario) == ["committed"]
