"""Records of a Claude Code transcript, built for tests."""

from __future__ import annotations

from typing import Any

SESSION = "5f0d3c1a-8a4e-4f57-9b0e-2c6d1e7f9a31"


def record(uuid: str, parent: str | None, role: str, content: Any, **fields: Any) -> dict[str, Any]:
    message = {"role": role, "content": content, **fields.pop("message", {})}
    return {
        "type": role,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": SESSION,
        "isSidechain": False,
        "timestamp": "2026-11-30T09:00:00.000Z",
        "message": message,
        **fields,
    }


def user(uuid: str, parent: str | None, content: Any, **fields: Any) -> dict[str, Any]:
    return record(uuid, parent, "user", content, **fields)


def assistant(uuid: str, parent: str | None, text: str, *, end: bool = True, **fields: Any) -> dict[str, Any]:
    stop = {"stop_reason": "end_turn"} if end else {}
    return record(uuid, parent, "assistant", [{"type": "text", "text": text}], message=stop, **fields)


def tool_use(uuid: str, parent: str | None, name: str, given: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return record(uuid, parent, "assistant", [{"type": "tool_use", "id": f"t-{uuid}", "name": name, "input": given}], **fields)


def tool_result(uuid: str, parent: str, text: Any, **fields: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": f"t-{parent}", "content": text, **fields.pop("block", {})}
    return record(uuid, parent, "user", [block], **fields)
