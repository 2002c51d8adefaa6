"""The demo of the agents tells its story, and fails when an agent does not know."""

from __future__ import annotations

import pytest

from soong_memoryd.cli.demo.stage import DemoFailed
from tests.demo_agents import __main__ as demo


@pytest.mark.rule("client.agents-share")
def test_what_each_agent_is_told_the_next_one_knows(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main() == 0
    out = capsys.readouterr().out
    assert out.count("recall_memory(") == len(demo.scenes())
    assert "agents, one memory" in out


@pytest.mark.rule("client.agents-share")
def test_it_fails_when_it_cannot_show_that(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def nothing(*arguments: object) -> None:
        raise DemoFailed("nobody knew")

    monkeypatch.setattr(demo, "play", nothing)
    assert demo.main() == 1
    assert "demo failed: nobody knew" in capsys.readouterr().out
