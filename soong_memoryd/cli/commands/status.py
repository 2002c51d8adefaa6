"""``status``: everything worth knowing on one screen, fit to be pasted into an issue.

Owns: which facts are shown and in which order. Must not know: how they are measured. Shows no user text and no titles.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from soong_memory_client.errors import DaemonUnavailable
from soong_memory_client.outbox import Outbox, client_names
from soong_memory_client.paths import outbox_directory
from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.render import Style, plural, printable, short_count

SHOWN_SESSIONS = 6
LABEL_COLUMNS = 10
WATCH_SECONDS = 2.0
CLEAR = "\x1b[H\x1b[2J"
_COLOURS = {
    "ready": "green",
    "ok": "green",
    "degraded": "red",
    "draining": "yellow",
    "failing": "red",
    "paused": "yellow",
}


def _run(console: Console, args: Namespace) -> dict[str, Any]:
    try:
        daemon = console.call("daemon.status")
    except DaemonUnavailable:
        if waiting := _backlogs(console.home):
            console.note(f"waiting for the daemon: {_outbox(waiting, console.style)}")
        raise
    sessions = console.all_of("session.list", "sessions")
    return {
        "daemon": daemon,
        "sessions": [session for session in sessions if session["unscanned_messages"] or session["state"] != "idle"],
        "outbox": _backlogs(Path(daemon["home"])),
    }


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("--watch", action="store_true", help="again and again, until interrupted")
    parser.add_argument("--every", type=float, default=WATCH_SECONDS, metavar="SECONDS", help="how often (default: 2)")


def _stream(console: Console, args: Namespace) -> Iterator[dict[str, Any]] | None:
    return _watched(console, args) if args.watch else None


def _watched(console: Console, args: Namespace) -> Iterator[dict[str, Any]]:
    while True:
        began = time.monotonic()
        data = _run(console, args)
        if console.out.isatty() and not console.json:
            console.out.write(CLEAR)
        yield data
        time.sleep(max(0.0, args.every))
        console.style.now += timedelta(seconds=time.monotonic() - began)


def _backlogs(home: Path) -> list[dict[str, Any]]:
    directory = outbox_directory(home)
    backlogs = [Outbox(directory, name).backlog() for name in client_names(directory)]
    return [backlog._asdict() for backlog in backlogs if backlog.lines or backlog.rejected]


def _view(data: dict[str, Any], style: Style) -> Iterator[str]:
    daemon = data["daemon"]
    state = style.paint(daemon["state"], _COLOURS.get(daemon["state"], "bold"))
    yield _line(
        "daemon",
        f"soong-memoryd {daemon['version']}  {state}  up {_up(daemon, style)}  pid {daemon['pid']}  "
        f"protocol {daemon['protocol_version']}",
        style,
    )
    yield _line("home", printable(daemon["home"]), style)
    yield _line("memory", _memory(daemon["memory"]), style)
    for model in daemon["models"]:
        yield _line("model", _model(model, daemon["sessions"]["unscanned_messages"], style), style)
    yield from _sessions(daemon["sessions"], data["sessions"], style)
    jobs, counters = daemon["jobs"], daemon["counters"]
    yield _line(
        "jobs",
        f"{jobs['running']} running  {jobs['pending']} pending  {jobs['parked']} parked  "
        f"{counters['jobs_completed']} completed  {plural(counters['jobs_failed'], 'failed attempt')}",
        style,
    )
    if jobs.get("last_failure"):
        yield _line("failure", style.paint(_failure(jobs["last_failure"], style), "red"), style)
    yield _line(
        "runs",
        f"{plural(counters['runs_completed'], 'run')} seen, {plural(counters['jobs_completed'], 'job')} run, "
        f"{plural(counters['nodes'], 'node')} recorded",
        style,
    )
    yield _line("today", _tokens(daemon["tokens_today"]), style)
    yield _line("outbox", _outbox(data["outbox"], style), style)


def _line(label: str, text: str, style: Style) -> str:
    return style.paint(label.ljust(LABEL_COLUMNS), "dim") + text


def _up(daemon: dict[str, Any], style: Style) -> str:
    return style.ago(daemon["started_at"]).removesuffix(" ago")


def _memory(memory: dict[str, Any]) -> str:
    by_category = "  ".join(f"{name} {count}" for name, count in memory["by_category"].items())
    parts = [plural(memory["total"], "memory", "memories"), by_category, f"catalog {memory['catalog_tokens']} tokens"]
    if memory.get("invalid"):
        parts.append(f"{plural(memory['invalid'], 'unreadable file')}: soong-memoryctl verify")
    if not memory["enabled"]:
        parts.append("DISABLED: nothing is extracted")
    return "  ".join(parts)


def _model(model: dict[str, Any], unscanned: int, style: Style) -> str:
    if model["state"] == "missing":
        kept = f"extraction waits, {plural(unscanned, 'message')} kept" if model["use"] == "extract" else "recall is lexical"
        return f"{model['use']}: {style.paint('not configured', 'yellow')}, {kept}"
    name = " ".join(printable(part) for part in (model["provider"], model["name"]) if part)
    state = style.paint(model["state"], _COLOURS.get(model["state"], "bold"))
    since = f" since {style.moment(model['since'])}" if model.get("since") else ""
    return f"{model['use']}: {name}  {state}{since}{_because(model.get('error'))}"


def _because(error: Any) -> str:
    if not error:
        return ""
    text = error.get("text") or error.get("code") if isinstance(error, dict) else error
    return f"  ({printable(text)})"


def _sessions(totals: dict[str, Any], sessions: list[dict[str, Any]], style: Style) -> Iterator[str]:
    waiting = plural(totals["unscanned_messages"], "unscanned message")
    due = f"  next look {style.until(totals['next_due_at'])}" if totals.get("next_due_at") else ""
    yield _line("sessions", f"{totals['open']} open  {waiting}{due}", style)
    for session in sessions[:SHOWN_SESSIONS]:
        due = f"  {style.until(session['next_due_at'])}" if session.get("next_due_at") else ""
        unscanned = f"{session['unscanned_messages']} unscanned"
        yield _line("", f"{printable(session['session_id'])}  {unscanned}  {session['state']}{due}", style)
    if len(sessions) > SHOWN_SESSIONS:
        yield _line("", f"and {len(sessions) - SHOWN_SESSIONS} more: soong-memoryctl sessions", style)


def _failure(failure: dict[str, Any], style: Style) -> str:
    error = failure.get("error") or failure
    when = failure.get("since") or failure.get("at") or failure.get("finished_at")
    session = f"  {printable(failure['session_id'])}" if failure.get("session_id") else ""
    text = printable(error.get("text") or error.get("code") or "unknown")
    return f"{text}{session}" + (f"  since {style.moment(when)}" if when else "")


def _tokens(today: dict[str, Any]) -> str:
    prompt, completion = short_count(today["prompt_tokens"]), short_count(today["completion_tokens"])
    return f"{plural(today['calls'], 'model call')}  {prompt} prompt + {completion} completion tokens"


def _outbox(backlogs: list[dict[str, Any]], style: Style) -> str:
    parts: list[str] = []
    for backlog in backlogs:
        rejected = f", {backlog['rejected']} rejected" if backlog["rejected"] else ""
        parts.append(f"{backlog['client']} {plural(backlog['lines'], 'call')} waiting{rejected}")
    return style.paint("  ".join(parts), "yellow") or "empty"


STATUS = Command(
    "status",
    "health of the daemon, its models, sessions and jobs, on one screen",
    "read-only",
    _run,
    _view,
    _configure,
    stream=_stream,
)
