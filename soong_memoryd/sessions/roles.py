"""Which kind of agent may do what. Pure.

Owns: the kinds and ``MAY``. Must not know who registered whom. Kinds are told by the agent core when it registers an agent,
never by a model, and never change afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

MAIN, SUB, FORK, WORKER, COMPACT = "main", "sub", "fork", "worker", "compact"
KINDS = (MAIN, SUB, FORK, WORKER, COMPACT)
EVERYONE = frozenset(KINDS)

MAY: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "append": EVERYONE,
        "run": EVERYONE,
        "schedule": frozenset({MAIN}),  # the end of a run decides whether to look
        "be_source": frozenset({MAIN}),  # a typed message of this agent may become a memory
        "recall": frozenset({MAIN}),  # a compacting fork recalls nothing new: it sums up what was visible
        "catalog": frozenset({MAIN}),
    }
)


def may(kind: str, deed: str) -> bool:
    """Whether an agent of this kind may do a deed of ``MAY``."""
    return kind in MAY[deed]
