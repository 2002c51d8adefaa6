"""The one rule for home and socket."""

from __future__ import annotations

from pathlib import Path

import pytest

from soong_memory_client.errors import SocketPathError
from soong_memory_client.paths import MAX_SOCKET_PATH_BYTES, checked_socket_path, home_path, socket_path


@pytest.mark.rule("client.paths")
@pytest.mark.parametrize(
    ("env", "home_flag", "socket_flag", "expected"),
    [
        ({"HOME": "/h"}, None, None, "/h/.soong-agent/memoryd/memoryd.sock"),
        ({"HOME": "/h", "SOONG_AGENT_HOME": ""}, None, None, "/h/.soong-agent/memoryd/memoryd.sock"),
        ({"HOME": "/h", "SOONG_AGENT_HOME": "/a"}, None, None, "/a/memoryd/memoryd.sock"),
        ({"SOONG_AGENT_HOME": "/a", "SOONG_MEMORYD_SOCKET": "/s"}, None, None, "/s"),
        ({"SOONG_AGENT_HOME": "/a", "SOONG_MEMORYD_SOCKET": "/s"}, "/b", None, "/b/memoryd/memoryd.sock"),
        ({"SOONG_AGENT_HOME": "/a", "SOONG_MEMORYD_SOCKET": "/s"}, "/b", "/t", "/t"),
    ],
)
def test_a_flag_beats_the_variables_and_the_socket_variable_beats_the_home(
    env: dict[str, str], home_flag: str | None, socket_flag: str | None, expected: str
) -> None:
    assert socket_path(env, home_flag, socket_flag) == Path(expected)


@pytest.mark.rule("client.paths")
def test_a_home_is_absolute_even_when_the_variable_is_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert home_path({"SOONG_AGENT_HOME": "agent"}) == tmp_path / "agent"


@pytest.mark.rule("client.socket-path-too-long")
def test_a_socket_path_that_no_address_can_hold_names_the_variable_to_set() -> None:
    longest = Path("/" + "s" * (MAX_SOCKET_PATH_BYTES - 1))
    assert checked_socket_path(longest) == longest
    with pytest.raises(SocketPathError, match="SOONG_MEMORYD_SOCKET"):
        socket_path({"SOONG_MEMORYD_SOCKET": f"{longest}s"})


@pytest.mark.rule("client.socket-path-too-long")
def test_the_length_of_a_socket_path_counts_bytes_not_characters() -> None:
    with pytest.raises(SocketPathError):
        socket_path({"SOONG_AGENT_HOME": "/" + "家" * 36})
