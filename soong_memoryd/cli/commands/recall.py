"""``recall``: what an agent would be told for a query, without an agent. Nothing is stored.

Owns: how a recall reads. Must not know: how it is chosen.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.render import Style, printable, printable_lines


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("query", nargs="+", help="what the agent would ask")
    parser.add_argument("--top", type=int, metavar="N", help="at most N memories (cannot raise the configured number)")
    parser.add_argument("--budget", type=int, metavar="TOKENS", help="at most so many tokens (cannot raise the configured one)")


def _run(console: Console, args: Namespace) -> Any:
    return console.call("memory.recall", query=" ".join(args.query), top_k=args.top, token_budget=args.budget)


def _view(data: dict[str, Any], style: Style) -> Iterator[str]:
    degraded = f"  degraded: {printable(data['degraded'])}" if data["degraded"] else ""
    yield style.paint(f"{data['status']}  selected by {data['selected_by']}{degraded}", "bold")
    for memory in data["recalled"]:
        yield f"{printable(memory['id'])}  {memory['category']}  {printable(memory['summary'])}"
    for omitted in data["omitted"]:
        yield style.paint(f"omitted  {printable(omitted['id'])}  {printable(omitted['reason'])}", "dim")
    if data["message"]:
        yield ""
        yield from printable_lines(data["message"]["content"])


RECALL = Command("recall", "what an agent would be told for a query", "read-only", _run, _view, _configure)
