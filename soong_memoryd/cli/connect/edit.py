"""Changing files of other tools: shown first, backed up, replaced in one step.

Owns: reading, what of ours comes and goes, backups, removal of what is empty. Must not know: what is changed.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from soong_memoryd.cli.connect.json_text import NotOurs, Ours
from soong_memoryd.cli.exits import CliError, Exit
from soong_memoryd.cli.private_file import FILE_MODE, make_private_directory, read_text, replace_text

BACKUP = "before-soong-memory"


class Edit(NamedTuple):
    """One file, before and after; an empty ``after`` removes it. ``removed``, ``added``: entries of ours that go and come.

    They are what is shown. A difference of the texts would show lines of others: those may hold keys.
    """

    path: Path
    before: str
    after: str
    removed: tuple[Ours, ...]
    added: tuple[Ours, ...]

    def difference(self) -> list[str]:
        """The text of what goes and comes, with ``- `` and ``+ `` before each line."""
        return [
            f"{sign} {line}" for sign, found in (("-", self.removed), ("+", self.added)) for one in found for line in one.lines
        ]


def edit_of(path: Path, change: Callable[[str], str], ours: Callable[[str], list[Ours]]) -> Edit:
    """What ``change`` makes of the file; ``CliError`` when the file cannot be changed safely."""
    before = read_text(path)
    try:
        after = change(before)
        old, new = ours(before), ours(after)
    except NotOurs as error:
        raise CliError(
            Exit.CONFLICT,
            f"{path} is left as it is: {error}",
            "HOME=/nowhere soong-memoryctl connect TOOL --dry-run   (shows the entries: put them in by hand)",
        ) from None
    removed = tuple(one for one in old if one not in new)
    return Edit(path, before, after, removed, tuple(one for one in new if one not in old))


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
