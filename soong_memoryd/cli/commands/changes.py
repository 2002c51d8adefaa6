"""``forget`` and ``undo``: the two ways in which a person takes something back.

Owns: asking before something goes. Must not know: files.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.exits import CliError, Exit
from soong_memoryd.cli.render import Style, printable

_VERSION = re.compile(r"\d{8}T\d{6}Z-")


def _configure_forget(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="a memory, by a unique beginning of its id or of the id's last part")
    parser.add_argument("--purge", action="store_true", help="earlier versions and excerpts go as well: no undo")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def _forget(console: Console, args: Namespace) -> dict[str, Any]:
    memory = console.call("memory.get", memory_id=console.memory_id(args.id))
    memory_id = memory["frontmatter"]["id"]
    if not args.yes:
        after = "It cannot be undone." if args.purge else f"It stays in: soong-memoryctl history {printable(memory_id)}"
        if not console.confirmed(f'Forget "{printable(memory["frontmatter"].get("summary", ""))}"? {after}'):
            raise CliError(Exit.INTERRUPTED, "nothing was forgotten", f"soong-memoryctl show {printable(memory_id)}")
    done = console.call("memory.forget", memory_id=memory_id, sha256=memory["sha256"], purge=args.purge)
    return {**done, "purged": args.purge}


def _forget_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    yield f"forgotten: {printable(data['path'])}"
    if not data["purged"]:
        yield style.paint(f"put it back: soong-memoryctl undo {printable(data['memory_id'])}", "dim")


def _configure_undo(parser: ArgumentParser) -> None:
    help_text = "a version, as `history` lists it, or a memory: its newest version (the whole id once it is forgotten)"
    parser.add_argument("version", metavar="VERSION|ID", help=help_text)


def _undo(console: Console, args: Namespace) -> Any:
    typed = args.version
    return console.call("memory.undo", version_id=typed if _VERSION.match(typed) else _newest_version(console, typed))


def _newest_version(console: Console, typed: str) -> str:
    memory_id = console.memory_id_even_if_forgotten(typed)
    versions = console.call("memory.history", memory_id=memory_id)["versions"]
    if not versions:
        raise CliError(Exit.NOT_FOUND, "no earlier version of it is kept", f"soong-memoryctl why {printable(memory_id)}")
    return str(versions[0]["version_id"])


def _undo_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    yield f"put back: {printable(data['path'])}  sha256 {data['sha256'][:12]}"


FORGET = Command(
    "forget", "delete a memory; its sources can never be evidence again", "deletes", _forget, _forget_view, _configure_forget
)
UNDO = Command(
    "undo",
    "put an earlier version back",
    "changes a memory",
    _undo,
    _undo_view,
    _configure_undo,
    not_found_step="soong-memoryctl history ID",
)
