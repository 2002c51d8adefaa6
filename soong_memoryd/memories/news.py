"""Whether memory files may have changed where no directory shows it: an edit in place leaves its directory as it was.

Owns: that one question. Must not know files, or how changes are noticed. Written in the event loop, read in the worker thread.
"""

from __future__ import annotations

from pathlib import Path

Place = tuple[Path, int]
"""A directory's path and inode."""


class News:
    """What the watcher heard so far. Where nobody watches, everything may have changed at any time."""

    def __init__(self) -> None:
        self._heard = 0
        self._watched: Place | None = None

    def arrive(self) -> None:
        """Something changed, or may have without being noticed."""
        self._heard += 1

    def begin(self, place: Place) -> None:
        """From now on every change below this directory is heard of; what changed before may have been missed."""
        self.arrive()
        self._watched = place

    def end(self) -> None:
        """Nobody watches any more."""
        self._watched = None

    def latest(self, place: Place) -> int | None:
        """A number that is the same as at an earlier time while there was no news since; None when nobody watches there."""
        return self._heard if self._watched == place else None
