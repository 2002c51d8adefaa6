"""A golden session, recorded from opencode itself, through the real plugin: what the daemon hears and the model is given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from soong_memory_client.testing import FakeDaemon
from tests.clients.hooks.sessions import CATALOG
from tests.clients.opencode.play import Case, Opencode, Step, cases
from tests.support.node import needs_node


def play() -> Iterator[tuple[Case, list[dict[str, Any]], list[list[str]]]]:
    """Each case with the calls that it made and what its system prompts gained."""
    answers = {"memory.catalog": CATALOG, "initialize": {}}
    with FakeDaemon(answers=answers) as daemon, Opencode({"home": str(daemon.home), "limit_ms": 20_000}) as opencode:
        for case in cases():
            system = [gained for step in case.hooks if (gained := _gained(opencode, step)) is not None]
            opencode.settle()
            heard = [{"method": one["method"], "params": one["params"]} for one in daemon.received]
            told = [one for one in heard if one["method"] not in ("initialize", "memory.catalog")]  # asked on a line of its own
            daemon.received.clear()
            yield case, told, system


def _gained(opencode: Opencode, step: Step) -> list[str] | None:
    answered = opencode(step)
    assert answered.get("error") is None
    if step["hook"] != "experimental.chat.system.transform":
        return None
    before = step["output"]["system"]
    assert answered["output"]["system"][: len(before)] == before
    return list(answered["output"]["system"][len(before) :])


@needs_node
@pytest.mark.rule("client.opencode-golden")
def test_each_stretch_of_a_session_says_exactly_this_and_adds_exactly_that() -> None:
    shown = 0
    for case, calls, system in play():
        assert calls == case.calls, case.path.name
        assert system == case.system, case.path.name
        shown += 1
    assert shown == 13
