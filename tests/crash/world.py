"""One commit on one disk: a create in a new category, an update, a delete; and what must hold afterwards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from soong_memoryd.errors import CommitConflict, MemorydError
from soong_memoryd.memories.change import Change
from soong_memoryd.memories.commit import Committer
from soong_memoryd.memories.ports import CATALOG_PATH, sha256
from soong_memoryd.memories.recovery import recover
from soong_memoryd.state.rows import Effects, EventDraft, JobCompletion
from tests.crash.disk import CATEGORIES, ModelFiles
from tests.crash.journal import ModelLog
from tests.crash.trace import Crash, Trace

TXN = "t1"
CURSOR = 7
UPDATED, DELETED, CREATED = "memory/user/a.md", "memory/feedback/b.md", "memory/reference/c.md"
BASE = {UPDATED: b"A-base: tabs, please", DELETED: b"B-base: no emoji please", CREATED: None}
NEW = {UPDATED: b"A-new: spaces, please", DELETED: None, CREATED: b"C-new: the manual is there"}


@dataclass(frozen=True)
class Protocol:
    """What is explored: the parts of the commit, or of a version of it with one thing taken out."""

    name: str = "commit"
    files: type[ModelFiles] = ModelFiles
    log: type[ModelLog] = ModelLog
    committer: type[Committer] = Committer
    patch: AbstractContextManager[object] = field(default_factory=nullcontext)


class ModelCatalog:
    """A catalog of one line a file, rendered from the disk without counting."""

    def __init__(self, files: ModelFiles) -> None:
        self._files = files

    def render(self) -> bytes | None:
        lines = []
        for category in CATEGORIES:
            for name in self._files.listing(f"memory/{category}"):
                data = self._files.peek(f"memory/{category}/{name}") or b""
                lines.append(b"- %s: %s\n" % (name.encode(), data[:8]))
        return b"# catalog\n" + b"".join(lines)

    def is_catalog(self, data: bytes) -> bool:
        return False


@dataclass
class World:
    """A disk and a log, with one clock."""

    protocol: Protocol
    files: ModelFiles
    log: ModelLog
    committer: Committer | None = None

    @staticmethod
    def new(protocol: Protocol) -> World:
        """Before the commit: two memories and their catalog, all durable."""
        files, log = protocol.files(), protocol.log()
        for directory in ("memory", "memory/user", "memory/feedback", "staging", "conflicts", "history"):
            files.dirs[directory] = {}
        for path, data in BASE.items():
            if data is not None:
                files.edit(path, data, in_place=False)
        catalog = ModelCatalog(files).render()
        assert catalog is not None
        files.edit(CATALOG_PATH, catalog, in_place=False)
        log.catalogs.add(sha256(catalog))
        files.settle()
        return World(protocol, files, log)._joined()

    def _committer(self) -> Committer:
        return self.protocol.committer(self.files, self.log, ModelCatalog(self.files))

    def _joined(self) -> World:
        self.files.trace = self.log.trace = Trace()
        return self

    @property
    def trace(self) -> Trace:
        return self.files.trace

    def killed(self) -> World:
        """The state that the next process finds after ``kill -9``."""
        return World(self.protocol, self.files.killed(), self.log.copy())._joined()

    def power_cuts(self, limit: int, rng: random.Random) -> Iterator[World]:
        """The states that the next process may find after a power cut."""
        for files in self.files.power_cuts(limit, rng):
            yield World(self.protocol, files, self.log.copy())._joined()

    def commit(self) -> str:
        """Run the commit; how it ended: ``done``, ``crash``, or the code of the error."""
        committer = self.committer = self._committer()
        return _outcome(lambda: committer.commit(TXN, CHANGES, EFFECTS))

    def recover(self) -> str:
        """Run recovery as the next process would."""
        return _outcome(lambda: recover(self._committer(), self.log))

    def recover_here(self) -> str:
        """Run recovery in the process that left the commit open."""
        committer = self.committer
        assert committer is not None
        return _outcome(lambda: recover(committer, self.log))

    def completed(self) -> int:
        """How many completed events there are."""
        return sum(event.type == "memory_extraction_completed" for event in self.log.events)

    def violations(self, edit: Edit | None = None, *, moved: bool = False) -> list[str]:
        """What does not hold although recovery has run. ``moved``: an edit need only be kept, not be in its place.

        (After a power cut the file that somebody wrote into may have lost the name under which they found it.)
        """
        found = [*self._atomicity(edit), *self._tidiness()]
        if edit is None:
            found += self._versions()
        elif edit.data is not None:
            found += self._edit_kept(edit, moved)
        return found

    def _atomicity(self, edit: Edit | None) -> list[str]:
        done = self.completed()
        expected = NEW if done else BASE
        found = [
            f"{'done' if done else 'undone'} but {path} is not"
            for path, data in expected.items()
            if (edit is None or path != edit.path) and self.files.peek(path) != data
        ]
        if done > 1:
            found.append("completed twice")
        if self.log.cursor != (CURSOR if done else 0):
            found.append("the cursor does not agree with the event")
        return found

    def _tidiness(self) -> list[str]:
        found = []
        if self.files.peek(CATALOG_PATH) != ModelCatalog(self.files).render():
            found.append("the catalog is stale")
        if self.files.listing("staging"):
            found.append("staging is not empty")
        if set(self.files.listing("memory")) - {"MEMORY.md", *CATEGORIES}:
            found.append("something strange in memory/")
        if self.log.rows:
            found.append("an intent is left")
        inodes = [
            inode
            for directory in ("memory/user", "memory/feedback", "memory/reference", "conflicts", "history", "memory")
            for inode in self.files.dirs.get(directory, {}).values()
        ]
        if len(inodes) != len(set(inodes)):
            found.append("a file has two names")
        return found

    def _versions(self) -> list[str]:
        found = []
        if self.files.listing("conflicts"):
            found.append("something is called a conflict that nobody wrote")
        kept = {
            name.removesuffix(".md"): sha256(self.files.peek(f"history/{name}") or b"")
            for name in self.files.listing("history")
        }
        if kept != self.log.versions:
            found.append("versions on disk and in the log differ")
        if len(kept) != (2 if self.completed() else 0):
            found.append("a displaced version is lost")
        return found

    def _edit_kept(self, edit: Edit, moved: bool) -> list[str]:
        if not edit.applied:
            return []
        paths = [
            CATALOG_PATH,
            *(
                f"{directory}/{name}"
                for directory in ("memory/user", "memory/feedback", "memory/reference", "conflicts", "history")
                for name in self.files.dirs.get(directory, {})
            ),
        ]
        if not any(self.files.peek(path) == edit.data for path in paths):
            return ["an edit is lost"]
        if not moved and edit.how != "descriptor" and edit.path != CATALOG_PATH and self.files.peek(edit.path) != edit.data:
            return ["an edit was moved away"]
        return []


@dataclass
class Edit:
    """Somebody else writes a file: ``in_place``, by ``rename``, through an old ``descriptor``; ``data`` None deletes it."""

    path: str
    data: bytes | None
    how: str
    inode: int | None = None
    applied: bool = False

    def apply(self, files: ModelFiles) -> None:
        if self.how == "descriptor":
            assert self.inode is not None
            files.write_inode(self.inode, self.data or b"")
            self.applied = True
        elif self.path.rpartition("/")[0] in files.dirs:
            files.edit(self.path, self.data, in_place=self.how == "in_place")
            self.applied = True


CHANGES = tuple(
    Change(
        op=op,
        relation=relation,
        memory_id=f"mem_20261201000000_{op}",
        path=path.removeprefix("memory/"),
        base_sha256=None if base is None else sha256(base),
        data=NEW[path],
        source_node_ids=("n1",),
    )
    for op, relation, path, base in (
        ("create", "new", CREATED, None),
        ("update", "update", UPDATED, BASE[UPDATED]),
        ("delete", "delete", DELETED, BASE[DELETED]),
    )
)
EFFECTS = Effects(
    event=EventDraft("memory_extraction_completed", session_id="s1", job_id="j1"),
    cause="update",
    completion=JobCompletion("j1", "s1", cursor_from=0, cursor_to=CURSOR, source_node_ids=("n1",), result={}),
)


def _outcome(run: object) -> str:
    assert callable(run)
    try:
        run()
    except Crash:
        return "crash"
    except CommitConflict as conflict:
        return conflict.code
    except MemorydError as error:
        return error.code
    except OSError as error:
        return f"errno {error.errno}"
    return "done"
