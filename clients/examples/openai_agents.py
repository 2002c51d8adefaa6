"""soong-memoryd in the OpenAI Agents SDK: ``run`` in the place of ``Runner.run``, ``stream`` in that of ``run_streamed``.

Owns: which items of a run are told, and as whose. Must not know: how they are sent. The agent that a run starts with is the
main agent; whoever takes over by a handoff is a sub agent.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

from agents import Agent, ItemHelpers, MessageOutputItem, Runner, RunResult, StreamEvent, Tool, ToolCallItem, function_tool
from agents.items import RunItem, ToolCallOutputItem

from soong_memory_client import AsyncMemoryClient
from soong_memory_client.aio_turns import AsyncTurn
from soong_memory_client.turns import RECALL_DESCRIPTION, RECALL_TOOL


def with_memory(instructions: str, memory: AsyncMemoryClient, session_id: str) -> Callable[..., Any]:
    """``instructions=`` of the main agent: its own words, and the catalog as it is when a model is asked."""

    async def composed(_context: Any, _agent: Agent[Any]) -> str:
        return f"{instructions}\n\n{await memory.turn(session_id, '').catalog()}"

    return composed


def recall_tool(memory: AsyncMemoryClient, session_id: str) -> Tool:
    """A tool for the main agent alone; it always answers, also while no daemon does."""

    async def recall_memory(query: str) -> str:
        return await memory.turn(session_id, "").recall(query)

    return function_tool(recall_memory, name_override=RECALL_TOOL, description_override=RECALL_DESCRIPTION)


async def run(memory: AsyncMemoryClient, session_id: str, agent: Agent[Any], text: str, **options: Any) -> RunResult:
    """``Runner.run(agent, text, **options)``, told to the daemon; ``text`` is what the person typed, and nothing else."""
    async with memory.turn(session_id, text) as turn:
        result = await Runner.run(agent, text, **options)
        tell = Teller(turn, agent)
        for item in result.new_items:
            await tell(item)
    return result


async def stream(
    memory: AsyncMemoryClient, session_id: str, agent: Agent[Any], text: str, **options: Any
) -> AsyncIterator[StreamEvent]:
    """The events of ``Runner.run_streamed``; what was said before an error is told as well."""
    async with memory.turn(session_id, text) as turn:
        tell = Teller(turn, agent)
        async for event in Runner.run_streamed(agent, text, **options).stream_events():
            if event.type == "run_item_stream_event":
                await tell(event.item)
            yield event


class Teller:
    """Tells the items of one run: answers and what tools returned; handoffs and reasoning are nothing to remember."""

    def __init__(self, turn: AsyncTurn, main: Agent[Any]) -> None:
        self._turn = turn
        self._main = main
        self._tools: dict[str | None, str] = {}

    async def __call__(self, item: RunItem) -> None:
        """Tell one item, as the agent's that made it."""
        if isinstance(item, ToolCallItem):
            self._tools[item.call_id] = item.tool_name or "tool"
        if not isinstance(item, MessageOutputItem | ToolCallOutputItem):
            return
        agent_id = None if item.agent is self._main else await self._turn.sub_agent(item.agent.name)
        if isinstance(item, MessageOutputItem):
            await self._turn.said(ItemHelpers.text_message_output(item), agent_id=agent_id)
        else:
            await self._turn.tool_result(self._tools.get(item.call_id, "tool"), str(item.output), agent_id=agent_id)
