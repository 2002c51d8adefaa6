"""Connects Claude Code to soong-memoryd: ``hook`` while it runs, ``replay`` and ``tail`` for its transcripts.

Owns: the commands, reading transcript files, and never standing in the user's way. Must not know: what records and events
mean (``soong_claude_transcript``, ``soong_claude_hooks``), how memories are made.
Standard library and soong_memory_client only; runs under ``python3 -I -S``.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":  # with -I neither this file's directory nor site-packages is searched
    _HERE = os.path.dirname(os.path.abspath(__file__))
    sys.path[:0] = [_HERE, os.path.join(os.path.dirname(_HERE), "python")]

from soong_claude_hooks import hook_calls
from soong_claude_transcript import MAIN_AGENT, Calls, Transcript
from soong_memory_client import calls
from soong_memory_client.client import MemoryClient
from soong_memory_client.errors import MemoryClientError, RpcError
from soong_memory_client.nodes import batches
from soong_memory_client.wire import Call

CLIENT_NAME = "claude-code"
OFF_VARIABLE = "SOONG_MEMORYD_HOOK"  # "off" for runs of Claude Code that a program starts
HOOK_LIMIT_SECONDS = 0.2  # of its 250 ms; the interpreter has used the rest
HOOK_CALL_SECONDS = 0.15
CATALOG_MAX_TOKENS = 2000
CATALOG_MAX_CHARS = 8000  # longer hook output is replaced by a preview
CATALOG_SOURCES = frozenset({"startup", "clear", "compact", "resume"})
TAIL_PAUSE_SECONDS = 0.5


# -- hooks ---------------------------------------------------------------------------------------------------------


def run_hook(data: bytes, client: MemoryClient) -> str:
    """Handle one hook event; what to print, mostly nothing. The calls are in the outbox before anything is sent."""
    event = json.loads(data)
    made = hook_calls(event)
    if not made:
        return ""
    client.enqueue(*made)
    if not client.flush(HOOK_CALL_SECONDS):
        return ""
    if event["hook_event_name"] != "SessionStart" or event.get("source", "startup") not in CATALOG_SOURCES:
        return ""
    catalog = client.catalog(made[0].params["session_id"], MAIN_AGENT, CATALOG_MAX_TOKENS)
    if not catalog["entries"] or len(catalog["text"]) > CATALOG_MAX_CHARS:
        return ""
    output = {"hookEventName": "SessionStart", "additionalContext": catalog["text"]}
    return json.dumps({"hookSpecificOutput": output}, ensure_ascii=False)


def hook(options: _Options) -> int:
    """The hook command: always 0, never late, silent but for the catalog; a memory must not stand in anyone's way."""
    signal.signal(signal.SIGALRM, lambda number, frame: os._exit(0))
    signal.setitimer(signal.ITIMER_REAL, HOOK_LIMIT_SECONDS)
    if os.environ.get(OFF_VARIABLE) == "off":
        return 0
    try:
        with _client(options, HOOK_CALL_SECONDS) as client:
            output = run_hook(sys.stdin.buffer.read(), client)
        if output:
            print(output, flush=True)
    except Exception:  # noqa: S110 - fails open: an error here is not the user's
        pass
    return 0


# -- transcripts ---------------------------------------------------------------------------------------------------


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
    file: str | None = None
    home: str | None = None
    socket: str | None = None


USAGE = "usage: soong_claude_code.py (hook | replay FILE | tail FILE) [--home DIR] [--socket PATH]"


def _parse(argv: Sequence[str]) -> _Options | None:
    """By hand: argparse would cost a hook a fifth of its time."""
    words, named = [], {}
    rest = iter(argv)
    for word in rest:
        if word in ("--home", "--socket"):
            named[word[2:]] = next(rest, None)
        else:
            words.append(word)
    if words == ["hook"]:
        return _Options("hook", **named)
    return _Options(words[0], words[1], **named) if len(words) == 2 and words[0] in ("replay", "tail") else None


def _client(options: _Options, timeout_seconds: float) -> MemoryClient:
    return MemoryClient(CLIENT_NAME, home=options.home, socket=options.socket, timeout_seconds=timeout_seconds)


def _replay_command(options: _Options) -> int:
    with _client(options, 10.0) as client:
        done = replay(Path(options.file or ""), client)
    print(f"{done.nodes} nodes in {done.calls} calls" + (f", {done.waiting} wait in the outbox" if done.waiting else ""))
    if done.refused:
        print(f"refused: {', '.join(sorted(set(done.refused)))}", file=sys.stderr)
    return 1 if done.refused else 0


def _tail_command(options: _Options) -> int:
    def pause() -> bool:
        time.sleep(TAIL_PAUSE_SECONDS)
        return True

    with _client(options, 10.0) as client:
        tail(Path(options.file or ""), client, pause)
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 wrong command line; ``hook`` always 0."""
    options = _parse(sys.argv[1:] if argv is None else argv)
    if options is None:
        print(USAGE, file=sys.stderr)
        return 2
    if options.command == "hook":
        return hook(options)
    try:
        return {"replay": _replay_command, "tail": _tail_command}[options.command](options)
    except (MemoryClientError, OSError) as error:
        print(f"soong_claude_code: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
