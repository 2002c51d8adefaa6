"""Other programs that a command runs: found on the caller's PATH, given the caller's variables, without a shell.

Owns: how they are started and what is known when they end. Must not know: any one program.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from soong_memoryd.cli.exits import CliError, Exit

TIMEOUT_SECONDS = 60.0


class Finished(NamedTuple):
    """How a program ended, and what it said."""

    code: int
    out: str
    err: str


def found(name: str, env: Mapping[str, str]) -> str | None:
    """The path of a program, None when ``$PATH`` has none of that name."""
    for directory in env.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(directory, name)
        if directory and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def run(argv: Sequence[str], env: Mapping[str, str], timeout_seconds: float = TIMEOUT_SECONDS) -> Finished:
    """Run a program to its end. ``CliError`` when it cannot be started or takes too long."""
    import subprocess  # only the commands that need another program pay for it

    try:
        done = subprocess.run(  # noqa: S603  an argument list, no shell
            list(argv), env=dict(env), capture_output=True, text=True, timeout=timeout_seconds, check=False, errors="replace"
        )
    except subprocess.TimeoutExpired:
        raise CliError(Exit.TIMED_OUT, f"{Path(argv[0]).name} did not end in {timeout_seconds:g} s", _again(argv)) from None
    except OSError as error:
        raise CliError(Exit.FAILED, f"{Path(argv[0]).name} cannot be run ({error.strerror})", _again(argv)) from None
    return Finished(done.returncode, done.stdout, done.stderr)


def lines_of(argv: Sequence[str], env: Mapping[str, str]) -> Iterator[str]:
    """A program's lines as it writes them, until it ends or the reader stops."""
    import subprocess

    with subprocess.Popen(  # noqa: S603
        list(argv), env=dict(env), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                yield line.rstrip("\n")
        finally:
            process.terminate()


def _again(argv: Sequence[str]) -> str:
    return " ".join(argv)
