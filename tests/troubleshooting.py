"""``docs/troubleshooting.md``: every coded error, problem and refusal, its cause and what helps, from the tables of the code.

Owns: the page's words around the tables, and the rows of codes that stand in no table (``INNER``). ``codes_raised`` reads the
source: a code that somebody raises and nobody explains here fails the tests.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from soong_memoryd import errors
from soong_memoryd.cli.exits import MEANINGS, REPLIES
from soong_memoryd.extraction import dialogue
from soong_memoryd.extraction.rules import IGNORE_REASONS
from soong_memoryd.llm.refusals import FAILURES
from soong_memoryd.memories.refusals import REFUSALS
from soong_memoryd.memories.scan import UNREADABLE
from soong_memoryd.memories.schema import PROBLEMS
from soong_memoryd.memories.verify import KINDS
from soong_memoryd.protocol.errors import ERRORS

PACKAGE = Path(errors.__file__).parent

# what somebody sees → why → the command that helps
SYMPTOMS = (
    (
        "`soong-memoryd is not running: no daemon answers at …`",
        "It was not started, it ended, or it serves another home or socket.",
        "`soong-memoryctl service start`, or `soong-memoryd serve` in a terminal: what is in its way it says there. `doctor`"
        " shows which home and socket are meant.",
    ),
    (
        "The daemon starts, but nobody answers",
        "It waits for its disk, which is full or read-only, or for a `state.db` that it may not write, and says so on stderr"
        " or in the log once a minute.",
        "make room; `soong-memoryctl service logs`, `soong-memoryctl doctor`. Where it names `state.db`: `ls -l` it, it must be"
        " yours.",
    ),
    (
        "`no answer in time`",
        "The daemon is there and busy, or stopped in a debugger; whether the call took effect is open.",
        "the same with `--timeout 120`; `soong-memoryctl doctor` names the process.",
    ),
    (
        "`the socket path has … bytes, a socket address holds 107`",
        "The kernel takes no longer path.",
        "`export SOONG_MEMORYD_SOCKET=/a/shorter/path`, for the daemon and for every agent.",
    ),
    (
        "`the process behind the socket runs as user …, not as you`",
        "Somebody else listens where your daemon should. Nothing was sent.",
        "`ls -l` the socket, remove it, then `soong-memoryctl service start`.",
    ),
    (
        "`the outbox holds … bytes: is the daemon running?`",
        "A client has kept as much as it may for a daemon that is away: newer calls are refused.",
        "`soong-memoryctl service start`; what is kept is sent first.",
    ),
    (
        "The agent says OK, but `list` stays empty",
        "The hook was not called, no model is configured, or what you said was no lasting wish.",
        "`soong-memoryctl status`: no session means no hook (`doctor` names the tool), `not configured` means no model,"
        " `0 unscanned` means that it looked: `soong-memoryctl jobs` says what it ignored, and why.",
    ),
    (
        "`claude-code is connected, but was never heard from`",
        "The tool was not started since, or does not run hooks.",
        "Start it again and type something. `/hooks` in the tool lists what it runs.",
    ),
    (
        "Codex is connected and nothing arrives",
        "Codex runs a new or changed hook only once you trust it, and says nothing until then.",
        "Type `/hooks` in Codex and trust the entries of `soong_memory_hook.py`.",
    ),
    (
        "`extract: openai … paused`",
        "The provider failed; the daemon waits and tries again. Nothing is lost meanwhile.",
        "`soong-memoryctl config check` asks once and says what is wrong.",
    ),
    (
        "`OPENAI_API_KEY is set in this shell, but not in the daemon`",
        "A service does not see the variables of your shell.",
        "`soong-memoryctl config env OPENAI_API_KEY`, then `soong-memoryctl reload`.",
    ),
    (
        "`3 calls waiting` in the outbox",
        "The daemon was away when an agent spoke.",
        "`soong-memoryctl service start`: they are sent within a minute.",
    ),
    (
        "`systemd has no session for this user here`",
        "You came by su, sudo or into a container: there is no user manager to ask.",
        "`soong-memoryd serve`, or log in properly and try again.",
    ),
    (
        "The daemon ends when you log out",
        "systemd ends the services of a user with the last session.",
        "`loginctl enable-linger`",
    ),
    (
        "A forgotten fact is back",
        "It was said again, in another message, or `undo` put it back.",
        "`soong-memoryctl why ID` shows the message; `soong-memoryctl forget ID` bars that one too.",
    ),
    (
        "A memory is wrong",
        "It is a plain file.",
        "`soong-memoryctl edit ID`, or your editor on the file; `soong-memoryctl undo ID` goes back.",
    ),
)

# codes that stand in no table: (where it is seen, cause, what helps)
INNER: dict[str, tuple[str, str, str]] = {
    "config": (
        "start, `config`",
        "A setting cannot be used; the text names file, line and key.",
        "`soong-memoryctl config show --origin`, and mend that line",
    ),
    "consent": (
        "start",
        "A profile for recall or extraction is remote and the main model is local: it would send conversations further.",
        "choose a local profile, or `soong-memoryctl config set memory.allow_remote_model true`",
    ),
    "key_file": (
        "start, `config check`",
        "A file with keys cannot be read, is too large, or others may read it.",
        "`chmod 600` it, then `soong-memoryctl reload`",
    ),
    "socket_dir": (
        "start",
        "The directory of the socket is not yours alone.",
        "`ls -ld` it; `chmod 700`, or another SOONG_MEMORYD_SOCKET",
    ),
    "socket_path": (
        "start",
        "Something that is not a socket is at the socket's path, or it cannot be bound.",
        "`ls -l` it and move it away",
    ),
    "state_newer": (
        "start",
        "`state.db` was written by a newer soong-memoryd; nothing of it was changed.",
        "start that version, or move `memoryd/state.db` away: memories stay",
    ),
    "state_corrupt": (
        "log",
        "`state.db` is damaged: it was set aside as `state.db.corrupt-…` and a new one begun. Memories are files and stay.",
        "`soong-memoryctl verify`; the old file may be deleted",
    ),
    "storage": (
        "jobs, `verify`",
        "The file system failed in a way of its own; the text has the kernel's name for it.",
        "`soong-memoryctl doctor`, and look at the disk",
    ),
    "sync_failed": (
        "jobs, `verify`",
        "The disk refused to say that a file is on it: nothing is written until a restart has looked.",
        "restart: `soong-memoryctl stop`, then start it again",
    ),
    "degraded": (
        "jobs, `verify`",
        "A commit could neither be finished nor taken back: the disk is full or read-only. Nothing else is written meanwhile.",
        "make room: the daemon decides it within seconds. `soong-memoryctl verify` says when a restart is needed",
    ),
    "source_changed": (
        "jobs",
        "A message was rewound or forgotten while the job looked at it.",
        "nothing: it runs again. `soong-memoryctl jobs`",
    ),
    "sync_in_progress": (
        "jobs, `verify`",
        "git is in the middle of a merge or rebase in `memory/`.",
        "finish it, then `soong-memoryctl trigger` ([several machines](several-machines.md))",
    ),
    "interrupted": (
        "jobs",
        "The daemon ended during the attempt.",
        "nothing: it runs again. `soong-memoryctl jobs`",
    ),
    "unsafe_path": (
        "`edit`, `verify`",
        "A path in `memory/` is a link, another user's, or not a plain file.",
        "`soong-memoryctl verify` names it",
    ),
    "invalid_document": (
        "`edit`, `verify`",
        "A text is not a memory; the code says more exactly why (below).",
        "`soong-memoryctl verify`, or `edit` again from the text that was kept",
    ),
    "model_failed": (
        "jobs",
        "A model call gave nothing usable.",
        "`soong-memoryctl config check`",
    ),
}

HEAD = """\
# Troubleshooting

Generated from the code's tables by `make docs` (`tests/troubleshooting.py`); do not edit. Search this page for what you read.

Three commands look at everything: **`soong-memoryctl doctor`** at what is around the memories (daemon, service, socket,
models, clients), **`soong-memoryctl verify`** at the memories, **`soong-memoryctl jobs`** at what was looked at and why
something was not kept. Every error ends with `try:` and the command that helps; with `--json` the same stands in `error.next`.

The log: `soong-memoryctl service logs`, or where you started `soong-memoryd serve`. It never holds what you said.
"""


EXITS = """\
The daemon itself: 73 another daemon holds this home; 75 it wants to be started again; 78 config or state cannot be used, and
starting it again will not help: it said why on stderr."""

MODELS = """\
`soong-memoryctl status` and `jobs` name the code. `soong-memoryctl config check` makes one tiny call per profile. A job that
failed is tried again; at once with `soong-memoryctl retry SESSION`."""

FILES = """\
Such a file stays as it is and out of catalog and recall. `verify` names it as `unparsable_file`, or by the code itself, and
says one of these. What a memory file needs: [file format](file-format.md)."""

KEPT = f"""\
`soong-memoryctl jobs JOB` lists what was `ignored`, with the messages. A reason of the model:
{", ".join(f"`{reason}`" for reason in IGNORE_REASONS)}.
A reason of the code, which the model cannot overrule:"""


def page() -> str:
    """``docs/troubleshooting.md``."""
    parts = (
        HEAD.rstrip(),
        "## What you see",
        _table(("what you see", "why", "what helps"), SYMPTOMS),
        "## What a command ends with",
        _table(("exit code", "means"), _exits()),
        EXITS,
        "## What the daemon answers",
        _table(("code", "means", "exit code", "what helps"), _answers()),
        "## What stops the daemon or a job",
        _table(("code", "where", "why", "what helps"), _inner()),
        "## What goes wrong with a model",
        MODELS,
        _table(("code", "means", "what helps"), _models()),
        "## What `verify` finds",
        _table(("code", "means", "what helps", "`--fix` mends it"), _findings()),
        "## Why a file is not a memory",
        FILES,
        _table(("code", "means"), _file_problems()),
        "## Why something was not kept",
        KEPT,
        _table(("code", "means", "what becomes of the job"), _refusals()),
    )
    return "\n\n".join(parts) + "\n"


def _table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [header, ("---",) * len(header), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "/").replace("<", "&lt;")


def _exits() -> Iterator[tuple[str, str]]:
    for code, meaning in MEANINGS.items():
        yield str(code.value), meaning


def _answers() -> Iterator[tuple[str, ...]]:
    for code, spec in ERRORS.items():
        exit_code, step = REPLIES[code]
        yield f"`{code}`", spec.raised_when, str(exit_code.value), _command(step)


def _inner() -> Iterator[tuple[str, ...]]:
    for code, (where, why, helps) in INNER.items():
        yield f"`{code}`", where, why, helps


def _models() -> Iterator[tuple[str, str, str]]:
    for code, (text, hint) in FAILURES.items():
        yield f"`{code}`", text, hint or "`soong-memoryctl jobs` shows which session; say it in other words, or `skip` it"
    for code, text in dialogue.FAILURES.items():
        yield f"`{code}`", text, "tried again; a better model, or `soong-memoryctl skip SESSION`"


def _findings() -> Iterator[tuple[str, str, str, str]]:
    for code, kind in KINDS.items():
        yield f"`{code}`", kind.text, kind.fix, "yes" if kind.safe else ""


def _file_problems() -> Iterator[tuple[str, str]]:
    yield from ((f"`{code}`", text) for code, text in {**PROBLEMS, **UNREADABLE}.items())


def _refusals() -> Iterator[tuple[str, str, str]]:
    outcomes = {"policy": "it completes without it", "form": "it fails and is tried again"}
    for code, meaning in REFUSALS.items():
        yield f"`{code}`", meaning.meaning, outcomes[meaning.kind]


def _command(step: str) -> str:
    """A next step, with its commands as code."""
    return re.sub(r"soong-memory(?:ctl|d)(?: (?!then\b)[a-z]+)+(?: ID)?|soong-memoryctl --help", r"`\g<0>`", step)


def codes_raised() -> dict[str, str]:
    """Every code that an error of ours is made with anywhere in the package → where."""
    found: dict[str, str] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for code in _codes_of(node):
                found.setdefault(code, f"{path.relative_to(PACKAGE)}:{getattr(node, 'lineno', '?')}")
    return found


CODED = {"RequestError", "ModelError", "Failure"}  # their first argument is the code
NAMED = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.MemorydError)}


def _codes_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ClassDef) and node.name in NAMED:
        for statement in node.body:
            if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "code":
                yield ast.literal_eval(statement.value)
    if not isinstance(node, ast.Call):
        return
    name = ast.unparse(node.func).rpartition(".")[2]
    if name in CODED and node.args:
        yield from _constants(node.args[0])
    if name in CODED | NAMED:
        for keyword in node.keywords:
            if keyword.arg == "code":
                yield from _constants(keyword.value)


def _constants(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    if isinstance(value, ast.IfExp):
        yield from _constants(value.body)
        yield from _constants(value.orelse)
