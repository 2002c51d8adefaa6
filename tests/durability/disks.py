"""Disks that fill up, turn read-only or die under a working daemon, and a home of another user. Needs root and mounts:
``unshare --mount python -m tests.durability.disks [scenario…]``.

Each scenario raises where the promise does not hold. Owns: the scenarios. Must not know how the daemon copes.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from soong_memory_client.client import MemoryClient
from soong_memory_client.errors import OutboxFull
from soong_memoryd.memories.commit import STEPS
from tests.durability.failpoints import SLOW_SECONDS
from tests.durability.history import Acknowledged, memory_files, violations
from tests.durability.minds import wish
from tests.durability.nursery import Born, Ended, Nursery, make_home
from tests.durability.power import mounted, new_image
from tests.durability.rounds import recovered, settle
from tests.support.daemon import LineClient, RpcFailure

EXT4_SHUTDOWN = 0x8004587D
WITHOUT_FLUSHING_THE_JOURNAL = 2
NOBODY = 65534
Json = dict[str, Any]


def full(nursery: Nursery, root: Path) -> None:
    """Nothing that was acknowledged is lost on a full disk, the answer says so, and it goes on when there is room."""
    with tmpfs(root / "disk", "3m") as disk:
        acknowledged = Acknowledged()
        daemon = nursery.born(disk / "home", mind="writer", log=str(root / "log")).ready()
        with daemon.client() as client:
            client.call("session.open", session_id="s")
            say(client, 1, acknowledged)
            until(lambda: completed(client))
            ballast = fill(disk)
            refused = [code for number in range(12) if (code := big(client, number, acknowledged))]
            expect(refused and set(refused) == {"storage_full"}, f"a full disk is answered with {set(refused)}")
            expect(client.call("memory.search", query="topic-1")["matches"], "searching needs no room")
            ballast.unlink()
            say(client, 2, acknowledged)
            until(lambda: kept(daemon, "topic-2"), 20)
        finish(nursery, daemon, acknowledged)


def full_at_start(nursery: Nursery, root: Path) -> None:
    """A start on a full disk takes nothing for damaged: it waits, and serves what was acknowledged when there is room."""
    with tmpfs(root / "disk", "3m") as disk:
        acknowledged = Acknowledged()
        daemon = nursery.born(disk / "home", mind="writer", log=str(root / "log")).ready()
        with daemon.client() as client:
            client.call("session.open", session_id="s")
            say(client, 1, acknowledged)
        expect(daemon.stop() == 0, "it ends well")
        ballast = fill(disk)
        daemon = nursery.born(disk / "home", mind="writer", log=str(root / "log"))
        until(lambda: "start_waits" in (root / "log").read_text())
        ballast.unlink()
        daemon.ready()
        expect(not list((disk / "home" / "memoryd").glob("state.db.corrupt-*")), "nothing was set aside")
        finish(nursery, daemon, acknowledged)


def full_while_committing(nursery: Nursery, root: Path) -> None:
    """A disk that fills up in any step of a commit leaves all or nothing; the same process goes on when there is room."""
    for step in STEPS[:-2]:
        place = root / step
        place.mkdir()
        with tmpfs(place / "disk", "3m") as disk:
            acknowledged = Acknowledged()
            daemon = nursery.born(disk / "home", mind="writer", log=str(place / "log"), failpoint=step, action="slow")
            with daemon.ready().client() as client:
                client.call("session.open", session_id="s")
                say(client, 1, acknowledged)
                until(lambda client=client: client.call("events.list", type="memory_extraction_started")["events"])
                time.sleep(0.2)  # it dawdles in the step now
                ballast = fill(disk)
                time.sleep(SLOW_SECONDS + 0.4)
                expect(not daemon.ended(), f"full at {step}: the daemon ended")
                expect(client.call("daemon.status")["state"] in ("ready", "degraded"), "it answers")
                ballast.unlink()
                events = until(lambda client=client: completed(client), 20)
                expect(len(events) == 1 and kept(daemon, "topic-1"), f"full at {step}: {len(events)} completed")
            finish(nursery, daemon, acknowledged)


def outbox_on_a_full_disk(nursery: Nursery, root: Path) -> None:
    """A client on a full disk keeps the lines it has, refuses what it cannot keep, and delivers all of it in order later."""
    with tmpfs(root / "disk", "3m") as disk:
        home = disk / "home"
        make_home(home)
        acknowledged = Acknowledged()
        client = MemoryClient("hook", home=home, timeout_seconds=2)
        expect(client.session_open("s") is None, "the daemon is away: the call is kept")
        for number in range(3):
            client.append("s", [node(number, acknowledged)])
        ballast = fill(disk)
        refusals = 0
        for number in range(3, 40):
            try:
                client.append("s", [{"node_id": f"lost-{number}", "kind": "other", "text": "x" * 2000}])
            except OutboxFull:
                refusals += 1
        expect(refusals, "a full disk is told to the caller")
        ballast.unlink()
        client.append("s", [node(90, acknowledged)])
        daemon = nursery.born(home, mind="writer", log=str(root / "log")).ready()
        until(client.flush, 10)
        client.close()
        expect(not (home / "memoryd" / "outbox" / "rejected").exists(), "nothing was set aside")
        finish(nursery, daemon, acknowledged)


def read_only_home(nursery: Nursery, root: Path) -> None:
    """On a read-only disk a start says so and waits; once it is writable the daemon serves what was acknowledged."""
    with mounted(new_image(root / "disk.img"), root / "disk"):
        acknowledged = Acknowledged()
        home = root / "disk" / "home"
        daemon = nursery.born(home, mind="writer", log=str(root / "log")).ready()
        with daemon.client() as client:
            client.call("session.open", session_id="s")
            say(client, 1, acknowledged)
        daemon.kill()
        subprocess.run(["mount", "-o", "remount,ro", str(root / "disk")], check=True)
        try:
            daemon = nursery.born(home, mind="writer", log=str(root / "log"))
            until(lambda: "the file system is read-only" in (root / "log").read_text())
            expect(not daemon.ended(), "it waits")
        finally:
            subprocess.run(["mount", "-o", "remount,rw", str(root / "disk")], check=True)
        finish(nursery, daemon.ready(), acknowledged)


def memory_turns_read_only(nursery: Nursery, root: Path) -> None:
    """While ``memory/`` cannot be written nodes are taken and recall works; it goes on by itself when it can."""
    with mounted(new_image(root / "disk.img"), root / "disk"):
        acknowledged = Acknowledged()
        daemon = nursery.born(root / "disk" / "home", mind="writer", log=str(root / "log")).ready()
        frozen = [daemon.home / "memory", daemon.home / "memory" / "user"]
        with daemon.client() as client:
            client.call("session.open", session_id="s")
            say(client, 1, acknowledged)
            until(lambda: completed(client))
            subprocess.run(["chattr", "+i", *map(str, frozen)], check=True)
            try:
                say(client, 2, acknowledged)
                failed = until(lambda: client.call("events.list", type="memory_extraction_failed")["events"])
                expect(failed[0]["payload"]["error"]["code"] == "read_only", f"failed with {failed[0]['payload']['error']}")
                expect(client.call("memory.search", query="topic-1")["matches"], "reading goes on")
            finally:
                subprocess.run(["chattr", "-i", *map(str, frozen)], check=True)
            until(lambda: client.call("extraction.trigger", session_id="s", wait=True) and kept(daemon, "topic-2"), 20)
        finish(nursery, daemon, acknowledged)


def dead_disk(nursery: Nursery, root: Path) -> None:
    """A disk that dies acknowledges nothing any more; what was acknowledged before is there when it is mounted again."""
    acknowledged = Acknowledged()
    image, home = new_image(root / "disk.img"), root / "disk" / "home"
    with mounted(image, root / "disk"):
        make_home(home)
        os.sync()  # the config is the user's, and older than the fault
        daemon = nursery.born(home, mind="writer", log=str(root / "log")).ready()
        with daemon.client() as client:
            client.call("session.open", session_id="s")
            say(client, 1, acknowledged)
            until(lambda: kept(daemon, "topic-1"))
            fd = os.open(root / "disk", os.O_RDONLY)
            fcntl.ioctl(fd, EXT4_SHUTDOWN, struct.pack("I", WITHOUT_FLUSHING_THE_JOURNAL))
            os.close(fd)
            for number in range(3):
                with suppress(ConnectionError):
                    code = big(client, number, acknowledged)
                    expect(
                        code in ("read_only", "storage_full"),
                        f"a dead disk is answered with {code}: a client would not keep it",
                    )
        daemon.kill()
    with mounted(image, root / "disk"):
        finish(nursery, None, acknowledged, home)


def another_user(nursery: Nursery, root: Path) -> None:
    """For whom modes count: a folder that may not be written holds jobs up, a file that may not be read holds up nothing."""
    acknowledged = Acknowledged()
    root.chmod(0o755)
    place = root / "theirs"
    place.mkdir()
    home = place / "home"
    make_home(home)
    for path in (place, home, home / "memoryd.toml"):
        os.chown(path, NOBODY, NOBODY)
    daemon = nursery.born(home, mind="writer", uid=NOBODY)
    with as_user(NOBODY):
        client = daemon.ready().client()
    with client:
        client.call("session.open", session_id="s")
        say(client, 1, acknowledged)
        until(lambda: completed(client))
        (home / "memory" / "user").chmod(0o500)
        say(client, 2, acknowledged)
        failed = until(lambda: client.call("events.list", type="memory_extraction_failed")["events"])
        expect(failed[0]["payload"]["error"]["code"] == "read_only", "a folder without leave to write")
        (home / "memory" / "user").chmod(0o700)
        until(lambda: client.call("extraction.trigger", session_id="s", wait=True) and kept(daemon, "topic-2"), 20)
        foreign = home / "memory" / "user" / "foreign.md"
        foreign.write_text("not yours")
        foreign.chmod(0o600)
        until(lambda: any(p["path"] == "user/foreign.md" for p in client.call("daemon.verify")["problems"]))
        say(client, 3, acknowledged)
        until(lambda: kept(daemon, "topic-3"))
        foreign.unlink()
    expect(daemon.stop() == 0, "it ends well")
    expect(not violations(home, acknowledged, settled=True), str(violations(home, acknowledged, settled=True)))


SCENARIOS: dict[str, Callable[[Nursery, Path], None]] = {
    scenario.__name__: scenario
    for scenario in (
        full,
        full_at_start,
        full_while_committing,
        outbox_on_a_full_disk,
        read_only_home,
        memory_turns_read_only,
        dead_disk,
        another_user,
    )
}


@contextmanager
def tmpfs(at: Path, size: str) -> Iterator[Path]:
    """A file system of so many bytes, until the block is left."""
    at.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(at)], check=True)
    try:
        yield at
    finally:
        subprocess.run(["umount", "--lazy", str(at)], check=True)


@contextmanager
def as_user(uid: int) -> Iterator[None]:
    """This process as another user, until the block is left."""
    os.seteuid(uid)
    try:
        yield
    finally:
        os.seteuid(0)


def fill(disk: Path) -> Path:
    """A file that takes the last free byte."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as out:
        for size in (1 << 16, 1 << 12, 1):
            with suppress(OSError):
                while True:
                    out.write(b"x" * size)
    return ballast


def node(number: int, acknowledged: Acknowledged) -> Json:
    """A message that wishes for something; noted as acknowledged by the outbox."""
    text = wish(number, "kept")
    acknowledged.note("s", f"n{number}", text, 0)
    return {"node_id": f"n{number}", "kind": "user_message", "text": text}


def say(client: LineClient, topic: int, acknowledged: Acknowledged) -> None:
    """One wish, acknowledged."""
    text = wish(topic, "said")
    reply = client.call(
        "context.append", session_id="s", nodes=[{"node_id": f"t{topic}", "kind": "user_message", "text": text}]
    )
    acknowledged.note("s", f"t{topic}", text, reply["durable_sequence"])


def big(client: LineClient, number: int, acknowledged: Acknowledged) -> str | None:
    """A large node; the code with which it was refused, None when it was acknowledged."""
    sent = {"node_id": f"big-{number}", "kind": "assistant_message", "text": "words " * 20_000}
    try:
        reply = client.call("context.append", session_id="s", nodes=[sent])
    except RpcFailure as failure:
        return failure.code
    acknowledged.note("s", sent["node_id"], sent["text"], reply["durable_sequence"])
    return None


def completed(client: LineClient) -> list[Json]:
    """The events of jobs that were completed."""
    events: list[Json] = client.call("events.list", type="memory_extraction_completed")["events"]
    return events


def kept(daemon: Born, topic: str) -> bool:
    """Whether a memory of a topic is there."""
    return any(f"{topic} is value".encode() in data for data in memory_files(daemon.home).values())


def finish(nursery: Nursery, daemon: Born | None, acknowledged: Acknowledged, home: Path | None = None) -> None:
    """Stop, start again, work off what is left, and check everything."""
    if daemon is not None:
        expect(daemon.stop() in (0, 75), "it ends well")
    daemon = recovered(nursery, home or daemon.home)  # type: ignore[union-attr]
    settle(daemon)
    expect(daemon.stop() == 0, "it ends well after recovery")
    found = violations(daemon.home, acknowledged, settled=True)
    expect(not found, "; ".join(found))


def until(holds: Callable[[], Any], seconds: float = 8.0) -> Any:
    """What ``holds`` returns as soon as it is true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := holds():
            return found
        time.sleep(0.02)
    raise AssertionError("it did not happen in time")


def expect(holds: object, what: str) -> None:
    """Raise where something does not hold."""
    if not holds:
        raise AssertionError(what)


def main() -> int:
    """Run the named scenarios (all) and print how each went."""
    failed = 0
    with Nursery() as nursery:
        for name in sys.argv[1:] or SCENARIOS:
            root = Path(tempfile.mkdtemp(prefix="soong-disk-"))
            began = time.monotonic()
            try:
                SCENARIOS[name](nursery, root)
                print(f"disk: {name} holds ({time.monotonic() - began:.1f} s)")
            except (AssertionError, Ended, RpcFailure, OSError, subprocess.SubprocessError) as error:
                failed += 1
                print(f"disk: {name} VIOLATION {type(error).__name__}: {error}")
            finally:
                for pid in list(nursery.alive):
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                shutil.rmtree(root, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
