"""How other programs change memory files: each a function of a path and new bytes, as the program really does it.

Owns: the ways. Must not know what is in the files. ``python -m tests.durability.editors`` races them against commits.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import itertools
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from soong_memoryd.errors import MemorydError
from soong_memoryd.memories.change import Change
from soong_memoryd.memories.document import parse, serialise
from soong_memoryd.memories.schema import Document
from soong_memoryd.state.rows import Effects, EventDraft
from tests.memories.homes import Home, create, data_of, document, memory_id, opened, path_of

Editor = Callable[[Path, bytes], None]


def vim(path: Path, data: bytes) -> None:
    """A probe file, a swap file, the old one to ``name~``, a new one under the name, backup and swap file gone."""
    probe, swap, backup = path.with_name("4913"), path.with_name(f".{path.name}.swp"), path.with_name(f"{path.name}~")
    probe.touch()
    probe.unlink()
    swap.write_bytes(b"b0VIM 9.0")
    os.rename(path, backup)
    _write_synced(path, data)
    backup.unlink()
    swap.unlink()


def in_place(path: Path, data: bytes) -> None:
    """Truncate and write the same inode (nano, a shell's ``>``, many small tools)."""
    with path.open("r+b") as file:
        file.truncate()
        file.write(data)


def rename_over(path: Path, data: bytes) -> None:
    """A temporary file renamed over the name (VS Code's atomic save, sed -i, git)."""
    temporary = path.with_name(f".{path.name}.tmp-{os.getpid()}-{threading.get_ident()}")
    _write_synced(temporary, data)
    os.replace(temporary, path)


def syncthing(path: Path, data: bytes) -> None:
    """``.syncthing.<name>.tmp``, written in blocks, renamed over the name."""
    temporary = path.with_name(f".syncthing.{path.name}.tmp")
    with temporary.open("wb") as file:
        for start in range(0, len(data), 16):
            file.write(data[start : start + 16])
    os.replace(temporary, path)


def git_checkout(path: Path, data: bytes) -> None:
    """Unlink, then create: what a checkout does to a file that differs."""
    path.unlink(missing_ok=True)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(fd, data)
    finally:
        os.close(fd)


EDITORS: dict[str, Editor] = {editor.__name__: editor for editor in (vim, in_place, rename_over, syncthing, git_checkout)}


def _write_synced(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


@dataclass
class Figures:
    """What raced: edits by editor, commits by outcome, edits that are nowhere any more, files that nobody wrote like that."""

    edits: Counter[str] = field(default_factory=Counter)
    commits: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    torn: list[str] = field(default_factory=list)


def race(root: Path, commits: int, seed: int) -> Figures:
    """Commits against every editor, one memory each, at the same time."""
    figures = Figures()
    asyncio.run(_race(root, commits, random.Random(seed), figures))
    return figures


async def _race(root: Path, commits: int, rng: random.Random, figures: Figures) -> None:
    names = list(EDITORS)
    async with opened(root) as home:
        await home.store.commit([create(n) for n in range(1, len(names) + 1)], _effects())
        written: set[bytes] = {data_of(n) for n in range(1, len(names) + 1)}
        ending = threading.Event()
        hands = [_Hand(name, home.file(n), n, rng.randrange(1 << 30), ending) for n, name in enumerate(names, 1)]
        for hand in hands:
            hand.start()
        for number in itertools.count():
            if figures.commits["done"] >= commits or number > commits * 40:
                break
            await _commit(home, rng.randint(1, len(names)), number, written, figures)
            await asyncio.sleep(rng.random() * 0.004)
        ending.set()
        for hand in hands:
            await asyncio.to_thread(hand.join)
        await home.store.absorb()
        for hand in hands:
            figures.edits[hand.editor] += len(hand.made)
            written |= set(hand.made)
            _account(home, hand, figures)
        _look_for_torn(home, written, figures)


class _Hand(threading.Thread):
    """One person at one file. An edit that a later one of the same person replaced is no loss."""

    def __init__(self, editor: str, path: Path, number: int, seed: int, ending: threading.Event) -> None:
        super().__init__(daemon=True)
        self.editor, self.path, self.number, self.ending = editor, path, number, ending
        self.made: list[bytes] = []
        self._random = random.Random(seed)

    def run(self) -> None:
        for count in itertools.count():
            if self.ending.wait(self._random.random() * 0.03):
                return
            data = serialise(document(self.number, body=f"edited by {self.editor} {count}"))
            try:
                EDITORS[self.editor](self.path, data)
            except FileNotFoundError:  # in the instant of a three-step save
                continue
            except FileExistsError:
                continue
            self.made.append(data)


async def _commit(home: Home, number: int, count: int, written: set[bytes], figures: Figures) -> None:
    try:
        base = home.file(number).read_bytes()
        head = parse(base).frontmatter
    except (OSError, MemorydError):  # somebody is in the middle of saving
        return
    data = serialise(Document(head, f"committed {count}"))
    written.add(data)
    change = Change("update", "update", memory_id(number), path_of(number), hashlib.sha256(base).hexdigest(), data)
    try:
        await home.store.commit([change], _effects())
        figures.commits["done"] += 1
    except MemorydError as error:
        figures.commits[error.code] += 1


def _account(home: Home, hand: _Hand, figures: Figures) -> None:
    """The last edit is live, or displaced by a commit that saw it (then it is a version), or kept in conflicts/."""
    if not hand.made:
        return
    last = hand.made[-1]
    places = [hand.path, *(home.state / "history").iterdir(), *(home.state / "conflicts").iterdir()]
    if not any(place.exists() and place.read_bytes() == last for place in places):
        figures.lost.append(f"{hand.editor}: the last edit is nowhere")


def _look_for_torn(home: Home, written: set[bytes], figures: Figures) -> None:
    for place in (*(home.memory / "user").glob("*.md"), *(home.state / "history").iterdir()):
        if place.read_bytes() not in written:
            figures.torn.append(place.name)


def _effects() -> Effects:
    return Effects(event=EventDraft("memory_extraction_completed"), cause="update")


def main() -> int:
    """Race and print the figures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--commits", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="soong-edit-") as root:
        figures = race(Path(root) / "home", arguments.commits, arguments.seed)
    print(
        f"edit races: {figures.edits.total()} edits {dict(figures.edits)} against {figures.commits.total()} commits"
        f" {dict(figures.commits)}: {len(figures.lost)} lost, {len(figures.torn)} torn in {time.monotonic() - began:.0f} s"
    )
    for problem in (*figures.lost, *figures.torn):
        print(f"  VIOLATION {problem}")
    return 1 if figures.lost or figures.torn else 0


if __name__ == "__main__":
    sys.exit(main())
