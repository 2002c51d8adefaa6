"""What of the chosen memories goes into the message: as many as both limits allow, and why the others do not.

Owns: the two limits, the reasons, the status of an answer. Must not know: who chose, files, sessions. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from soong_memoryd.recall.wrapper import Recallable, wrap
from soong_memoryd.text.tokens import estimate_tokens

Reason = Literal["top_k", "token_budget", "secret", "unreadable"]
Status = Literal["recalled", "already_recalled", "no_match"]


@dataclass(frozen=True, slots=True)
class Omitted:
    """A chosen memory that is not in the message, and why."""

    memory_id: str
    reason: Reason


@dataclass(slots=True)
class Packing:
    """Takes memories in the order in which they were chosen; what does not fit makes room for a smaller one after it.

    ``budget_tokens`` bounds the whole message, wrapper included, in estimated tokens.
    """

    top_k: int
    budget_tokens: int
    packed: list[Recallable] = field(default_factory=list)
    already_recalled: list[str] = field(default_factory=list)
    omitted: list[Omitted] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        """Whether no further memory can be packed, whatever its size."""
        return len(self.packed) >= self.top_k

    def offer(self, memory: Recallable) -> None:
        """Pack a memory, or note which limit is in its way."""
        if self.is_full:
            self.omit(memory.memory_id, "top_k")
        elif estimate_tokens(wrap([*self.packed, memory])) > self.budget_tokens:
            self.omit(memory.memory_id, "token_budget")
        else:
            self.packed.append(memory)

    def omit(self, memory_id: str, reason: Reason) -> None:
        """Note a chosen memory that cannot be shown."""
        self.omitted.append(Omitted(memory_id, reason))

    def skip(self, memory_id: str) -> None:
        """Note a chosen memory that the model has in view already, unchanged: it counts in neither limit."""
        self.already_recalled.append(memory_id)

    @property
    def status(self) -> Status:
        """``already_recalled`` only if that is true of every chosen memory."""
        if self.packed:
            return "recalled"
        return "already_recalled" if self.already_recalled and not self.omitted else "no_match"

    @property
    def text(self) -> str:
        """The message text of what was packed."""
        return wrap(self.packed)
