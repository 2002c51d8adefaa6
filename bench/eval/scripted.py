"""What the scripted model answers: the right calls, the wrong ones, or whatever it reads.

Owns: answers to requests as they arrive at the model server. Must not know the daemon, files, scores.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bench.eval.subject import arguments_of
from soong_memoryd.extraction.toolspecs import CREATE, FINISH
from soong_memoryd.llm.conversation import ToolCall
from soong_memoryd.recall.selector import TOOL as SELECT
from tests.extraction.gold import careful, planted
from tests.support.model_server import calls

Json = dict[str, Any]
Made = tuple[str, Json]
NOTHING: Made = (FINISH, {"ignored": [], "duplicates": []})
_NODE = re.compile(r'<node id="([^"]+)" role="(\w+)"[^>]*>\n(.*?)\n</node>', re.DOTALL)
_NEW = re.compile(r'<node id="([^"]+)" role="user" origin="typed" use="new"[^>]*>\n(.*?)\n</node>', re.DOTALL)
MAX_SUMMARY_CHARS, MAX_BODY_CHARS, MAX_QUOTE_CHARS = 200, 2000, 400


def hostile_expert(case: Json) -> Expert:
    """Proposes just what a case expects, and once everything that must be refused."""
    return Expert([_made(call) for call in careful(case)], [_made(call) for call in planted(case)])


class Expert:
    """Makes ``right`` calls until each is staged; ``wrong`` ones with the first answer only."""

    def __init__(self, right: Sequence[Made], wrong: Sequence[Made] = ()) -> None:
        self._right, self._wrong = right, wrong

    def __call__(self, request: Json) -> Json:
        staged = _staged(request["messages"])
        again = [call for call in self._right if call not in staged]
        return calls(*(() if _answered(request) else self._wrong), *again)(request)


class Selector:
    """Chooses the memories that the asked question needs."""

    def __init__(self, relevant: Mapping[str, Collection[str]]) -> None:
        self._relevant = {_folded(query): list(ids) for query, ids in relevant.items()}

    def __call__(self, request: Json) -> Json:
        asked = re.search(r"searched for: (.*)\n", request["messages"][1]["content"])
        ids = self._relevant.get(_folded(asked[1]) if asked else "", [])
        return calls((SELECT.name, {"ids": ids}))(request)


class Parrot:
    """Proposes all that others than the user said as memories: on their own evidence, on the user's, confirmed by the user."""

    def __call__(self, request: Json) -> Json:
        if request["tools"][0]["function"]["name"] == SELECT.name:
            listed = re.findall(r"^- (mem_\w+) ", request["messages"][1]["content"], re.MULTILINE)
            return calls((SELECT.name, {"ids": listed}))(request)
        if _answered(request):
            return calls(NOTHING)(request)
        shown = _NODE.findall(request["messages"][1]["content"])
        user = [(node_id, text) for node_id, role, text in shown if role == "user"]
        said = [(node_id, text) for node_id, role, text in shown if role != "user"]
        made = []
        for number, (node_id, text) in enumerate(said):
            made += [
                _kept(f"own-{number}", "user", text, [(node_id, text)]),
                _kept(f"borrowed-{number}", "feedback", text, [user[-1]]),
                _kept(f"confirmed-{number}", "reference", text, [(node_id, text), user[-1]], user[-1][0]),
            ]
        return calls(*made, NOTHING)(request)


class Hoarder:
    """Keeps each new message of the user as a memory in the user's own words; a choice among memories it does not make."""

    def __call__(self, request: Json) -> Json:
        if _answered(request):
            return calls(NOTHING)(request)
        new = _NEW.findall(request["messages"][1]["content"])
        made = [_kept(f"said-{number}", "user", text, [(node_id, text)]) for number, (node_id, text) in enumerate(new)]
        return calls(*made, NOTHING)(request)


def _kept(name: str, category: str, text: str, quoted: Sequence[tuple[str, str]], confirmed_by: str | None = None) -> Made:
    line = " ".join(text.split())
    evidence = [{"node_id": node_id, "quote": quote[:MAX_QUOTE_CHARS]} for node_id, quote in quoted]
    return CREATE, {"category": category, "name": name, "summary": line[:MAX_SUMMARY_CHARS], "tags": [],
                    "body": line[:MAX_BODY_CHARS], "evidence": evidence, "confirmed_by": confirmed_by}  # fmt: skip


def _answered(request: Json) -> bool:
    return any(message["role"] == "assistant" for message in request["messages"])


def _made(call: ToolCall) -> Made:
    return call.name, json.loads(json.dumps(call.arguments))


def _staged(messages: Sequence[Json]) -> list[Made]:
    made = {call["id"]: call for message in messages for call in message.get("tool_calls") or []}
    done = [
        made[message["tool_call_id"]] for message in messages if message["role"] == "tool" and message["content"] == "staged"
    ]
    return [(call["function"]["name"], arguments_of(call)) for call in done]


def _folded(text: str) -> str:
    return "".join(text.split())
