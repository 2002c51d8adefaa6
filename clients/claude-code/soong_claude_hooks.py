"""From hook events of Claude Code to calls of the daemon.

Owns: what each event means, and the ids that make its calls repeatable. Must not know: files, sockets. Pure, but for the
id of a prompt that came without one.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from soong_claude_transcript import MAIN_AGENT, SESSION_PREFIX, Calls
from soong_memory_client import calls
from soong_memory_client.nodes import build_node


def hook_calls(event: Mapping[str, Any]) -> Calls:
    """The calls that a hook event stands for; none for sub agents, and for events that mean nothing here."""
    make = HOOKS.get(str(event.get("hook_event_name")))
    native = event.get("session_id")
    if make is None or not native or event.get("agent_id"):
        return []
    session_id = f"{SESSION_PREFIX}{native}"
    title = str(event["session_title"])[:200] if event.get("session_title") else None
    return [calls.session_open(session_id, MAIN_AGENT, title), *make(session_id, event)]


def _session_start(session_id: str, event: Mapping[str, Any]) -> Calls:
    return []


def _user_prompt_submit(session_id: str, event: Mapping[str, Any]) -> Calls:
    prompt = str(event.get("prompt") or "")
    if not prompt.strip():
        return []
    run_id = str(event.get("prompt_id") or os.urandom(12).hex())
    # older versions do not say who typed; then it is the user, because sub agents are out already
    origin = "typed" if event.get("source") in (None, "user") else "synthetic"
    node = build_node(f"{run_id}:u", "user_message", prompt, origin=origin, run_id=run_id)
    return [calls.run_started(session_id, run_id), calls.append(session_id, [node])]


def _stop(session_id: str, event: Mapping[str, Any]) -> Calls:
    return [*_answer(session_id, event), *_run_completed(session_id, event, "completed")]


def _stop_failure(session_id: str, event: Mapping[str, Any]) -> Calls:
    return [*_answer(session_id, event), *_run_completed(session_id, event, "failed")]


def _answer(session_id: str, event: Mapping[str, Any]) -> Calls:
    text, run_id = str(event.get("last_assistant_message") or ""), event.get("prompt_id")
    if not text.strip():
        return []
    node_id = f"{run_id or event['session_id']}:a{_mark(text)}"  # a prompt may stop several times, with other words
    return [calls.append(session_id, [build_node(node_id, "assistant_message", text, run_id=run_id)])]


def _run_completed(session_id: str, event: Mapping[str, Any], status: str) -> Calls:
    # without the prompt's id the run stays open: the next prompt, or the daemon's run timeout, ends it
    return [calls.run_completed(session_id, event["prompt_id"], status)] if event.get("prompt_id") else []


def _post_compact(session_id: str, event: Mapping[str, Any]) -> Calls:
    summary = str(event.get("compact_summary") or "")
    if not summary.strip():
        return []
    return [calls.append(session_id, [build_node(f"{event['session_id']}:c{_mark(summary)}", "compact_summary", summary)])]


def _session_end(session_id: str, event: Mapping[str, Any]) -> Calls:
    return [calls.session_close(session_id)]


def _mark(text: str) -> str:
    return f"{zlib.crc32(text.encode('utf-8', 'replace')):08x}"


HOOKS: Mapping[str, Callable[[str, Mapping[str, Any]], Calls]] = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _user_prompt_submit,
    "Stop": _stop,
    "StopFailure": _stop_failure,
    "PostCompact": _post_compact,
    "SessionEnd": _session_end,
}
