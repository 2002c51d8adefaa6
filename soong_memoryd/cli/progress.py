"""A bar on the terminal for what takes long.

Owns: how it looks, and that a pipe never sees it. Must not know: what is counted.
"""

from __future__ import annotations

from soong_memoryd.cli.console import Console

BAR_COLUMNS = 24


class Progress:
    """Shows ``done`` of ``total`` on stderr, on one line; silent where stderr is no terminal, with --quiet and --json."""

    def __init__(self, console: Console, label: str) -> None:
        self._err = console.err
        self._label = label
        self._is_shown = console.err.isatty() and not console.quiet and not console.json
        self._last = ""

    def show(self, done: int, total: int) -> None:
        """Draw the bar."""
        line = f"{self._label} {bar(done, total)} {done}/{total}"
        if self._is_shown and line != self._last:
            self._err.write(f"\r{line}\x1b[K")
            self._err.flush()
            self._last = line

    def end(self) -> None:
        """Take the bar away."""
        if self._last:
            self._err.write("\r\x1b[K")
            self._err.flush()
            self._last = ""


def bar(done: int, total: int) -> str:
    """``[#####---------]``. Pure."""
    filled = BAR_COLUMNS * done // total if total else BAR_COLUMNS
    return f"[{'#' * filled}{'-' * (BAR_COLUMNS - filled)}]"
