"""The forms in which a model can be asked for calls, best first, and what an endpoint turned out to understand.

Owns: the rungs and the immutable state of one endpoint. Must not know how a refusal is recognised (``refusals.py``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

TOOLS, JSON_SCHEMA, JSON_OBJECT, PLAIN = RUNGS = ("tools", "json_schema", "json_object", "plain")

SWAP_TOKEN_FIELD = "swap_token_field"  # noqa: S105
NO_TEMPERATURE = "no_temperature"
NO_FORCED_CHOICE = "no_forced_choice"
NO_STRICT = "no_strict"
NO_EXTRA_BODY = "no_extra_body"
FIXES = frozenset({SWAP_TOKEN_FIELD, NO_TEMPERATURE, NO_FORCED_CHOICE, NO_STRICT, NO_EXTRA_BODY})


@dataclass(frozen=True, slots=True)
class Learned:
    """What one endpoint and model understand: the rung to ask on, and the parameters that had to be mended."""

    rung: str
    fixes: frozenset[str] = frozenset()

    def step_down(self) -> Learned | None:
        """The next rung, or None at the foot of the ladder."""
        at = RUNGS.index(self.rung) + 1
        return replace(self, rung=RUNGS[at]) if at < len(RUNGS) else None

    def with_fix(self, fix: str) -> Learned | None:
        """With one more parameter mended, or None when that was tried already."""
        return None if fix in self.fixes else replace(self, fixes=self.fixes | {fix})
