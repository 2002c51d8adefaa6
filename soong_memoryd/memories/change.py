"""One file of a commit, whoever wants it: the Memory Writer, an edit, an undo, a deletion.

Owns: the value. Must not know: how it is committed, or why it was proposed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Operation = Literal["create", "update", "delete"]


@dataclass(frozen=True, slots=True)
class Change:
    """What is to become of one memory file.

    ``relation`` says why (``new``, ``update``, ``conflict``, or the cause of a person's change); ``path`` is relative to the
    memory directory; ``base_sha256`` is the hash of the bytes that the change was made from (None: there is no file yet);
    ``data`` the new bytes (None for a deletion); ``source_node_ids`` the nodes that this change rests on.
    """

    op: Operation
    relation: str
    memory_id: str
    path: str
    base_sha256: str | None
    data: bytes | None
    source_node_ids: tuple[str, ...] = ()
