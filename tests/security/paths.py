"""Attacks on the way from a path to a file: each is tried on a fresh home beside a directory that nobody may touch.

``ATTACKS`` is a table; ``try_attack`` says whether one was refused and nothing outside changed. ``race`` swaps directories and
files for links while the daemon's own code works on them.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from soong_memoryd import kernel
from soong_memoryd.errors import UnsafePath
from soong_memoryd.memories.directory import MAX_MEMORY_FILE_BYTES, MemoryDirectory
from soong_memoryd.memories.scan import Scan

VICTIM = b"not yours"
FOREIGN_UID = 65534


@dataclass(frozen=True, slots=True)
class Scene:
    """A home and, beside it, a directory with a file that must stay as it is."""

    root: Path

    @property
    def memory(self) -> Path:
        return self.root / "memory"

    @property
    def state(self) -> Path:
        return self.root / "memoryd"

    @property
    def outside(self) -> Path:
        return self.root / "outside"

    @property
    def victim(self) -> Path:
        return self.outside / "victim.md"

    def untouched(self) -> bool:
        """Whether nothing changed outside."""
        found = {path.name: path.lstat() for path in self.outside.iterdir()}
        return (
            list(found) == [self.victim.name]
            and self.victim.read_bytes() == VICTIM
            and found["victim.md"].st_mode & 0o777 == 0o640
        )


Prepare = Callable[[Scene], object]
Deed = Callable[[MemoryDirectory], object]


@contextmanager
def scene(root: Path) -> Iterator[tuple[Scene, MemoryDirectory]]:
    """A fresh scene with one memory file ``user/a.md`` and one staged file."""
    made = Scene(root)
    made.outside.mkdir(parents=True, mode=0o700)
    made.victim.write_bytes(VICTIM)
    made.victim.chmod(0o640)
    directory = MemoryDirectory.at(made.memory, made.state)
    try:
        directory.make_dir("memory/user")
        directory.write_new("memory/user/a.md", b"a", 0o600)
        directory.write_new("staging/s", b"s", 0o600)
        yield made, directory
    finally:
        directory.tree.close()


def try_attack(root: Path, prepare: Prepare, deed: Deed) -> bool:
    """Whether the deed was refused, and the outside is as it was."""
    with scene(root) as (made, directory):
        prepare(made)
        try:
            deed(directory)
        except (UnsafePath, OSError):
            return made.untouched()
    return False


def _nothing(_: Scene) -> None:
    """What is wrong is the path itself."""


def _linked_category(made: Scene) -> None:
    (made.memory / "user").rename(made.root / "user.real")
    (made.memory / "user").symlink_to(made.outside)


def _linked_area(area: str) -> Prepare:
    def prepare(made: Scene) -> None:
        real = made.state / area
        for path in real.iterdir():
            path.unlink()
        real.rmdir()
        real.symlink_to(made.outside)

    return prepare


def _instead_of_a(make: Callable[[Path, Scene], object]) -> Prepare:
    def prepare(made: Scene) -> None:
        path = made.memory / "user/a.md"
        path.unlink()
        make(path, made)

    return prepare


def _unix_socket(path: Path, _: Scene) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def _owned_by_another(path: str) -> Prepare:
    return lambda made: os.chown(made.root / path, FOREIGN_UID, FOREIGN_UID)


def _mode(path: str, mode: int) -> Prepare:
    return lambda made: (made.root / path).chmod(mode)


def _read_as_memory(directory: MemoryDirectory) -> object:
    return Scan(directory, 4_000).read("user/a.md")


ESCAPING_PATHS = (
    "memory/../outside/victim.md",
    "memory/user/../../outside/victim.md",
    "memory/user/../../../etc/passwd",
    "/etc/passwd",
    "//etc/passwd",
    "memory//a.md",
    "memory/user/",
    "memory/./a.md",
    "memory/user/.",
    "memory/user/..",
    "memory/user/a\0.md",
    "outside/victim.md",
    "memory/user/deep/a.md",
    "../outside/victim.md",
    "..",
    ".",
    "state.db",
    "lock",
    "env",
    "",
)

_LINKED = _instead_of_a(lambda path, made: path.symlink_to(made.victim))
_DANGLING = _instead_of_a(lambda path, made: path.symlink_to(made.outside / "new.md"))

ATTACKS: dict[str, tuple[Prepare, Deed]] = {
    **{f"read {path!r}": (_nothing, lambda d, p=path: d.read(p)) for path in ESCAPING_PATHS},
    **{f"write {path!r}": (_nothing, lambda d, p=path: d.write_new(p, b"x", 0o600)) for path in ESCAPING_PATHS},
    **{f"replace {path!r}": (_nothing, lambda d, p=path: d.replace("staging/s", p)) for path in ESCAPING_PATHS},
    **{f"link {path!r}": (_nothing, lambda d, p=path: d.link("staging/s", p)) for path in ESCAPING_PATHS},
    **{f"exchange {path!r}": (_nothing, lambda d, p=path: d.exchange("staging/s", p)) for path in ESCAPING_PATHS},
    **{f"move {path!r}": (_nothing, lambda d, p=path: d.rename_noreplace("staging/s", p)) for path in ESCAPING_PATHS},
    **{f"remove {path!r}": (_nothing, lambda d, p=path: d.unlink(p)) for path in ESCAPING_PATHS},
    "list through a linked category": (_linked_category, lambda d: d.names("memory/user")),
    "read through a linked category": (_linked_category, lambda d: d.read("memory/user/victim.md")),
    "write through a linked category": (_linked_category, lambda d: d.write_new("memory/user/b.md", b"x", 0o600)),
    "replace through a linked category": (_linked_category, lambda d: d.replace("staging/s", "memory/user/victim.md")),
    "exchange through a linked category": (_linked_category, lambda d: d.exchange("staging/s", "memory/user/victim.md")),
    "remove through a linked category": (_linked_category, lambda d: d.unlink("memory/user/victim.md")),
    **{
        f"write through a linked {area}": (_linked_area(area), lambda d, a=area: d.write_new(f"{a}/x", b"x", 0o600))
        for area in ("staging", "conflicts", "history", "edits")
    },
    **{
        f"read through a linked {area}": (_linked_area(area), lambda d, a=area: d.read(f"{a}/victim.md"))
        for area in ("staging", "conflicts", "history", "edits")
    },
    "read a linked file": (_LINKED, lambda d: d.read("memory/user/a.md")),
    "change the mode of a linked file": (_LINKED, lambda d: d.protect("memory/user/a.md")),
    "sync a linked file": (_LINKED, lambda d: d.sync_file("memory/user/a.md")),
    "write over a linked file": (_LINKED, lambda d: d.write_new("memory/user/a.md", b"x", 0o600)),
    "write through a dangling link": (_DANGLING, lambda d: d.write_new("memory/user/a.md", b"x", 0o600)),
    "move onto a dangling link": (_DANGLING, lambda d: d.rename_noreplace("staging/s", "memory/user/a.md")),
    "read a second name of a file": (_instead_of_a(lambda path, made: os.link(made.victim, path)), _read_as_memory),
    "read a FIFO": (_instead_of_a(lambda path, _: os.mkfifo(path)), lambda d: d.read("memory/user/a.md")),
    "read a directory": (_instead_of_a(lambda path, _: path.mkdir()), lambda d: d.read("memory/user/a.md")),
    "read a socket": (_instead_of_a(_unix_socket), lambda d: d.read("memory/user/a.md")),
    "read a huge file": (
        _instead_of_a(lambda path, _: path.write_bytes(b"x" * (MAX_MEMORY_FILE_BYTES + 1))),
        lambda d: d.read("memory/user/a.md"),
    ),
    "read through a link to itself": (
        _instead_of_a(lambda path, _: path.symlink_to(path)),
        lambda d: d.read("memory/user/a.md"),
    ),
    "write below a directory that the group may write to": (
        _mode("memory/user", 0o770),
        lambda d: d.write_new("memory/user/b.md", b"x", 0o600),
    ),
    "write below a root that all may write to": (
        _mode("memory", 0o707),
        lambda d: d.write_new("memory/user/b.md", b"x", 0o600),
    ),
    "make a category below a root that all may write to": (_mode("memory", 0o707), lambda d: d.make_dir("memory/reference")),
}
AS_ROOT: dict[str, tuple[Prepare, Deed]] = {
    "read another user's file": (_owned_by_another("memory/user/a.md"), lambda d: d.read("memory/user/a.md")),
    "write below another user's directory": (
        _owned_by_another("memory/user"),
        lambda d: d.write_new("memory/user/b.md", b"x", 0o600),
    ),
    "write below another user's root": (_owned_by_another("memory"), lambda d: d.write_new("memory/user/b.md", b"x", 0o600)),
}


def attacks() -> dict[str, tuple[Prepare, Deed]]:
    """Those that can be tried by this user."""
    return ATTACKS | AS_ROOT if os.geteuid() == 0 else ATTACKS


@dataclass(slots=True)
class Race:
    """What happened: ``done`` and ``refused`` deeds, ``swaps`` meanwhile, ``escapes`` (files made or changed outside, and
    reads that gave what is outside)."""

    done: int = 0
    refused: int = 0
    swaps: int = 0
    escapes: int = 0


def race(root: Path, seconds: float) -> Race:
    """Work on files while another thread swaps the category, and a file in it, for links to the outside."""
    result = Race()
    with scene(root) as (made, directory):
        (made.memory / "link").symlink_to(made.outside)
        (made.memory / "user" / "link.md").symlink_to(made.victim)
        over = threading.Event()
        attacker = threading.Thread(target=_swap, args=(made, over, result))
        attacker.start()
        deadline = time.monotonic() + seconds
        try:
            number = 0
            while time.monotonic() < deadline:
                number += 1
                for deed in (_write, _publish, _read):
                    try:
                        result.escapes += deed(directory, number)
                        result.done += 1
                    except (UnsafePath, OSError):
                        result.refused += 1
        finally:
            over.set()
            attacker.join()
        result.escapes += len(os.listdir(made.outside)) - 1 + (made.victim.read_bytes() != VICTIM)
    return result


def _swap(made: Scene, over: threading.Event, result: Race) -> None:
    memory = os.open(made.memory, os.O_RDONLY | os.O_DIRECTORY)
    user = os.open(made.memory / "user", os.O_RDONLY | os.O_DIRECTORY)
    try:
        while not over.is_set():
            with suppress(OSError):
                kernel.exchange(memory, "user", memory, "link")
                kernel.exchange(user, "a.md", user, "link.md")
                result.swaps += 1
    finally:
        os.close(memory)
        os.close(user)


def _write(directory: MemoryDirectory, number: int) -> int:
    directory.write_new(f"memory/user/w{number}.md", b"x", 0o600)
    return 0


def _publish(directory: MemoryDirectory, number: int) -> int:
    directory.write_new(f"staging/p{number}", b"x", 0o600)
    try:
        directory.replace(f"staging/p{number}", f"memory/user/{'victim' if number % 2 else 'p'}.md")
    except (UnsafePath, OSError):
        directory.unlink(f"staging/p{number}")
        raise
    return 0


def _read(directory: MemoryDirectory, _: int) -> int:
    return int(directory.read("memory/user/a.md") == VICTIM)
