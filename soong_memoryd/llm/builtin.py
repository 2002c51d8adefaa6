"""The embedded model: no network, no weights, rules only, and honest about it.

Owns: which calls it makes for the facts of a conversation. Must not know: prompts, providers, files, what becomes of a call.
It keeps what a person explicitly asks to keep, in their own words; it notices near duplicates and never updates.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from soong_memoryd.llm import wording
from soong_memoryd.llm.conversation import Answer, Conversation, Facts, KnownMemory, Message, ToolCall, Usage
from soong_memoryd.llm.presets import BUILTIN
from soong_memoryd.text.intent.match import keep_wish, wish_sentences

_CONTEXT_TOKENS = 200_000
_MIN_QUOTE_LETTERS = 8  # shorter quotes prove nothing unless they are the whole message
_CREATE, _FINISH = "create_memory", "finish"
_NOTHING_OF_ITS_OWN, _PROJECT_FACT, _SECRET = "unconfirmed", "project_fact", "secret"  # reasons of ``finish``
_NOT_ITS_TASK = "the embedded model knows extraction only"


@dataclass(slots=True)
class _Wish:
    """One thing to keep: its text, and where it was said."""

    text: str
    sentences: list[str]
    evidence: list[dict[str, str]]


@dataclass(slots=True)
class _Findings:
    """What the messages hold, in the order of ``finish``."""

    wishes: list[_Wish] = field(default_factory=list)
    ignored: list[dict[str, Any]] = field(default_factory=list)
    duplicates: list[dict[str, Any]] = field(default_factory=list)


class BuiltinModel:
    """Implements ``llm.conversation.Model`` from ``conversation.facts`` alone."""

    @property
    def label(self) -> str:
        """``builtin``: there is no provider."""
        return BUILTIN

    @property
    def context_tokens(self) -> int:
        """Nothing is sent anywhere; the bound keeps windows to a size that is quickly read."""
        return _CONTEXT_TOKENS

    async def ask(self, conversation: Conversation) -> Answer:
        """The calls for the facts. In a later round only ``finish``: what was refused will not get better by repetition."""
        if _CREATE not in {tool.name for tool in conversation.tools}:
            return Answer((), Usage(), BUILTIN, _NOT_ITS_TASK)
        if conversation.rounds:
            return Answer((_finish(_Findings()),), Usage(), BUILTIN)
        calls = await asyncio.to_thread(propose, conversation.facts)
        return Answer(calls, Usage(), BUILTIN)


def propose(facts: Facts) -> tuple[ToolCall, ...]:
    """One ``create_memory`` for each new wish of the messages, then ``finish``. Pure."""
    findings = _Findings()
    for message in facts.messages:
        for sentence in wish_sentences(message.text):
            _examine(sentence, message, facts.memories, findings)
    return (*map(_create, findings.wishes), _finish(findings))


def _examine(sentence: str, message: Message, memories: tuple[KnownMemory, ...], findings: _Findings) -> None:
    clauses = wording.kept_clauses(sentence)
    if not clauses:
        findings.ignored.append({"reason": _SECRET, "source_node_ids": [message.node_id]})
        return
    text = ", ".join(filter(None, map(wording.core, clauses)))
    if not text or _points_back(sentence):  # "remember this": what is meant was said by somebody else, or before
        findings.ignored.append({"reason": _NOTHING_OF_ITS_OWN, "source_node_ids": [message.node_id]})
        return
    if wording.about_the_project(text):
        findings.ignored.append({"reason": _PROJECT_FACT, "source_node_ids": [message.node_id]})
        return
    evidence = [{"node_id": message.node_id, "quote": _quote(clause, message.text)} for clause in clauses]
    for memory in memories:
        if wording.says_the_same(text, memory.text):
            findings.duplicates.append({"memory_id": memory.memory_id, "source_node_ids": [message.node_id]})
            return
    for wish in findings.wishes:
        if wording.says_the_same(text, wish.text):
            wish.evidence.extend(evidence)
            return
    findings.wishes.append(_Wish(text, list(clauses), evidence))


def _points_back(sentence: str) -> bool:
    """Whether a sentence asks to keep something that it does not say ("save that link"); "save this: …" says it."""
    return keep_wish(sentence) and not any(colon in sentence for colon in ":：")


def _quote(clause: str, message: str) -> str:
    """The words as they stand in the message; for a very short clause the message itself, which proves itself."""
    letters = sum(1 if character.isascii() else 2 for character in clause if character.isalnum())
    return clause if letters >= _MIN_QUOTE_LETTERS else message


def _create(wish: _Wish) -> ToolCall:
    arguments: dict[str, Any] = {
        "category": wording.category(wish.text),
        "name": wording.name(wish.text),
        "summary": wording.summary(wish.text),
        "tags": wording.tags(wish.text),
        "body": "\n".join(wish.sentences),
        "evidence": wish.evidence,
        "confirmed_by": None,
    }
    return ToolCall(_CREATE, arguments)


def _finish(findings: _Findings) -> ToolCall:
    return ToolCall(_FINISH, {"ignored": findings.ignored, "duplicates": findings.duplicates})
