"""What figures are compared with: the disk's fsync, a bare echo server, an interpreter that does nothing.

Owns: the baselines. Must not know the daemon. ``python -m bench.baseline PATH`` is the echo server.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HANGS_SECONDS = 20.0


def fsync_times_ms(directory: Path, count: int = 200) -> list[float]:
    """How long it takes to append a page to a file and have it on the disk."""
    page, taken = os.urandom(4096), []
    path = directory / "fsync"
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        for _ in range(count):
            began = time.perf_counter()
            os.write(fd, page)
            os.fsync(fd)
            taken.append((time.perf_counter() - began) * 1000)
    finally:
        os.close(fd)
        path.unlink()
    return taken


@contextmanager
def echo_server(path: Path) -> Iterator[None]:
    """A process that sends every line back."""
    process = subprocess.Popen([sys.executable, "-m", "bench.baseline", str(path)])
    try:
        while not path.exists():
            time.sleep(0.01)
        yield
    finally:
        process.terminate()
        process.wait()


def process_times_ms(command: list[str], count: int, env: dict[str, str] | None = None, stdin: bytes = b"") -> list[float]:
    """How long a whole process takes; a failing one ends the benchmark, and so does one that hangs.

    Waited for without a time limit: with one, ``subprocess`` looks every 50 ms whether it has ended, and that is what it would
    measure.
    """
    taken = []
    for _ in range(count):
        began = time.perf_counter()
        with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
            guard = threading.Timer(HANGS_SECONDS, process.kill)
            guard.start()
            process.communicate(stdin)
            taken.append((time.perf_counter() - began) * 1000)
            guard.cancel()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
    return taken


async def _echo(path: str) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.readline():
            writer.write(data)
            await writer.drain()
        writer.close()

    server = await asyncio.start_unix_server(serve, path)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_echo(sys.argv[1]))
