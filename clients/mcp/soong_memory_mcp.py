"""An MCP server on stdin and stdout: what an agent without hooks of ours can ask of the daemon.

    python3 -I -S /abs/soong_memory_mcp.py [--home DIR] [--socket PATH]        (or: soong-memoryctl mcp)

Owns: the methods of the Model Context Protocol, its versions, and which session the questions belong to. Must not know: how
memories are chosen. Nothing here writes a memory, and nothing starts the daemon. Standard library and soong_memory_client,
which lies beside this file when installed and in ``../python`` in a checkout.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO

if __name__ == "__main__":
    _HERE = os.path.dirname(os.path.abspath(__file__))
    sys.path += [_HERE, os.path.join(os.path.dirname(_HERE), "python")]  # -I and -S leave both out; last: shadows nothing

from soong_memory_client.client import MemoryClient
from soong_memory_client.errors import DaemonUnavailable, MemoryClientError, RpcError
from soong_memory_client.notes import harness_process, session_of
from soong_memory_client.paths import home_path
from soong_memory_client.wire import Json
from soong_memory_mcp_offer import (
    CATALOG,
    CATALOG_URI,
    INSTRUCTIONS,
    MEMORY_URI,
    PROMPTS,
    SERVER,
    TEMPLATE,
    TOOL,
    VERSIONS,
)

SESSION_VARIABLES = (
    "SOONG_MEMORY_SESSION",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_SESSION_ID",
    "CODEX_THREAD_ID",
    "GEMINI_SESSION_ID",
)
PREFIXES = {"CLAUDE": "claude-code:", "CODEX": "codex:", "GEMINI": "gemini:"}
CALL_SECONDS = 60.0  # a model may choose the memories
MAX_QUERY_CHARS = 4000
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS, NO_RESOURCE = -32700, -32600, -32601, -32602, -32002
NOT_RUNNING = (
    "The memory daemon is not running, so nothing can be recalled. The user can start it: soong-memoryctl service start"
)


class Refused(Exception):
    """A request that is answered with a JSON-RPC error."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(text)
        self.number = number


class Server:
    """Answers one client; ``session`` names the session that its questions belong to, None when it is not known."""

    def __init__(self, client: MemoryClient, session: Callable[[], str | None]) -> None:
        self._client = client
        self._session = session
        self._methods: Mapping[str, Callable[[Json], Json]] = {
            "initialize": self._initialize,
            "ping": lambda params: {},
            "tools/list": lambda params: {"tools": [TOOL]},
            "tools/call": self._call_tool,
            "resources/list": lambda params: {"resources": [CATALOG]},
            "resources/templates/list": lambda params: {"resourceTemplates": [TEMPLATE]},
            "resources/read": self._read,
            "prompts/list": lambda params: {"prompts": [prompt.listed(name) for name, prompt in PROMPTS.items()]},
            "prompts/get": self._prompt,
        }

    def serve(self, lines: BinaryIO, out: BinaryIO) -> None:
        """One JSON message a line until the input ends; notifications and answers of the client get no reply."""
        for line in lines:
            if line.strip() and (reply := self.reply(line)) is not None:
                out.write(json.dumps(reply, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
                out.flush()

    def reply(self, line: bytes) -> Json | list[Json] | None:
        """The reply to one line; protocol 2025-03-26 also sends several messages as an array."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return _error(None, PARSE_ERROR, "this is no JSON")
        if isinstance(message, list) and message:
            return [reply for one in message if (reply := self._answer(one)) is not None] or None
        return self._answer(message)

    def _answer(self, message: Any) -> Json | None:
        if not isinstance(message, dict) or not isinstance(message.get("method", ""), str):
            return _error(None, INVALID_REQUEST, "a message is a JSON object")
        if "method" not in message or "id" not in message:
            return None
        method, params = self._methods.get(message["method"]), message.get("params")
        if method is None:
            return _error(message["id"], NO_METHOD, "there is no such method")
        try:
            result = method(params if isinstance(params, dict) else {})
        except Refused as refused:
            return _error(message["id"], refused.number, str(refused))
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}

    def _initialize(self, params: Json) -> Json:
        asked = params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
            "serverInfo": SERVER,
            "instructions": INSTRUCTIONS,
        }

    def _call_tool(self, params: Json) -> Json:
        if params.get("name") != TOOL["name"]:
            raise Refused(INVALID_PARAMS, "there is no such tool")
        given = params.get("arguments")
        query, top_k = (given.get("query"), given.get("top_k")) if isinstance(given, dict) else (None, None)
        if not isinstance(query, str) or not query.strip():
            return _said("query: a text is needed", failed=True)
        if top_k is not None and (not isinstance(top_k, int) or isinstance(top_k, bool) or top_k < 1):
            return _said("top_k: a number from 1 on", failed=True)
        try:
            recalled = self._recall(query[:MAX_QUERY_CHARS], {} if top_k is None else {"top_k": top_k})
        except DaemonUnavailable:
            return _said(NOT_RUNNING, failed=True)
        except MemoryClientError as error:
            return _said(f"The memory daemon refused: {error}", failed=True)
        if recalled["message"]:
            return _said(recalled["message"]["content"])
        if recalled["already_recalled"]:
            return _said(f"Already in this conversation: {', '.join(recalled['already_recalled'])}")
        return _said("No memory matters for this question.")

    def _recall(self, query: str, options: Json) -> Any:
        session_id = self._session()
        if session_id is not None:
            try:
                return self._client.recall(query, session_id, **options)
            except RpcError as error:
                if error.code != "session_unknown":
                    raise
        return self._client.recall(query, **options)  # as an operator's: answered the same, remembered nowhere

    def _read(self, params: Json) -> Json:
        uri = str(params.get("uri") or "")
        try:
            if uri == CATALOG_URI:
                text = str(self._client.catalog()["text"])
            elif uri.startswith(MEMORY_URI):
                text = str(self._client.call("memory.get", memory_id=uri.removeprefix(MEMORY_URI))["body"])
            else:
                raise Refused(NO_RESOURCE, "there is no such resource")
        except DaemonUnavailable:
            raise Refused(NO_RESOURCE, NOT_RUNNING) from None
        except MemoryClientError as error:
            raise Refused(NO_RESOURCE, f"the memory daemon refused: {error}") from None
        return {"contents": [{"uri": uri, "mimeType": "text/markdown", "text": text}]}

    def _prompt(self, params: Json) -> Json:
        prompt, given = PROMPTS.get(str(params.get("name"))), params.get("arguments")
        value = given.get(prompt.argument) if prompt and isinstance(given, dict) else None
        if prompt is None or not isinstance(value, str) or not value.strip():
            raise Refused(INVALID_PARAMS, "there is no such prompt, or its argument is missing")
        content = {"type": "text", "text": prompt.text.format(value)}
        return {"description": prompt.description, "messages": [{"role": "user", "content": content}]}


def _said(text: str, *, failed: bool = False) -> Json:
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def _error(request_id: Any, number: int, text: str) -> Json:
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": number, "message": text}}


def session_from(env: Mapping[str, str]) -> str | None:
    """The session that the environment names; a harness names its own without our prefix."""
    for variable in SESSION_VARIABLES:
        if env.get(variable):
            return PREFIXES.get(variable.partition("_")[0], "") + env[variable]
    return None


def main(argv: Sequence[str]) -> int:
    """Serve until the client closes its end."""
    named = {flag: argv[argv.index(flag) + 1] for flag in ("--home", "--socket") if flag in argv[:-1]}
    home, harness = named.get("--home"), harness_process()
    with MemoryClient("mcp", home=home, socket=named.get("--socket"), timeout_seconds=CALL_SECONDS, outbox=False) as client:
        # looked up at each question: one harness goes from session to session
        Server(client, lambda: session_from(os.environ) or session_of(home_path(flag=home), harness)).serve(
            sys.stdin.buffer, sys.stdout.buffer
        )
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (KeyboardInterrupt, BrokenPipeError):
        os._exit(0)
