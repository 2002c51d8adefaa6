"""soong-memoryd in LangGraph: ``invoke`` and ``ainvoke`` in the place of a graph's own tell what a person typed to it.

Owns: which messages are told, and as whose. Must not know: how they are sent, the store.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from soong_memory_client import AsyncMemoryClient, MemoryClient
from soong_memory_client.turns import sub_agent_id


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
