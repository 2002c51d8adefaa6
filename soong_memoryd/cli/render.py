"""How values look on a terminal: column widths in any script, tables, times, sizes, colour.

Owns: layout. Must not know: commands, calls. Pure. Whatever comes from a memory or a session goes through ``printable``:
a control character in a summary must not steer the reader's terminal.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any

GAP = "  "
OUTCOMES = ("created", "updated", "conflicts", "duplicates", "ignored")  # what an extraction counts
ELLIPSIS = "…"
_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_UNITS = ((86400, "d"), (3600, "h"), (60, "m"), (1, "s"))


class Style:
    """Colour or none, the width of the terminal or none, the reader's time zone and the present."""

    def __init__(self, *, colour: bool, columns: int | None, now: datetime, zone: tzinfo | None = None) -> None:
        self.columns = columns
        self.now = now
        self._colour = colour
        self._zone = zone

    def paint(self, text: str, colour: str) -> str:
        """``text`` in that colour, if there is colour."""
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if self._colour and text else text

    def moment(self, timestamp: str | None) -> str:
        """A time of the wire as the reader's ``2026-12-01 14:39``; ``-`` for none."""
        when = parse_time(timestamp)
        return when.astimezone(self._zone).strftime("%Y-%m-%d %H:%M") if when else "-"

    def clock(self, timestamp: str | None) -> str:
        """A time of the wire as the reader's ``14:39:00``."""
        when = parse_time(timestamp)
        return when.astimezone(self._zone).strftime("%H:%M:%S") if when else "-"

    def ago(self, timestamp: str | None) -> str:
        """``3h 4m ago``."""
        when = parse_time(timestamp)
        return f"{duration((self.now - when).total_seconds())} ago" if when else "-"

    def until(self, timestamp: str | None) -> str:
        """``in 1m 12s``, or ``now`` for what is due."""
        when = parse_time(timestamp)
        if when is None:
            return "-"
        left_seconds = (when - self.now).total_seconds()
        return f"in {duration(left_seconds)}" if left_seconds >= 1 else "now"


def parse_time(timestamp: str | None) -> datetime | None:
    """The moment of an RFC 3339 text, None when there is none or it is none."""
    if not timestamp:
        return None
    try:
        when = datetime.fromisoformat(timestamp)
    except ValueError:
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def duration(seconds: float) -> str:
    """At most two units: ``3d 4h``, ``1m 12s``, ``0s``."""
    left = max(0, int(seconds))
    parts: list[tuple[int, str]] = []
    for size, unit in _UNITS:
        count, left = divmod(left, size)
        if count or (parts and len(parts) < 2):
            parts.append((count, unit))
    shown = [f"{count}{unit}" for count, unit in parts[:2] if count]
    return " ".join(shown) or "0s"


def short_count(count: int) -> str:
    """``950``, ``18.2k``, ``1.3M``."""
    if count < 1000:
        return str(count)
    return f"{count / 1000:.1f}k" if count < 999_950 else f"{count / 1_000_000:.1f}M"


def plural(count: int, noun: str, many: str | None = None) -> str:
    """``1 file``, ``2 files``."""
    return f"{count} {noun if count == 1 else many or noun + 's'}"


def tally(results: Iterable[Mapping[str, Any]]) -> str:
    """What jobs made of what they read, counted over all of them: ``2 created, 1 duplicate``."""
    told = list(results)
    counts = {name: sum(len(result.get(name) or []) for result in told) for name in OUTCOMES}
    said = (f"{count} {name.removesuffix('s') if count == 1 else name}" for name, count in counts.items() if count)
    return ", ".join(said) or "nothing to keep"


def printable(text: object) -> str:
    """``text`` on one line, without anything a terminal would obey or a reader could not see."""
    flat = "".join(" " if char in "\n\r\t" else char for char in str(text))
    if flat.isascii() and flat.isprintable():
        return flat
    return "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) in _HIDDEN else char for char in flat)


def printable_lines(text: str) -> list[str]:
    """The lines of a text, each printable."""
    return [printable(line) for line in text.split("\n")]


def display_width(text: str) -> int:
    """Columns on a terminal: wide characters (CJK, emoji) take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def clip(text: str, columns: int) -> str:
    """``text`` in at most that many columns, with an ellipsis when cut."""
    if display_width(text) <= columns:
        return text
    kept, used = [], 0
    for char in text:
        used += display_width(char)
        if used > columns - 1:
            break
        kept.append(char)
    return "".join(kept) + ELLIPSIS


def table(header: Sequence[str], rows: Iterable[Sequence[object]], style: Style) -> list[str]:
    """One line a row, columns aligned; only the last is cut, and only on a terminal (a pipe gets everything)."""
    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [max(display_width(row[place]) for row in [list(header), *cells]) for place in range(len(header))]
    first, *others = (_row(row, widths, style) for row in [list(header), *cells])
    return [style.paint(first, "dim"), *others]


def _row(row: Sequence[str], widths: Sequence[int], style: Style) -> str:
    padded = [cell + " " * (width - display_width(cell)) for cell, width in zip(row[:-1], widths[:-1], strict=True)]
    start = GAP.join([*padded, ""])
    last = row[-1] if style.columns is None else clip(row[-1], max(8, style.columns - display_width(start)))
    return (start + last).rstrip()
