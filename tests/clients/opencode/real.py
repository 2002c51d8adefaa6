"""The real opencode with the plugin and the server that ``connect`` writes down, a real daemon, and a scripted model.

    make test-opencode        installs opencode, its plugin types and typescript beside the virtual environment, then runs this

Owns: what opencode itself must do with us; apart from ``make test``, since it needs npm's registry and 400 MB. The plugin is
also checked against the types that opencode publishes.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support.daemon import ROOT, DaemonProcess

SECONDS = 120.0
WISH = "Remember: I always use uv, never pip, to install packages."
RECALL = "soong-memory_recall_memory"
STRICT = {"strict": True, "allowJs": True, "checkJs": True, "noEmit": True, "skipLibCheck": True, "types": ["node"]}
TARGET = {"target": "es2023", "lib": ["es2024"], "module": "nodenext", "moduleResolution": "nodenext"}


def main(packages: Path) -> int:
    check_types(packages)
    with tempfile.TemporaryDirectory(prefix="soong-opencode-") as directory:
        play(packages, Path(directory))
    print("opencode tells the daemon what is said, has the catalog, recalls, and keeps sub agents out")
    return 0


def check_types(packages: Path) -> None:
    """The plugin and the Node client against the published types."""
    # the file itself: what is found by ``paths`` is not looked up in a package's exports
    paths = {"@opencode-ai/*": [str(packages / "node_modules/@opencode-ai/*/dist/index.d.ts")]}
    options = {**STRICT, **TARGET, "typeRoots": [str(packages / "node_modules/@types")], "paths": paths}
    files = [str(ROOT / "clients/opencode/soong-memory.js"), str(ROOT / "clients/node/index.js")]
    config = packages / "tsconfig.json"
    config.write_text(json.dumps({"compilerOptions": options, "files": files}), encoding="utf-8")
    done = subprocess.run(["node", packages / "node_modules/typescript/bin/tsc", "-p", config], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    print("types: as @opencode-ai/plugin publishes them")


def play(packages: Path, place: Path) -> None:
    """One session is told something, the next one knows it, its sub agent may not ask."""
    project = place / "project"
    project.mkdir()
    env = {**os.environ, "HOME": str(place), "SOONG_AGENT_HOME": str(place / "home"), "OPENCODE_DISABLE_MODELS_FETCH": "1"}
    env["OPENCODE_DISABLE_AUTOUPDATE"] = "1"
    for name in (
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "XDG_CACHE_HOME",
        "OPENCODE_CONFIG_DIR",
        "OPENCODE_CONFIG",
    ):
        env.pop(name, None)
    with DaemonProcess(place / "home") as daemon, Model() as model:
        configure(place, model.url)
        subprocess.run([sys.executable, "-m", "soong_memoryd.cli.ctl", "connect", "opencode"], check=True, env=env, cwd=ROOT)
        with Served(packages, project, env) as opencode, daemon.client() as client:
            opencode.say(opencode.session(), WISH)
            until(lambda: client.call("memory.list")["total"] == 1, "a memory of what was typed")
            told = opencode.session()
            said = opencode.say(told, "USE-RECALL")
            assert "uv" in said, said
            assert any("mem_" in json.dumps(request["messages"][:2]) for request in model.requests), "no catalog in a prompt"
            recalled = client.call("events.list", type="memory_recalled")["events"]
            assert [event["session_id"] for event in recalled] == [f"opencode:{told}"], recalled
            opencode.say(told, "USE-TASK")
            assert "is for the main agent" in json.dumps(model.requests), "a sub agent was not refused"
            assert not any(
                name.suffix == ".jsonl" and name.stat().st_size for name in (place / "home/memoryd/outbox").iterdir()
            )


def configure(home: Path, url: str) -> None:
    """opencode's own settings: a provider that is our scripted model."""
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": url, "apiKey": "none"},
        "models": {"m": {"name": "m", "limit": {"context": 100_000, "output": 4096}}},
    }
    settings = {"autoupdate": False, "share": "disabled", "model": "scripted/m", "small_model": "scripted/m"}
    path = home / ".config" / "opencode" / "opencode.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({**settings, "provider": {"scripted": provider}}, indent=2), encoding="utf-8")


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait for it."""
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline, f"{what} did not come"
        time.sleep(0.1)


class Served:
    """``opencode serve``, spoken to as its own clients do."""

    def __init__(self, packages: Path, project: Path, env: dict[str, str]) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._url = f"http://127.0.0.1:{port}"
        command = [str(packages / "node_modules/.bin/opencode"), "serve", "--port", str(port)]
        nothing = subprocess.DEVNULL
        env = {**env, "PWD": str(project)}  # opencode believes it before its working directory
        self._process = subprocess.Popen(command, cwd=project, env=env, stdin=nothing, stdout=nothing, stderr=nothing)

    def session(self) -> str:
        return str(self._post("/session", {})["id"])

    def say(self, session: str, text: str) -> str:
        """A prompt to its end; all messages of the session as one text."""
        self._post(f"/session/{session}/message", {"parts": [{"type": "text", "text": text}]})
        return json.dumps(self._ask(f"/session/{session}/message"), ensure_ascii=False)

    def _post(self, path: str, body: Any) -> Any:
        return self._ask(path, json.dumps(body).encode())

    def _ask(self, path: str, data: bytes | None = None, seconds: float = SECONDS) -> Any:
        asked = urllib.request.Request(self._url + path, data=data, headers={"content-type": "application/json"})
        with urllib.request.urlopen(asked, timeout=seconds) as answered:
            return json.loads(answered.read())

    def _is_up(self) -> bool:
        assert self._process.poll() is None, "opencode ended"
        try:
            self._ask("/session", seconds=5)
        except (urllib.error.URLError, TimeoutError):
            return False
        return True

    def __enter__(self) -> Served:
        try:
            until(self._is_up, "opencode's server")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(20)


class Model:
    """Streams what the prompt asks for: a tool call for ``USE-RECALL`` and ``USE-TASK``, else a word."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["content-length"])))
                model.requests.append(request)
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                for delta, finish in model.answer(request):
                    choice = {"index": 0, "delta": delta, "finish_reason": finish}
                    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
                    self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
                self.wfile.write(b"data: [DONE]\n\n")

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def answer(self, request: dict[str, Any]) -> list[tuple[dict[str, Any], str | None]]:
        last = request["messages"][-1]
        tools = {tool["function"]["name"] for tool in request.get("tools", [])}
        brief = {"description": "look", "prompt": "USE-RECALL as a sub agent", "subagent_type": "general"}
        asked = re.search("USE-(RECALL|TASK)", json.dumps(last["content"]) if last["role"] == "user" and tools else "")
        if asked is None:
            return [({"role": "assistant", "content": "Fine."}, None), ({}, "stop")]
        name, arguments = (RECALL, {"query": "install packages"}) if asked[1] == "RECALL" else ("task", brief)
        function = {"name": name, "arguments": json.dumps(arguments)}
        made = {"tool_calls": [{"index": 0, "id": f"call_{len(self.requests)}", "type": "function", "function": function}]}
        return [({"role": "assistant", **made}, None), ({}, "tool_calls")]

    def __enter__(self) -> Model:
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
