"""Checks of everybody else: clients that wait, clients that never said a word, and programs that write in the same place.

Owns: which files show that a client is installed, and what else keeps memories where. Must not know: clients' protocols.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from soong_memory_client.outbox import Outbox, client_names
from soong_memory_client.paths import outbox_directory
from soong_memoryd.cli.checkup.facts import Facts, Finding
from soong_memoryd.cli.render import plural

OURS = "soong"
MAX_BYTES = 4 << 20
CATEGORIES = frozenset({"user", "feedback", "reference"})
# Not memories, and no rival either: the catalog, version control, synchronisation, the desktop, an editor's vault
EXPECTED = CATEGORIES | {
    "MEMORY.md",
    ".git",
    ".gitignore",
    ".gitattributes",
    ".stfolder",
    ".stignore",
    ".DS_Store",
    ".obsidian",
}


class Installed(NamedTuple):
    """A client: the start of its session ids, the files that name our hook once it is connected, and what to look at."""

    prefix: str
    name: str
    files: tuple[str, ...]
    advice: str


FIRST_DAY_SECONDS = 86_400
CLIENTS = (
    Installed(
        "claude-code:",
        "claude-code",
        (".claude/settings.json", ".claude/settings.local.json"),
        "say something in it; if it stays silent, /hooks there lists what it runs",
    ),
    Installed(
        "codex:", "codex", (".codex/hooks.json", ".codex/config.toml"), "start codex, type /hooks, and trust the hook there"
    ),
    Installed(
        "gemini:",
        "gemini",
        (".gemini/settings.json",),
        "say something in it; if it stays silent, /hooks there lists what it runs",
    ),
    Installed(
        "opencode:",
        "opencode",
        (".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"),
        "start opencode again; `opencode debug config` shows its plugins",
    ),
)
# (settings file, key) of programs that may be told to keep their own memories in a directory
MEMORY_SETTINGS = ((".claude/settings.json", "autoMemoryDirectory"), (".claude/settings.local.json", "autoMemoryDirectory"))
# directories of other memory systems that may be links
MEMORY_DIRECTORIES = (".claude/projects/*/memory", ".codex/memories", ".gemini/memory")


def outboxes(facts: Facts) -> Iterator[Finding]:
    """What clients could not send, and what was refused for good."""
    directory = outbox_directory(facts.home)
    backlogs = [Outbox(directory, name).backlog() for name in client_names(directory)]
    for backlog in backlogs:
        if backlog.rejected:
            path = directory / "rejected" / f"{backlog.client}.jsonl"
            text = f"{backlog.client}: {plural(backlog.rejected, 'call')} refused and set aside"
            yield Finding("outbox", "note", text, f"less {path}")
        if backlog.lines:
            text = f"{backlog.client}: {plural(backlog.lines, 'call')} waiting"
            fix = "they are sent within a minute" if facts.status is not None else "soong-memoryctl service start"
            yield Finding("outbox", "note", text, fix)
    if not any(backlog.lines or backlog.rejected for backlog in backlogs):
        yield Finding("outbox", "ok", "nothing waits")


def never_heard(facts: Facts) -> Iterator[Finding]:
    """A client whose settings name us, and who never opened a session: on the first day it may just not have been used."""
    if facts.status is None:
        return
    for client in CLIENTS:
        naming = [path for name in client.files if OURS in _read(path := facts.user_home / name)]
        if not naming:
            continue
        heard = sum(session["session_id"].startswith(client.prefix) for session in facts.sessions)
        if heard:
            yield Finding("client", "ok", f"{client.name}: {plural(heard, 'session')}")
        elif max(path.stat().st_mtime for path in naming) > time.time() - FIRST_DAY_SECONDS:
            yield Finding("client", "note", f"{client.name} is connected, and was not heard from yet", client.advice)
        else:
            yield Finding("client", "fail", f"{client.name} is connected, but was never heard from", client.advice)


def rivals(facts: Facts) -> Iterator[Finding]:
    """A second memory system that writes into memory/: two owners of one directory undo each other's work."""
    found = [*_told_to_write_here(facts), *_linked_here(facts), *_foreign_files(facts)]
    yield from found
    if not found:
        yield Finding("rivals", "ok", "nobody else writes into memory/")


def _told_to_write_here(facts: Facts) -> Iterator[Finding]:
    for name, key in MEMORY_SETTINGS:
        path = facts.user_home / name
        try:
            directory = json.loads(_read(path) or "{}").get(key)
        except (ValueError, AttributeError):
            continue
        if isinstance(directory, str) and _inside(Path(directory.replace("~", str(facts.user_home), 1)), facts.memory_dir):
            yield Finding(
                "rivals", "fail", f"{path} lets Claude Code keep its own memories in memory/", f"take {key} out of {path}"
            )


def _linked_here(facts: Facts) -> Iterator[Finding]:
    for pattern in MEMORY_DIRECTORIES:
        for path in facts.user_home.glob(pattern):
            if _inside(path, facts.memory_dir):
                yield Finding("rivals", "fail", f"{path} leads into memory/", f"rm {path}")


def _foreign_files(facts: Facts) -> Iterator[Finding]:
    try:
        names = set(os.listdir(facts.memory_dir))
    except OSError:
        return
    foreign = sorted(name for name in names - EXPECTED if not name.startswith(".git"))
    if foreign:
        shown = ", ".join(foreign[:3]) + (", …" if len(foreign) > 3 else "")
        yield Finding("rivals", "note", f"memory/ holds what is no memory: {shown}", f"ls -la {facts.memory_dir}")


def _inside(path: Path, directory: Path) -> bool:
    real = Path(os.path.realpath(path))
    return Path(os.path.realpath(directory)) in (real, *real.parents)


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
