"""The one exception root, and the few leaves that callers tell apart.

Owns: the exception classes. Must not know: numbers on the wire (``protocol/errors.py`` maps codes to them), HTTP, SQLite.
Texts are written by us and safe to show: they never carry a rejected value, user text, a provider's text or a secret.
"""

from __future__ import annotations


class MemorydError(Exception):
    """Root of every error raised on purpose; ``code`` is stable, ``hint`` names the next step."""

    code = "internal"

    def __init__(self, text: str, *, code: str | None = None, hint: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.hint = hint
        if code is not None:
            self.code = code


class RequestError(MemorydError):
    """Raised when a call cannot be served; ``code`` is one of ``protocol.errors.ERRORS``.

    ``field`` names the offending parameter, ``index`` the offending element of a list.
    """

    def __init__(self, code: str, text: str, *, hint: str = "", field: str | None = None, index: int | None = None) -> None:
        super().__init__(text, code=code, hint=hint)
        self.field = field
        self.index = index


class DiskFault(RequestError):
    """Raised when the disk failed rather than refused (a sync that was not confirmed, damage). For whoever called it is one
    more ``read_only``; whoever was committing may not try again in this process.
    """


class ConfigError(MemorydError):
    """Raised when a config file, variable or flag cannot be used; the text names file, line, key and fix."""

    code = "config"


class StorageError(MemorydError):
    """Raised when disk or database refuse: ``storage_full``, ``read_only``, ``storage`` (anything else)."""

    code = "storage"


class CommitConflict(MemorydError):
    """Raised when a file or a source changed since the job read it; nothing was changed, the job runs again."""

    code = "memory_changed"


class UnsafePath(MemorydError):
    """Raised when a path is not exactly what the memory directory allows (link, owner, mode, type, size, name)."""

    code = "unsafe_path"


class InvalidDocument(MemorydError):
    """Raised when bytes are not a memory file; ``code`` is one of ``memories.document.PROBLEMS``."""

    code = "invalid_document"


class ModelError(MemorydError):
    """Raised when a model call gives nothing usable.

    ``blame`` says what pays for it: ``profile`` (network, 429, 5xx, timeout, auth: the model profile pauses) or
    ``window`` (invalid answer, overflow, cut answer: counts against the scan window). ``retry_after_seconds`` is the
    provider's own wish, if it had one.
    """

    code = "model_failed"

    def __init__(
        self, code: str, text: str, *, blame: str = "profile", hint: str = "", retry_after_seconds: float | None = None
    ) -> None:
        super().__init__(text, code=code, hint=hint)
        self.blame = blame
        self.retry_after_seconds = retry_after_seconds
