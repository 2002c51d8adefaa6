"""``completion``: the script that a shell needs to complete this command line.

Owns: how it is handed over. Must not know: shells.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.render import Style


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help='for example: eval "$(soong-memoryctl completion bash)"')


def _run(console: Console, args: Namespace) -> dict[str, Any]:
    from soong_memoryd.cli.completion import SHELLS
    from soong_memoryd.cli.ctl import build_parser  # the parser knows all commands, this one included
    from soong_memoryd.cli.words import tree

    return {"shell": args.shell, "script": SHELLS[args.shell](tree(build_parser()))}


def _view(data: dict[str, Any], style: Style) -> Iterator[str]:
    yield from data["script"].splitlines()


COMPLETION = Command("completion", "the completion script for a shell", "read-only", _run, _view, _configure)
