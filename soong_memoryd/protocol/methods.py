"""THE table: every method with its params, result, kind and callers. Dispatch, OpenRPC and docs are derived from it.

Owns: which methods exist. Must not know how they are served.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from soong_memoryd.protocol import models as m
from soong_memoryd.protocol.values import Answer, Value
from soong_memoryd.protocol.values import Job as JobValue

PROTOCOL_VERSION = 1
MAX_BATCH = 16
MAX_IN_FLIGHT = 32
MAX_CONNECTIONS = 256
MAX_NODE_TEXT_BYTES = 256 * 1024

AGENT, OPERATOR, ANYONE = "agent", "operator", "anyone"


@dataclass(frozen=True, slots=True)
class Method:
    """One row.

    ``notification``: may also be sent without an id, then nothing is promised. ``ordered``: takes its place in the one
    queue before the next line of its connection is read. ``caller``: who is meant to call it.
    """

    params: type[Value]
    result: type[Answer] | None  # None: a JSON document of its own (rpc.discover)
    caller: str
    summary: str
    notification: bool = False
    ordered: bool = False


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "initialize": Method(m.Initialize, m.InitializeResult, ANYONE, "Agree on the protocol version; optional."),
        "session.open": Method(
            m.SessionOpen, m.SessionOpenResult, AGENT, "Open or reopen a session and name its main agent.", ordered=True
        ),
        "session.close": Method(
            m.OfSession, m.EmptyResult, AGENT, "Close a session; an open run is abandoned.", notification=True, ordered=True
        ),
        "session.list": Method(m.Page, m.SessionListResult, OPERATOR, "Sessions with unscanned counts and next deadlines."),
        "agent.register": Method(
            m.AgentRegister, m.AgentRegisterResult, AGENT, "Register an agent; its kind never changes.", ordered=True
        ),
        "context.append": Method(
            m.ContextAppend, m.ContextAppendResult, AGENT, "Append context nodes, all or none.", notification=True, ordered=True
        ),
        "context.rewind": Method(
            m.ContextRewind, m.ContextRewindResult, AGENT, "Take later nodes off the path.", notification=True, ordered=True
        ),
        "run.started": Method(
            m.RunStarted,
            m.RunStartedResult,
            AGENT,
            "A run began; a waiting idle job is cancelled.",
            notification=True,
            ordered=True,
        ),
        "run.completed": Method(
            m.RunCompleted,
            m.RunCompletedResult,
            AGENT,
            "A run ended; says whether and when to look.",
            notification=True,
            ordered=True,
        ),
        "memory.catalog": Method(m.MemoryCatalog, m.MemoryCatalogResult, AGENT, "MEMORY.md for the system prompt."),
        "memory.recall": Method(m.MemoryRecall, m.MemoryRecallResult, AGENT, "The full text of what matters now."),
        "memory.list": Method(m.MemoryList, m.MemoryListResult, OPERATOR, "Frontmatter of memories, newest first."),
        "memory.get": Method(m.OfMemory, m.MemoryGetResult, OPERATOR, "One memory, whole."),
        "memory.search": Method(m.MemorySearch, m.MemorySearchResult, OPERATOR, "Lexical search, no model."),
        "memory.why": Method(m.OfMemory, m.MemoryWhyResult, OPERATOR, "Where a memory comes from and what happened to it."),
        "memory.forget": Method(m.MemoryForget, m.MemoryForgetResult, OPERATOR, "A person's delete."),
        "memory.history": Method(m.OfMemory, m.MemoryHistoryResult, OPERATOR, "What changes displaced."),
        "memory.undo": Method(m.MemoryUndo, m.MemoryWritten, OPERATOR, "Put a displaced version back."),
        "memory.adopt": Method(m.MemoryAdopt, m.MemoryWritten, OPERATOR, "Take a text left in memoryd/edits/."),
        "extraction.trigger": Method(m.ExtractionTrigger, m.JobsResult, OPERATOR, "Look now."),
        "extraction.list": Method(m.ExtractionList, m.JobsResult, OPERATOR, "Jobs, newest first."),
        "extraction.get": Method(m.OfJob, JobValue, OPERATOR, "One job."),
        "extraction.retry": Method(m.OfSession, m.JobsResult, OPERATOR, "Take a session out of parking."),
        "extraction.skip": Method(m.OfSession, m.ExtractionSkipResult, OPERATOR, "Give up the stalled window's messages."),
        "events.list": Method(m.EventsList, m.EventsListResult, OPERATOR, "Events in order."),
        "events.subscribe": Method(m.EventsSubscribe, m.EventsSubscribeResult, OPERATOR, "Events as they happen."),
        "daemon.status": Method(m.Empty, m.StatusResult, OPERATOR, "How the daemon is."),
        "daemon.verify": Method(m.Empty, m.ProblemsResult, OPERATOR, "Everything inconsistent in the data, explained."),
        "daemon.repair": Method(m.DaemonRepair, m.ProblemsResult, OPERATOR, "Mend what is safe to mend."),
        "config.check": Method(m.Empty, m.ConfigCheckResult, OPERATOR, "One tiny call per model profile."),
        "daemon.reload": Method(m.Empty, m.EmptyResult, OPERATOR, "Read the config again."),
        "daemon.stop": Method(m.Empty, m.EmptyResult, OPERATOR, "Drain and exit."),
        "rpc.discover": Method(m.Empty, None, ANYONE, "The OpenRPC document."),
    }
)


def as_json(result: Answer | dict[str, Any]) -> dict[str, Any]:
    """A result as it goes onto the wire."""
    return result.model_dump(mode="json") if isinstance(result, Answer) else result
