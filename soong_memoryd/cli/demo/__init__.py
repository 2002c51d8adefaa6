"""``soong-memoryd demo``: a coding session replayed into a real daemon, and what that made of it, line by line.

Owns: what is shown, in which order, and whether it worked. Must not know: how the daemon decides.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from soong_claude_transcript import Transcript
from soong_memory_client.connection import Connection
from soong_memory_client.errors import DeadlineExceeded, MemoryClientError
from soong_memory_client.wire import Call, request
from soong_memoryd.cli.demo.stage import BUILTIN_CONFIG, IDLE_SECONDS, DemoFailed, Stage
from soong_memoryd.cli.demo.story import Record, made_up_token, read_story
from soong_memoryd.cli.render import Style, clip, parse_time, plural, printable, tally

CONFIG_VARIABLE = "SOONG_DEMO_CONFIG"
JOB_SECONDS = 10.0  # it takes one; a loaded machine may need several
MODEL_JOB_SECONDS = 60.0
QUIET_SECONDS = 2 * IDLE_SECONDS  # a config with a longer idle time is not waited for
COLUMNS = 100
QUERY = "Which tool do I install Python packages with?"
MASK = "(a token made up for this run)"
ENDINGS = frozenset({"memory_extraction_completed", "memory_extraction_failed"})
WAITED_FOR = frozenset({"explicit", "message_backlog", "token_backlog"})


def run(env: Mapping[str, str], out: TextIO) -> int:
    """Show the demo on ``out``; 0 when wishes became memories, the secret went nowhere and recall found one, else 1."""
    begun = time.monotonic()
    chosen = env.get(CONFIG_VARIABLE)
    try:
        config = Path(chosen).read_text(encoding="utf-8") if chosen else BUILTIN_CONFIG
        token = made_up_token()
        style = Style(colour=out.isatty() and not env.get("NO_COLOR"), columns=COLUMNS, now=datetime.now(UTC))
        with Stage(env, config) as stage, Connection(stage.client.socket_path, 5.0) as events:
            job_seconds = MODEL_JOB_SECONDS if chosen else JOB_SECONDS
            show = Show(stage, events, style, out, job_seconds=job_seconds, token=token)
            show.opening(chosen)
            show.replay(read_story(token))
            failures = [*show.outcome()]
    except (DemoFailed, MemoryClientError, OSError) as error:
        failures = [str(error)]
    for failure in failures:
        out.write(f"demo failed: {failure}\n")
    if not failures:
        out.write(style.paint(f"done in {time.monotonic() - begun:.1f} s; the throw-away home is gone\n", "dim"))
    return 1 if failures else 0


class Show:
    """One run of the demo."""

    def __init__(self, stage: Stage, events: Connection, style: Style, out: TextIO, *, job_seconds: float, token: str) -> None:
        self._stage = stage
        self._events = events
        self._style = style
        self._out = out
        self._job_seconds = job_seconds
        self._token = token
        self._created: list[str] = []
        self._ignored: list[str] = []

    def opening(self, config_path: str | None) -> None:
        """Say what is about to happen, and listen to the daemon's events."""
        subscribe: Call[Any] = Call("events.subscribe", {"after": 0})
        self._events.call(request(subscribe, 1), time.monotonic() + 5.0)
        model = (
            f"config {config_path}" if config_path else 'provider "builtin": no network, keeps explicit wishes word for word'
        )
        self._say("soong-memoryd demo", "bold")
        self._say(f"a throw-away home; {model}", "dim")

    def replay(self, story: Iterable[Record]) -> None:
        """Feed the transcript as Claude Code would have, and tell after each run what the daemon decided."""
        transcript = Transcript()
        decision = None
        for record in story:
            for call in transcript.feed(record.content):
                if call.method == "context.append":
                    self._tell_prompt(call.params["nodes"][0], record)
                answer = self._stage.client.send(call)
                if call.method == "run.completed":
                    decision = (answer or {}).get("decision")
                    self._tell_decision(decision)
        if decision and decision["reason"] not in WAITED_FOR:
            self._say("      … the session falls quiet", "dim")
            due = parse_time(decision["due_at"])
            if due and (due - datetime.now(UTC)).total_seconds() > QUIET_SECONDS:
                self._stage.client.call("extraction.trigger")
            self._tell_job(decision)

    def _tell_prompt(self, node: dict[str, Any], record: Record) -> None:
        if node["kind"] != "user_message" or node.get("origin") != "typed":
            return
        self._say(f"you   {printable(node['text'].replace(self._token, MASK))}")
        if record.shows:
            self._say(f"      {record.shows}{'  [needs a real model]' if record.needs_model else ''}", "dim")

    def _tell_decision(self, decision: dict[str, Any] | None) -> None:
        if decision and decision["reason"] in WAITED_FOR:
            self._tell_job(decision)
        elif decision:
            self._say(f"    · {decision['reason']}: the daemon looks once the session falls quiet", "dim")

    def _tell_job(self, decision: dict[str, Any]) -> None:
        reason = decision["reason"]
        event = self._next_ending(decision["job_id"])
        if event is None:
            self._say(f"      {reason}: the job has not ended yet", "yellow")
            return
        payload = event["payload"]
        if event["type"] == "memory_extraction_failed":
            self._say(f"      {reason}: job failed: {printable((payload.get('error') or {}).get('text', ''))}", "red")
            return
        took = f"{payload.get('duration_ms', 0)} ms"
        self._say(f"    → {payload.get('reason', reason)}: {tally([payload])} ({took})", "green")
        self._created += payload.get("created") or []
        self._ignored += [str(ignored.get("reason")) for ignored in payload.get("ignored") or []]
        for path in payload.get("files_changed") or []:
            if path != "MEMORY.md":
                self._say(f"      + memory/{printable(path)}", "green")

    def _next_ending(self, job_id: str | None) -> dict[str, Any] | None:
        deadline = time.monotonic() + self._job_seconds
        while True:
            try:
                event: dict[str, Any] = self._events.notification(deadline)["params"]
            except DeadlineExceeded:
                return None
            if event["type"] in ENDINGS and job_id in (None, event["job_id"]):
                return event

    def outcome(self) -> Iterator[str]:
        """Show what is there now; yields what did not work."""
        self._say("\nMEMORY.md, as it goes into the next system prompt", "bold")
        for line in self._stage.client.catalog()["text"].splitlines():
            self._say(f"  {printable(line)}")
        recalled = self._stage.client.recall(QUERY)
        self._say(f"\nrecall “{QUERY}” (selected by {recalled['selected_by']})", "bold")
        for line in (recalled["message"] or {}).get("content", "nothing").splitlines():
            self._say(f"  {printable(line)}")
        self._say("\nnot kept", "bold")
        holding = files_holding(self._stage.home, self._token.encode())
        self._say(f"  the API token: in {plural(len(holding), 'file')} under the home (searched byte by byte)")
        self._say("  what the web page, the sub agent and the slash command told the model to remember: never a source")
        for reason in sorted(set(self._ignored)):
            self._say(f"  {plural(self._ignored.count(reason), 'candidate')} ignored: {printable(reason)}")
        if not self._created:
            yield "no wish became a memory"
        if recalled["status"] != "recalled":
            yield "recall found nothing"
        if holding:
            yield f"the secret is in {', '.join(holding)}"

    def _say(self, text: str, colour: str | None = None) -> None:
        line = clip(text, COLUMNS) if not text.startswith("\n") else text
        self._out.write((self._style.paint(line, colour) if colour else line) + "\n")
        self._out.flush()


def files_holding(root: Path, needle: bytes) -> list[str]:
    """The files under ``root`` whose bytes contain ``needle``."""
    paths = [Path(directory) / name for directory, _, names in os.walk(root) for name in names]
    return sorted(str(path.relative_to(root)) for path in paths if path.is_file() and needle in path.read_bytes())
