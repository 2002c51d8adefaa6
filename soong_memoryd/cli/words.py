"""The command line as a tree of words, read from its parser: for completion and for manual pages.

Owns: what of an ``argparse`` parser is worth telling. Must not know: shells, roff. Pure.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

FILE_NAMES = frozenset({"FILE", "DIR", "PATH"})


class Option(NamedTuple):
    """An option, or a positional argument (then ``flags`` is empty). ``value`` names what it takes, empty for a switch."""

    flags: tuple[str, ...]
    value: str
    choices: tuple[str, ...]
    summary: str

    @property
    def takes_a_file(self) -> bool:
        """Whether its value is a file's name."""
        return self.value in FILE_NAMES


class Word(NamedTuple):
    """A command: ``path`` is how it is reached, empty for the program itself."""

    path: tuple[str, ...]
    summary: str
    description: str
    options: tuple[Option, ...]
    parts: tuple[Word, ...]

    def all(self) -> Iterator[Word]:
        """This word and everything below it, in order."""
        yield self
        for part in self.parts:
            yield from part.all()


def tree(parser: argparse.ArgumentParser, path: tuple[str, ...] = (), summary: str = "") -> Word:
    """The tree below a parser."""
    options, parts = [], []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            summaries = {choice.dest: choice.help or "" for choice in action._choices_actions}
            parts += [tree(below, (*path, name), summaries.get(name, "")) for name, below in action.choices.items()]
        elif action.help != argparse.SUPPRESS:
            options.append(_option(action))
    return Word(path, summary, parser.description or "", tuple(options), tuple(parts))


def _option(action: argparse.Action) -> Option:
    choices = tuple(map(str, action.choices or ()))
    value = "" if action.nargs == 0 else str(action.metavar or ("|".join(choices) if choices else action.dest.upper()))
    summary = (action.help or "").replace("%(default)s", str(action.default))
    return Option(tuple(action.option_strings), value if action.option_strings or choices else action.dest, choices, summary)
