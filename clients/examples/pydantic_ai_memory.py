"""soong-memoryd in pydantic-ai: ``Agent(…, capabilities=[SoongMemory(memory)])``, and every run of it is told.

Owns: which messages of a run are told, and as whose. Must not know: how they are sent. A run inside a run is a sub agent's:
its prompt is a brief that a model wrote, not something a person typed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from pydantic_ai import AgentRunResult, FunctionToolset, ModelMessage, ModelResponse, RunContext, ToolReturnPart
from pydantic_ai.capabilities import AbstractCapability

from soong_memory_client import AsyncMemoryClient
from soong_memory_client.aio_turns import AsyncTurn
from soong_memory_client.turns import RECALL_DESCRIPTION, RECALL_TOOL

_RUNNING: ContextVar[tuple[AsyncTurn, str | None] | None] = ContextVar("soong_memory_running", default=None)
"""The turn that runs, and which sub agent does; None for the main agent."""


@dataclass
class SoongMemory(AbstractCapability[Any]):
    """The catalog in the instructions, the tool ``recall_memory``, and every run told to the daemon.

    The session is ``session_id``, else the run's ``conversation_id``, which goes on with ``message_history``.
    """

    memory: AsyncMemoryClient
    session_id: str | None = None

    def get_instructions(self) -> Callable[..., Awaitable[str]]:
        """The catalog, as it is when a model is asked."""
        return _catalog

    def get_toolset(self) -> FunctionToolset[Any]:
        """``recall_memory``, which always answers, also while no daemon does."""
        toolset: FunctionToolset[Any] = FunctionToolset()
        toolset.add_function(_recall, name=RECALL_TOOL, description=RECALL_DESCRIPTION)
        return toolset

    async def wrap_run(
        self, ctx: RunContext[Any], *, handler: Callable[[], Awaitable[AgentRunResult[Any]]]
    ) -> AgentRunResult[Any]:
        """Run, between the begin and the end of a turn."""
        prompt = (
            ctx.prompt if isinstance(ctx.prompt, str) else "\n".join(part for part in ctx.prompt or () if isinstance(part, str))
        )
        around = _RUNNING.get()
        if around is not None:
            agent_id = await around[0].sub_agent((ctx.agent and ctx.agent.name) or "agent", brief=prompt)
            return await _told(around[0], agent_id, handler)
        session_id = self.session_id or ctx.conversation_id or "pydantic-ai"
        async with self.memory.turn(session_id, prompt, run_id=ctx.run_id) as turn:
            return await _told(turn, None, handler)


async def _told(
    turn: AsyncTurn, agent_id: str | None, handler: Callable[[], Awaitable[AgentRunResult[Any]]]
) -> AgentRunResult[Any]:
    before = _RUNNING.set((turn, agent_id))
    try:
        result = await handler()
    finally:
        _RUNNING.reset(before)
    for message in result.new_messages():
        await _tell(turn, agent_id, message)
    return result


async def _tell(turn: AsyncTurn, agent_id: str | None, message: ModelMessage) -> None:
    if isinstance(message, ModelResponse):
        await turn.said(message.text or "", agent_id=agent_id)
    for part in message.parts:
        if isinstance(part, ToolReturnPart):
            await turn.tool_result(
                part.tool_name, part.model_response_str(), agent_id=agent_id, failed=part.outcome == "failed"
            )


async def _catalog() -> str:
    running = _RUNNING.get()
    return await running[0].catalog() if running and running[1] is None else ""


async def _recall(query: str) -> str:
    running = _RUNNING.get()
    return await running[0].recall(query) if running and running[1] is None else "Only the main agent recalls."
