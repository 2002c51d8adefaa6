"""Models inside the daemon under test, in the place of the embedded one: they create and update, and can be slow.

A message ``remember: <topic> is <value>, please keep that`` becomes a memory of that topic, or updates the one there is.
"""

from __future__ import annotations

import asyncio
import re
from typing import Any

from soong_memoryd.llm import builtin
from soong_memoryd.llm.conversation import Answer, Conversation, ToolCall, Usage

WISH = re.compile(r"remember: (topic-\d+) is (value-\S+), please keep that")
HANG_SECONDS = 30.0


def wish(topic: int, value: object) -> str:
    return f"remember: topic-{topic} is value-{value}, please keep that"


def install(name: str) -> None:
    """Let the embedded model think otherwise, in this process."""
    builtin.BuiltinModel.ask = _MINDS[name]  # type: ignore[method-assign]


def calls_for(conversation: Conversation) -> list[ToolCall]:
    """One create or update for each topic in the messages: the last value of each wins."""
    latest = {
        found[1]: (message.node_id, found[0], found[2])
        for message in conversation.facts.messages
        if (found := WISH.search(message.text))
    }
    known = {
        topic: memory.memory_id for memory in conversation.facts.memories for topic in re.findall(r"topic-\d+", memory.summary)
    }
    made = [_call(topic, *fact, known.get(topic)) for topic, fact in sorted(latest.items())]
    return [*made, ToolCall("finish", {"ignored": [], "duplicates": []})]


def _call(topic: str, node_id: str, quote: str, value: str, known: str | None) -> ToolCall:
    fields: dict[str, Any] = {"summary": f"{topic} is {value}", "tags": [], "body": f"{topic} is {value}."}
    fields["evidence"] = [{"node_id": node_id, "quote": quote}]
    if known is None:
        return ToolCall("create_memory", {"category": "user", "name": topic, **fields})
    return ToolCall("update_memory", {"id": known, "relation": "update", **fields})


async def _writer(_: builtin.BuiltinModel, conversation: Conversation) -> Answer:
    return Answer(tuple(calls_for(conversation)), Usage(1, 10, 10), "tools")


async def _slow_writer(model: builtin.BuiltinModel, conversation: Conversation) -> Answer:
    await asyncio.sleep(HANG_SECONDS)
    return await _writer(model, conversation)


_MINDS = {"writer": _writer, "hanging": _slow_writer}
