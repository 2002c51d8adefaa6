"""Daemons for benchmarks: started and stopped by the clock, and looked at from outside.

Owns: the process and what the system says of it. Must not know what is measured.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from bench.wire import INITIALIZE, Stopwatch
from tests.support.daemon import KEY_VARIABLE, ROOT

NO_MODEL = ""
POLL_SECONDS = 0.002
READY_WITHIN_SECONDS = 60.0


def environment(home: Path) -> dict[str, str]:
    """For any process that is to find this home and this tree."""
    env = {**os.environ, KEY_VARIABLE: "not-a-key", "SOONG_AGENT_HOME": str(home)}
    env["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "clients" / "python")])
    env.pop("SOONG_MEMORYD_SOCKET", None)
    return env


class BenchDaemon:
    """``soong-memoryd serve`` on a home; ``ready_seconds`` is from the start of the process to its first answer."""

    def __init__(self, home: Path, config: str = NO_MODEL) -> None:
        self.home = home
        self.socket = home / "memoryd" / "memoryd.sock"
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        (home / "memoryd.toml").write_text(config, encoding="utf-8")
        (home / "memoryd.toml").chmod(0o600)
        self.ready_seconds = 0.0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> BenchDaemon:
        began = time.perf_counter()
        with open(self.home.parent / f"{self.home.name}.log", "ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "soong_memoryd.cli.daemon", "serve"],
                env=environment(self.home),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=ROOT,
            )
        while True:
            try:
                with Stopwatch(self.socket) as client:
                    client.call("initialize", **INITIALIZE)
                self.ready_seconds = time.perf_counter() - began
                return self
            except (OSError, ConnectionError):
                if self._process.poll() is not None or time.perf_counter() - began > READY_WITHIN_SECONDS:
                    raise RuntimeError(f"the daemon did not start; its log is beside {self.home}") from None
                time.sleep(POLL_SECONDS)

    def end(self, number: int = signal.SIGTERM) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(30)
            self._process = None

    def client(self, answer_seconds: float = 30.0) -> Stopwatch:
        return Stopwatch(self.socket, answer_seconds)

    def cpu_seconds(self) -> float:
        """Time on a core so far, its children's not included."""
        fields = self._proc("stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def rss_megabytes(self) -> float:
        line = next(line for line in self._proc("status").splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    def _proc(self, name: str) -> str:
        assert self._process is not None
        return Path(f"/proc/{self._process.pid}/{name}").read_text(encoding="utf-8")

    def __enter__(self) -> BenchDaemon:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.end()
