"""What a command is: a row of the table in ``commands``.

Owns: the shape of a row. Must not know: what is in the table.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from soong_memoryd.cli.console import Console
from soong_memoryd.cli.exits import Exit
from soong_memoryd.cli.render import Style


def no_arguments(parser: ArgumentParser) -> None:
    """For a command that takes none."""


def always_ok(data: Any) -> Exit:
    """For a command that has succeeded when it has an answer."""
    return Exit.OK


class Command(NamedTuple):
    """``run`` fetches data, ``view`` says it to a person, ``exit_code`` judges it; ``--json`` prints the data as it is.

    ``stream``, where there is one, is used instead of ``run`` when it returns an iterator: one value a line.
    ``not_found_step`` is the command that lists what this one needs. ``parts`` are commands of its own (``config show``);
    a command with parts does nothing itself.
    """

    name: str
    summary: str
    effect: str  # "read-only", or what it changes
    run: Callable[[Console, Namespace], Any]
    view: Callable[[Any, Style], Iterable[str]]
    configure: Callable[[ArgumentParser], None] = no_arguments
    exit_code: Callable[[Any], Exit] = always_ok
    stream: Callable[[Console, Namespace], Iterator[Any] | None] | None = None
    not_found_step: str = "soong-memoryctl list"
    parts: tuple[Command, ...] = ()


def group(name: str, summary: str, effect: str, *parts: Command) -> Command:
    """A command that only holds others."""

    def run(console: Console, args: Namespace) -> Any:
        raise AssertionError("a group is never chosen")

    return Command(name, summary, effect, run, lambda data, style: (), parts=parts)
