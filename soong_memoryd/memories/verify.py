"""What is wrong with the memory files, what to do about it, and the mending of what can be mended without judgement.

Owns: the table of problems and their remedies. Must not know who asks, or how answers are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from soong_memoryd.errors import MemorydError
from soong_memoryd.memories.document import parse
from soong_memoryd.memories.index import Invalid, Snapshot
from soong_memoryd.memories.naming import printable, trailing_id
from soong_memoryd.memories.scan import UNREADABLE
from soong_memoryd.memories.schema import CATEGORIES, PROBLEMS
from soong_memoryd.memories.shelf import Shelf
from soong_memoryd.memories.storage_errors import storage_error
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import intents

PRIVATE_MASK = 0o077
OTHERS_PASS = 0o011
OTHERS_WRITE = 0o022


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding. ``safe``: ``repair`` can mend it and loses nothing. ``mended``: it just did."""

    code: str
    text: str
    fix: str
    safe: bool = False
    path: str | None = None
    memory_id: str | None = None
    mended: bool = False


@dataclass(frozen=True, slots=True)
class _Kind:
    text: str
    fix: str
    safe: bool = False


KINDS: Mapping[str, _Kind] = MappingProxyType(
    {
        "degraded": _Kind("memory is read-only", "Free space or make the disk writable: the daemon goes on by itself."),
        "memory_dir_suspect": _Kind(
            "most memories vanished together; nothing is written meanwhile",
            "Bring the files back, or accept the deletion: soong-memoryctl verify --accept memory_dir_suspect",
        ),
        "sync_in_progress": _Kind(
            "git is in the middle of a merge, rebase or checkout", "Finish it, or remove a stale index.lock."
        ),
        "unparsable_file": _Kind(
            "the file is not a memory",
            "Open it in an editor and correct it, or move it out of memory/; it is left alone until then.",
        ),
        "duplicate_id": _Kind(
            "another file has the same id; the one with the lower path is used", "Delete one, or give it a new id."
        ),
        "id_mismatch": _Kind("the id in the file name is not the id in the file", "Rename the file or correct the id."),
        "conflict_markers": _Kind("the file holds git's conflict markers", "Resolve the conflict in the file."),
        "unsafe_file": _Kind("the file may not be read", "Replace it by a plain file of yours with one name."),
        "unsafe_directory": _Kind(
            "the directory may not be used", "Replace it by a plain directory of yours that others may not write to."
        ),
        "file_mode": _Kind("others may read the file", "Set its mode to 0600.", safe=True),
        "directory_mode": _Kind("others may list or write the directory", "Set its mode to 0700.", safe=True),
        "loose_mode": _Kind(
            "the mode is wider than it need be; no other user gets as far", "Set it to 0600, or 0700.", safe=True
        ),
        "foreign_file": _Kind("this is no memory and does not belong here", "Move it out of the memory directory."),
        "stale_catalog": _Kind("MEMORY.md does not say what the files say", "It is rendered again.", safe=True),
        "orphan_staging": _Kind("a commit left files behind", "They are removed; what somebody else wrote is kept.", safe=True),
        "missing_version": _Kind("a kept version is gone", "Nothing can bring it back; the entry is removed.", safe=True),
        "orphan_version": _Kind("a file in history/ belongs to no memory", "Look at it, then remove it by hand."),
        "missing_sources": _Kind("the memory names no source: somebody wrote it by hand", "Nothing needs to be done."),
        "secret": _Kind("the memory holds a secret", "Take it out with `edit`, and change the secret where it is used."),
    }
)

_INVALID_CODES: Mapping[str, str] = MappingProxyType(
    {
        "duplicate_id": "duplicate_id",
        "file_id": "id_mismatch",
        "conflict_markers": "conflict_markers",
        "unsafe_file": "unsafe_file",
        "hard_link": "unsafe_file",
        "unreadable": "unsafe_file",
        "unsafe_directory": "unsafe_directory",
    }
)
"""What ``Invalid`` says → the code of the problem; everything else is an ``unparsable_file``."""


class Checkup:
    """Looks at everything. Every method runs in the worker thread."""

    def __init__(self, shelf: Shelf, database: Database, secret_refusal: Callable[[str], str | None]) -> None:
        self._shelf = shelf
        self._database = database
        self._secret_refusal = secret_refusal

    def examine(self) -> list[Problem]:
        """Every problem there is, those of the whole directory first."""
        snapshot = self._shelf.snapshot()
        return [
            *_directory_problems(self._shelf),
            *(_invalid(item) for item in snapshot.invalid),
            *_entry_problems(self._shelf, snapshot, self._secret_refusal),
            *(_problem("foreign_file", path=path) for path in self._shelf.scan.foreign),
            *_history_problems(self._shelf, self._database),
        ]

    def repair(self, codes: Sequence[str]) -> list[Problem]:
        """Mend what ``codes`` name and has a remedy; the answer holds what was mended, marked, and what is left.

        Raises:
            StorageError: the disk refuses.
        """
        before = [problem for problem in self.examine() if problem.code in codes]
        for problem in before:
            remedy = _REMEDIES.get(problem.code)
            if remedy is not None:
                try:
                    remedy(self._shelf, problem)
                except OSError as error:
                    raise storage_error(error) from error
        if before and self._shelf.degraded is not None:
            self._shelf.recover()  # what was mended may have been the reason
        after = self.examine()
        left = {(problem.code, problem.path) for problem in after}
        mended = [replace(problem, mended=True) for problem in before if (problem.code, problem.path) not in left]
        return [*mended, *after]


def _problem(code: str, *, text: str | None = None, path: str | None = None, memory_id: str | None = None) -> Problem:
    kind = KINDS[code]
    return Problem(code, text or kind.text, kind.fix, kind.safe, path, memory_id)


def _directory_problems(shelf: Shelf) -> Iterator[Problem]:
    if shelf.degraded is not None:
        yield _problem("degraded", text=f"memory is read-only: {shelf.degraded}")
    if shelf.suspect:
        yield _problem("memory_dir_suspect")
    if shelf.directory.sync_in_progress():
        yield _problem("sync_in_progress")
    if not shelf.suspect and shelf.committer.catalog.stale():
        yield _problem("stale_catalog", path="MEMORY.md")
    for name in shelf.directory.names("staging"):
        yield _problem("orphan_staging", path=f"staging/{printable(name)}")
    tree = shelf.directory.tree
    root_mode = tree.directory_mode("") or 0
    if root_mode & PRIVATE_MASK:
        yield _problem("directory_mode", path=".")
    # git and mkdir make folders as 0755: in a root of 0700 that lets nobody in, but no folder may be writable
    harmful = PRIVATE_MASK if root_mode & OTHERS_PASS else OTHERS_WRITE
    for category in CATEGORIES:
        mode = tree.directory_mode(category) or 0
        if mode & PRIVATE_MASK:
            yield _problem("directory_mode" if mode & harmful else "loose_mode", path=category)


def _invalid(item: Invalid) -> Problem:
    code = _INVALID_CODES.get(item.code, "unparsable_file")
    text = UNREADABLE.get(item.code) or PROBLEMS.get(item.code)
    return _problem(code, text=text, path=item.path, memory_id=trailing_id(item.path))


def _entry_problems(shelf: Shelf, snapshot: Snapshot, secret_refusal: Callable[[str], str | None]) -> Iterator[Problem]:
    for entry in snapshot.entries:
        head = entry.frontmatter
        try:
            data = shelf.scan.read(entry.path)
            mode = shelf.directory.mode(f"memory/{entry.path}")
            body = "" if data is None else parse(data).body
        except (MemorydError, OSError):  # it changed since the snapshot: the next look sees it
            continue
        if mode & PRIVATE_MASK:
            code = "file_mode" if _may_be_reached(shelf, head.category) else "loose_mode"
            yield _problem(code, path=entry.path, memory_id=head.id)
        if not head.source_node_ids:
            yield _problem("missing_sources", path=entry.path, memory_id=head.id)
        kind = secret_refusal("\n".join((head.summary, *head.tags, body)))
        if kind is not None:
            yield _problem("secret", text=f"the memory holds a secret ({kind})", path=entry.path, memory_id=head.id)


def _may_be_reached(shelf: Shelf, category: str) -> bool:
    """Whether others get as far as the files: git makes them 0644, which in a directory of 0700 lets nobody in."""
    modes = [shelf.directory.tree.directory_mode(directory) or 0 for directory in ("", category)]
    return all(mode & OTHERS_PASS for mode in modes)


def _history_problems(shelf: Shelf, database: Database) -> Iterator[Problem]:
    known = set(database.run_from_thread(intents.version_ids))
    present = {name.removesuffix(".md") for name in shelf.directory.names("history")}
    for version_id in sorted(known - present):
        yield _problem("missing_version", path=f"history/{version_id}.md")
    for version_id in sorted(present - known):
        yield _problem("orphan_version", path=f"history/{printable(version_id)}.md")


def _protect_file(shelf: Shelf, problem: Problem) -> None:
    shelf.directory.protect(f"memory/{problem.path}")


def _protect_directory(shelf: Shelf, problem: Problem) -> None:
    assert problem.path is not None
    shelf.directory.tree.protect_directory("" if problem.path == "." else problem.path)


def _protect_either(shelf: Shelf, problem: Problem) -> None:
    protect = _protect_directory if problem.path in CATEGORIES else _protect_file
    protect(shelf, problem)


def _drop_version(shelf: Shelf, problem: Problem) -> None:
    assert problem.path is not None
    shelf.log.drop_version(problem.path.removeprefix("history/").removesuffix(".md"))


_REMEDIES: Mapping[str, Callable[[Shelf, Problem], object]] = MappingProxyType(
    {
        "memory_dir_suspect": lambda shelf, _: shelf.accept_losses(),
        "stale_catalog": lambda shelf, _: shelf.committer.heal_catalog(),
        "orphan_staging": lambda shelf, _: shelf.committer.cleaner.sweep(),
        "file_mode": _protect_file,
        "directory_mode": _protect_directory,
        "loose_mode": _protect_either,
        "missing_version": _drop_version,
    }
)
