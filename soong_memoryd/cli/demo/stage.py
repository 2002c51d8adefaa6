"""A real daemon on a throw-away home, for as long as a ``with`` block lasts.

Owns: the child process and its home. Must not know: what is shown.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from soong_memory_client.client import MemoryClient
from soong_memory_client.errors import DaemonUnavailable
from soong_memory_client.paths import HOME_VARIABLE, SOCKET_VARIABLE

START_SECONDS = 10.0
STOP_SECONDS = 1.0  # nothing of the home is kept, so there is nothing to wait for
POLL_SECONDS = 0.02
LOG_NAME = "daemon.log"
IDLE_SECONDS = 1
BUILTIN_CONFIG = f'[model]\nprovider = "builtin"\n\n[memory]\nidle_seconds = {IDLE_SECONDS}\n'


class DemoFailed(Exception):
    """The demo could not show what it is for; the text says why."""


class Stage:
    """``home`` and ``client`` are of use inside the ``with`` block only; everything is gone after it."""

    home: Path
    client: MemoryClient

    def __init__(self, env: Mapping[str, str], config: str) -> None:
        self._env = {name: value for name, value in env.items() if name != SOCKET_VARIABLE}
        self._config = config
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Stage:
        self.home = Path(tempfile.mkdtemp(prefix="soong-demo-"))
        try:
            self.client = MemoryClient("demo", home=self.home)
            config_file = self.home / "memoryd.toml"
            config_file.write_text(self._config, encoding="utf-8")
            config_file.chmod(0o600)
            self._start()
        except BaseException:
            self._clear()
            raise
        return self

    def _start(self) -> None:
        own = {HOME_VARIABLE: str(self.home), "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        with (self.home / LOG_NAME).open("wb") as log:
            command = [sys.executable, "-m", "soong_memoryd.cli.daemon", "serve", "--home", str(self.home)]
            self._process = subprocess.Popen(  # noqa: S603 - this very program, with arguments of our own
                command, env=self._env | own, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise DemoFailed(f"the daemon ended with {self._process.returncode}: {self._last_words()}")
            try:
                self.client.call("daemon.status")
            except DaemonUnavailable:
                time.sleep(POLL_SECONDS)
            else:
                return
        raise DemoFailed(f"the daemon did not answer within {START_SECONDS:.0f} s: {self._last_words()}")

    def _last_words(self) -> str:
        lines = (self.home / LOG_NAME).read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.client.close()
        self._clear()

    def _clear(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.home, ignore_errors=True)
