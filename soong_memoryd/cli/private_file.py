"""Files that only their owner may read, replaced in one step.

Owns: modes and the order write, sync, rename. Must not know: what is in the files.
"""

from __future__ import annotations

import os
from pathlib import Path

from soong_memoryd.cli.exits import CliError, Exit

FILE_MODE = 0o600
DIRECTORY_MODE = 0o700


def make_private_directory(path: Path) -> None:
    """Make ``path`` with mode 0700 unless it is there; ``CliError`` when it is somebody else's or open to others."""
    try:
        path.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)
        status = path.stat()
    except OSError as error:
        raise CliError(Exit.FAILED, f"{path} cannot be made ({error.strerror})", f"ls -ld {path.parent}") from None
    if status.st_uid != os.geteuid() or status.st_mode & 0o022:
        raise CliError(Exit.REFUSED, f"{path} is not yours alone", f"ls -ld {path}")


def read_text(path: Path) -> str:
    """The file's text, empty when there is none; ``CliError`` when it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise CliError(Exit.FAILED, f"{path} cannot be read ({reason})", f"ls -l {path}") from None


def replace_text(path: Path, text: str, mode: int = FILE_MODE) -> None:
    """Put ``text`` in the file's place: whoever reads it sees the old text or the new one. A link's target is replaced."""
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{os.urandom(4).hex()}")
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise CliError(Exit.FAILED, f"{path} cannot be written ({error.strerror})", f"ls -ld {target.parent}") from None
