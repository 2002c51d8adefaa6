"""Real daemons that are there in 50 ms: forked from one process that has imported everything, and killed without regret.

    with Nursery() as nursery:
        daemon = nursery.born(home, failpoint="staged", at=2)   # kills itself when it gets there the second time
        daemon.ready(); daemon.kill()                            # or .wait() -> exit code, negative for a signal

Owns: the process that forks, and the pids it forked. Must not know what is tested. ``python -m tests.durability.nursery``
is that process: JSON lines in, JSON lines out.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pkgutil
import select
import signal
import subprocess
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.durability import failpoints
from tests.durability.namespaces import environment
from tests.support.daemon import BUILTIN, ROOT, LineClient

READY_SECONDS = 20.0
END_SECONDS = 20.0
IMPORTED_LATE = (
    "_strptime",
    "anyio._backends._asyncio",
    "concurrent.futures.thread",
    "encodings.ascii",
    "encodings.idna",
    "encodings.utf_8_sig",
    "tests.durability.minds",
    "watchfiles",
    "yaml",
)
"""What a daemon imports when it first needs it: another user may not be able to read it then."""


class Ended(Exception):
    """The daemon ended before it answered."""


@dataclass
class Born:
    """One daemon process on a home."""

    nursery: Nursery
    home: Path
    pid: int
    code: int | None = None

    @property
    def socket_path(self) -> Path:
        return self.home / "memoryd" / "memoryd.sock"

    def client(self) -> LineClient:
        return LineClient(self.socket_path)

    def ready(self, seconds: float = READY_SECONDS) -> Born:
        """Wait until it answers; ``Ended`` when it ends instead."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                with self.client() as client:
                    client.call("initialize", protocol_version=1, client={"name": "t", "version": "0"})
                return self
            except OSError:
                if self.ended(0.003):
                    raise Ended(self.wait()) from None
        raise TimeoutError("the daemon does not answer")

    def ended(self, seconds: float = 0.0) -> bool:
        """Whether it ends within ``seconds``."""
        if self.code is not None:
            return True
        try:
            fd = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return True
        try:
            return bool(select.select([fd], [], [], seconds)[0])
        finally:
            os.close(fd)

    def signal(self, number: int) -> None:
        """Send a signal, unless it was waited for already."""
        if self.code is None:
            os.kill(self.pid, number)

    def kill(self) -> int:
        """``kill -9`` and wait."""
        self.signal(signal.SIGKILL)
        return self.wait()

    def stop(self) -> int:
        """SIGTERM and wait."""
        self.signal(signal.SIGTERM)
        return self.wait()

    def wait(self, seconds: float = END_SECONDS) -> int:
        """Its exit code, negative for the signal that ended it."""
        if self.code is None:
            if not self.ended(seconds):
                self.signal(signal.SIGKILL)
                self.code = self.nursery.ask(wait=self.pid)["code"]
                raise TimeoutError("the daemon does not end")
            self.code = self.nursery.ask(wait=self.pid)["code"]
            self.nursery.alive.discard(self.pid)
        return self.code

    def log(self) -> str:
        return log_path(self.home).read_text(encoding="utf-8", errors="replace")


class Nursery:
    """The process that has imported everything. A context manager; whatever still lives when it is left is killed."""

    def __init__(self) -> None:
        variables = environment()
        for name in ("SOONG_MEMORYD_SOCKET", "NOTIFY_SOCKET", "LISTEN_PID", "LISTEN_FDS"):
            variables.pop(name, None)
        self.alive: set[int] = set()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.durability.nursery"],
            env=variables,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def born(self, home: Path, config: str | None = None, **options: Any) -> Born:
        """Fork a daemon; ``options`` as in ``_live``. ``config`` (the embedded model) is written where there is none."""
        make_home(home, config)
        pid = self.ask(home=str(home), **options)["pid"]
        self.alive.add(pid)
        return Born(self, home, pid)

    def ask(self, **what: Any) -> Any:
        """One request to the forking process."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(what).encode() + b"\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def __enter__(self) -> Nursery:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for pid in self.alive:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(10)


def make_home(home: Path, config: str | None = None) -> None:
    """A home with a config, for this user alone."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = home / "memoryd.toml"
    if config is not None or not path.exists():
        path.write_text(BUILTIN if config is None else config, encoding="utf-8")
        path.chmod(0o600)


def log_path(home: Path) -> Path:
    return home.parent / f"{home.name}.log"


def _live(
    home: str,
    failpoint: str | None = None,
    at: int = 1,
    action: str = "kill",
    uid: int | None = None,
    nofile: int | None = None,
    mind: str | None = None,
    log: str | None = None,
) -> None:
    """The child: ``soong-memoryd serve`` in this process, with a point at which it dies (or dawdles), a user, a limit."""
    import resource

    from soong_memoryd.cli.daemon import main
    from tests.durability import minds

    out = os.open(log or log_path(Path(home)), os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(out, 1)
    os.dup2(out, 2)
    for fd in (nothing, out):
        if fd > 2:
            os.close(fd)
    if nofile is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (nofile, nofile))
    if uid is not None:
        os.setgroups([])
        os.setgid(uid)
        os.setuid(uid)
    if mind is not None:
        minds.install(mind)
    if failpoint is not None:
        failpoints.arm(failpoint, at, action)
    os.environ["SOONG_AGENT_HOME"] = home
    sys.argv = ["soong-memoryd", "serve"]
    sys.exit(main())


def _answer(what: dict[str, Any]) -> dict[str, Any]:
    if "wait" in what:
        _, status = os.waitpid(what["wait"], 0)
        return {"code": os.waitstatus_to_exitcode(status)}
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            _live(**what)
        except SystemExit as end:
            code = int(end.code or 0)
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(OSError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)
    return {"pid": pid}


def _main() -> None:
    import soong_memoryd

    for module in pkgutil.walk_packages(soong_memoryd.__path__, "soong_memoryd."):
        importlib.import_module(module.name)
    for name in IMPORTED_LATE:
        importlib.import_module(name)
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(_answer(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _main()
