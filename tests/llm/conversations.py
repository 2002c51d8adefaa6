"""Conversations that the tests of this room share."""

from __future__ import annotations

from soong_memoryd.llm.conversation import Conversation, Round, ToolCall, ToolSpec

STRING = {"type": "string"}
QUOTE = {"type": "object", "properties": {"node_id": STRING, "quote": STRING}, "required": ["node_id", "quote"]}
CREATE = ToolSpec(
    "create_memory",
    "Store a new memory.",
    {
        "type": "object",
        "properties": {
            "name": STRING,
            "tags": {"type": "array", "items": STRING},
            "evidence": {"type": "array", "items": QUOTE},
            "confirmed_by": {"type": ["string", "null"]},
        },
        "required": ["name", "tags", "evidence", "confirmed_by"],
    },
)
FINISH = ToolSpec(
    "finish", "Say that you are done.", {"type": "object", "properties": {"ignored": {"type": "array", "items": STRING}}}
)
CHOOSE = ToolSpec(
    "choose",
    "Choose the ids that matter.",
    {"type": "object", "properties": {"ids": {"type": "array", "items": STRING}}, "required": ["ids"]},
)

TEA = {"name": "tea", "tags": ["drinks"], "evidence": [{"node_id": "n1", "quote": "I like tea"}], "confirmed_by": None}
DONE: dict[str, object] = {"ignored": []}
MADE = (("create_memory", TEA), ("finish", DONE))

SEVERAL = Conversation("You keep memories.", "[id=n1 origin=typed] I like tea 我喜欢茶", (CREATE, FINISH))
SINGLE = Conversation("You choose memories.", "[id=mem_1] tea", (CHOOSE,))
REPAIR = Conversation(
    SEVERAL.system,
    SEVERAL.user,
    SEVERAL.tools,
    rounds=(
        Round(
            (ToolCall("create_memory", TEA), ToolCall("write file/..", None, "unreadable")),
            ("staged", "refused: unknown_tool: there is no such tool"),
            "Mend what was refused, then finish.",
        ),
        Round((), (), "Call finish."),
    ),
)
