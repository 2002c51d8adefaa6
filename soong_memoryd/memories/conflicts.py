"""Bytes that somebody else wrote and a commit displaced: they go to ``conflicts/``, never to nowhere.

Owns: how they are named and kept. Must not know why they were displaced.
"""

from __future__ import annotations

import itertools

from soong_memoryd.memories.ports import UNSAFE, FilePort, digest


def keep(files: FilePort, path: str, name: str) -> str | None:
    """Move a displaced file into ``conflicts/``; returns its path there, None when the same bytes are kept already.

    ``name`` is what the file was called; its hash is added, so that doing it again after a crash keeps one copy.
    """
    found = digest(files, path)
    assert found is not None
    stem, dot, suffix = name.rpartition(".")
    taken = files.names("conflicts")
    for count in itertools.count():
        kept = f"{stem or suffix}-{found[:12]}{f'-{count}' if count else ''}{dot}{suffix if stem else ''}"
        if kept not in taken:
            break
        if found != UNSAFE and digest(files, f"conflicts/{kept}") == found:
            files.sync_dir("conflicts")  # the crash may have come before it
            files.unlink(path)
            return None
    if found != UNSAFE:
        files.sync_file(path)
        files.protect(path)
    files.rename_noreplace(path, f"conflicts/{kept}")
    files.sync_dir("conflicts")
    return f"conflicts/{kept}"
