"""What a command has at hand: the daemon, the terminal, the present.

Owns: looking up unique id prefixes, asking for confirmation. Must not know: any one command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from soong_memory_client.client import MemoryClient
from soong_memoryd.cli.exits import CliError, Exit
from soong_memoryd.cli.render import Style

PAGE = 1000


class Console(NamedTuple):
    """One run of the command line."""

    client: MemoryClient
    home: Path
    style: Style
    out: TextIO
    err: TextIO
    stdin: TextIO
    env: Mapping[str, str]
    json: bool
    quiet: bool
    timeout_seconds: float

    def call(self, method: str, **params: Any) -> Any:
        """The daemon's answer; parameters that are None are left out."""
        given = {name: value for name, value in params.items() if value is not None}
        return self.client.call(method, timeout_seconds=self.timeout_seconds, **given)

    def all_of(self, method: str, member: str, **params: Any) -> list[dict[str, Any]]:
        """Every element of a paged listing."""
        found: list[dict[str, Any]] = []
        while True:
            page = self.call(method, limit=PAGE, offset=len(found), **params)
            found += page[member]
            if not page[member] or len(found) >= page["total"]:
                return found

    def memory_id(self, typed: str) -> str:
        """The id that ``typed`` names: all of it, or a unique beginning of it or of its random part."""
        memories = self.all_of("memory.list", "memories")
        return unique(typed, [memory["id"] for memory in memories], "memories", "soong-memoryctl list", _random_part)

    def memory_id_even_if_forgotten(self, typed: str) -> str:
        """A whole id is taken as it is: a forgotten memory is in no listing, and its history is how it comes back."""
        return typed if typed.startswith("mem_") and typed.count("_") == 2 and len(typed) >= 23 else self.memory_id(typed)

    def session_id(self, typed: str) -> str:
        """The session that ``typed`` names or is the unique beginning of."""
        sessions = self.all_of("session.list", "sessions")
        return unique(typed, [session["session_id"] for session in sessions], "sessions", "soong-memoryctl sessions")

    def confirmed(self, question: str) -> bool:
        """True when a person at a terminal says yes; without a terminal there is nobody to ask."""
        if not self.stdin.isatty():
            raise CliError(Exit.USAGE, "this needs a confirmation, and there is no terminal to ask at", "the same with --yes")
        self.err.write(f"{question} [y/N] ")
        self.err.flush()
        return self.stdin.readline().strip().casefold() in {"y", "yes"}

    def note(self, text: str) -> None:
        """Something for the person, not for the pipe."""
        if not self.quiet:
            self.err.write(f"{text}\n")


def unique(typed: str, ids: Iterable[str], nouns: str, listing: str, other_name: Callable[[str], str] | None = None) -> str:
    """The one id that ``typed`` names; ``CliError`` when none or several do."""
    known = list(dict.fromkeys(ids))
    if typed in known:
        return typed
    found = [name for name in known if name.startswith(typed) or (other_name and other_name(name).startswith(typed))]
    if len(found) == 1 and typed:
        return found[0]
    if not found or not typed:
        raise CliError(Exit.NOT_FOUND, f"none of the {nouns} has an id that begins like that", listing)
    shown = ", ".join(found[:5]) + (", …" if len(found) > 5 else "")
    raise CliError(Exit.USAGE, f"{len(found)} {nouns} begin like that: {shown}", "the same with more of the id")


def _random_part(memory_id: str) -> str:
    return memory_id.rpartition("_")[2]
