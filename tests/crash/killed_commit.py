"""A process of its own that commits and is killed on the way: ``python -m tests.crash.killed_commit <home> <step>``."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from soong_memoryd.memories.change import Change
from soong_memoryd.memories.ports import sha256
from tests.memories.homes import EFFECTS, create, data_of, memory_id, opened, path_of, update

CHANGES = (
    create(3, "reference"),
    update(1, data_of(1), data_of(1, body="Spaces.")),
    Change("delete", "forget", memory_id(2), path_of(2), sha256(data_of(2)), None),
)


async def _main(root: Path, step: str) -> None:
    def kill(reached: str) -> None:
        if reached == step:
            os.kill(os.getpid(), signal.SIGKILL)

    async with opened(root) as home:
        await home.save(1, 2)
        await home.store.commit(CHANGES, EFFECTS, kill)


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), sys.argv[2]))
