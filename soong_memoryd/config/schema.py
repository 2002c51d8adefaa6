"""What can be set, with types, bounds, defaults and one sentence each: the table behind ``memoryd.toml`` and its reference.

Owns: the settings as immutable values. Must not know files, the environment (``load.py``) or providers (``llm/presets.py``).
A field of ``ModelSettings`` that is None was left out: profiles inherit it, then the provider's preset decides.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from soong_memoryd.config.base_url import base_url_problem

Seconds = Annotated[int, Field(ge=1, le=31_536_000)]
Milliseconds = Annotated[int, Field(ge=1, le=3_600_000)]
Tokens = Annotated[int, Field(ge=1, le=100_000_000)]
Line = Annotated[str, Field(min_length=1, max_length=500, pattern=r"^[^\x00-\x1f\x7f]+$")]
VariableName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")]


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error:
        raise ValueError("must be a regular expression") from None
    return pattern


Pattern = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_compiles)]
Patterns = Annotated[tuple[Pattern, ...], Field(strict=False)]


class _Table(BaseModel):
    """One table of a config file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)


class RetrySettings(_Table):
    """How often a failed call is tried again, within the time of one call."""

    max_attempts: int = Field(3, ge=1, le=10, description="Calls at most, the first included.")
    initial_backoff_ms: Milliseconds = Field(500, description="Wait before the second call; doubled before each further one.")
    max_backoff_ms: Milliseconds = Field(8000, description="The longest wait; a longer Retry-After ends the call.")


class ModelSettings(_Table):
    """A model behind a provider: [model], [model_profiles.NAME], or an inline table."""

    provider: Line | None = Field(None, description="A provider preset, openai-compatible, or builtin (no network).")
    name: Line | None = Field(None, description="The model's name at the provider.")
    base_url: Line | None = Field(None, description="https, loopback, or http in the LAN with allow_insecure_http.")
    api_key_env: VariableName | None = Field(None, description="The variable (or line of memoryd/env) with the key.")
    api_key_file: Line | None = Field(None, description="A file of mode 0600 that holds the key and nothing else.")
    context_window: int | None = Field(None, ge=2048, le=100_000_000, description="Tokens of prompt and answer together.")
    max_output_tokens: int | None = Field(None, ge=256, le=1_000_000, description="Tokens of an answer at most.")
    temperature: Annotated[float, Field(ge=0, le=2)] | Literal["omit"] | None = Field(
        None, description='Sampling temperature, or "omit" to send none.'
    )
    timeout_ms: Milliseconds | None = Field(None, description="Time for one call, retries included.")
    retry: RetrySettings | None = Field(None, description="{ max_attempts, initial_backoff_ms, max_backoff_ms }")
    allow_insecure_http: bool | None = Field(None, description="Allow plain http to a private address or a host of the LAN.")
    structured_output: Literal["auto", "tools", "json_schema", "json_object", "plain"] | None = Field(
        None, description="Where the ladder of answer forms begins; auto remembers what the endpoint understands."
    )
    max_tokens_field: Literal["auto", "max_tokens", "max_completion_tokens"] | None = Field(
        None, description="The request field for max_output_tokens."
    )
    extra_body: dict[str, Any] | None = Field(None, description="Further request fields, such as a switch for thinking.")

    def problem(self) -> tuple[str, str] | None:
        """(key, what is wrong) for rules that span several keys."""
        if self.base_url is not None:
            wrong = base_url_problem(self.base_url, allow_insecure_http=bool(self.allow_insecure_http))
            if wrong:
                return "base_url", wrong
        if self.api_key_env and self.api_key_file:
            return "api_key_file", "give api_key_env or api_key_file, not both"
        return None


class MemorySettings(_Table):
    """[memory]: when to look, how much to recall, how long to keep."""

    enabled: bool = Field(True, description="Extract memories from what the user types.")
    extract_model_profile: Line | ModelSettings | None = Field(None, description="Model of extraction jobs; unset: [model].")
    recall_model_profile: Line | ModelSettings | None = Field(None, description="Model of the recall selector; unset: [model].")
    extract_every_messages: int = Field(32, ge=1, le=100_000, description="Unscanned root user messages that start a job.")
    extract_every_tokens: Tokens = Field(12_000, description="Unscanned tokens (estimated) that start a job.")
    idle_seconds: int = Field(120, ge=0, le=31_536_000, description="Quiet time after a run before a job starts.")
    recall_top_k: int = Field(5, ge=1, le=100, description="Memories recalled at most.")
    memory_context_token_budget: Tokens = Field(6000, description="Tokens of recalled memories at most.")
    catalog_max_tokens: Tokens = Field(4000, description="Tokens of MEMORY.md at most.")
    recall_fallback: Literal["lexical", "none"] = Field("lexical", description="What recall does without a usable model.")
    node_retention_days: int = Field(30, ge=1, le=36_500, description="Days until the text of scanned nodes is removed.")
    run_timeout_seconds: Seconds = Field(1800, description="A run without any activity for this long is abandoned.")
    max_tokens_per_day: int = Field(0, ge=0, le=1_000_000_000_000, description="Model tokens a day at most; 0: no limit.")
    allow_remote_model: bool = Field(False, description="Consent to a remote memory model while the main model is local.")
    recall_timeout_ms: Milliseconds = Field(15_000, description="Time for the recall selector before the lexical choice.")
    debug: bool = Field(False, description="Keep redacted prompts and answers in memoryd/debug.")


class SecretsSettings(_Table):
    """[secrets]: what the secret finder should know besides its own rules."""

    patterns: Patterns = Field((), description="Regular expressions to treat as secret.")
    allow: Patterns = Field((), description="Regular expressions to leave alone.")


class ServerSettings(_Table):
    """[server]: limits of the socket."""

    max_message_bytes: int = Field(1_048_576, ge=65_536, le=16_777_216, description="Bytes of one message at most.")


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that is configured. ``model`` is None while no main model is; ``model_profiles`` are the named ones.

    ``origins`` says per dotted key that was set where from: ``memoryd.toml:7``, ``config.toml:3``, the variable's
    name, ``flag``. ``warnings`` are sentences for status and log.
    """

    model: ModelSettings | None
    model_profiles: Mapping[str, ModelSettings]
    memory: MemorySettings
    secrets: SecretsSettings
    server: ServerSettings
    origins: Mapping[str, str]
    warnings: tuple[str, ...] = ()

    def origin(self, key: str) -> str:
        """Where a dotted key's value comes from; ``default`` when nobody set it."""
        return self.origins.get(key, "default")
