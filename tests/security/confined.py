"""A process that is confined as the daemon is and then tries everything.

``python -m tests.security.confined HOME MODE OUTSIDE`` prints one JSON object: deed → ``"done"`` or the name of the errno.
Run it as a child: a confinement is for good.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sqlite3
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from soong_memoryd import kernel
from soong_memoryd.home import Home
from soong_memoryd.memories.directory import MemoryDirectory
from soong_memoryd.server.confinement import confine


def deeds(home: Home, outside: Path) -> dict[str, Callable[[], object]]:
    """What is tried, in this order."""
    return {
        "write memoryd.toml": lambda: home.config_file.write_text("x"),
        "replace memoryd.toml": lambda: os.rename(_made(home.state_dir / "r"), home.config_file),
        "remove memoryd.toml": home.config_file.unlink,
        "make a file beside memory": lambda: (home.root / "new").write_text("x"),
        "make a file outside": lambda: (outside / "new").write_text("x"),
        "write a file outside": lambda: (outside / "victim").write_text("x"),
        "truncate a file outside": lambda: os.truncate(outside / "victim", 0),
        "remove a file outside": (outside / "victim").unlink,
        "make a directory outside": (outside / "folder").mkdir,
        "make a link outside": lambda: (outside / "link").symlink_to("x"),
        "move a file outside": lambda: os.rename(_made(home.state_dir / "m"), outside / "m"),
        "link a file outside": lambda: os.link(_made(home.state_dir / "l"), outside / "l"),
        "fetch a file from outside": lambda: os.rename(outside / "victim", home.state_dir / "fetched"),
        "write through a link": lambda: _linked(home.memory_dir / "through", outside / "victim").write_text("x"),
        "bind a socket outside": lambda: _bind(outside / "s.sock"),
        "write from another thread": lambda: _in_thread(lambda: (outside / "thread").write_text("x")),
        "write from a child": lambda: _from_child(outside / "child"),
        "write the temporary directory": lambda: Path(f"/tmp/soong-confined-{os.getpid()}").write_text("x"),
        "write the user's home": lambda: (Path.home() / f".soong-confined-{os.getpid()}").write_text("x"),
        "write below memory": lambda: (
            (home.memory_dir / "user").mkdir(exist_ok=True) or _made(home.memory_dir / "user" / "a.md")
        ),
        "write below memoryd": lambda: _made(home.state_dir / "debug.json"),
        "publish as the daemon does": lambda: _publish(home),
        "keep a database": lambda: _database(home.state_dir / "probe.db"),
        "bind the socket": lambda: _bind(home.socket),
        "make a file beside the socket": lambda: (home.socket.parent / "beside").write_text("x"),
        "read elsewhere": lambda: Path("/etc/passwd").read_bytes(),
        "list elsewhere": lambda: os.listdir(outside),
        "look up a name": lambda: socket.getaddrinfo("localhost", 80),
    }


def _made(path: Path) -> Path:
    path.write_text("x")
    return path


def _linked(path: Path, target: Path) -> Path:
    path.unlink(missing_ok=True)
    path.symlink_to(target)
    return path


def _bind(path: Path) -> None:
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def _in_thread(deed: Callable[[], object]) -> None:
    failed: list[OSError] = []

    def run() -> None:
        try:
            deed()
        except OSError as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


def _from_child(path: Path) -> None:
    child = os.fork()
    if child == 0:
        try:
            path.write_text("x")
        except OSError as error:
            os._exit(error.errno or 255)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        raise OSError(code, os.strerror(code))


def _publish(home: Home) -> None:
    """Every way in which a commit moves files between the two directories."""
    directory = MemoryDirectory.at(home.memory_dir, home.state_dir)
    try:
        directory.make_dir("memory/feedback")
        for name in ("new", "swap", "old", "linked"):
            directory.write_new(f"staging/{name}", name.encode(), 0o600)
        directory.rename_noreplace("staging/new", "memory/feedback/a.md")
        directory.exchange("staging/swap", "memory/feedback/a.md")
        directory.replace("staging/old", "memory/feedback/a.md")
        directory.link("staging/linked", "memory/feedback/b.md")
        directory.rename_noreplace("memory/feedback/b.md", "conflicts/b.md")
        if not directory.can_exchange:
            raise OSError(errno.ENOSYS, "no exchange")
    finally:
        directory.tree.close()


def _database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE t (v)")
        database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.execute("VACUUM")


def main(home_root: str, mode: str, outside: str) -> int:
    home = Home.locate({**os.environ, "SOONG_AGENT_HOME": home_root})
    confinement = confine(home, is_supervised=mode == "supervised")
    said = {"abi": str(kernel.landlock_abi()), "problem": str(confinement.problem)}
    for name, deed in deeds(home, Path(outside)).items():
        try:
            deed()
            said[name] = "done"
        except OSError as error:
            said[name] = errno.errorcode.get(error.errno or 0, str(error))
    print(json.dumps(said))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
