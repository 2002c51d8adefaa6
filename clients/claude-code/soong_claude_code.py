"""Sends transcripts of Claude Code to soong-memoryd: ``replay`` once, ``tail`` for as long as one grows.

Owns: the commands, and reading transcript files. Must not know: what records mean (``soong_claude_transcript``), live events
(the hook in ``clients/hooks``), how memories are made. Standard library and soong_memory_client only.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":  # with -I neither this file's directory nor site-packages is searched
    _HERE = os.path.dirname(os.path.abspath(__file__))
    sys.path[:0] = [_HERE, os.path.join(os.path.dirname(_HERE), "python")]

from soong_claude_transcript import Calls, Transcript
from soong_memory_client import calls
from soong_memory_client.client import MemoryClient
from soong_memory_client.errors import MemoryClientError, RpcError
from soong_memory_client.nodes import batches
from soong_memory_client.wire import Call

CLIENT_NAME = "claude-code"
TAIL_PAUSE_SECONDS = 0.5


class Replayed(NamedTuple):
    """What a replay did: calls that were made, nodes in them, calls that wait, codes of those that were refused."""

    calls: int
    nodes: int
    waiting: int
    refused: tuple[str, ...]


def replay(path: Path, client: MemoryClient) -> Replayed:
    """Send a whole transcript, without its abandoned branches; sending it again changes nothing."""
    transcript = Transcript(_session_in_name(path))
    made = [call for record in records(path.read_bytes().split(b"\n")) for call in transcript.feed(record)]
    return send(batched(without_abandoned([*made, *transcript.finish()])), client)


def tail(path: Path, client: MemoryClient, pause: Callable[[], bool]) -> None:
    """Send a transcript and what is added to it, for as long as ``pause`` (called between looks) returns True."""
    transcript, read_bytes, caught_up = Transcript(_session_in_name(path)), 0, False
    while True:
        data = _whole_lines(path, read_bytes)
        read_bytes += len(data)
        made = [call for record in records(data.split(b"\n")) for call in transcript.feed(record)]
        send(batched(made if caught_up else without_abandoned(made)), client)
        caught_up = True
        if not pause():
            return


def records(lines: Iterable[bytes]) -> Iterator[Mapping[str, Any]]:
    """The JSON objects among the lines; what cannot be read is left out."""
    for line in lines:
        try:
            record = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield record


def send(made: Iterable[Call[Any]], client: MemoryClient) -> Replayed:
    """Make the calls in order; a refusal is noted and stops nothing."""
    count = nodes = waiting = 0
    refused = []
    for call in made:
        count += 1
        nodes += len(call.params.get("nodes", ()))
        try:
            waiting += client.send(call) is None
        except RpcError as error:
            refused.append(error.code)
    return Replayed(count, nodes, waiting, tuple(refused))


def _whole_lines(path: Path, offset: int) -> bytes:
    with path.open("rb") as file:
        file.seek(offset)
        data = file.read()
    return data[: data.rfind(b"\n") + 1]


def _session_in_name(path: Path) -> str | None:
    """Claude Code names a transcript after its session; a sub agent's file is named after the agent."""
    return path.stem if path.stem.count("-") == 4 else None


def without_abandoned(made: Iterable[Call[Any]]) -> Calls:
    """The calls of a finished transcript without what its rewinds abandon, and without the rewinds.

    Replaying is then safe to repeat: a rewind that is sent again would abandon what came after it the first time.
    """
    kept: Calls = []
    for call in made:
        if call.method != "context.rewind":
            kept.append(call)
            continue
        place = next((at for at, earlier in enumerate(kept) if _appends(earlier, call.params["node_id"])), len(kept))
        kept[place + 1 :] = [later for later in kept[place + 1 :] if later.method in ("session.open", "agent.register")]
    return kept


def batched(made: Iterable[Call[Any]]) -> Iterator[Call[Any]]:
    """The same calls with neighbouring appends of a session put together as far as one call carries them."""
    nodes: list[dict[str, Any]] = []
    session_id = ""
    for call in made:
        if nodes and (call.method != "context.append" or call.params["session_id"] != session_id):
            yield from (calls.append(session_id, group) for group in batches(nodes))
            nodes = []
        if call.method == "context.append":
            session_id = call.params["session_id"]
            nodes += call.params["nodes"]
        else:
            yield call
    yield from (calls.append(session_id, group) for group in batches(nodes))


def _appends(call: Call[Any], node_id: str) -> bool:
    return call.method == "context.append" and any(node["node_id"] == node_id for node in call.params["nodes"])


# -- command line --------------------------------------------------------------------------------------------------


class _Options(NamedTuple):
    command: str
    file: str
    home: str | None = None
    socket: str | None = None


USAGE = "usage: soong_claude_code.py (replay FILE | tail FILE) [--home DIR] [--socket PATH]"


def _parse(argv: Sequence[str]) -> _Options | None:
    words, named = [], {}
    rest = iter(argv)
    for word in rest:
        if word in ("--home", "--socket"):
            named[word[2:]] = next(rest, None)
        else:
            words.append(word)
    return _Options(words[0], words[1], **named) if len(words) == 2 and words[0] in ("replay", "tail") else None


def _client(options: _Options, timeout_seconds: float) -> MemoryClient:
    return MemoryClient(CLIENT_NAME, home=options.home, socket=options.socket, timeout_seconds=timeout_seconds)


def _replay_command(options: _Options) -> int:
    with _client(options, 10.0) as client:
        done = replay(Path(options.file), client)
    print(f"{done.nodes} nodes in {done.calls} calls" + (f", {done.waiting} wait in the outbox" if done.waiting else ""))
    if done.refused:
        print(f"refused: {', '.join(sorted(set(done.refused)))}", file=sys.stderr)
    return 1 if done.refused else 0


def _tail_command(options: _Options) -> int:
    def pause() -> bool:
        time.sleep(TAIL_PAUSE_SECONDS)
        return True

    with _client(options, 10.0) as client:
        tail(Path(options.file), client, pause)
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 wrong command line."""
    options = _parse(sys.argv[1:] if argv is None else argv)
    if options is None:
        print(USAGE, file=sys.stderr)
        return 2
    try:
        return {"replay": _replay_command, "tail": _tail_command}[options.command](options)
    except (MemoryClientError, OSError) as error:
        print(f"soong_claude_code: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
