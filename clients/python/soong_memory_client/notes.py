"""What a hook keeps of a session from one of its processes to the next, and how a neighbour finds that session.

Owns: ``<home>/memoryd/hooks/<client>/<session>.json`` and what identifies the process of a harness. Must not know: events,
calls. A note that is lost or stale costs a repeated catalog or a run that the daemon has to end; so nothing is synced.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from soong_memory_client.locking import make_private

NOTES_DIRECTORY = "memoryd/hooks"
MAX_NOTES = 200
MAX_NAME_CHARS = 100
MAX_GENERATIONS = 8
# between a harness and what it starts there may be one of these; it is not who the session belongs to
LAUNCHERS = frozenset({"sh", "bash", "dash", "zsh", "fish", "ksh", "env", "timeout", "nice"})


class Process(NamedTuple):
    """A process that cannot be mistaken for a later one of the same number; ``started`` is 0 where that is unknown."""

    pid: int
    started: int


class Note(NamedTuple):
    """What is kept of one session."""

    session_id: str
    run_id: str = ""  # of the newest prompt
    prompt_mark: str = ""  # of its text
    catalog: str = ""  # revision of the catalog that the model was given
    compacted: bool = False  # the harness has compacted the context since
    harness: Process = Process(0, 0)


class Notes:
    """The notes of one client in ``home``."""

    def __init__(self, home: Path, client: str) -> None:
        self._directory = home / NOTES_DIRECTORY / client

    def read(self, session_id: str) -> Note:
        """The note of a session; an empty one when there is none, or none that can be read."""
        return _read(self._path(session_id)) or Note(session_id)

    def write(self, note: Note) -> None:
        """Keep a note in the place of the session's last one. Errors are the caller's to swallow (``OSError``)."""
        path = self._path(note.session_id)
        make_private(self._directory)
        temporary = path.with_suffix(f".{os.getpid()}")
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(fd, "w", encoding="utf-8") as file:
            json.dump(note._asdict(), file, ensure_ascii=False)
        os.replace(temporary, path)

    def prune(self) -> None:
        """Drop all but the newest ``MAX_NOTES``."""
        for _, path in sorted(_aged(self._directory), reverse=True)[MAX_NOTES:]:
            with suppress(OSError):
                path.unlink()

    def _path(self, session_id: str) -> Path:
        plain = "".join(char if char.isalnum() and char.isascii() else "-" for char in session_id[:MAX_NAME_CHARS])
        return self._directory / f"{plain}-{zlib.crc32(session_id.encode('utf-8', 'replace')):08x}.json"


def session_of(home: Path, harness: Process) -> str | None:
    """The session that a hook of this harness saw last, whatever the client's name; None when no hook saw one."""
    for _, path in sorted((aged for client in _listed(home / NOTES_DIRECTORY) for aged in _aged(client)), reverse=True):
        note = _read(path)
        if note is not None and note.harness == harness and harness.pid:
            return note.session_id
    return None


def harness_process(pid: int | None = None) -> Process:
    """The process that started this one, launchers left out; its direct parent where there is no ``/proc``."""
    pid = os.getppid() if pid is None else pid
    found = Process(pid, 0)
    for _ in range(MAX_GENERATIONS):
        name, parent, started = _stat(pid)
        found = Process(pid, started)
        if name not in LAUNCHERS or parent <= 1:
            break
        pid = parent
    return found


def _stat(pid: int) -> tuple[str, int, int]:
    """Name, parent and start (clock ticks since boot) of a process, see proc(5)."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            head, _, tail = file.read().rpartition(b")")
        fields = tail.split()
        return head.partition(b"(")[2].decode("utf-8", "replace"), int(fields[1]), int(fields[19])
    except (OSError, ValueError, IndexError):
        return "", 0, 0


def _read(path: Path) -> Note | None:
    try:
        kept = json.loads(path.read_bytes())
        note = Note(**kept)
        return note._replace(harness=Process(*note.harness))
    except (OSError, ValueError, TypeError):
        return None


def _listed(directory: Path) -> list[Path]:
    try:
        return list(directory.iterdir())
    except OSError:
        return []


def _aged(directory: Path) -> Iterator[tuple[int, Path]]:
    for path in _listed(directory):
        with suppress(OSError):
            yield path.stat().st_mtime_ns, path
