"""``sessions``: who talks to the daemon, and when it will look.

Owns: the columns. Must not know: how deadlines are made.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.render import Style, plural, table

HEADER = ("SESSION", "STATE", "UNSCANNED", "SCANNED", "NEXT LOOK", "TITLE")


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("--waiting", action="store_true", help="only sessions with unscanned messages")


def _run(console: Console, args: Namespace) -> dict[str, Any]:
    sessions = console.all_of("session.list", "sessions")
    if args.waiting:
        sessions = [session for session in sessions if session["unscanned_messages"]]
    return {"sessions": sessions, "total": len(sessions)}


def _view(data: dict[str, Any], style: Style) -> Iterator[str]:
    rows = [
        (
            session["session_id"],
            session["state"],
            session["unscanned_messages"],
            f"{session['cursor']}/{session['last_sequence']}",
            style.until(session["next_due_at"]),
            session["title"] or "",
        )
        for session in data["sessions"]
    ]
    if rows:
        yield from table(HEADER, rows, style)
    else:
        yield "no sessions: no agent has talked to this daemon yet"
    parked = [session for session in data["sessions"] if session["state"] == "parked"]
    if parked:
        yield f"{plural(len(parked), 'session')} parked; try again: soong-memoryctl retry SESSION"
        yield "or give the messages up: soong-memoryctl skip SESSION"


SESSIONS = Command(
    "sessions", "sessions, what is unscanned in them and when the daemon looks next", "read-only", _run, _view, _configure
)
