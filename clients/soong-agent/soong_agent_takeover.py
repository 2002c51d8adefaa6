"""Hands over what soong-agent has kept: its sessions with their scan cursors, and its memory files.

Owns: the command, and reading ``sessions.sqlite``. Must not know: what a node means (``soong_agent_nodes``), how a file is
mended (``soong_agent_files``). It may be run again: what was handed over changes nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":  # with -I neither this file's directory nor site-packages is searched
    _HERE = os.path.dirname(os.path.abspath(__file__))
    sys.path[:0] = [_HERE, os.path.join(os.path.dirname(_HERE), "python")]

from soong_agent_files import mend
from soong_agent_nodes import CURSOR_KEY, agent_kind, node_of, run_status
from soong_memory_client import calls
from soong_memory_client.client import MemoryClient
from soong_memory_client.errors import DaemonUnavailable, MemoryClientError, RpcError
from soong_memory_client.nodes import batches
from soong_memory_client.paths import home_path
from soong_memory_client.wire import Call

CLIENT_NAME = "soong-agent"
DATABASE = "sessions.sqlite"
_TABLE_SAFE = re.compile(r"[A-Za-z0-9_]+")
OK, FAILED, NO_DAEMON, LEFT_OVER = 0, 1, 3, 7


class Session(NamedTuple):
    """A row of ``sessions`` with what belongs to it, in the order it was written."""

    session_id: str
    root_agent_id: str
    title: str | None
    scanned_seq: int
    agents: Sequence[Mapping[str, Any]]
    statuses: Mapping[str, str]  # run → status
    nodes: Sequence[tuple[int, Mapping[str, Any]]]


class Handed(NamedTuple):
    """What was handed over of one session: nodes the daemon did not have, and those it had with other content."""

    nodes: int
    conflicts: int
    unscanned_messages: int


def sessions(database: Path) -> Iterator[Session]:
    """The sessions of soong-agent's database, oldest first; it is only read."""
    with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        for row in connection.execute("SELECT * FROM sessions ORDER BY created_at, session_id").fetchall():
            session_id = row["session_id"]
            if not _TABLE_SAFE.fullmatch(session_id):  # it is part of a table's name
                continue
            metadata = _json(row["metadata_json"])
            of_session = (session_id,)
            agents = connection.execute("SELECT * FROM agents WHERE session_id = ? ORDER BY created_at", of_session)
            runs = connection.execute("SELECT run_id, status FROM runs WHERE session_id = ?", of_session)
            yield Session(
                session_id,
                row["root_agent_id"],
                metadata.get("title"),
                int(metadata.get(CURSOR_KEY) or 0),
                [{**agent, "metadata": _json(agent["metadata_json"])} for agent in map(dict, agents)],
                {run["run_id"]: run["status"] for run in runs},
                [
                    (
                        node["node_seq"],
                        {**node, "content": _json(node["content_json"]), "metadata": _json(node["metadata_json"])},
                    )
                    for node in map(dict, connection.execute(f'SELECT * FROM "nodes_{session_id}" ORDER BY node_seq'))  # noqa: S608
                ],
            )


def calls_of(session: Session) -> Iterator[Call[Any]]:
    """A session as calls: opened, its agents, and each run around the nodes that name it. Pure."""
    yield calls.session_open(session.session_id, session.root_agent_id, session.title)
    known = {session.root_agent_id}
    written_by = [{"agent_id": node["agent_id"], "agent_type": "sub"} for _, node in session.nodes]
    for agent in [*session.agents, *written_by]:
        if agent["agent_id"] not in known:
            parent = agent.get("parent_agent_id")
            kind = agent_kind(agent["agent_type"], agent.get("metadata", {}).get("purpose"))
            yield calls.agent_register(
                session.session_id, agent["agent_id"], kind, parent if parent in known else session.root_agent_id
            )
            known.add(agent["agent_id"])
    last_of_run = {node["run_id"]: node_seq for node_seq, node in session.nodes if node["run_id"]}
    begun: set[str] = set()
    waiting: list[dict[str, Any]] = []
    for node_seq, node in session.nodes:
        run_id = node["run_id"]
        if run_id and run_id not in begun:
            yield from _appends(session, waiting)
            begun.add(run_id)
            yield calls.run_started(session.session_id, run_id, node["agent_id"])
        made = node_of(node, node_seq, session.root_agent_id, session.scanned_seq)
        if made is not None:
            waiting.append(made)
        if run_id and last_of_run[run_id] == node_seq:
            yield from _appends(session, waiting)
            status = run_status(session.statuses.get(run_id, ""))
            yield calls.run_completed(session.session_id, run_id, status, node["agent_id"])
    yield from _appends(session, waiting)


def hand_over(session: Session, client: MemoryClient) -> Handed:
    """Make the calls of a session; a node that the daemon knows with other content stays as the daemon knows it."""
    new = conflicts = 0
    for call in calls_of(session):
        if call.method != "context.append":
            client.send(call)
            continue
        nodes = list(call.params["nodes"])
        while nodes:
            try:
                new += client.call(call.method, session_id=session.session_id, nodes=nodes)["appended"]
                break
            except RpcError as refused:
                if refused.code != "node_conflict":
                    raise
                conflicts += 1
                del nodes[refused.data["index"]]  # type: ignore[arg-type]
    opened = client.call("session.open", session_id=session.session_id, agent_id=session.root_agent_id)
    return Handed(new, conflicts, opened["unscanned_messages"])


def _appends(session: Session, waiting: list[dict[str, Any]]) -> Iterator[Call[Any]]:
    yield from (calls.append(session.session_id, group) for group in batches(waiting))
    waiting.clear()


def _json(text: str | None) -> Any:
    return json.loads(text) if text else {}


# -- command line --------------------------------------------------------------------------------------------------


def main(argv: Sequence[str] | None = None) -> int:
    """``take over`` a home; 0, 1 failed, 3 no daemon, 7 files that a person has to look at."""
    parser = argparse.ArgumentParser(
        prog="soong_agent_takeover", description="Hand soong-agent's memory over to soong-memoryd."
    )
    parser.add_argument("--home", help="the agent home, else $SOONG_AGENT_HOME, else ~/.soong-agent")
    parser.add_argument("--sessions", metavar="FILE", help=f"soong-agent's database, else {DATABASE} in the home")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")
    given = parser.parse_args(argv)
    home = home_path(flag=given.home)
    database = Path(given.sessions) if given.sessions else home / DATABASE
    try:
        with MemoryClient(CLIENT_NAME, home=given.home, outbox=False, timeout_seconds=60) as client:
            left = _take_files(home, client, given.dry_run)
            if given.sessions or database.exists():
                _take_sessions(database, client, given.dry_run)
    except DaemonUnavailable as error:
        print(f"{error}: start it with `soong-memoryd serve`", file=sys.stderr)
        return NO_DAEMON
    except (MemoryClientError, OSError, sqlite3.Error, ValueError) as error:
        print(f"not handed over: {error}: nothing that was is undone, run it again", file=sys.stderr)
        return FAILED
    return LEFT_OVER if left else OK


def _take_files(home: Path, client: MemoryClient, dry_run: bool) -> int:
    unreadable = _unreadable(client)
    if not dry_run:
        for path in unreadable:
            if mend(home, path):
                print(f"mended   {path}")
    left = _unreadable(client)
    for path, why in left.items():
        print(f"{'unreadable' if dry_run else 'left alone'} {path}: {why}")
    print(f"memories {client.call('memory.list', limit=1)['total']} read, {len(left)} not")
    return len(left)


def _unreadable(client: MemoryClient) -> dict[str, str]:
    found = client.call("daemon.verify")["problems"]
    return {problem["path"]: problem["text"] for problem in found if problem["code"] == "unparsable_file"}


def _take_sessions(database: Path, client: MemoryClient, dry_run: bool) -> None:
    for session in sessions(database):
        if dry_run:
            print(f"session  {session.session_id}: {len(session.nodes)} nodes, scanned up to {session.scanned_seq}")
            continue
        handed = hand_over(session, client)
        kept = f", {handed.conflicts} known with other content" if handed.conflicts else ""
        print(f"session  {session.session_id}: {handed.nodes} new nodes{kept}, {handed.unscanned_messages} messages to look at")


if __name__ == "__main__":
    sys.exit(main())
