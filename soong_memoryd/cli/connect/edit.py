"""Changing files of other tools: shown first, backed up, replaced in one step.

Owns: reading, the difference, backups, removal of what is empty. Must not know: what is changed.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from soong_memoryd.cli.connect.json_text import NotOurs
from soong_memoryd.cli.exits import CliError, Exit
from soong_memoryd.cli.private_file import FILE_MODE, make_private_directory, read_text, replace_text

BACKUP = "before-soong-memory"


class Edit(NamedTuple):
    """One file, before and after; an empty ``after`` removes it."""

    path: Path
    before: str
    after: str

    def difference(self) -> list[str]:
        """The lines that go and come, without their surroundings: those may hold other programs' keys."""
        lines = difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), lineterm="", n=0)
        return [line for line in lines if not line.startswith(("---", "+++"))]


def edit_of(path: Path, change: Callable[[str], str]) -> Edit:
    """What ``change`` makes of the file; ``CliError`` when the file cannot be changed safely."""
    before = read_text(path)
    try:
        return Edit(path, before, change(before))
    except NotOurs as error:
        raise CliError(
            Exit.CONFLICT,
            f"{path} is left as it is: {error}",
            "HOME=/nowhere soong-memoryctl connect TOOL --dry-run   (shows the entries: put them in by hand)",
        ) from None


def apply(edit: Edit, now: datetime) -> Path | None:
    """Write it; the backup of what was there, None when nothing was. ``CliError`` when the file changed meanwhile."""
    if edit.before == edit.after:
        return None
    if read_text(edit.path) != edit.before:
        raise CliError(Exit.CONFLICT, f"{edit.path} changed meanwhile", "the same command again")
    mode = edit.path.stat().st_mode & 0o777 if edit.path.exists() else FILE_MODE
    backup = None
    if edit.before:
        backup = _free(edit.path.with_name(f"{edit.path.name}.{BACKUP}-{now:%Y%m%d-%H%M%S}"))
        replace_text(backup, edit.before, mode)
    if edit.after:
        if not edit.path.parent.exists():
            make_private_directory(edit.path.parent)
        replace_text(edit.path, edit.after, mode)
    else:
        edit.path.unlink()
    return backup


def _free(path: Path) -> Path:
    number = 2
    free = path
    while free.exists():
        free, number = path.with_name(f"{path.name}-{number}"), number + 1
    return free
