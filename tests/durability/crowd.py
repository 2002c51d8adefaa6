"""Many clients, and clients that misbehave: ``python -m tests.durability.crowd``.

Owns: the crowd, and what is measured of the daemon meanwhile and afterwards. Must not know how the daemon defends itself.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.durability.history import Acknowledged, violations
from tests.durability.nursery import Born, Nursery
from tests.support.daemon import LineClient, RpcFailure

MAX_RSS_MIB = 300
MAX_ANSWER_SECONDS = 5.0
NODES_AT_ONCE = 10
MAX_CONNECTIONS = 256
FD_SLACK, THREAD_SLACK = 4, 8
"""What a daemon that has worked may keep: threads of pools, a descriptor of a file it opened when first needed."""


@dataclass
class Figures:
    """Latencies of well-behaved clients in seconds, memory, and what did not hold."""

    sessions: int = 0
    nodes: int = 0
    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    answers_meanwhile: list[float] = field(default_factory=list)
    rss_mib: int = 0
    found: list[str] = field(default_factory=list)

    def percentile(self, part: float) -> float:
        """A percentile of the latencies of appends, in milliseconds."""
        ordered = sorted(self.latencies) or [0.0]
        return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def talk(daemon: Born, sessions: int, nodes_each: int, clients: int, acknowledged: Acknowledged, figures: Figures) -> None:
    """Sessions of so many nodes, spread over clients that talk at the same time."""
    began = time.monotonic()
    threads = [
        threading.Thread(
            target=_talk, args=(daemon, range(n, sessions, clients), nodes_each, acknowledged, figures), daemon=True
        )
        for n in range(clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    figures.seconds += time.monotonic() - began


def _talk(daemon: Born, numbers: range, nodes_each: int, acknowledged: Acknowledged, figures: Figures) -> None:
    with daemon.client() as client:
        for number in numbers:
            session = f"crowd-{number}"
            client.call("session.open", session_id=session)
            for first in range(0, nodes_each, NODES_AT_ONCE):
                nodes = [
                    {
                        "node_id": f"{session}-{n}",
                        "kind": "user_message" if n == 0 else "assistant_message",
                        "text": f"words {n} " * 20,
                    }
                    for n in range(first, min(first + NODES_AT_ONCE, nodes_each))
                ]
                began = time.monotonic()
                try:
                    reply = client.call("context.append", session_id=session, nodes=nodes)
                except RpcFailure as failure:
                    figures.found.append(f"an append was refused: {failure.code}")
                    return
                figures.latencies.append(time.monotonic() - began)
                for node in nodes:
                    acknowledged.note(session, node["node_id"], node["text"], reply["durable_sequence"])
                figures.nodes += len(nodes)
            figures.sessions += 1


@contextmanager
def rabble(daemon: Born, each: int) -> Iterator[None]:
    """``each`` clients of every bad kind, for as long as the block lasts."""
    with ExitStack() as stack:
        for _ in range(each):
            for misbehave in (
                _never_reads,
                _stops_in_a_line,
                _sends_too_long_a_line,
                _nests_too_deep,
                _sends_a_batch_bomb,
                _is_silent,
            ):
                client = stack.enter_context(daemon.client())
                client._socket.settimeout(0.1)
                with contextlib.suppress(OSError):
                    misbehave(client)
        yield


def _never_reads(client: LineClient) -> None:
    call = {"jsonrpc": "2.0", "method": "rpc.discover", "params": {}}
    for number in range(200):
        client.send({**call, "id": number})


def _stops_in_a_line(client: LineClient) -> None:
    client.send(b'{"jsonrpc": "2.0", "id": 1, "method": "daem')


def _sends_too_long_a_line(client: LineClient) -> None:
    for _ in range(160):
        client.send(b"x" * 65536)


def _nests_too_deep(client: LineClient) -> None:
    client.send(b"[" * 100_000 + b"\n")


def _sends_a_batch_bomb(client: LineClient) -> None:
    client.send([{"jsonrpc": "2.0", "id": n, "method": "memory.list", "params": {}} for n in range(5_000)])


def _is_silent(_: LineClient) -> None:
    return


def run(nursery: Nursery, home: Path, sessions: int, nodes_each: int, clients: int, bad_of_each: int) -> Figures:
    """A quiet daemon, a crowd with a rabble in it, a quiet daemon again."""
    figures, acknowledged = Figures(), Acknowledged()
    daemon = nursery.born(home).ready()
    talk(daemon, clients, NODES_AT_ONCE, clients, acknowledged, Figures())
    fds, threads = _fds(daemon), _threads(daemon)
    with rabble(daemon, bad_of_each):
        ending = threading.Event()
        asking = threading.Thread(target=_ask, args=(daemon, ending, figures), daemon=True)
        asking.start()
        talk(daemon, sessions, nodes_each, clients, acknowledged, figures)
        ending.set()
        asking.join(20)
        figures.rss_mib = _rss_mib(daemon)
    _expect_quiet(daemon, fds, threads, figures)
    if daemon.stop() != 0:
        figures.found.append("the daemon did not end well")
    figures.found += violations(home, acknowledged)
    if figures.rss_mib > MAX_RSS_MIB:
        figures.found.append(f"the daemon holds {figures.rss_mib} MiB")
    if max(figures.answers_meanwhile, default=MAX_ANSWER_SECONDS) >= MAX_ANSWER_SECONDS:
        figures.found.append(f"an answer took {max(figures.answers_meanwhile, default=0):.1f} s")
    return figures


def fill_every_place(daemon: Born) -> list[str]:
    """Connections up to the limit are served, those beyond it wait and are served as soon as others leave."""
    found = []
    with ExitStack() as stack:
        clients = [stack.enter_context(daemon.client()) for _ in range(MAX_CONNECTIONS)]
        for client in (clients[0], clients[-1]):
            client.call("memory.list")
        late = stack.enter_context(daemon.client())
        late.send({"jsonrpc": "2.0", "id": 1, "method": "memory.list", "params": {}})
        late._socket.settimeout(0.3)
        try:
            late.read()
            found.append("a connection beyond the limit was served")
        except TimeoutError:
            pass
        clients[0].close()
        late._socket.settimeout(10)
        late.read()
    return found


def run_out_of_descriptors(daemon: Born, clients: int) -> list[str]:
    """More clients than descriptors: those that are served go on, and when they leave others take their place."""
    found = []
    with ExitStack() as stack:
        connected = [stack.enter_context(daemon.client()) for _ in range(clients)]
        connected[0].call("session.open", session_id="s")
        reply = connected[0].call(
            "context.append", session_id="s", nodes=[{"node_id": "n", "kind": "user_message", "text": "hello there"}]
        )
        if reply["durable_sequence"] != 1:
            found.append("an append was not taken")
    with daemon.client() as client:
        if client.call("session.open", session_id="s")["durable_sequence"] != 1:
            found.append("an acknowledged node is lost")
    return found


def _ask(daemon: Born, ending: threading.Event, figures: Figures) -> None:
    with daemon.client() as client:
        while not ending.wait(0.05):
            began = time.monotonic()
            client.call("memory.search", query="words")
            figures.answers_meanwhile.append(time.monotonic() - began)


def _expect_quiet(daemon: Born, fds: int, threads: int, figures: Figures) -> None:
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline and (_fds(daemon) > fds + FD_SLACK or _threads(daemon) > threads + THREAD_SLACK):
        time.sleep(0.05)
    if _fds(daemon) > fds + FD_SLACK:
        figures.found.append(f"{_fds(daemon) - fds} descriptors are left open")
    if _threads(daemon) > threads + THREAD_SLACK:
        figures.found.append(f"{_threads(daemon) - threads} threads are left")


def _fds(daemon: Born) -> int:
    return len(os.listdir(f"/proc/{daemon.pid}/fd"))


def _threads(daemon: Born) -> int:
    return len(os.listdir(f"/proc/{daemon.pid}/task"))


def _rss_mib(daemon: Born) -> int:
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{daemon.pid}/status").read_text())
    assert found is not None
    return int(found[1]) // 1024


def main() -> int:
    """Let the crowd in and print the figures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=50)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soong-crowd-") as root, Nursery() as nursery:
        figures = run(nursery, Path(root) / "home", arguments.sessions, arguments.nodes, clients=60, bad_of_each=20)
        places = nursery.born(Path(root) / "places").ready()
        figures.found += fill_every_place(places)
        places.stop()
        poor = nursery.born(Path(root) / "poor", nofile=48).ready()
        figures.found += run_out_of_descriptors(poor, 60)
        poor.stop()
    print(
        f"load: {figures.sessions} sessions, {figures.nodes} nodes in {figures.seconds:.0f} s"
        " by 60 clients among 120 that misbehave:"
        f" append p50 {figures.percentile(0.5):.0f} ms, p99 {figures.percentile(0.99):.0f} ms,"
        f" other calls at most {1000 * max(figures.answers_meanwhile, default=0):.0f} ms, RSS {figures.rss_mib} MiB,"
        f" {len(figures.found)} violations"
    )
    for problem in figures.found:
        print(f"  VIOLATION {problem}")
    return 1 if figures.found else 0


if __name__ == "__main__":
    sys.exit(main())
