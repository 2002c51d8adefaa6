"""What happens to commits that a crash interrupted. Runs before the daemon says it is ready; may itself be interrupted.

Owns: the decision for each intent that the log still holds. Must not know how it came to be interrupted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from soong_memoryd.errors import CommitConflict
from soong_memoryd.memories.commit import Committer
from soong_memoryd.memories.ports import Intent, IntentLog, State


@dataclass(frozen=True, slots=True)
class Recovery:
    """What recovery did: transactions by outcome, and whether ``MEMORY.md`` had to be rewritten."""

    finished: tuple[str, ...] = ()
    rolled_back: tuple[str, ...] = ()
    catalog_healed: bool = False


_DECISIONS: Mapping[State, str] = MappingProxyType(
    {"prepared": "forward", "aborting": "back", "done": "clean", "aborted": "clean"}
)


def recover(committer: Committer, log: IntentLog) -> Recovery:
    """Finish or take back every interrupted commit, empty ``staging/``, heal the catalog.

    Raises:
        MemorydError | OSError: the disk or the database refuse; the daemon starts read-only.
    """
    finished: list[str] = []
    rolled_back: list[str] = []
    for intent in log.intents():
        decision = _DECISIONS[intent.state]
        if decision == "forward":
            (finished if _roll_forward(committer, log, intent) else rolled_back).append(intent.txn)
        elif decision == "back":
            committer.roll_back(intent)
            rolled_back.append(intent.txn)
    committer.cleaner.sweep()
    return Recovery(tuple(finished), tuple(rolled_back), committer.heal_catalog())


def _roll_forward(committer: Committer, log: IntentLog, intent: Intent) -> bool:
    try:
        committer.publish(intent)
        committer.catalog.refresh(intent.staging)
        log.finish(intent)
    except CommitConflict:
        if log.begin_abort(intent.txn) == "done":
            return True
        committer.roll_back(intent)
        return False
    committer.cleaner.clean_quietly(intent, "done")
    return True
