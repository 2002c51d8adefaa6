"""The keys of model providers: read when a call is made, kept nowhere, shown to nobody.

Owns: where a key may stand and what protects it there. Must not know providers, HTTP or logs.
A key stands in the environment variable that ``api_key_env`` names, else on that line of ``memoryd/env``
(``NAME=value``, mode 0600), or alone in the file that ``api_key_file`` names (mode 0600).
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from soong_memoryd.errors import ConfigError

ENV_FILE = Path("memoryd/env")
MAX_KEY_FILE_BYTES = 65_536
SHORTEST_KEY = 6  # anything shorter is no key, and redacting it everywhere would destroy ordinary text


class KeyNames(Protocol):
    """What names a key: a profile, or a model's settings."""

    @property
    def api_key_env(self) -> str | None:
        """The variable that holds it."""
        ...

    @property
    def api_key_file(self) -> str | None:
        """The file that holds it."""
        ...


@dataclass(frozen=True, slots=True, repr=False)
class Key:
    """A key and where it was found; printing it shows the place only."""

    value: str
    source: str

    def __repr__(self) -> str:
        return f"Key({self.source})"


class KeyRing:
    """Reads keys from ``env`` and from files below ``home_dir``; does blocking I/O, call it from a worker thread."""

    def __init__(self, home_dir: Path, env: Mapping[str, str]) -> None:
        self._home_dir = home_dir
        self._env = env

    def read(self, names: KeyNames) -> Key | None:
        """The key, or None when none is named or the named place holds none.

        Raises:
            ConfigError: ``key_file`` when a file with keys is unreadable or open to others.
        """
        if names.api_key_file:
            path = self._home_dir / Path(names.api_key_file).expanduser()
            value = _one_line(_read_private(path) or "")
            return Key(value, "api_key_file") if value else None
        if not names.api_key_env:
            return None
        value = self._env.get(names.api_key_env, "").strip()
        if value:
            return Key(value, f"environment {names.api_key_env}")
        value = self._lines().get(names.api_key_env, "")
        return Key(value, f"memoryd/env {names.api_key_env}") if value else None

    def known_values(self, named: Iterable[KeyNames]) -> list[str]:
        """Every key value that we can know of: for the secret finder, so that none is ever stored or sent as text.

        Unreadable files are passed over here; the call that needs one reports it.
        """
        values: set[str] = set()
        for names in named:
            try:
                key = self.read(names)
            except ConfigError:
                continue
            values |= {key.value} if key else set()
        with contextlib.suppress(ConfigError):
            values |= set(self._lines().values())
        return sorted(value for value in values if len(value) >= SHORTEST_KEY)

    def _lines(self) -> dict[str, str]:
        lines: dict[str, str] = {}
        for line in (_read_private(self._home_dir / ENV_FILE) or "").splitlines():
            name, equals, value = line.strip().removeprefix("export ").partition("=")
            if equals and not name.startswith("#"):
                lines[name.strip()] = _unquoted(value.strip())
        return lines


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _one_line(text: str) -> str:
    lines = text.split()
    return lines[0] if len(lines) == 1 else ""


def _read_private(path: Path) -> str | None:
    """The text of a file that only we can read; None when there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError:
        raise ConfigError(f"{path.name} cannot be read", code="key_file", hint=f"Check {path}.") from None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_uid not in (os.geteuid(), 0) or status.st_mode & 0o077:
            raise ConfigError(f"{path.name} holds a key and is open to others", code="key_file", hint=f"Run: chmod 600 {path}")
        data = file.read(MAX_KEY_FILE_BYTES + 1)
    if len(data) > MAX_KEY_FILE_BYTES:
        raise ConfigError(f"{path.name} is too large for a file with keys", code="key_file")
    return data.decode("utf-8", "replace")
