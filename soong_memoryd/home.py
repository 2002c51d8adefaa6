"""Where everything of one agent home lies.

Owns: the names of files and directories under the home. Must not know: what is in them, who may write them.
The rule for home and socket itself is ``soong_memory_client.paths``, shared with every client.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from soong_memory_client.paths import STATE_DIRECTORY, home_path, outbox_directory, socket_path


@dataclass(frozen=True, slots=True)
class Home:
    """An agent home: ``root`` (absolute) and the daemon's ``socket``, which alone may lie elsewhere."""

    root: Path
    socket: Path

    @staticmethod
    def locate(
        env: Mapping[str, str] | None = None,
        flag: str | os.PathLike[str] | None = None,
        socket_flag: str | os.PathLike[str] | None = None,
    ) -> Home:
        """The home that ``--home``, the environment or the default names; ``SocketPathError`` if its socket cannot be one."""
        return Home(home_path(env, flag), socket_path(env, flag, socket_flag))

    @property
    def memory_dir(self) -> Path:
        """The memory files and MEMORY.md: nothing else is ever in here."""
        return self.root / "memory"

    @property
    def state_dir(self) -> Path:
        """Everything of the daemon, 0700."""
        return self.root / STATE_DIRECTORY

    @property
    def lock(self) -> Path:
        """Held by the one daemon of this home for as long as it lives."""
        return self.state_dir / "lock"

    @property
    def database(self) -> Path:
        """The SQLite database."""
        return self.state_dir / "state.db"

    @property
    def staging(self) -> Path:
        """Files of a commit that is under way."""
        return self.state_dir / "staging"

    @property
    def conflicts(self) -> Path:
        """What a person wrote where the daemon had to write."""
        return self.state_dir / "conflicts"

    @property
    def history(self) -> Path:
        """Kept versions of memories."""
        return self.state_dir / "history"

    @property
    def edits(self) -> Path:
        """Texts that the command line hands over for ``memory.adopt``."""
        return self.state_dir / "edits"

    @property
    def outbox(self) -> Path:
        """What clients could not send yet."""
        return outbox_directory(self.root)

    @property
    def env_file(self) -> Path:
        """Variables for the service, such as API keys, 0600."""
        return self.state_dir / "env"

    @property
    def debug_dir(self) -> Path:
        """Redacted prompts and answers, in debug mode only."""
        return self.state_dir / "debug"

    @property
    def config_file(self) -> Path:
        """The daemon's own settings."""
        return self.root / "memoryd.toml"

    @property
    def core_config_file(self) -> Path:
        """An agent core's settings, if there is one: read for defaults, never written."""
        return self.root / "config.toml"
