"""``why`` and ``history``: where a memory comes from, and what it was before.

Owns: how sources and versions read. Must not know: how they are kept.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.render import Style, printable, table


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="a memory, by a unique beginning of its id or of the id's last part")


def _why(console: Console, args: Namespace) -> dict[str, Any]:
    memory_id = console.memory_id(args.id)
    return {"memory_id": memory_id, **console.call("memory.why", memory_id=memory_id)}


def _why_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    yield style.paint(printable(data["memory_id"]), "bold")
    if not data["sources"]:
        yield "written by hand: it names no source"
    for source in data["sources"]:
        place = f"{printable(source['session_id'])}  {printable(source['node_id'])}"
        if source["kind"] is None:
            yield f"source    {place}"
            yield "          (not in this home: said on another machine, or removed since)"
            continue
        yield f"source    {style.moment(source['created_at'])}  {place}  {source['kind']}"
        said = source["excerpt"]
        yield f"          {printable(said)}" if said else "          (its text was pruned)"
    for event in data["events"]:
        reason = event["payload"].get("reason")
        yield f"event     {style.moment(event['at'])}  {event['type']}{f'  reason={reason}' if reason else ''}"


def _history(console: Console, args: Namespace) -> dict[str, Any]:
    memory_id = console.memory_id_even_if_forgotten(args.id)
    return {"memory_id": memory_id, **console.call("memory.history", memory_id=memory_id)}


def _history_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    rows = [
        (version["version_id"], style.moment(version["at"]), version["cause"], version["sha256"][:12])
        for version in data["versions"]
    ]
    if not rows:
        yield "no earlier versions are kept"
        return
    yield from table(("VERSION", "KEPT", "DISPLACED BY", "SHA256"), rows, style)
    yield style.paint("put one back: soong-memoryctl undo VERSION", "dim")


WHY = Command("why", "the messages that a memory rests on, and what was done to it", "read-only", _why, _why_view, _configure)
HISTORY = Command("history", "earlier versions of a memory", "read-only", _history, _history_view, _configure)
