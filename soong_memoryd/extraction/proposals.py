"""What a model proposed in one job and what became of it.

Owns: the value of a proposal, when two of them are the same one again, and which refusals are found before the Memory
Writer is asked. Must not know: rounds, prompts, files. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

from soong_memoryd.extraction.toolspecs import UPDATE

FORM, POLICY = "form", "policy"
OWN_REFUSALS = {  # code -> what the model is told; all of them are about form
    "unread": "merge into the whole text, which was not shown before. It follows: propose the update again.",
    "unknown_tool": "no such tool; the tools are read_memory, create_memory, update_memory and finish.",
    "schema": "the arguments do not have the shape that the tool asks for.",
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A call that wants something stored. ``node_ids``: the nodes of the window that it quotes."""

    tool: str
    memory_id: str | None
    name: str | None
    summary: str | None
    node_ids: frozenset[str]

    @property
    def is_blank(self) -> bool:
        """Nothing in it could be read that tells it from another call of its tool."""
        return not (self.memory_id or self.name or self.summary or self.node_ids)

    def likeness(self, earlier: Proposal) -> int:
        """How surely this is ``earlier`` again, mended or not; 0: it is another one.

        What names a memory counts before its summary, and that before shared evidence. A call of which nothing could be
        read may be any of its tool.
        """
        if self.tool != earlier.tool:
            return 0
        target = (self.memory_id, earlier.memory_id) if self.tool == UPDATE else (self.name, earlier.name)
        for points, (mine, other) in ((4, target), (3, (self.summary, earlier.summary))):
            if mine is not None and mine == other:
                return points
        if not self.node_ids.isdisjoint(earlier.node_ids):
            return 2
        return int(earlier.is_blank)


@dataclass(frozen=True, slots=True)
class Refused:
    """A proposal that was refused. ``mended``: it came in the place of an earlier refused one."""

    proposal: Proposal
    code: str
    kind: str
    mended: bool
