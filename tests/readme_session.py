"""The terminal session of the READMEs, played for real: one agent is told, another one knows.

    python -m tests.readme_session            # prints both
    python -m tests.readme_session --write    # puts them into README.md and README.zh-CN.md

Owns: what is said and typed, in each language. The hooks and the MCP server are those that ``connect`` configures; the daemon
is real, with the embedded model. What is printed is what the commands print, but for an id that is named by its last part.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from soong_memoryd.cli.demo.stage import BUILTIN_CONFIG, Stage
from tests.demo_agents.harness import Harness, environment

ROOT = Path(__file__).resolve().parent.parent
MARK = "<!-- a real session: python -m tests.readme_session -->"
SECONDS = 20.0


class Story(NamedTuple):
    """``wish`` is said to Claude Code, ``question`` to Codex, whose model asks for ``query``."""

    wish: str
    question: str
    query: str


STORIES = {
    "README.md": Story(
        "Always use uv for Python dependencies, never pip. That goes for every project of mine.",
        "Add httpx to this project.",
        "add a Python dependency",
    ),
    "README.zh-CN.md": Story(
        "以后 Python 依赖都用 uv 装，不要用 pip，所有项目都一样。", "给这个项目加上 httpx。", "安装 Python 依赖"
    ),
}


def play(story: Story) -> str:
    """The session as lines of a terminal."""
    with Stage(os.environ, BUILTIN_CONFIG) as stage, tempfile.TemporaryDirectory(prefix="soong-readme-") as directory:
        env = {**environment(Path(directory), stage.home), "TZ": "UTC"}
        for tool in ("claude-code", "codex"):
            _ctl(env, "connect", tool)
        claude, codex = (
            Harness(name, Path(directory), env, session) for name, session in (("claude-code", "5f0d"), ("codex", "0199"))
        )
        claude.start()
        claude.turn(story.wish, "OK.")
        listed = _until_remembered(stage, claude)
        memory_id = listed[0]["id"]
        short = memory_id.rpartition("_")[2][:4]
        lines = [f"Claude Code> {story.wish}"]
        lines += ["$ soong-memoryctl list", *_ctl(env, "list")]
        lines += [f"$ soong-memoryctl why {short}", *_ctl(env, "why", short)]
        codex.start()
        told = codex.recall(story.query)
        line = next(line for line in told.splitlines() if line.startswith(f"[{memory_id}"))
        lines += [f"Codex> {story.question}", f"  recall_memory({story.query})", f"  {line}"]
        return "\n".join(lines)


def _until_remembered(stage: Stage, claude: Harness) -> list[dict[str, str]]:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        if memories := stage.client.call("memory.list")["memories"]:
            return list(memories)
        time.sleep(0.02)
        if time.monotonic() > deadline - SECONDS / 2:
            claude.again()  # a hook on a busy machine may have had no time to send it
    raise AssertionError("nothing was remembered")


def _ctl(env: Mapping[str, str], *argv: str) -> list[str]:
    command = [sys.executable, "-m", "soong_memoryd.cli.ctl", *argv]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.splitlines()


def shown(readme: Path) -> str:
    """The session as it stands in a README."""
    found = re.search(rf"{re.escape(MARK)}\n```\n(.*?)\n```", readme.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None, f"{readme.name} has no session behind {MARK}"
    return found[1]


def without_chance(session: str) -> str:
    """A session without what differs from run to run: ids, and the moment."""
    short = "".join(re.findall(r"why (\w+)", session)[:1])
    session = re.sub(r"mem_\d{14}_\w{8}", "mem_ID", session.replace(f"why {short}", "why ID"))
    session = re.sub(r"\d{4}-\d{2}-\d{2}( \d{2}:\d{2})?", "DATE", session)
    return re.sub(r"5f0d-\d+", "5f0d-N", session)


def main(arguments: list[str]) -> int:
    for name, story in STORIES.items():
        session = play(story)
        print(f"{name}\n{session}\n")
        if "--write" in arguments:
            readme = ROOT / name
            text = readme.read_text(encoding="utf-8")
            readme.write_text(text.replace(shown(readme), session), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
