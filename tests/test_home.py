"""Where the daemon's files lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from soong_memory_client.errors import SocketPathError
from soong_memoryd.home import Home


@pytest.mark.rule("scope.one-directory")
def test_everything_of_the_daemon_lies_in_its_own_directory_and_memories_beside_it() -> None:
    home = Home.locate({"SOONG_AGENT_HOME": "/agent"})
    inside = (home.lock, home.socket, home.database, home.staging, home.conflicts, home.history, home.edits, home.outbox)
    assert all(path.parent == home.state_dir for path in (*inside, home.env_file, home.debug_dir))
    assert (home.memory_dir, home.state_dir) == (Path("/agent/memory"), Path("/agent/memoryd"))
    assert (home.config_file.name, home.core_config_file.name) == ("memoryd.toml", "config.toml")


@pytest.mark.rule("client.paths")
def test_the_daemon_and_its_clients_agree_on_the_socket() -> None:
    home = Home.locate({"SOONG_AGENT_HOME": "/agent", "SOONG_MEMORYD_SOCKET": "/run/m.sock"})
    assert home.socket == Path("/run/m.sock")
    assert Home.locate({"SOONG_MEMORYD_SOCKET": "/run/m.sock"}, flag="/other").socket == Path("/other/memoryd/memoryd.sock")


@pytest.mark.rule("client.socket-path-too-long")
def test_a_home_whose_socket_path_is_too_long_is_refused_when_it_is_located() -> None:
    with pytest.raises(SocketPathError):
        Home.locate({"SOONG_AGENT_HOME": "/" + "h" * 120})
