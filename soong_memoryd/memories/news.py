"""Whether memory files may have changed where no directory shows it: an edit in place leaves its directory as it was.

Owns: that one question. Must not know files, or how changes are noticed. Written in the event loop, read in the worker thread.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

Place = tuple[Path, int]
"""A directory's path and inode."""


class News:
    """What the watcher heard so far. Where nobody watches, everything may have changed at any time."""

    def __init__(self) -> None:
        self._heard = 0
        self._heard_below: Counter[str] = Counter()
        self._watched: Place | None = None

    def arrive(self, directory: str | None = None) -> None:
        """Something changed below this directory of the watched one (None: anywhere), or may have without being noticed."""
        if directory is None:
            self._heard += 1
        else:
            self._heard_below[directory] += 1

    def begin(self, place: Place) -> None:
        """From now on every change below this directory is heard of; what changed before may have been missed."""
        self.arrive()
        self._watched = place

    def end(self) -> None:
        """Nobody watches any more."""
        self._watched = None

    def latest(self, place: Place, directory: str) -> int | None:
        """A number that is the same as at an earlier time while there was no news since of this directory of ``place``.

        None when nobody watches there.
        """
        return self._heard + self._heard_below[directory] if self._watched == place else None
