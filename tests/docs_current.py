"""Keeps the generated pages true: ``python -m tests.docs_current`` fails when one is stale, ``--write`` renders them anew."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

from soong_memoryd import __version__
from soong_memoryd.protocol.openrpc import document, reference
from soong_memoryd.sessions import schedule
from tests import file_format, manual, node_types, troubleshooting

ROOT = Path(__file__).resolve().parent.parent


def schedule_page() -> str:
    """``docs/schedule.md``: the transition table of a session's waiting job."""
    lines = [
        "# The schedule",
        "",
        "Generated from `soong_memoryd/sessions/schedule.py` by `make docs`; do not edit.",
        "A session has at most one waiting job. Rows: how that job stands. Columns: what is heard. Cells: what becomes of",
        "the job.",
        "",
        f"| | {' | '.join(schedule.ARRIVING)} |",
        f"|---|{'---|' * len(schedule.ARRIVING)}",
    ]
    for slot in schedule.SLOTS:
        cells = [schedule.ARRIVALS[slot, heard].replace("_", " ") for heard in schedule.ARRIVING]
        lines.append(f"| **{slot}** | {' | '.join(cells)} |")
    waits = ", ".join(
        f"{seconds // 60} m" if seconds < 3600 else f"{seconds // 3600} h" for seconds in schedule.BACKOFF_SECONDS
    )
    lines += [
        "",
        "| a failed attempt that is blamed on | costs the session | and then |",
        "|---|---|---|",
        f"| the window (invalid answer, overflow) | a failure; every {schedule.FAILURES_UNTIL_HALVING}nd halves the window,"
        f" {schedule.FAILURES_UNTIL_PARKING} park it | waits {waits} |",
        "| the profile (network, 429, 5xx, timeout, auth) | nothing |"
        " the model profile pauses, at least as long as the provider asks |",
        "| nobody (a file or source changed, a stop) | nothing | runs again at once, then with growing waits |",
    ]
    return "\n".join(lines) + "\n"


def openrpc_document() -> str:
    """``docs/openrpc.json``: what ``rpc.discover`` answers."""
    return json.dumps(document(__version__), indent=1, ensure_ascii=False) + "\n"


PAGES = {
    "docs/protocol.md": reference,
    "docs/openrpc.json": openrpc_document,
    "docs/schedule.md": schedule_page,
    "docs/file-format.md": file_format.page,
    "docs/troubleshooting.md": troubleshooting.page,
    **manual.PAGES,
    **node_types.PAGES,
}


def stale() -> list[str]:
    """The pages that are not what the tables say."""
    found = [(path, ROOT / path, render) for path, render in PAGES.items()]
    return [path for path, file, render in found if not file.exists() or file.read_text(encoding="utf-8") != render()]


def main(arguments: list[str]) -> int:
    if "--write" in arguments:
        for path, render in PAGES.items():
            (ROOT / path).parent.mkdir(exist_ok=True)
            (ROOT / path).write_text(render(), encoding="utf-8")
    wrong = stale()
    for path in itertools.chain(wrong):
        print(f"{path} is stale: run `make docs`")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
