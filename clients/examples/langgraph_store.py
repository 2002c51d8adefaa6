"""soong-memoryd as a store of LangGraph: a graph reads memories and cannot write one, ``PutOp`` is refused.

Owns: what a store's operations mean here. Must not know: how memories are made (``langgraph_turns`` tells what was typed).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Any

from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, Op, PutOp, Result, SearchItem, SearchOp

from soong_memory_client import MemoryClient
from soong_memory_client.errors import MemoryClientError, RpcError

ROOT, CATEGORIES = "memories", ("user", "feedback", "reference")


class MemoriesAreTyped(NotImplementedError):
    """A graph tried to write or delete a memory."""

    def __init__(self) -> None:
        super().__init__(
            "memories come only from what the user typed: run the graph with invoke() or ainvoke() of langgraph_turns, and "
            "what the user asked to keep is kept. To take one back the user runs `soong-memoryctl forget ID`."
        )


class SoongStore(BaseStore):
    """A read-only store: namespaces ``("memories", "user" | "feedback" | "reference")``, keys are memory ids."""

    def __init__(self, memory: MemoryClient) -> None:
        self._memory = memory

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Get, search and list; with a ``PutOp`` among them nothing is done and ``MemoriesAreTyped`` raised."""
        asked = list(ops)
        if any(isinstance(op, PutOp) for op in asked):
            raise MemoriesAreTyped
        return [self._answer(op) for op in asked]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As ``batch``, beside the event loop."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _answer(self, op: Op) -> Result:
        try:
            if isinstance(op, GetOp):
                found = self._items([op.key], op.namespace)
                return found[0] if found and found[0].namespace == op.namespace else None
            if isinstance(op, SearchOp):
                return self._search(op)
            assert isinstance(op, ListNamespacesOp)  # a PutOp does not come here
            return self._namespaces(op)
        except MemoryClientError as error:  # an agent goes on without its memory
            logging.getLogger(__name__).warning("the memory was not read: %s", error.log_name)
            return None if isinstance(op, GetOp) else []

    def _search(self, op: SearchOp) -> list[SearchItem]:
        """With a query what ``memory.recall`` chooses, best first (its top K bounds it); without one the newest."""
        if op.filter:
            raise NotImplementedError("this store has no filters: search in the namespace ('memories', CATEGORY)")
        if op.query:
            chosen = [memory["id"] for memory in self._memory.recall(op.query)["recalled"]]
            found = self._items(chosen, op.namespace_prefix)[op.offset : op.offset + op.limit]
        else:
            category: dict[str, Any] = {"category": op.namespace_prefix[1]} if op.namespace_prefix[1:] else {}
            listed = self._memory.call("memory.list", limit=op.limit, offset=op.offset, **category)["memories"]
            found = self._items([memory["id"] for memory in listed], op.namespace_prefix)
        return [SearchItem(item.namespace, item.key, item.value, item.created_at, item.updated_at) for item in found]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        found: list[tuple[str, ...]] = [
            (ROOT, name) for name in CATEGORIES if self._memory.call("memory.list", category=name, limit=1)["total"]
        ]
        return found[op.offset : op.offset + op.limit]

    def _items(self, memory_ids: Iterable[str], prefix: tuple[str, ...]) -> list[Item]:
        items = []
        for memory_id in memory_ids:
            try:
                memory = self._memory.call("memory.get", memory_id=memory_id)
            except RpcError as refused:
                if refused.code == "not_found":
                    continue
                raise
            head, namespace = memory["frontmatter"], (ROOT, memory["frontmatter"]["category"])
            value = {"text": memory["body"], "summary": head["summary"], "tags": head["tags"], "path": memory["path"]}
            times = {"created_at": head["created_at"], "updated_at": head["updated_at"]}
            if namespace[: len(prefix)] == prefix:
                items.append(Item(value=value, key=memory_id, namespace=namespace, **times))
        return items
