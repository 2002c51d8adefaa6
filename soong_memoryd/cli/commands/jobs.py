"""``trigger``, ``jobs``, ``retry``, ``skip``: extraction jobs as a person sees and pushes them.

Owns: how a job reads. Must not know: when jobs are made.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from soong_memoryd.cli.command import Command
from soong_memoryd.cli.console import Console, unique
from soong_memoryd.cli.exits import Exit
from soong_memoryd.cli.render import Style, plural, printable, table, tally

HEADER = ("JOB", "STATUS", "REASON", "TRY", "SCANNED", "WHEN", "SESSION", "OUTCOME")
STATUSES = ("pending", "running", "completed", "failed", "parked", "cancelled")
WAIT_SECONDS = 600.0
SESSIONS_STEP = "soong-memoryctl sessions"


def _configure_trigger(parser: ArgumentParser) -> None:
    parser.add_argument("session", nargs="?", help="a session, or a unique beginning of one; left out: all of them")
    parser.add_argument("--wait", action="store_true", help="until every attempt has ended")


def _trigger(console: Console, args: Namespace) -> dict[str, Any]:
    session_id = console.session_id(args.session) if args.session else None
    patient = console._replace(timeout_seconds=max(console.timeout_seconds, WAIT_SECONDS)) if args.wait else console
    data: dict[str, Any] = patient.call("extraction.trigger", session_id=session_id, wait=args.wait)
    return data


def _trigger_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    if not data["jobs"]:
        yield "nothing unscanned: no job is needed"
    for job in data["jobs"]:
        yield f"job {job['job_id']} {job['status']}  {printable(job['session_id'])}  {outcome(job)}".rstrip()


def _trigger_exit(data: dict[str, Any]) -> Exit:
    failed = any(job["error"] or job["status"] in ("failed", "parked") for job in data["jobs"])
    return Exit.FAILED if failed else Exit.OK


def outcome(job: dict[str, Any]) -> str:
    """What a job did, or why it failed, in one phrase."""
    error, result = job.get("error"), job.get("result")
    if error:
        return printable(error.get("text") or error.get("code") or "failed")
    if not result:
        return ""
    return tally([result])


def _configure_jobs(parser: ArgumentParser) -> None:
    parser.add_argument("job", nargs="?", help="one job in full, by a unique beginning of its id")
    parser.add_argument("--session", help="only this session")
    parser.add_argument("--status", choices=STATUSES, help="only these")
    parser.add_argument("--limit", type=int, default=20, metavar="N", help="at most N (default: 20)")


def _jobs(console: Console, args: Namespace) -> dict[str, Any]:
    if args.job:
        known = console.call("extraction.list", limit=1000)["jobs"]
        job_id = unique(args.job, [job["job_id"] for job in known], "jobs", "soong-memoryctl jobs")
        return {"jobs": [console.call("extraction.get", job_id=job_id)], "detail": True}
    session_id = console.session_id(args.session) if args.session else None
    found = console.call("extraction.list", session_id=session_id, status=args.status, limit=args.limit)
    return {"jobs": found["jobs"]}


def _jobs_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    if data.get("detail"):
        yield from _detail(data["jobs"][0], style)
        return
    rows = [
        (
            job["job_id"],
            job["status"],
            job["reason"] + (" (by you)" if job["requested_by"] == "operator" else ""),
            job["attempt"],
            _range(job),
            style.until(job["due_at"]) if job["status"] == "pending" else style.moment(job["finished_at"] or job["started_at"]),
            job["session_id"],
            outcome(job),
        )
        for job in data["jobs"]
    ]
    yield from table(HEADER, rows, style) if rows else ["no jobs"]


def _range(job: dict[str, Any]) -> str:
    return "-" if job["to_sequence"] is None else f"{job['from_sequence']}..{job['to_sequence']}"


def _detail(job: dict[str, Any], style: Style) -> Iterator[str]:
    yield f"job       {job['job_id']}  {job['status']}  attempt {job['attempt']}"
    yield f"session   {printable(job['session_id'])}  nodes {_range(job)}"
    yield f"reason    {job['reason']}, requested by {job['requested_by']}"
    times = ((word, style.moment(job[f"{word}_at"])) for word in ("created", "due", "started", "finished"))
    yield "times     " + "  ".join(f"{word} {moment}" for word, moment in times)
    yield f"outcome   {outcome(job) or '-'}"
    result = job.get("result") or {}
    for name in ("created", "updated"):
        for memory_id in result.get(name) or []:
            yield f"{name:<9} {printable(memory_id)}"
    for ignored in result.get("ignored") or []:
        sources = ", ".join(map(printable, ignored.get("source_node_ids") or []))
        yield f"ignored   {printable(ignored.get('reason'))}  ({sources})"
    if job.get("error"):
        session = printable(job["session_id"])
        yield f"next      soong-memoryctl retry {session}"
        yield f"          or give these messages up: soong-memoryctl skip {session}"


def _configure_session(parser: ArgumentParser) -> None:
    parser.add_argument("session", help="a session, or a unique beginning of one")


def _configure_skip(parser: ArgumentParser) -> None:
    _configure_session(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask")


def _retry(console: Console, args: Namespace) -> Any:
    return console.call("extraction.retry", session_id=console.session_id(args.session))


def _retry_view(data: Any, style: Style) -> Iterator[str]:
    yield "it will be tried again; see: soong-memoryctl jobs"


def _skip(console: Console, args: Namespace) -> Any:
    session_id = console.session_id(args.session)
    if not args.yes and not console.confirmed(f"Never extract what stalls in {printable(session_id)}?"):
        return {"skipped_node_ids": []}
    return console.call("extraction.skip", session_id=session_id)


def _skip_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    yield f"{plural(len(data.get('skipped_node_ids') or []), 'message')} will never be extracted"


TRIGGER = Command(
    "trigger",
    "look for memories now",
    "starts extraction",
    _trigger,
    _trigger_view,
    _configure_trigger,
    _trigger_exit,
    not_found_step=SESSIONS_STEP,
)
JOBS = Command(
    "jobs",
    "extraction jobs, or one of them in full",
    "read-only",
    _jobs,
    _jobs_view,
    _configure_jobs,
    not_found_step="soong-memoryctl jobs",
)
RETRY = Command(
    "retry",
    "try a parked session again",
    "starts extraction",
    _retry,
    _retry_view,
    _configure_session,
    not_found_step=SESSIONS_STEP,
)
SKIP = Command(
    "skip",
    "give up the messages that a parked session stalls on",
    "changes the session",
    _skip,
    _skip_view,
    _configure_skip,
    not_found_step=SESSIONS_STEP,
)
