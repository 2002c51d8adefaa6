"""The daemon's command line."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest

from soong_memoryd.cli import daemon
from soong_memoryd.cli.exits import Exit
from soong_memoryd.home import Home
from soong_memoryd.server import config_report, process


@pytest.fixture(autouse=True)
def search_for_garbage() -> Iterator[None]:
    """A start turns it off, and here nobody serves who would turn it on again."""
    yield
    gc.enable()


def test_serve_hands_home_socket_and_overrides_to_the_daemon(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[tuple[Home, dict[str, str]]] = []

    def serve(home: Home, overrides: dict[str, str]) -> int:
        served.append((home, overrides))
        return 73

    monkeypatch.setattr(process, "serve", serve)
    argv = ["serve", "--home", "/a", "--socket", "/s", "--set", "memory.idle_seconds=3", "--set", "model.name=x=y"]
    assert daemon.main(argv) == 73
    home, overrides = served[0]
    assert (str(home.root), str(home.socket)) == ("/a", "/s")
    assert overrides == {"memory.idle_seconds": "3", "model.name": "x=y"}


def test_who_gives_up_waiting_for_a_start_sees_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(home: Home, overrides: dict[str, str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(process, "serve", interrupted)
    assert daemon.main(["serve"]) == Exit.INTERRUPTED
    assert capsys.readouterr() == ("", "")


def test_a_config_is_checked_without_serving(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(config_report, "check", lambda home, env, overrides, *, as_json: asked.append(as_json) or 5)
    monkeypatch.setattr(process, "serve", lambda home, overrides: pytest.fail("it served"))
    assert daemon.main(["serve", "--check-config"]) == 5
    assert daemon.main(["serve", "--check-config", "--json"]) == 5
    assert asked == [False, True]


@pytest.mark.parametrize("argv", [["serve", "--set", "idle"], ["serve", "--set", "=3"], ["sevre"], []])
def test_a_wrong_command_line_is_refused(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        daemon.main(argv)
    assert ended.value.code == daemon.EXIT_USAGE
    assert "usage: soong-memoryd" in capsys.readouterr().err


def test_a_socket_path_that_is_too_long_names_the_variable(capsys: pytest.CaptureFixture[str]) -> None:
    assert daemon.main(["serve", "--home", "/" + "h" * 120]) == daemon.EXIT_USAGE
    assert "SOONG_MEMORYD_SOCKET" in capsys.readouterr().err


def test_demo_prints_where_it_was_asked_to(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def shown(env: Any, out: Any) -> int:
        out.write("shown\n")
        return 1

    monkeypatch.setattr("soong_memoryd.cli.demo.run", shown)
    assert daemon.main(["demo"]) == 1
    assert capsys.readouterr().out == "shown\n"
