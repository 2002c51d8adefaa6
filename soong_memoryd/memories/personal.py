"""Changes that a person asks for: forgetting a memory, an edited text, an older version. Each is one ordinary commit.

Owns: what such a commit changes and reports. Must not know how files are read or committed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from soong_memoryd.errors import InvalidDocument, RequestError, UnsafePath
from soong_memoryd.memories.change import Change
from soong_memoryd.memories.document import parse
from soong_memoryd.memories.index import Entry
from soong_memoryd.memories.naming import trailing_id
from soong_memoryd.memories.ports import sha256
from soong_memoryd.memories.schema import PROBLEMS, Document
from soong_memoryd.memories.shelf import Shelf, not_found
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import intents, sources
from soong_memoryd.state.rows import Effects, EventDraft

EDIT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
Written = tuple[str, str, str]
"""(memory_id, path, sha256) of what a person's change wrote."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a memory is, or is to be: its path, and the bytes that are there now."""

    path: str
    data: bytes | None

    @property
    def sha256(self) -> str | None:
        """The hash of what is there now."""
        return None if self.data is None else sha256(self.data)


def forgetting(entry: Entry, known: Iterable[tuple[str, str]], *, purge: bool) -> tuple[Change, Effects]:
    """Delete a memory; its sources, those of earlier sessions (``known``) included, can never be evidence again."""
    head = entry.frontmatter
    named = (*head.source_node_ids, *filter(None, (head.confirmed_by_node_id,)))
    own = [] if head.source_session_id is None else [(head.source_session_id, node_id) for node_id in named]
    change = Change("delete", "forget", head.id, entry.path, entry.sha256, None)
    effects = Effects(
        event=EventDraft("memory_forgotten", payload={"memory_id": head.id, "path": entry.path, "purged": purge}),
        cause="forget",
        forgotten=tuple(dict.fromkeys((*own, *known))),
        purge=purge,
    )
    return change, effects


def replacing(
    memory_id: str, place: Place, data: bytes, cause: str, *, version_id: str | None = None
) -> tuple[Change, Effects]:
    """Put a person's bytes where a memory is, or was; ``cause`` is ``edit`` or ``undo``."""
    change = Change("create" if place.data is None else "update", cause, memory_id, place.path, place.sha256, data)
    payload = {"memory_id": memory_id, "path": place.path, "cause": cause}
    if version_id is not None:
        payload["version_id"] = version_id
    return change, Effects(event=EventDraft("memory_edited", payload=payload), cause=cause)


def check_text(data: bytes, field: str) -> Document:
    """The memory in a person's text.

    Raises:
        RequestError: ``invalid_params``; the text says what is wrong with the form and repeats nothing of the content.
    """
    try:
        return parse(data)
    except InvalidDocument as error:
        raise RequestError(
            "invalid_params",
            f"the text is not a memory: {PROBLEMS.get(error.code, error.code)}",
            hint="The text is kept as it is; correct it and try again.",
            field=field,
        ) from None


def require_unchanged(found: str | None, expected: str | None) -> None:
    """Refuse when the file is not the one that the person saw.

    Raises:
        RequestError: ``memory_changed``.
    """
    if expected is not None and found != expected:
        raise RequestError("memory_changed", "the memory changed since it was read", hint="Read it again, then change it.")


class PersonalChanges:
    """Carries them out. Every method runs in the worker thread."""

    def __init__(self, shelf: Shelf, database: Database, secret_refusal: Callable[[str], str | None]) -> None:
        self._shelf = shelf
        self._database = database
        self._secret_refusal = secret_refusal

    def forget(self, memory_id: str, expected_sha256: str | None, purge: bool) -> str:
        """See ``MemoryStore.forget``."""
        entry = self._shelf.entry(memory_id)
        require_unchanged(entry.sha256, expected_sha256)
        known = self._database.run_from_thread(lambda connection: sources.of_memory(connection, memory_id))
        change, effects = forgetting(entry, known, purge=purge)
        self._shelf.commit([change], effects)
        if purge:
            self._remove_edits(memory_id)
        return entry.path

    def undo(self, version_id: str) -> Written:
        """See ``MemoryStore.undo``."""
        version = self._database.run_from_thread(lambda connection: intents.version(connection, version_id))
        data = None if version is None else self._shelf.directory.read(f"history/{version.version_id}.md")
        if version is None or data is None:
            raise not_found("version")
        check_text(data, "version_id")
        place = self._place(version.memory_id, version.path)
        return self._replace(version.memory_id, place, data, "undo", version_id)

    def adopt(self, edit_id: str, expected_sha256: str | None) -> Written:
        """See ``MemoryStore.adopt``."""
        path = f"edits/{edit_id}"
        data = self._shelf.directory.read(path) if EDIT_ID.fullmatch(edit_id) else None
        if data is None:
            raise not_found("edit")
        document = check_text(data, "edit_id")
        head = document.frontmatter
        place = self._place(head.id, None)
        require_unchanged(place.sha256, expected_sha256)
        if place.path.partition("/")[0] != head.category:
            raise RequestError("invalid_params", "an edit cannot move a memory to another category", field="edit_id")
        kind = self._secret_refusal("\n".join((head.summary, *head.tags, document.body)))
        if kind is not None:
            raise RequestError("invalid_params", f"the text holds a secret ({kind}); it is not stored", field="edit_id")
        written = self._replace(head.id, place, data, "edit", None)
        self._shelf.directory.unlink(path)
        return written

    def _remove_edits(self, memory_id: str) -> None:
        """Texts of a memory that were refused and kept for correction: whoever purges wants them gone too."""
        files = self._shelf.directory
        for name in files.names("edits"):
            try:
                data = files.read(f"edits/{name}")
            except UnsafePath:  # not ours to read, so not ours to remove
                continue
            if data is not None and memory_id.encode() in data:
                files.unlink(f"edits/{name}")

    def _place(self, memory_id: str, fallback_path: str | None) -> Place:
        """Where a memory is: by the index, by the id in the name of a file that is not valid, or where it was."""
        snapshot = self._shelf.snapshot()
        entry = snapshot.by_id.get(memory_id)
        broken = next((item.path for item in snapshot.invalid if trailing_id(item.path) == memory_id), None)
        path = entry.path if entry is not None else broken or fallback_path
        if path is None:
            raise not_found("memory")
        if entry is None and any(other.path == path for other in snapshot.entries):
            raise RequestError("memory_changed", "another memory is in that place now", hint="Rename its file, then try again.")
        try:
            return Place(path, self._shelf.scan.read(path))
        except UnsafePath:
            raise RequestError("invalid_params", "the memory's file is unsafe; `verify` says why") from None

    def _replace(self, memory_id: str, place: Place, data: bytes, cause: str, version_id: str | None) -> Written:
        if place.data != data:
            change, effects = replacing(memory_id, place, data, cause, version_id=version_id)
            self._shelf.commit([change], effects)
        return memory_id, place.path, sha256(data)
