"""soong-memoryd in LangGraph: ``SoongStore`` reads memories, ``invoke`` and ``ainvoke`` tell what a person typed to a graph.

Owns: what a store's operations mean here, and which messages are told. Must not know: how memories are made. A graph
cannot write one: ``PutOp`` is refused.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, Op, PutOp, Result, SearchItem, SearchOp

from soong_memory_client import AsyncMemoryClient, MemoryClient
from soong_memory_client.errors import MemoryClientError, RpcError
from soong_memory_client.turns import sub_agent_id

ROOT, CATEGORIES = "memories", ("user", "feedback", "reference")


class MemoriesAreTyped(NotImplementedError):
    """A graph tried to write or delete a memory."""

    def __init__(self) -> None:
        super().__init__(
            "memories come only from what the user typed: tell the turn with invoke() or ainvoke(), and what the user asked to "
            "keep is kept. To take one back the user runs `soong-memoryctl forget ID`."
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
            logging.getLogger(__name__).warning("the memory was not read: %s", error)
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


def invoke(memory: MemoryClient, thread_id: str, graph: Any, text: str, main: str | None = None, **config: Any) -> Any:
    """``graph.invoke`` of a graph over ``messages``, told to the daemon; ``text`` is what the person typed, and nothing else.

    Answers with a ``name`` other than ``main`` are a sub agent's.
    """
    with memory.turn(thread_id, text) as turn:
        state = graph.invoke({"messages": [HumanMessage(text, id=turn.node_id)]}, _with_thread(config, thread_id))
        for report, words, fields in reports(state["messages"], turn.node_id, main):
            getattr(turn, report)(*words, **fields)
    return state


async def ainvoke(
    memory: AsyncMemoryClient, thread_id: str, graph: Any, text: str, main: str | None = None, **config: Any
) -> Any:
    """``invoke`` with ``graph.ainvoke``."""
    async with memory.turn(thread_id, text) as turn:
        state = await graph.ainvoke({"messages": [HumanMessage(text, id=turn.node_id)]}, _with_thread(config, thread_id))
        for report, words, fields in reports(state["messages"], turn.node_id, main):
            await getattr(turn, report)(*words, **fields)
    return state


def reports(messages: list[Any], node_id: str, main: str | None) -> Iterator[tuple[str, tuple[str, ...], dict[str, Any]]]:
    """What came after the typed message, as calls of a turn. A ``HumanMessage`` that a graph made is no one's: not told."""
    ids = [message.id for message in messages]
    for message in messages[ids.index(node_id) + 1 :] if node_id in ids else messages[-1:]:
        fields: dict[str, Any] = {"node_id": message.id}
        if isinstance(message, AIMessage):
            if message.name and message.name != main:
                yield "sub_agent", (message.name,), {}
                fields["agent_id"] = sub_agent_id(message.name)
            yield "said", (message.text,), fields
        elif isinstance(message, ToolMessage):
            yield "tool_result", (message.name or "tool", message.text), {**fields, "failed": message.status == "error"}


def _with_thread(config: dict[str, Any], thread_id: str) -> dict[str, Any]:
    return {**config, "configurable": {"thread_id": thread_id, **config.get("configurable", {})}}
