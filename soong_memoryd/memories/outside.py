"""What other programs did to the memory files: found by comparing with what the daemon published last.

Owns: the comparison, and when it looks like a disaster instead of an edit. Must not know files or SQL.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from soong_memoryd.memories.index import Snapshot
from soong_memoryd.state.queries.intents import PublishedRow
from soong_memoryd.state.rows import EventDraft

ALL_GONE_AT_LEAST = 2
MASS_LOSS_AT_LEAST = 5
MASS_LOSS_FRACTION = 0.5


@dataclass(frozen=True, slots=True)
class Outside:
    """Changes since the last look: rows that are new or different, and rows whose file is gone."""

    created: tuple[PublishedRow, ...] = ()
    changed: tuple[PublishedRow, ...] = ()
    gone: tuple[PublishedRow, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.created or self.changed or self.gone)

    def taken_up(self, published: Mapping[str, PublishedRow]) -> dict[str, PublishedRow]:
        """What is published once this is."""
        gone = {row.path for row in self.gone}
        left = {path: row for path, row in published.items() if path not in gone}
        return left | {row.path: row for row in (*self.created, *self.changed)}

    def events(self) -> list[EventDraft]:
        """One ``memory_edited_outside`` for each file."""
        kinds: tuple[tuple[str, Iterable[PublishedRow]], ...] = (
            ("created", self.created),
            ("changed", self.changed),
            ("deleted", self.gone),
        )
        return [
            EventDraft("memory_edited_outside", payload={"memory_id": row.memory_id, "path": row.path, "change": kind})
            for kind, rows in kinds
            for row in rows
        ]


def compare(published: Mapping[str, PublishedRow], snapshot: Snapshot) -> Outside:
    """What changed outside. A file that is there but is no memory counts as unchanged: neither taken up nor given up."""
    created: list[PublishedRow] = []
    changed: list[PublishedRow] = []
    for entry in snapshot.entries:
        known = published.get(entry.path)
        if known is None or known.sha256 != entry.sha256:
            row = PublishedRow(entry.path, entry.frontmatter.id, entry.sha256)
            (created if known is None else changed).append(row)
    present = {entry.path for entry in snapshot.entries}
    unreadable = {item.path for item in snapshot.invalid}
    return Outside(
        created=tuple(created),
        changed=tuple(changed),
        gone=tuple(row for path, row in published.items() if path not in present and not _is_under(path, unreadable)),
    )


def lost(published: Mapping[str, PublishedRow], snapshot: Snapshot, expected: Collection[str] = ()) -> int:
    """How many known memories are nowhere to be found; ``expected`` are paths that a commit is about to delete."""
    unreadable = {item.path for item in snapshot.invalid}
    return sum(
        row.memory_id not in snapshot.by_id and not _is_under(row.path, unreadable) and row.path not in expected
        for row in published.values()
    )


def is_mass_loss(known: int, missing: int) -> bool:
    """Whether to stop and ask: everything of two or more is gone, or more than half of it and at least five."""
    if missing == known:
        return known >= ALL_GONE_AT_LEAST  # the only memory may well be deleted by hand
    return missing >= MASS_LOSS_AT_LEAST and missing > known * MASS_LOSS_FRACTION


def _is_under(path: str, unreadable: Collection[str]) -> bool:
    return path in unreadable or path.partition("/")[0] in unreadable
