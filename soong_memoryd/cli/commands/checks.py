"""``verify`` and ``config check``: is everything as it should be, and what mends it.

Owns: how findings read. Must not know: how they are found; both checks run inside the daemon, which has other
variables and other rights than this terminal.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.exits import REMARKS, Exit
from soong_memoryd.cli.render import Style, plural, printable

WORKING_STATES = frozenset({"ok"})
_DETAILS = (("rung", "rung"), ("key_source", "key"))


def _configure_verify(parser: ArgumentParser) -> None:
    parser.add_argument("--fix", action="store_true", help="mend what can be mended without losing anything")
    parser.add_argument("--accept", action="append", default=[], metavar="CODE", help="mend this one although it is not safe")


def _verify(console: Console, args: Namespace) -> Any:
    found = console.call("daemon.verify")
    codes = {problem["code"] for problem in found["problems"] if args.fix and problem["safe"]} | set(args.accept)
    return console.call("daemon.repair", codes=sorted(codes)) if codes else found


def _verify_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    if not data["problems"]:
        yield style.paint("no problems", "green")
    for problem in data["problems"]:
        mended = problem.get("mended") is True
        place = printable(problem.get("path") or problem.get("memory_id") or "")
        word, colour = ("note  ", "yellow") if problem["code"] in REMARKS else ("FOUND ", "red")
        mark = style.paint("mended", "green") if mended else style.paint(word, colour)
        yield f"{mark} {problem['code']}  {place}".rstrip()
        yield f"       {printable(problem['text'])}"
        if not mended and problem.get("fix"):
            yield f"       fix: {printable(problem['fix'])}"
    left = [problem for problem in data["problems"] if not problem.get("mended")]
    if any(problem["safe"] for problem in left):
        yield f"{plural(len(left), 'problem')}; mend the safe ones: soong-memoryctl verify --fix"


def _verify_exit(data: dict[str, Any]) -> Exit:
    fine = all(problem.get("mended") or problem["code"] in REMARKS for problem in data["problems"])
    return Exit.OK if fine else Exit.PROBLEMS_FOUND


def _check(console: Console, args: Namespace) -> Any:
    return console.call("config.check")


def _check_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    if not data["profiles"]:
        yield "no model is configured: set [model] in memoryd.toml, then: soong-memoryctl reload"
    for profile in data["profiles"]:
        works = profile["state"] in WORKING_STATES
        name = " ".join(printable(part) for part in (profile["provider"], profile["name"]) if part)
        details = "  ".join(f"{word} {printable(profile[key])}" for key, word in _DETAILS if profile.get(key))
        state = style.paint(profile["state"].ljust(4), "green" if works else "red")
        yield f"{state}  {profile['use']}: {name}  {details}".rstrip()
        if profile.get("error"):
            error = profile["error"]
            yield f"      {printable(error.get('text') or error.get('code') if isinstance(error, dict) else error)}"


def _check_exit(data: dict[str, Any]) -> Exit:
    fine = data["profiles"] and all(profile["state"] in WORKING_STATES for profile in data["profiles"])
    return Exit.OK if fine else Exit.PROBLEMS_FOUND


VERIFY = Command(
    "verify",
    "check every file, the catalog and the database",
    "read-only, unless --fix",
    _verify,
    _verify_view,
    _configure_verify,
    _verify_exit,
)
CHECK = Command(
    "check",
    "try every model profile from inside the daemon",
    "one tiny model call a profile",
    _check,
    _check_view,
    exit_code=_check_exit,
)
