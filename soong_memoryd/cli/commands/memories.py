"""``list``, ``show``, ``search``: what is remembered.

Owns: how a memory reads. Must not know: files; the daemon reads them.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.render import Style, plural, printable, printable_lines, table

CATEGORIES = ("user", "feedback", "reference")
HEADER = ("ID", "CATEGORY", "UPDATED", "TAGS", "SUMMARY")


def _configure_list(parser: ArgumentParser) -> None:
    parser.add_argument("--category", choices=CATEGORIES, help="only these")
    parser.add_argument("--tag", help="only those with this tag")
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="at most N (default: 50)")
    parser.add_argument("--offset", type=int, default=0, metavar="N", help="leave out the N newest")


def _list(console: Console, args: Namespace) -> Any:
    return console.call("memory.list", category=args.category, tag=args.tag, limit=args.limit, offset=args.offset)


def _list_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    rows = [
        (memory["id"], memory["category"], style.moment(memory["updated_at"])[:10], ",".join(memory["tags"]), memory["summary"])
        for memory in data["memories"]
    ]
    if not rows:
        yield "no memories match" if data["total"] else "nothing is remembered yet"
        return
    yield from table(HEADER, rows, style)
    if data["total"] > len(rows):
        yield style.paint(f"{len(rows)} of {data['total']}; more: --offset N --limit N", "dim")


def _configure_show(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="a memory, by a unique beginning of its id or of the id's last part")
    parser.add_argument("--raw", action="store_true", help="the body alone")


def _show(console: Console, args: Namespace) -> dict[str, Any]:
    memory = console.call("memory.get", memory_id=console.memory_id(args.id))
    return {**memory, "raw": True} if args.raw and not console.json else dict(memory)


def _show_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    if not data.get("raw"):
        front = data["frontmatter"]
        yield style.paint(printable(front.get("summary", "")), "bold")
        tags = ", ".join(map(printable, front.get("tags") or []))
        yield f"id        {printable(front['id'])}  [{printable(front['category'])}]  {tags}".rstrip()
        yield f"path      {printable(data['path'])}  sha256 {data['sha256'][:12]}"
        yield f"dates     created {style.moment(front.get('created_at'))}  updated {style.moment(front.get('updated_at'))}"
        yield f"source    {_source(front)}"
        yield ""
    yield from printable_lines(data["body"])


def _source(front: dict[str, Any]) -> str:
    nodes = front.get("source_node_ids") or []
    if not nodes:
        return "manual"
    confirmed = f"  confirmed by {printable(front['confirmed_by_node_id'])}" if front.get("confirmed_by_node_id") else ""
    return f"{printable(front.get('source_session_id') or '-')}  {', '.join(map(printable, nodes))}{confirmed}"


def _configure_search(parser: ArgumentParser) -> None:
    parser.add_argument("query", nargs="+", help="words, in any script; no model is asked")
    parser.add_argument("--limit", type=int, default=10, metavar="N", help="at most N (default: 10)")


def _search(console: Console, args: Namespace) -> Any:
    return console.call("memory.search", query=" ".join(args.query), limit=args.limit)


def _search_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    rows = [(match["id"], f"{match['score']:.2f}", match["summary"]) for match in data["matches"]]
    if not rows:
        yield "nothing found"
        return
    yield from table(("ID", "SCORE", "SUMMARY"), rows, style)
    yield style.paint(f"{plural(len(rows), 'match', 'matches')}; read one: soong-memoryctl show ID", "dim")


LIST = Command("list", "memories, newest first", "read-only", _list, _list_view, _configure_list)
SHOW = Command("show", "one memory: its text, file and sources", "read-only", _show, _show_view, _configure_show)
SEARCH = Command("search", "memories that share words with a query", "read-only", _search, _search_view, _configure_search)
