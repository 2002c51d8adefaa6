"""When to try a failed call again.

Owns: the waiting time. Must not know clocks, randomness or HTTP: jitter and headers come in as values.
"""

from __future__ import annotations

from soong_memoryd.config.schema import RetrySettings


def wait_seconds(attempt: int, retry: RetrySettings, retry_after_seconds: float | None, jitter: float) -> float | None:
    """Seconds to wait after failed call number ``attempt`` (from 1), or None to give up.

    Exponential, jittered from half to full (``jitter`` in 0..1), never shorter than the provider asks for. A provider
    that asks for more than ``max_backoff_ms`` is left alone: its profile pauses instead of the job.
    """
    if attempt >= retry.max_attempts:
        return None
    longest = retry.max_backoff_ms / 1000
    wanted = retry_after_seconds or 0.0
    if wanted > longest:
        return None
    backoff: float = min(longest, retry.initial_backoff_ms / 1000 * 2.0 ** (attempt - 1))
    return max(wanted, backoff * (0.5 + jitter / 2))
