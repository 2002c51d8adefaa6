"""A real daemon process on a throw-away home, and a bare client that speaks lines to it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
BUILTIN = '[model]\nprovider = "builtin"\n'
KEY_VARIABLE = "SOONG_TEST_KEY"


def remote(base_url: str, **memory: Any) -> str:
    """memoryd.toml for a model behind ``base_url``."""
    lines = ["[model]", 'provider = "openai-compatible"', f'base_url = "{base_url}"', 'name = "scripted"']
    lines += [f'api_key_env = "{KEY_VARIABLE}"', "timeout_ms = 5000", "", "[memory]"]
    return "\n".join([*lines, *(f"{key} = {json.dumps(value)}" for key, value in memory.items())]) + "\n"


class RpcFailure(Exception):
    """An error reply."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error['code']} {error['data']['code']}: {error['message']}")
        self.number = error["code"]
        self.code = error["data"]["code"]
        self.data = error["data"]


class LineClient:
    """One connection; sends bytes and reads lines, so that tests see exactly what is on the wire."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(15)
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise
        self._buffer = b""
        self._id = 0
        self.notifications: list[dict[str, Any]] = []

    def send(self, data: bytes | dict[str, Any] | list[Any]) -> None:
        self._socket.sendall(data if isinstance(data, bytes) else json.dumps(data, ensure_ascii=False).encode() + b"\n")

    def read(self) -> Any:
        while b"\n" not in self._buffer:
            data = self._socket.recv(1 << 16)
            if not data:
                raise ConnectionError("the daemon closed the connection")
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        return json.loads(line)

    def call(self, method: str, /, **params: Any) -> Any:
        self._id += 1
        self.send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        while True:
            message = self.read()
            if "method" in message:
                self.notifications.append(message["params"])
            elif message["id"] == self._id:
                if "error" in message:
                    raise RpcFailure(message["error"])
                return message["result"]

    def finish_sending(self) -> None:
        self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> LineClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class DaemonProcess:
    """``soong-memoryd serve`` as a child; ``home`` is the caller's, and so is the directory ``cwd`` that it is started in."""

    def __init__(self, home: Path, config: str = BUILTIN, *, cwd: Path = ROOT, **env: str) -> None:
        self.home = home
        self._cwd = cwd
        self.socket_path = home / "memoryd" / "memoryd.sock"
        self._env = {**os.environ, KEY_VARIABLE: "not-a-key", **env, "SOONG_AGENT_HOME": str(home)}
        self._env["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "clients" / "python")])
        self._env.pop("SOONG_MEMORYD_SOCKET", None)
        self._process: subprocess.Popen[bytes] | None = None
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.configure(config)

    def configure(self, config: str) -> None:
        path = self.home / "memoryd.toml"
        path.write_text(config, encoding="utf-8")
        path.chmod(0o600)

    def start(self) -> DaemonProcess:
        with open(self.home.parent / f"{self.home.name}.log", "ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "soong_memoryd.cli.daemon", "serve"],
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._cwd,
            )
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise RuntimeError(f"ended with {self._process.returncode}: {self.log()[-2000:]}")
            try:
                with self.client() as client:
                    client.call("daemon.status")
                return self
            except OSError:
                time.sleep(0.02)
        raise RuntimeError(f"no answer: {self.log()[-2000:]}")

    def run_to_end(self) -> int:
        """Start one that is expected to end by itself; returns its exit code."""
        done = subprocess.run(
            [sys.executable, "-m", "soong_memoryd.cli.daemon", "serve"],
            env=self._env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd=self._cwd,
            timeout=20,
            check=False,
        )
        self.output = done.stderr.decode()
        return done.returncode

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def client(self) -> LineClient:
        return LineClient(self.socket_path)

    def log(self) -> str:
        return (self.home.parent / f"{self.home.name}.log").read_text(encoding="utf-8")

    def wait(self) -> int:
        """The exit code of a daemon that was told to end."""
        process, self._process = self._process, None
        assert process is not None
        return process.wait(15)

    def end(self, number: int = signal.SIGTERM) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(number)
        try:
            return process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(5)
            raise

    def __enter__(self) -> DaemonProcess:
        return self if self._process is not None else self.start()

    def __exit__(self, *_: object) -> None:
        self.end()
