"""The config as each room wants it, and the secret finder that follows the config.

Owns: the translation. Must not know where the config came from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from soong_memoryd.config.schema import Config
from soong_memoryd.recall.recall import RecallSettings
from soong_memoryd.sessions.waiting import SchedulePolicy
from soong_memoryd.text.secrets.finder import SecretFinder


def schedule_policy(config: Config) -> SchedulePolicy:
    """What the triggers and the schedule need."""
    memory = config.memory
    return SchedulePolicy(
        enabled=memory.enabled,
        extract_every_messages=memory.extract_every_messages,
        extract_every_tokens=memory.extract_every_tokens,
        idle_seconds=memory.idle_seconds,
        run_timeout_seconds=memory.run_timeout_seconds,
    )


def recall_settings(config: Config) -> RecallSettings:
    """What a recall needs."""
    memory = config.memory
    return RecallSettings(
        top_k=memory.recall_top_k,
        budget_tokens=memory.memory_context_token_budget,
        timeout_seconds=memory.recall_timeout_ms / 1000,
        fallback=memory.recall_fallback,
    )


class Secrets:
    """The secret finder in force. It is handed out once; a reload changes what it finds, and everybody sees it."""

    def __init__(self) -> None:
        self._finder = SecretFinder()

    def configure(self, config: Config, known_values: Sequence[str]) -> None:
        """Take the patterns of a config, and the keys that the daemon itself holds."""
        self._finder = SecretFinder(config.secrets.patterns, config.secrets.allow, known_values)

    def redact(self, text: str) -> str:
        """See ``SecretFinder.redact``."""
        return self._finder.redact(text)

    def redact_value(self, value: Any) -> Any:
        """See ``SecretFinder.redact_value``."""
        return self._finder.redact_value(value)

    def refusal(self, text: str) -> str | None:
        """See ``SecretFinder.refusal``."""
        return self._finder.refusal(text)
