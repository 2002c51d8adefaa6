"""``import``: what other tools remember, shown first, then said to the daemon as words of the user.

Owns: the preview, what the person accepts, and following the extraction. Must not know: other tools' formats.
Nothing is written past the daemon: what is accepted are root user messages of a session of its own, and the jobs that
read them are ordinary ones, so that a memory's source is the imported sentence.
"""

from __future__ import annotations

import re
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from soong_memory_client.nodes import batches, build_node
from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.exits import CliError, Exit
from soong_memoryd.cli.progress import Progress
from soong_memoryd.cli.render import Style, clip, plural, printable, tally

TOOLS = ("claude-code", "codex", "mem0", "markdown")
SHOWN_ITEMS = 30
SHOWN_COLUMNS = 100
LOOK_EVERY_SECONDS = 0.5
BUILTIN = "builtin"
BUILTIN_NOTE = (
    "builtin keeps only wishes and preferences said as such (“always …”, “I prefer …”, “以后都 …”); "
    "a real model understands the rest: configure one, then import the same again"
)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)")
_SPAN = re.compile(r"(\d+)(?:-(\d+))?")


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("tool", choices=TOOLS, help="whose files these are")
    parser.add_argument("path", help="a file, or a directory of them")
    parser.add_argument("--dry-run", action="store_true", help="only show what would be imported")
    parser.add_argument("--yes", action="store_true", help="do not ask, take everything that is offered")


def _run(console: Console, args: Namespace) -> dict[str, Any]:
    from soong_memoryd.cli.importing import READERS
    from soong_memoryd.cli.importing.items import distinct, item_id

    found = list(distinct(READERS[args.tool](Path(args.path).expanduser())))
    offered = [item for item in found if item.skipped is None]
    listed = [{"node_id": item_id(args.tool, item.text), **item._asdict()} for item in found]
    data: dict[str, Any] = {"tool": args.tool, "items": listed, "imported": 0, "session_id": None, "jobs": []}
    if args.dry_run or not offered:
        return data
    builtin = _builtin_extracts(console)
    if builtin:
        console.note(BUILTIN_NOTE)
    if not args.yes:
        for line in _preview(listed, console.style):
            console.err.write(f"{line}\n")
    chosen = set(range(len(offered))) if args.yes else _chosen(console, len(offered))
    nodes = [
        build_node(
            item_id(args.tool, item.text),
            "user_message",
            item.text,
            origin="typed",
            metadata={"imported_from": args.tool, "source": item.source},
            created_at=item.at if item.at and _TIME.fullmatch(item.at) else None,
        )
        for place, item in enumerate(offered)
        if place in chosen
    ]
    if not nodes:
        raise CliError(Exit.INTERRUPTED, "nothing was imported", "the same with --dry-run")
    return {**data, "imported": len(nodes), **_say(console, args.tool, nodes, builtin)}


def _chosen(console: Console, count: int) -> set[int]:
    """What a person at a terminal takes: all, none, or numbers and spans of numbers as the preview has them."""
    if not console.stdin.isatty():
        raise CliError(Exit.USAGE, "this needs a confirmation, and there is no terminal to ask at", "the same with --yes")
    console.err.write(f"Import {plural(count, 'item')}? [y/N, or numbers: 1 3-5] ")
    console.err.flush()
    answer = console.stdin.readline().strip().casefold()
    if answer in {"y", "yes"}:
        return set(range(count))
    spans = [_SPAN.fullmatch(word) for word in answer.replace(",", " ").split()]
    if not all(spans):
        return set()
    numbers = {number for span in spans if span for number in range(int(span[1]), int(span[2] or span[1]) + 1)}
    return {number - 1 for number in numbers if 1 <= number <= count}


def _builtin_extracts(console: Console) -> bool:
    models = console.call("daemon.status")["models"]
    return any(model["use"] == "extract" and model["provider"] == BUILTIN for model in models)


def _say(console: Console, tool: str, nodes: list[dict[str, Any]], builtin: bool) -> dict[str, Any]:
    import hashlib

    # what builtin passed over is new to a model: the same import is then a session of its own, and looked at once more
    named = [node["node_id"] for node in nodes] + ([BUILTIN] if builtin else [])
    digest = hashlib.sha256("".join(named).encode()).hexdigest()
    session_id = f"import:{tool}:{digest[:12]}"
    console.call("session.open", session_id=session_id, title=f"imported from {tool}")
    for batch in batches(nodes):
        console.call("context.append", session_id=session_id, nodes=batch)
    console.call("extraction.trigger", session_id=session_id)
    _follow(console, session_id)
    console.call("session.close", session_id=session_id)
    return {"session_id": session_id, "jobs": console.call("extraction.list", session_id=session_id, limit=1000)["jobs"]}


def _follow(console: Console, session_id: str) -> None:
    """A bar over the messages that were looked at, until none is left or an attempt has failed."""
    progress = Progress(console, "extracting")
    total = 0
    try:
        while True:
            listed = console.all_of("session.list", "sessions")
            session = next((found for found in listed if found["session_id"] == session_id), None)
            left = session["unscanned_messages"] if session else 0
            total = max(total, left)
            progress.show(total - left, total)
            if left == 0 or session is None or session["state"] == "parked":
                return
            if any(job["error"] for job in console.call("extraction.list", session_id=session_id, limit=1)["jobs"]):
                return
            time.sleep(LOOK_EVERY_SECONDS)
    except KeyboardInterrupt:
        progress.end()
        console.note("the daemon goes on with it; see: soong-memoryctl jobs")
        raise
    finally:
        progress.end()


def _preview(items: list[dict[str, Any]], style: Style) -> Iterator[str]:
    offered = [item for item in items if not item["skipped"]]
    for number, item in enumerate(offered[:SHOWN_ITEMS], 1):
        text = clip(printable(item["text"]), SHOWN_COLUMNS)
        yield f"{number:>4}  {text}  {style.paint(printable(item['source']), 'dim')}"
    if len(offered) > SHOWN_ITEMS:
        yield f"      … and {len(offered) - SHOWN_ITEMS} more"
    reasons = [item["skipped"] for item in items if item["skipped"]]
    for reason in dict.fromkeys(reasons):
        yield style.paint(f"skip  {reasons.count(reason)}: {reason}", "dim")


def _view(data: dict[str, Any], style: Style) -> Iterator[str]:
    if not data["imported"]:
        yield from _preview(data["items"], style)
        offered = sum(not item["skipped"] for item in data["items"])
        yield f"would import {plural(offered, 'item')}" if offered else "there is nothing to import"
        return
    said = tally(job["result"] or {} for job in data["jobs"])
    yield f"imported {plural(data['imported'], 'item')} as {data['session_id']}: {said}"
    failed = [job["error"] for job in data["jobs"] if job["error"]]
    if failed:
        yield style.paint(f"the last attempt failed: {printable(failed[0].get('text') or failed[0].get('code'))}", "red")
    yield style.paint(f"see: soong-memoryctl jobs --session {data['session_id']}", "dim")


def _exit_code(data: dict[str, Any]) -> Exit:
    return Exit.FAILED if any(job["error"] for job in data["jobs"]) else Exit.OK


IMPORT = Command(
    "import",
    "take over what another tool remembers",
    "appends messages, starts extraction",
    _run,
    _view,
    _configure,
    _exit_code,
    not_found_step="soong-memoryctl sessions",
)
