"""What each harness's events mean: from its payloads to calls of the daemon, and the catalog back.

Owns: what each harness calls things (``DIALECTS``), what each moment means, the hook's arguments. Must not know: transcripts
(they are not written yet when a hook runs), how memories are made. Standard library and soong_memory_client.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

from soong_memory_client import calls
from soong_memory_client.client import MemoryClient
from soong_memory_client.nodes import build_node
from soong_memory_client.notes import Note, Notes, harness_process
from soong_memory_client.paths import home_path
from soong_memory_client.wire import Call

FIELDS = ("session", "agent", "start", "prompt", "run", "answer", "source", "title", "summary", "at")
WHO = ("agent", "source")  # they say whose words these are: what cannot be read there is no person
Event = Mapping[str, str]  # each of these -> its text, empty when the payload has none
Calls = list[Call[Any]]

CALL_SECONDS = 0.15
CATALOG_MAX_TOKENS = 2000
CATALOG_MAX_CHARS = 8000  # harnesses replace longer output by a preview
MAX_ID_CHARS = 90
MAIN_AGENT = "main"
STRANGE = "?"
ALWAYS, IF_CHANGED = "always", "if changed"


class Dialect(NamedTuple):
    """One harness. ``moments``: its event -> ours; ``names``: our field -> its field; ``context``: events that may answer."""

    client: str  # names the outbox, and begins the ids of its sessions
    event: str
    moments: Mapping[str, str]
    names: Mapping[str, str]
    context: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()  # only these sources are a person; none named: every source but ``machine``
    machine: tuple[str, ...] = ()
    in_argv: bool = False


_BASE = {"session": "session_id", "agent": "agent_id", "start": "source", "prompt": "prompt"}
_TURNS = {**_BASE, "run": "turn_id", "answer": "last_assistant_message"}
_CLAUDE = {**_TURNS, "run": "prompt_id", "source": "source", "title": "session_title", "summary": "compact_summary"}
_NOTIFY = {"session": "thread-id", "run": "turn-id", "prompt": "input-messages", "answer": "last-assistant-message"}
_TOLD = {"SessionStart": "start", "UserPromptSubmit": "prompt", "Stop": "answer", "StopFailure": "failure"}
_GEMINI = {"SessionStart": "start", "BeforeAgent": "prompt", "AfterAgent": "turn", "SessionEnd": "end"}

DIALECTS: Mapping[str, Dialect] = {
    "claude-code": Dialect(
        client="claude-code",
        event="hook_event_name",
        moments={**_TOLD, "PostCompact": "compacted", "SessionEnd": "end"},
        names=_CLAUDE,
        context=("SessionStart",),  # comes again after a compaction
        typed=("user",),
    ),
    "codex": Dialect(
        client="codex",
        event="hook_event_name",
        moments={**_TOLD, "PostCompact": "compacted"},
        names=_TURNS,
        context=("SessionStart", "UserPromptSubmit"),
    ),
    "codex-notify": Dialect(
        client="codex",
        event="type",
        moments={"agent-turn-complete": "turn"},
        names={**_NOTIFY, "source": "client"},
        machine=("codex_exec", "codex-exec"),
        in_argv=True,
    ),
    "gemini": Dialect(
        client="gemini",
        event="hook_event_name",
        moments={**_GEMINI, "PreCompress": "compacted"},
        names={**_BASE, "answer": "prompt_response", "at": "timestamp"},
        context=("SessionStart", "BeforeAgent"),
    ),
}
# how a session starts -> when its model is given the catalog; a fork has it already
CATALOG_AT_START: Mapping[str, str] = {"startup": ALWAYS, "clear": ALWAYS, "compact": ALWAYS, "resume": IF_CHANGED}


class Told(NamedTuple):
    """One event of a main agent, in our words."""

    dialect: Dialect
    native: str  # the event's own name
    moment: str
    event: Event
    session_id: str


def read_event(dialect: Dialect, payload: object) -> Told | None:
    """The payload in our words; None for a sub agent's, and for one that means nothing here."""
    if not isinstance(payload, dict):
        return None
    event = dict.fromkeys(FIELDS, "") | {name: _text(payload.get(native)) for name, native in dialect.names.items()}
    for name in WHO:
        event[name] = _strange(payload.get(dialect.names.get(name, ""))) or event[name]
    native = _text(payload.get(dialect.event))
    moment = dialect.moments.get(native)
    if moment is None or not event["session"] or event["agent"]:
        return None
    return Told(dialect, native, moment, event, f"{dialect.client}:{event['session'][:MAX_ID_CHARS]}")


def _mark(text: str) -> str:
    return f"{zlib.crc32(text.encode('utf-8', 'replace')):08x}"


def calls_of(told: Told, note: Note) -> tuple[Calls, Note]:
    """The calls that an event stands for, and the note as it is after them. Pure, but for ids that a payload lacks."""
    opened: Calls = [calls.session_open(told.session_id, MAIN_AGENT, told.event["title"][:200] or None)]
    made, note = MOMENTS[told.moment](told, note)
    return opened + made, note


def _prompt(told: Told, note: Note) -> tuple[Calls, Note]:
    prompt, source, dialect = told.event["prompt"], told.event["source"], told.dialect
    if not prompt.strip():
        return [], note
    # older versions do not say who typed; sub agents are out already
    person = not source or (source in dialect.typed if dialect.typed else source not in (*dialect.machine, STRANGE))
    stamp = told.event["at"] or os.urandom(12).hex()
    run_id = (told.event["run"] or f"{told.event['session'][:MAX_ID_CHARS]}:{stamp}")[: 2 * MAX_ID_CHARS]
    node = build_node(f"{run_id}:u", "user_message", prompt, origin="typed" if person else "synthetic", run_id=run_id)
    made: Calls = [calls.run_started(told.session_id, run_id), calls.append(told.session_id, [node])]
    return made, note._replace(run_id=run_id, prompt_mark=_mark(prompt))


def _turn(told: Told, note: Note) -> tuple[Calls, Note]:
    """Both halves at once: the prompt too, unless its own event was heard."""
    named = told.event["run"]
    heard = note.run_id == named if named else note.prompt_mark == _mark(told.event["prompt"])
    asked, note = (Calls(), note) if heard else _prompt(told, note)
    ended, note = _end_run(told, note)
    return asked + ended, note


def _end_run(told: Told, note: Note, status: str = "completed") -> tuple[Calls, Note]:
    run_id, answer = told.event["run"] or note.run_id, told.event["answer"]
    made: Calls = []
    if answer.strip():  # a run may stop several times, with other words
        node_id = f"{run_id or told.event['session'][:MAX_ID_CHARS]}:a{_mark(answer)}"
        made.append(calls.append(told.session_id, [build_node(node_id, "assistant_message", answer, run_id=run_id or None)]))
    if run_id:  # else the next prompt, or the daemon's own limit, ends it
        made.append(calls.run_completed(told.session_id, run_id, status))
    return made, note


def _compacted(told: Told, note: Note) -> tuple[Calls, Note]:
    """Also without the summary's words: what was recalled before is gone from the model's view."""
    summary = told.event["summary"]
    mark = _mark(summary or told.event["run"] or told.event["at"])
    node = build_node(f"{told.event['session'][:MAX_ID_CHARS]}:c{mark}", "compact_summary", summary)
    return [calls.append(told.session_id, [node])], note._replace(compacted=True)


MOMENTS: Mapping[str, Callable[[Told, Note], tuple[Calls, Note]]] = {
    "start": lambda told, note: ([], note),
    "prompt": _prompt,
    "answer": _end_run,
    "turn": _turn,
    "failure": lambda told, note: _end_run(told, note, "failed"),
    "compacted": _compacted,
    "end": lambda told, note: ([calls.session_close(told.session_id)], note),
}


def wants_catalog(told: Told, note: Note) -> str | None:
    """When this event's answer holds the catalog: always, if it changed since the model saw it, or (None) never."""
    if told.native not in told.dialect.context:
        return None
    if told.moment == "start":
        return CATALOG_AT_START.get(told.event["start"] or "startup")
    return ALWAYS if note.compacted and note.catalog else None


def answer(argv: Sequence[str], stdin: BinaryIO) -> str:
    """Handle the event of a hook's command line; what to print, mostly nothing. Raises whatever goes wrong."""
    # by hand: argparse would cost a hook a fifth of its time
    named = {flag: argv[argv.index(flag) + 1] for flag in ("--home", "--socket") if flag in argv}
    dialect, home, socket = DIALECTS[argv[0]], named.get("--home"), named.get("--socket")
    # a byte that is no UTF-8 spoils its character, not the message
    payload = json.loads(argv[-1] if dialect.in_argv else stdin.read().decode("utf-8", "replace"))
    with MemoryClient(dialect.client, home=home, socket=socket, timeout_seconds=CALL_SECONDS) as client:
        return run_hook(dialect, payload, client, Notes(home_path(flag=home), dialect.client))


def run_hook(dialect: Dialect, payload: object, client: MemoryClient, notes: Notes) -> str:
    """Handle one event; what to print, mostly nothing. The calls are in the outbox before anything is sent."""
    if (told := read_event(dialect, payload)) is None:
        return ""
    before = notes.read(told.session_id)
    made, note = calls_of(told, before)
    client.enqueue(*made)
    note = note._replace(harness=harness_process())
    if note != before:
        notes.write(note)
    wanted = wants_catalog(told, note)
    if not client.flush(CALL_SECONDS) or wanted is None:
        return ""
    catalog = client.catalog(told.session_id, MAIN_AGENT, CATALOG_MAX_TOKENS)
    notes.write(note._replace(catalog=catalog["revision"], compacted=False))
    notes.prune()
    known = wanted == IF_CHANGED and catalog["revision"] == note.catalog
    if known or not catalog["entries"] or len(catalog["text"]) > CATALOG_MAX_CHARS:
        return ""
    # every harness takes this; with one member more codex refuses it
    output = {"hookEventName": told.native, "additionalContext": catalog["text"]}
    return json.dumps({"hookSpecificOutput": output}, ensure_ascii=False)


def _strange(value: object) -> str:
    """What stands for a value that is there and is no text."""
    return "" if value is None or isinstance(value, str) else STRANGE


def _text(value: object) -> str:
    if isinstance(value, list):
        return "\n\n".join(item for item in value if isinstance(item, str))
    return value if isinstance(value, str) else ""
