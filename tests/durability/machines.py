"""A home with a daemon whose memory directory is a git repository with a remote, as somebody with two machines has it.

Owns: the commands that such a person types, and what the daemon says about the files. Must not know what is expected.
"""

from __future__ import annotations

import itertools
import os
import subprocess
from pathlib import Path
from typing import Any

from soong_memoryd.cli.exits import REMARKS
from tests.durability.nursery import Born, Nursery

GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_EDITOR": "true",
    **{f"GIT_{who}_{what}": "someone" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}
MARKERS = ("<<<<<<< ", "=======", ">>>>>>> ")


class Machine:
    """One home; ``remote`` is a bare repository that both machines push to."""

    def __init__(self, nursery: Nursery, home: Path, remote: Path, *, ignore_catalog: bool = True) -> None:
        self.home = home
        self.memory = home / "memory"
        self._numbers = itertools.count(1)
        self._daemon: Born = nursery.born(home).ready()
        self.git("init", "-q", "-b", "main")
        if ignore_catalog:
            (self.memory / ".gitignore").write_text("MEMORY.md\n", encoding="utf-8")
        self.git("remote", "add", "origin", str(remote))

    def end(self) -> None:
        self._daemon.kill()

    def git(self, *argv: str, code: int = 0) -> str:
        """Run git in the memory directory under the umask that most people have; ``code`` is how it must end."""
        command = ["git", "-C", str(self.memory), *argv]
        done = subprocess.run(command, env={**os.environ, **GIT}, capture_output=True, text=True, check=False, umask=0o022)
        assert done.returncode == code, f"git {' '.join(argv)}: {done.stdout}{done.stderr}"
        return done.stdout

    def commit(self, message: str = "memories") -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def push(self) -> None:
        self.git("push", "-q", "-u", "origin", "main")

    def pull(self, *options: str, code: int = 0) -> None:
        self.git("pull", "-q", *(options or ("--no-rebase",)), "origin", "main", code=code)

    def call(self, method: str, /, **params: Any) -> Any:
        with self._daemon.client() as client:
            return client.call(method, **params)

    def remember(self, text: str) -> dict[str, Any]:
        """Say an explicit wish, and have its job run; returns the job."""
        session = f"{self.home.name}-{next(self._numbers)}"
        node = {
            "node_id": f"{session}/1",
            "kind": "user_message",
            "text": f"{'Remember: ' if text.isascii() else '记住：'}{text}",
        }
        self.call("session.open", session_id=session)
        self.call("context.append", session_id=session, nodes=[node])
        (job,) = self.call("extraction.trigger", session_id=session, wait=True)["jobs"]
        return job

    def summaries(self) -> dict[str, str]:
        """Summary → path of every memory that the daemon lists."""
        listed = self.call("memory.list", limit=1000)["memories"]
        return {memory["summary"]: memory["path"] for memory in listed}

    def file(self, summary: str) -> Path:
        return self.memory / self.summaries()[summary]

    def problems(self) -> set[tuple[str, str | None]]:
        """``(code, path)`` of everything that verify finds, the remarks left out (git makes modes as it likes)."""
        found = self.call("daemon.verify")["problems"]
        return {(problem["code"], problem.get("path")) for problem in found if problem["code"] not in REMARKS}

    def catalog(self) -> str:
        return (self.memory / "MEMORY.md").read_text(encoding="utf-8")

    def kept_aside(self) -> list[str]:
        return os.listdir(self.home / "memoryd" / "conflicts")


def write_at_the_end(path: Path, text: str) -> None:
    """What a person adds to a memory in an editor."""
    path.write_text(f"{path.read_text(encoding='utf-8').rstrip()} {text}\n", encoding="utf-8")


def keep_both_sides(path: Path) -> None:
    """Resolve a conflict as a person does who wants both: the markers go."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith(MARKERS)), encoding="utf-8")
