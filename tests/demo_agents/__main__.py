"""The story: each agent in turn is told a preference, and the next one has it. Fails when one does not."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from soong_memory_client.errors import MemoryClientError
from soong_memoryd.cli.demo.stage import BUILTIN_CONFIG, DemoFailed, Stage
from tests.demo_agents.harness import KINDS, Harness, environment
from tests.demo_agents.opencode import OpencodeHarness
from tests.support.node import why_no_node

T = TypeVar("T")
SECONDS = 20.0
PAUSE_SECONDS = 2.0


class Scene(NamedTuple):
    """``teller`` is told ``wish``; ``asker`` looks for ``query`` and must be given ``word``."""

    teller: str
    wish: str
    asker: str
    query: str
    word: str


SCENES = (
    Scene(
        "claude-code", "Remember: I always use uv, never pip, to install Python packages.", "codex", "install a package", "uv"
    ),
    Scene("codex", "以后代码注释都用中文写。", "gemini", "代码注释用什么语言", "中文"),
    Scene("gemini", "From now on, run the tests with nox before every commit.", "claude-code", "how to run the tests", "nox"),
)
WITH_OPENCODE = (
    Scene(
        "claude-code", "Remember: I write commit messages in the imperative mood.", "opencode", "commit messages", "imperative"
    ),
    Scene("opencode", "请记住：我的编辑器是 Helix，不是 Vim。", "codex", "用什么编辑器", "Helix"),
)


def until(holds: Callable[[], T], what: str, meanwhile: Callable[[], None] = lambda: None) -> T:
    """What ``holds`` returns as soon as it is true; ``meanwhile`` is done every now and then until then."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        pause = time.monotonic() + PAUSE_SECONDS
        while time.monotonic() < pause:
            if found := holds():
                return found
            time.sleep(0.05)
        meanwhile()
    raise DemoFailed(f"{what} did not happen within {SECONDS:.0f} s")


def knows(stage: Stage, count: int) -> bool:
    """Whether there are so many memories."""
    return bool(stage.client.call("memory.list")["total"] >= count)


def scenes() -> tuple[Scene, ...]:
    """Every scene that this machine can play: opencode's plugin is JavaScript."""
    return SCENES if why_no_node() else SCENES + WITH_OPENCODE


@contextmanager
def harness(name: str, home: Path, env: dict[str, str]) -> Iterator[Harness | OpencodeHarness]:
    """The tool of that name, until the scene is over."""
    played = OpencodeHarness(home, env) if name == OpencodeHarness.name else Harness(name, home, env)
    with closing(played):
        yield played


def play(stage: Stage, home: Path, env: dict[str, str]) -> None:
    """Connect every tool, then play the scenes."""
    if why_no_node():
        print(f"opencode is left out: {why_no_node()}")
    for name in [*KINDS, OpencodeHarness.name]:
        command = [sys.executable, "-m", "soong_memoryd.cli.ctl", "connect", name]
        subprocess.run(command, check=True, capture_output=True, env=env)
        print(f"$ soong-memoryctl connect {name}")
    for known, scene in enumerate(scenes(), 1):
        with harness(scene.teller, home, env) as teller, harness(scene.asker, home, env) as asker:
            perform(stage, known, scene, teller, asker)


def perform(
    stage: Stage, known: int, scene: Scene, teller: Harness | OpencodeHarness, asker: Harness | OpencodeHarness
) -> None:
    """One scene; afterwards there are ``known`` memories."""
    teller.start()
    teller.turn(scene.wish, "OK.")
    print(f"\n[{scene.teller}] you: {scene.wish}")
    until(partial(knows, stage, known), "a memory of it", teller.again)
    newest = stage.client.call("memory.list", limit=1)["memories"][0]
    print(f"    memory  {newest['path']}")
    context = until(asker.start, f"{scene.asker}: a session that starts with the catalog")
    if newest["id"] not in context:
        raise DemoFailed(f"{scene.asker}: the catalog does not name {newest['id']}")
    print(f"[{scene.asker}] starts a session: {context.count('`mem_')} memories in its context")
    asker.turn("Hello.", "Hello.")
    told = asker.recall(scene.query)
    if scene.word not in told:
        raise DemoFailed(f"{scene.asker}: recall_memory does not say {scene.word!r}")
    line = next(line for line in told.splitlines() if scene.word in line)
    print(f"[{scene.asker}] recall_memory({scene.query!r}) -> {line.strip()[:90]}")


def main() -> int:
    """0 when every agent knew what the one before it was told, else 1."""
    begun = time.monotonic()
    try:
        with Stage(os.environ, BUILTIN_CONFIG) as stage, tempfile.TemporaryDirectory(prefix="soong-agents-") as directory:
            play(stage, Path(directory), environment(Path(directory), stage.home))
    except (DemoFailed, MemoryClientError, AssertionError, subprocess.CalledProcessError) as error:
        print(f"demo failed: {error}")
        return 1
    agents = len({scene.teller for scene in scenes()})
    print(f"\ndone in {time.monotonic() - begun:.1f} s: {agents} agents, one memory")
    return 0


if __name__ == "__main__":
    sys.exit(main())
