from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from soong_memoryd.config import Config, load_config

Load = Callable[..., Config]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """load(ours, agent=None, env={}, flags={}): the configuration of a home with these files."""

    def run(ours: str | None = None, agent: str | None = None, env: dict[str, str] | None = None, **flags: Any) -> Config:
        for name, text in (("memoryd.toml", ours), ("config.toml", agent)):
            if text is not None:
                (tmp_path / name).write_text(text, encoding="utf-8")
                (tmp_path / name).chmod(0o600)
        return load_config(tmp_path, env or {}, {key.replace("__", "."): value for key, value in flags.items()})

    return run
