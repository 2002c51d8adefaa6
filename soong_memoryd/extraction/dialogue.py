"""When a model is asked again, what for, and when its answers amount to nothing.

Owns: the bounds of one attempt's talk and the verdict at its end. Must not know: calls' meaning, prompts' content, I/O. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from soong_memoryd.extraction import rules
from soong_memoryd.extraction.proposals import FORM
from soong_memoryd.extraction.tools import Workbench
from soong_memoryd.extraction.toolspecs import READ
from soong_memoryd.llm.conversation import Answer

MAX_ASKS = 3
MAX_READINGS = 2
FAILURES = {  # code -> what it means; each counts against the window
    "no_readable_call": "no call could be read in the model's answers",
    "finish_missing": "the model did not say that it was done",
    "refused_form": "a proposal was refused for its form and was not mended",
}


@dataclass(slots=True)
class Dialogue:
    """How often the model was asked so far, and for what. Rounds that only read are counted apart."""

    asks: int = 0
    readings: int = 0
    readable: bool = False
    _asked_for: set[str] = field(default_factory=set)

    @property
    def may_read(self) -> bool:
        """Whether another round of reading is allowed."""
        return self.readings < MAX_READINGS

    def next_note(self, answer: Answer, bench: Workbench) -> str | None:
        """What to ask for after this answer was applied; None when the talk is over."""
        self.readable = self.readable or any(call.arguments is not None for call in answer.calls)
        if any(call.name == READ for call in answer.calls):
            return self._after_reading(bench)
        self.asks += 1
        if self.asks >= MAX_ASKS:
            return None
        if not answer.calls and not bench.finished:
            return self._once("calls", rules.CALL_TOOLS)
        if any(refused.kind == FORM for refused in bench.fresh):
            return rules.MEND
        if bench.fresh and (note := self._once("mend", rules.MEND)):
            return note
        return None if bench.finished else self._once("finish", rules.CALL_FINISH)

    def _after_reading(self, bench: Workbench) -> str | None:
        bench.finished = False  # whoever reads has not decided yet
        if self.may_read:
            self.readings += 1
            return f"{rules.READ_FIRST} {rules.MEND}" if bench.fresh else rules.READ_FIRST
        self.asks += 1
        return rules.READ_ENOUGH if self.asks < MAX_ASKS else None

    def _once(self, what: str, note: str) -> str | None:
        if what in self._asked_for:
            return None
        self._asked_for.add(what)
        return note

    def failure(self, bench: Workbench) -> str | None:
        """A code of ``FAILURES`` when the answers may not move the cursor, None when they may."""
        if not self.readable:
            return "no_readable_call"
        if any(refused.kind == FORM for refused in bench.standing):
            return "refused_form"
        return None if bench.finished else "finish_missing"
