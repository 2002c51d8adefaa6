"""The scene of the command line, for its page."""

from __future__ import annotations

from tests.cli.conftest import daemon

__all__ = ["daemon"]
