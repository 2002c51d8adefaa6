"""``connect`` and ``disconnect``: one line for each tool that is to share the memory.

Owns: what is shown of a change, in which order. Must not know: the files of the tools, how their text is changed.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from soong_memory_client.paths import SOCKET_VARIABLE, home_path
from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.render import Style, printable

if TYPE_CHECKING:
    from soong_memoryd.cli.connect.edit import Edit

TOOL_NAMES = ("claude-code", "codex", "gemini", "opencode")
_COLOURS = {"+": "green", "-": "red"}


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("tool", choices=TOOL_NAMES, metavar="TOOL", help=", ".join(TOOL_NAMES))
    parser.add_argument("--dry-run", action="store_true", help="show what would change, and change nothing")


def _connect(console: Console, args: Namespace) -> dict[str, Any]:
    from soong_memoryd.cli.connect.edit import edit_of  # only these commands pay for them
    from soong_memoryd.cli.connect.launch import launch_for
    from soong_memoryd.cli.connect.tools import TOOLS

    tool, user_home = TOOLS[args.tool], _user_home(console)
    default_home = home_path({"HOME": str(user_home)})
    launch = launch_for(console.home, default_home, args.socket or console.env.get(SOCKET_VARIABLE))
    edits = [edit_of(file.path(console.env, user_home), partial(file.put, launch), file.ours) for file in tool.files]
    remarks = [
        f"{edit.path}: {remark}" for file, edit in zip(tool.files, edits, strict=True) if (remark := file.remark(edit.before))
    ]
    return _carry_out(console, args, edits, [*remarks, *tool.then])


def _disconnect(console: Console, args: Namespace) -> dict[str, Any]:
    from soong_memoryd.cli.connect.edit import edit_of
    from soong_memoryd.cli.connect.tools import TOOLS

    files = TOOLS[args.tool].files
    edits = [edit_of(file.path(console.env, _user_home(console)), file.take, file.ours) for file in files]
    return _carry_out(console, args, edits, ["What was remembered stays where it is."])


def _carry_out(console: Console, args: Namespace, edits: Iterable[Edit], notes: list[str]) -> dict[str, Any]:
    from soong_memoryd.cli.connect.edit import apply

    changes = []
    for edit in edits:
        backup = None if args.dry_run else apply(edit, console.style.now)
        changes.append(
            {
                "path": str(edit.path),
                "changed": edit.before != edit.after,
                "removed": [{"place": one.place, "name": one.name} for one in edit.removed],
                "added": [{"place": one.place, "name": one.name} for one in edit.added],
                "difference": edit.difference(),
                "backup": str(backup) if backup else None,
            }
        )
    return {"tool": args.tool, "dry_run": args.dry_run, "changes": changes, "notes": notes}


def _user_home(console: Console) -> Path:
    return Path(console.env.get("HOME") or Path.home())


def _view(data: dict[str, Any], style: Style) -> Iterator[str]:
    for change in data["changes"]:
        path = style.paint(printable(change["path"]), "bold")
        if not change["changed"]:
            yield f"{path}  nothing to change"
            continue
        yield f"{path}  would become" if data["dry_run"] else path
        lines = change["difference"] if data["dry_run"] else _in_short(change)
        for line in lines:
            yield "  " + style.paint(printable(line), _COLOURS[line[0]])
        if change["backup"]:
            yield f"  as it was: {printable(change['backup'])}"
    if data["dry_run"]:
        yield "nothing was changed"
        return
    yield from map(printable, data["notes"])


def _in_short(change: dict[str, Any]) -> Iterator[str]:
    """What goes and comes where: a line for each place in the file."""
    for sign, member in (("-", "removed"), ("+", "added")):
        places: dict[str, list[str]] = {}
        for one in change[member]:
            places.setdefault(one["place"], []).append(one["name"])
        for place, names in places.items():
            yield f"{sign} {place}: {', '.join(names)}" if any(names) else f"{sign} {place}"


CONNECT = Command(
    "connect", "let a tool share the memory", "adds entries of ours to the tool's configuration", _connect, _view, _configure
)
DISCONNECT = Command(
    "disconnect",
    "take a tool off the memory",
    "removes our entries from the tool's configuration",
    _disconnect,
    _view,
    _configure,
)
