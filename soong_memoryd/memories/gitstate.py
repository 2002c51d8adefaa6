"""Whether git is in the middle of something in a working tree.

Owns: the names that git leaves there meanwhile. Must not know why anybody asks.
"""

from __future__ import annotations

from pathlib import Path

MARKS = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "index.lock")
POINTER = "gitdir: "
MAX_POINTER_CHARS = 4096


def at_work(tree: Path) -> bool:
    """Whether a merge, a pick, a rebase or a checkout is open in the repository whose root is ``tree``."""
    try:
        directory = _git_directory(tree)
        return directory is not None and any((directory / mark).exists() for mark in MARKS)
    except OSError:
        return False


def _git_directory(tree: Path) -> Path | None:
    found = tree / ".git"
    if found.is_dir():
        return found
    if not found.is_file():
        return None
    with found.open(encoding="utf-8", errors="replace") as file:  # a worktree or submodule: one line that points elsewhere
        line = file.read(MAX_POINTER_CHARS).strip()
    return tree / line.removeprefix(POINTER) if line.startswith(POINTER) else None
