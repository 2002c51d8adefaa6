"""``doctor``: everything around the memories that keeps them from working, on one screen, each with what mends it.

Owns: how findings read. Must not know: how they are found (``cli/checkup``). ``verify`` looks at the data itself.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.exits import Exit
from soong_memoryd.cli.render import Style, plural, printable

_MARKS = {"ok": ("ok  ", "green"), "note": ("note", "yellow"), "fail": ("FAIL", "red")}
NAME_COLUMNS = 12


def _run(console: Console, args: Namespace) -> dict[str, Any]:
    from soong_memoryd.cli.checkup import examine  # only this command pays for its checks
    from soong_memoryd.cli.checkup.facts import gather

    return {"findings": [finding._asdict() for finding in examine(gather(console))]}


def _view(data: dict[str, Any], style: Style) -> Iterator[str]:
    for finding in data["findings"]:
        mark, colour = _MARKS[finding["state"]]
        yield f"{style.paint(mark, colour)}  {finding['name'].ljust(NAME_COLUMNS)}{printable(finding['text'])}"
        if finding["fix"]:
            yield f"      {' ' * NAME_COLUMNS}{printable(finding['fix'])}"
    failed = sum(finding["state"] == "fail" for finding in data["findings"])
    yield style.paint(plural(failed, "problem"), "red") if failed else style.paint("no problems", "green")


def _exit_code(data: dict[str, Any]) -> Exit:
    return Exit.PROBLEMS_FOUND if any(finding["state"] == "fail" for finding in data["findings"]) else Exit.OK


DOCTOR = Command(
    "doctor", "check daemon, service, permissions, models and clients", "read-only", _run, _view, exit_code=_exit_code
)
