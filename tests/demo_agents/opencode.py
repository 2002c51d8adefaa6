"""opencode as it is played: the plugin and the server that ``connect`` wrote down, and what opencode calls them with.

Owns: a recorded turn with other words in it. Must not know: what is said.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.clients.opencode.play import Opencode, Step, cases, session_info
from tests.demo_agents.harness import ask_server

_numbers = itertools.count(1)
ASKED, ANSWERED = "Always use uv, never pip. 以后都用中文", "Hello there, 好的。"  # the words of the recorded turn


class OpencodeHarness:
    """opencode of the person whose home directory is ``home``; its plugin runs in a node process until ``close``."""

    name = "opencode"

    def __init__(self, home: Path, env: Mapping[str, str]) -> None:
        config = json.loads((home / ".config" / "opencode" / "opencode.json").read_text(encoding="utf-8"))
        [(plugin, options)] = config["plugin"]  # with options: the demo's home is not the default one
        self._server: list[str] = config["mcp"]["soong-memory"]["command"]
        self._env = dict(env)
        self._opencode = Opencode(options, Path(unquote(urlsplit(plugin).path)))
        self._session = f"ses_demo{next(_numbers)}"
        self._recorded = json.dumps(next(cases()).hooks, ensure_ascii=False)
        self._opencode(session_info(self._session))

    def start(self) -> str:
        """What the system prompt of a step gains."""
        return "".join(self._opencode.system(self._session, "You are opencode")[1:])

    def turn(self, prompt: str, answer: str) -> None:
        """The recorded turn, with these words."""
        words = {
            json.dumps(ASKED, ensure_ascii=False): json.dumps(prompt, ensure_ascii=False),
            json.dumps(ANSWERED, ensure_ascii=False): json.dumps(answer, ensure_ascii=False),
            "ses_dcd457039ffe2V1IhPtGLner7m": self._session,
            "msg_": f"msg_{next(_numbers)}",
        }
        text = self._recorded
        for recorded, said in words.items():
            assert recorded in text
            text = text.replace(recorded, said)
        steps: list[Step] = json.loads(text)
        self._opencode(*steps)
        self._opencode.settle()

    def again(self) -> None:
        """What is not sent yet goes now."""
        self._opencode.settle()

    def recall(self, query: str) -> str:
        """What the model gets when it calls the tool of the server in opencode's configuration."""
        asks = {"tool": "soong-memory_recall_memory", "sessionID": self._session}
        assert self._opencode({"hook": "tool.execute.before", "input": asks, "output": {}})["error"] is None
        return ask_server(self._server, self.name, query, self._env)

    def close(self) -> None:
        """End the process; fails when the plugin printed something."""
        with self._opencode:
            pass
