"""What was asked and answered in one attempt, kept for debugging: redacted, owner-only, few.

Owns: the form of an artifact and the directory that keeps the latest ones. Must not know: models, prompts, jobs' outcomes.
Nothing is kept unless debug mode is on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from soong_memoryd.llm.conversation import Answer, Conversation
from soong_memoryd.state.rows import Json

MAX_ARTIFACTS = 20
_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer, or the code of the error that came in its place."""

    conversation: Conversation
    answer: Answer | None
    error: str | None = None


class ArtifactWriter(Protocol):
    """Where artifacts go. A failure to keep one is nobody's failure: implementations do not raise ``OSError``."""

    def keep(self, name: str, text: str) -> None:
        """Keep one artifact; ``name`` is made of digits, letters, ``-`` and ``_``."""
        ...


class DebugDirectory:
    """Keeps the latest artifacts as files (0600) in a directory of ours (0700), oldest removed first."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def keep(self, name: str, text: str) -> None:
        """See ``ArtifactWriter.keep``."""
        with suppress(OSError):
            self._directory.mkdir(mode=0o700, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(self._directory / f"{name}{_SUFFIX}", flags, 0o600), "w", encoding="utf-8") as file:
                file.write(text)
            for old in sorted(self._directory.glob(f"*{_SUFFIX}"))[:-MAX_ARTIFACTS]:
                old.unlink(missing_ok=True)


def artifact_name(at: str, job_id: str, attempt: int) -> str:
    """A name that sorts by time: ``at`` (RFC 3339), the job and the attempt, other characters left out."""
    plain = ["".join(char for char in part if char.isascii() and (char.isalnum() or char == "_")) for part in (at, job_id)]
    return "-".join((*plain, str(attempt)))


def render(exchanges: Sequence[Exchange], redact: Callable[[str], str]) -> str:
    """The exchanges of one attempt as JSON, every text redacted."""
    return json.dumps([_exchange(each, redact) for each in exchanges], ensure_ascii=False, indent=1)


def _exchange(exchange: Exchange, redact: Callable[[str], str]) -> Json:
    conversation = exchange.conversation
    return {
        "request": {
            "system": redact(conversation.system),
            "user": redact(conversation.user),
            "rounds": [
                {"results": [redact(result) for result in each.results], "note": each.note} for each in conversation.rounds
            ],
        },
        "response": {"error": exchange.error} if exchange.answer is None else _response(exchange.answer, redact),
    }


def _response(answer: Answer, redact: Callable[[str], str]) -> Json:
    return {
        "rung": answer.rung,
        "problem": answer.problem,
        "calls": [
            {"tool": redact(call.name), "arguments": redact(json.dumps(call.arguments, ensure_ascii=False))}
            for call in answer.calls
        ],
        "usage": {"prompt_tokens": answer.usage.prompt_tokens, "completion_tokens": answer.usage.completion_tokens},
    }
