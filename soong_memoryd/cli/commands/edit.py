"""``edit``: a person's own change to a memory, in their own editor.

Owns: the copy that the editor sees and the hand-over in ``memoryd/edits/``. Must not know: what a memory file may hold;
the daemon checks and commits it.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from soong_memory_client.errors import MemoryClientError
from soong_memory_client.paths import STATE_DIRECTORY
from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.exits import CliError, Exit, cli_error
from soong_memoryd.cli.render import Style, printable


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="a memory, by a unique beginning of its id or of the id's last part")
    parser.add_argument("--from", dest="source", metavar="FILE", help="take this text instead of opening an editor")


def _run(console: Console, args: Namespace) -> dict[str, Any]:
    memory = console.call("memory.get", memory_id=console.memory_id(args.id))
    home = Path(console.call("daemon.status")["home"])
    original = _read(home / "memory" / memory["path"])
    text = _read(Path(args.source)) if args.source else original
    edit_id = f"edit-{os.urandom(6).hex()}.md"
    directory = home / STATE_DIRECTORY / "edits"
    directory.mkdir(mode=0o700, exist_ok=True)
    copy = directory / edit_id
    with open(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(text)
    if not args.source:
        _open_editor(console, copy, original)
    if copy.read_bytes() == original:
        copy.unlink()
        return {"memory_id": memory["frontmatter"]["id"], "path": memory["path"], "sha256": memory["sha256"], "changed": False}
    try:
        done = console.call("memory.adopt", edit_id=edit_id, sha256=memory["sha256"])
    except MemoryClientError as error:
        failure = cli_error(error, EDIT.not_found_step)
        kept = f"{failure.text}; your text is kept in {copy}"
        raise CliError(failure.exit_code, kept, f"mend it, then: soong-memoryctl edit {args.id} --from {copy}") from None
    return {**done, "changed": True}


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CliError(Exit.USAGE, f"{path} cannot be read: {error.strerror}", f"ls -l {path}") from None


def _open_editor(console: Console, path: Path, original: bytes) -> None:
    editor = console.env.get("VISUAL") or console.env.get("EDITOR")
    if not editor:
        path.unlink()
        raise CliError(Exit.USAGE, "no editor is named", "export EDITOR=nano, or: soong-memoryctl edit ID --from FILE")
    import subprocess  # only this command pays for it

    # the shell splits $EDITOR as the user wrote it ("code --wait"); the path is an argument of its own
    done = subprocess.run(["/bin/sh", "-c", f'{editor} "$1"', "sh", str(path)], check=False)  # noqa: S603
    if done.returncode != 0:
        if path.exists() and path.read_bytes() == original:
            path.unlink()
        elif path.exists():
            console.note(f"what you wrote is kept in {path}")
        raise CliError(Exit.FAILED, f"the editor ended with {done.returncode}: nothing was changed", "soong-memoryctl show ID")


def _view(data: dict[str, Any], style: Style) -> Iterator[str]:
    if data["changed"]:
        yield f"changed: {printable(data['path'])}  sha256 {data['sha256'][:12]}"
    else:
        yield "nothing was changed"


EDIT = Command("edit", "change a memory in your editor", "changes a memory", _run, _view, _configure)
