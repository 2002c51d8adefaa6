"""``view``: everything that is remembered as one page to look at, without a server.

Owns: where the page is written. Must not know: what is on it (``cli/viewer``).
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from soong_memory_client.paths import STATE_DIRECTORY
from soong_memoryd.cli import programs
from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.exits import CliError, Exit
from soong_memoryd.cli.private_file import make_private_directory, replace_text
from soong_memoryd.cli.progress import Progress
from soong_memoryd.cli.render import Style, plural, printable

FILE = "view.html"


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it (default: a private file of this session)")
    parser.add_argument("--open", action="store_true", help="open it in the browser")


def _run(console: Console, args: Namespace) -> dict[str, Any]:
    from soong_memoryd.cli.viewer.collect import collect
    from soong_memoryd.cli.viewer.page import render

    progress = Progress(console, "reading")
    try:
        data = collect(console, progress.show)
    finally:
        progress.end()
    text = render(data)
    path = Path(args.output).expanduser().absolute() if args.output else _private_path(console)
    replace_text(path, text)
    if args.open:
        _open(console, path)
    return {"path": str(path), "memories": len(data["memories"]), "bytes": len(text.encode("utf-8")), "opened": args.open}


def _private_path(console: Console) -> Path:
    """In the session's own directory, which goes at logout; else with the daemon's own files."""
    runtime = console.env.get("XDG_RUNTIME_DIR")
    directory = Path(runtime) / "soong-memoryd" if runtime else console.home / STATE_DIRECTORY / "view"
    make_private_directory(directory)
    return directory / FILE


def _open(console: Console, path: Path) -> None:
    name = "open" if sys.platform == "darwin" else "xdg-open"
    opener = programs.found(name, console.env)
    if opener is None:
        raise CliError(Exit.FAILED, f"{name} is not on the PATH; the page is at {path}", f"open {path} in a browser")
    done = programs.run([opener, str(path)], console.env)
    if done.code != 0:
        raise CliError(Exit.FAILED, f"{name} ended with {done.code}; the page is at {path}", f"open {path} in a browser")


def _view(data: dict[str, Any], style: Style) -> Iterator[str]:
    size_kib = max(1, data["bytes"] >> 10)
    yield f"{plural(data['memories'], 'memory', 'memories')}, {size_kib} KiB: {printable(data['path'])}"
    if not data["opened"]:
        yield style.paint("open it in a browser; it holds everything that is remembered, so keep it to yourself", "dim")


VIEW = Command("view", "write a page with everything that is remembered", "writes one file", _run, _view, _configure)
