"""``reload`` and ``stop``: what is asked of the daemon process itself.

Owns: the words. Must not know: processes; nothing here kills one.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.render import Style


def _reload(console: Console, args: Namespace) -> Any:
    return console.call("daemon.reload")


def _reload_view(data: Any, style: Style) -> Iterator[str]:
    yield "the config is read again; try it: soong-memoryctl config check"


def _stop(console: Console, args: Namespace) -> Any:
    return console.call("daemon.stop")


def _stop_view(data: Any, style: Style) -> Iterator[str]:
    yield "the daemon finishes what it is writing and ends"


RELOAD = Command("reload", "read the config again", "changes the daemon", _reload, _reload_view)
STOP = Command("stop", "let the daemon finish and end", "stops the daemon", _stop, _stop_view)
