"""What the MCP server offers: its tool, resources and prompts, in the words that models and people read.

Owns: these tables. Must not know: the protocol, the daemon.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

Json = dict[str, Any]

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
SERVER = {"name": "soong-memory", "version": "1"}
CATALOG_URI = "memory://catalog"
MEMORY_URI = "memory://memory/"

INSTRUCTIONS = (
    "The user's long-term memory, shared by all of the user's agents. The resource memory://catalog lists it; recall_memory "
    "returns what matters for a question. Nothing here writes: what the user says is remembered by itself. Meant for the main "
    "agent: MCP does not say who calls, so this server cannot tell a sub agent from it."
)
TOOL: Json = {
    "name": "recall_memory",
    "title": "Recall memory",
    "description": "What the user has said before that matters for a question: preferences, standing rules, facts about the "
    "user, references. Read-only. Ask in the user's language. For the main agent only, not for sub agents.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "what you want to know"},
            "top_k": {"type": "integer", "minimum": 1, "description": "at most so many memories"},
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    "annotations": {
        "title": "Recall memory",
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    },
}
CATALOG: Json = {
    "uri": CATALOG_URI,
    "name": "catalog",
    "title": "Memory catalog",
    "description": "one line for each memory, newest first",
    "mimeType": "text/markdown",
}
TEMPLATE: Json = {
    "uriTemplate": MEMORY_URI + "{id}",
    "name": "memory",
    "title": "One memory",
    "description": "the memory with that id",
    "mimeType": "text/markdown",
}


class Prompt(NamedTuple):
    """A text for the user to send, with one argument in it."""

    argument: str
    description: str
    text: str

    def listed(self, name: str) -> Json:
        """As ``prompts/list`` shows it."""
        argument = {"name": self.argument, "description": self.description, "required": True}
        return {"name": name, "description": self.description, "arguments": [argument]}


PROMPTS: Mapping[str, Prompt] = {
    "recall": Prompt(
        "query", "ask the memory about something", "Use the tool recall_memory to find what I have told you about: {}"
    ),
    "remember": Prompt(
        "fact", "state something that is to be remembered: your own words are what is kept", "Remember this: {}"
    ),
}
