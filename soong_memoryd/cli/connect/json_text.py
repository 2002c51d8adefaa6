"""Our entries in the text of somebody else's JSON configuration: put in, taken out, named; everything else as it was.

Owns: what an entry of ours looks like, and that nothing else changes. Must not know: files, tools, layout (``json_splice``).
Pure.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from soong_memoryd.cli.connect.json_splice import with_content
from soong_memoryd.cli.connect.launch import HOOK_FILE, MCP_FILE, OPENCODE_FILE

Json = dict[str, Any]
SERVER_NAME = "soong-memory"
SERVER_MEMBERS = ("mcpServers", "mcp")


class Ours(NamedTuple):
    """One entry of ours in a file: ``place`` and ``name`` say where it stands, ``lines`` are its text."""

    place: str
    name: str
    lines: tuple[str, ...]


class NotOurs(ValueError):
    """The text cannot be changed safely; the message says why, without quoting it."""


def edited(text: str, edit: Callable[[Json], None]) -> str:
    """``text`` after ``edit``; what that leaves alone stays to the byte; empty when nothing is left.

    Raises:
        NotOurs: the text is no JSON object (comments are none), or names a member twice.
    """
    content, before = read(text), read(text)
    edit(content)
    if content == before:
        return text
    if not content:
        return ""
    if not text.strip():
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    after = with_content(text, before, content)
    if json.dumps(read(after)) != json.dumps(content):
        raise NotOurs("its layout is one that this does not know")
    return after


def ours(text: str) -> list[Ours]:
    """Every entry of ours that the text holds, in the order of the file: hooks, servers, plugins."""
    return [Ours(place, name, (_line(place, name, value),)) for place, name, value in _entries(read(text))]


def _entries(content: Json) -> Iterator[tuple[str, str, Any]]:
    for event, groups in _member(content, "hooks").items():
        for group in groups if isinstance(groups, list) else ():
            yield from (("hooks", event, hook) for hook in _hooks_of(group) if _is_ours(hook))
    for member in SERVER_MEMBERS:
        server = _member(content, member).get(SERVER_NAME)
        if server is not None and _is_our_server(server):
            yield member, SERVER_NAME, server
    plugins = content.get("plugin")
    for item in plugins if isinstance(plugins, list) else ():
        if _text_of(item).endswith(f"/{OPENCODE_FILE}"):
            yield "plugin", OPENCODE_FILE, item


def _line(place: str, name: str, value: Any) -> str:
    """An entry as it can be copied: the object that it stands in, and nothing else of that."""
    inside = [value] if place == "plugin" else {name: [{"hooks": [value]}] if place == "hooks" else value}
    return json.dumps({place: inside}, ensure_ascii=False)[1:-1]


def read(text: str) -> Json:
    """The object that the text holds, an empty one for an empty text; ``NotOurs`` as for ``edited``."""
    try:
        content = json.loads(text, object_pairs_hook=_once) if text.strip() else {}
    except NotOurs:
        raise
    except (ValueError, RecursionError):
        raise NotOurs("it is not plain JSON (it may have comments)") from None
    if not isinstance(content, dict):
        raise NotOurs("it is not a JSON object")
    return content


def _once(pairs: Iterable[tuple[str, Any]]) -> Json:
    members: Json = {}
    for name, value in pairs:
        if name in members:
            raise NotOurs("it names a member twice")
        members[name] = value
    return members


def put_hooks(content: Json, hooks: Mapping[str, Json]) -> None:
    """One entry of ours for each event, behind those of others; an entry that is as it should be stays where it is."""
    for event in [*_member(content, "hooks")]:
        _take_event(content, event, keep=hooks.get(event))
    for event, hook in hooks.items():
        groups = content.setdefault("hooks", {}).setdefault(event, [])
        if not isinstance(groups, list):
            raise NotOurs("its hooks have a shape that this does not know")
        if not any(_is_ours(one) for group in groups for one in _hooks_of(group)):
            groups.append({"hooks": [hook]})


def take_hooks(content: Json) -> None:
    """Remove every entry of ours, and what is empty without it."""
    for event in [*_member(content, "hooks")]:
        _take_event(content, event, keep=None)


def _take_event(content: Json, event: str, keep: Json | None) -> None:
    groups = content["hooks"][event]
    if not isinstance(groups, list):
        return
    left = []
    for group in groups:
        hooks = _hooks_of(group)
        kept = [hook for hook in hooks if not _is_ours(hook) or hook == keep]
        if kept == hooks:
            left.append(group)
        elif kept:
            left.append({**group, "hooks": kept})
    if left == groups:
        return
    content["hooks"][event] = left
    if not left:
        del content["hooks"][event]
    if not content["hooks"]:
        del content["hooks"]


def put_server(content: Json, member: str, server: Json) -> None:
    """Our MCP server below ``member``; ``NotOurs`` when somebody else's has its name."""
    servers = content.setdefault(member, {})
    if not isinstance(servers, dict):
        raise NotOurs(f"its {member} have a shape that this does not know")
    known = servers.get(SERVER_NAME)
    if known is not None and not _is_our_server(known):
        raise NotOurs(f"it has another MCP server with the name {SERVER_NAME}")
    servers[SERVER_NAME] = server


def take_server(content: Json, member: str) -> None:
    """Remove our MCP server, and ``member`` when it is empty without it."""
    servers = _member(content, member)
    if SERVER_NAME in servers and _is_our_server(servers[SERVER_NAME]):
        del servers[SERVER_NAME]
        if not servers:
            del content[member]


def put_item(content: Json, member: str, item: str | list[Any], ending: str) -> None:
    """``item`` in the list ``member``, in the place of one that ends like it: a text, or a list that begins with one."""
    take_item(content, member, ending, keep=item)
    items = content.setdefault(member, [])
    if not isinstance(items, list):
        raise NotOurs(f"its {member} has a shape that this does not know")
    if item not in items:
        items.append(item)


def take_item(content: Json, member: str, ending: str, keep: str | list[Any] | None = None) -> None:
    """Remove the items that end like that from the list ``member``, and the list when it is empty without them."""
    items = content.get(member)
    if not isinstance(items, list):
        return
    left = [item for item in items if not _text_of(item).endswith(ending) or item == keep]
    if left == items:
        return
    content[member] = left
    if not left:
        del content[member]


def _text_of(item: Any) -> str:
    first = item[0] if isinstance(item, list) and item else item
    return first if isinstance(first, str) else ""


def _member(content: Json, name: str) -> Json:
    value = content.get(name)
    return value if isinstance(value, dict) else {}


def _hooks_of(group: Any) -> list[Any]:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return hooks if isinstance(hooks, list) else []


def _is_ours(hook: Any) -> bool:
    return HOOK_FILE in json.dumps(hook)


def _is_our_server(server: Any) -> bool:
    text = json.dumps(server)
    return MCP_FILE in text or "soong-memoryctl" in text
