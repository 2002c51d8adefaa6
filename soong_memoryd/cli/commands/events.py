"""``events``: what happened, and with ``--follow`` what happens.

Owns: how an event reads. Must not know: who makes events.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from soong_memory_client.connection import Connection
from soong_memory_client.errors import DeadlineExceeded
from soong_memory_client.wire import Call, request
from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.render import Style, printable

WAIT_SECONDS = 3600.0
_COUNTED = ("created", "updated", "conflicts", "duplicates", "ignored")
_NAMED = ("reason", "requested_by", "code", "attempt", "next_attempt_at", "change", "path", "kept", "known", "missing")


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("--follow", "-f", action="store_true", help="go on with what happens, until interrupted")
    parser.add_argument("--after", type=int, default=None, metavar="SEQUENCE", help="only later ones")
    parser.add_argument("--session", help="only of this session")
    parser.add_argument("--type", help="only of this type")
    parser.add_argument("--limit", type=int, default=20, metavar="N", help="at most N, the newest (default: 20)")


def _run(console: Console, args: Namespace) -> Any:
    session_id = console.session_id(args.session) if args.session else None
    wanted = {"session_id": session_id, "type": args.type}
    if args.after is not None:
        return console.call("events.list", after=args.after, limit=args.limit, **wanted)
    newest: list[dict[str, Any]] = []
    after = 0
    while True:
        page = console.call("events.list", after=after, limit=1000, **wanted)
        newest = (newest + page["events"])[-args.limit :]
        if len(page["events"]) < 1000:
            return {"events": newest, "last": page["last"]}
        after = page["events"][-1]["sequence"]


def _view(data: Any, style: Style) -> Iterator[str]:
    for event in data.get("events", [data]):
        yield _event_line(event, style)


def _event_line(event: dict[str, Any], style: Style) -> str:
    payload = event["payload"]
    counted = [f"{name}={len(payload[name])}" for name in _COUNTED if payload.get(name)]
    error = payload.get("error") if isinstance(payload.get("error"), dict) else {}
    flat = {**payload, "code": (error or {}).get("code", payload.get("code"))}
    named = [f"{name}={printable(flat[name])}" for name in _NAMED if flat.get(name) is not None]
    parts = [style.clock(event["at"]), event["type"], printable(event["session_id"] or ""), *named, *counted]
    return "  ".join(part for part in parts if part)


def _stream(console: Console, args: Namespace) -> Iterator[Any] | None:
    return _followed(console, args) if args.follow else None


def _followed(console: Console, args: Namespace) -> Iterator[Any]:
    session_id = console.session_id(args.session) if args.session else None
    subscribe: Call[Any] = Call("events.subscribe", {} if args.after is None else {"after": args.after})
    with Connection(console.client.socket_path, console.timeout_seconds) as connection:
        connection.call(request(subscribe, 1), time.monotonic() + console.timeout_seconds)
        while True:
            try:
                event = connection.notification(time.monotonic() + WAIT_SECONDS)["params"]
            except DeadlineExceeded:
                continue  # nothing happened for an hour
            if session_id in (None, event["session_id"]) and args.type in (None, event["type"]):
                yield event


EVENTS = Command("events", "what happened; --follow: as it happens", "read-only", _run, _view, _configure, stream=_stream)
