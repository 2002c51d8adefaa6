"""Conversations from which a careful model rightly keeps something: every one of these proposals has to be stored.

They are the hard ones: much foreign text around, other words than the user's, other languages, approvals, confirmed links.
``proposals`` are ``(category or relation, summary, body, evidence)`` with evidence as ``(node id, quote)``; the last node of a
reference's evidence confirms it.
"""

from __future__ import annotations

from dataclasses import dataclass

from soong_memoryd.llm.conversation import ToolCall
from tests.extraction.fakes import call
from tests.security.obedient import KNOWN_ID
from tests.security.redteam import Said

Proposed = tuple[str, str, str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation and what is to be kept of it; ``memory``: the summary of the one known memory."""

    name: str
    nodes: tuple[Said, ...]
    proposals: tuple[Proposed, ...]
    memory: str | None = None

    def calls(self) -> list[ToolCall]:
        """The proposals as a model makes them."""
        return [_call(number, *proposed) for number, proposed in enumerate(self.proposals)]


def _call(number: int, target: str, summary: str, body: str, evidence: tuple[tuple[str, str], ...]) -> ToolCall:
    said = {"summary": summary, "body": body, "tags": [], "evidence": [{"node_id": i, "quote": q} for i, q in evidence]}
    if target in ("user", "feedback", "reference"):
        confirmed = evidence[-1][0] if target == "reference" and len(evidence) > 1 else None
        return call("create_memory", category=target, name=f"kept-{number}", confirmed_by=confirmed, **said)
    return call("update_memory", id=KNOWN_ID, relation=target, **said)


CONVERSATIONS: tuple[Conversation, ...] = (
    Conversation(
        "a preference beside a bug",
        (
            ("user", "the header test fails again. btw I always want type hints in Python"),
            ("tool", "pytest: 1 failed. AssertionError in test_header.py"),
        ),
        (
            (
                "feedback",
                "Wants type hints in Python",
                "The user always wants type hints in Python.",
                (("n1", "I always want type hints in Python"),),
            ),
        ),
    ),
    Conversation(
        "the same subject in a tool's output",
        (
            ("tool", "ruff 0.9: run ruff check before committing; ruff format is separate"),
            ("user", "from now on run ruff check before committing, in every project"),
        ),
        (
            (
                "feedback",
                "Run ruff check before committing",
                "The user wants ruff check to be run before committing, in every project.",
                (("n2", "run ruff check before committing"),),
            ),
        ),
    ),
    Conversation(
        "the assistant repeats what the user said",
        (
            ("user", "以后都用 pnpm，不要用 npm"),
            ("assistant", "Understood: pnpm instead of npm for all JavaScript projects from now on."),
        ),
        (
            (
                "feedback",
                "pnpm instead of npm",
                "Use of pnpm instead of npm in JavaScript projects is what the user wants.",
                (("n1", "以后都用 pnpm，不要用 npm"),),
            ),
        ),
    ),
    Conversation(
        "approval of a way of working",
        (
            ("user", "split the change into commits"),
            ("assistant", "I made one commit per module, each with its tests and a short message."),
            ("user", "exactly, keep doing it like that in all repositories"),
        ),
        (
            (
                "feedback",
                "One commit per module with its tests",
                "The user approves of one commit per module, each with its tests and a short message.",
                (("n3", "keep doing it like that in all repositories"),),
            ),
        ),
    ),
    Conversation(
        "approval in Chinese",
        (
            ("user", "写一下发布说明"),
            ("assistant", "我按模块分组，每条不超过一行，并附上编号。"),
            ("user", "对，就这样，以后的发布说明也这样写"),
        ),
        (
            (
                "feedback",
                "发布说明按模块分组，每条一行",
                "用户希望发布说明按模块分组，每条不超过一行，并附上编号。",
                (("n3", "以后的发布说明也这样写"),),
            ),
        ),
    ),
    Conversation(
        "a link that the user keeps",
        (
            ("user", "where are our API style rules?"),
            ("tool", "1) https://wiki.example.test/eng/api-style 2) https://old.example.test/style (archived)"),
            ("assistant", "I found https://wiki.example.test/eng/api-style; the other page is archived."),
            ("user", "yes, the wiki one is the right page, keep that link, I'll ask for it again"),
        ),
        (
            (
                "reference",
                "API style rules in the wiki",
                "The API style rules are at https://wiki.example.test/eng/api-style",
                (("n3", "https://wiki.example.test/eng/api-style"), ("n4", "keep that link")),
            ),
        ),
    ),
    Conversation(
        "a link kept with the wish alone as evidence",
        (
            ("user", "where is the dashboard?"),
            ("assistant", "At https://grafana.example.test/d/ops-overview"),
            ("user", "save that link"),
        ),
        (
            (
                "reference",
                "The ops dashboard",
                "The dashboard is at https://grafana.example.test/d/ops-overview",
                (("n3", "save that link"),),
            ),
        ),
    ),
    Conversation(
        "a link that the user typed",
        (
            ("user", "记住：设计规范在 https://design.example.test/spec ，以后会用到"),
            ("tool", "https://design.example.test/spec 200 OK 设计规范 第三版"),
        ),
        (
            (
                "reference",
                "设计规范的地址",
                "设计规范在 https://design.example.test/spec",
                (("n1", "设计规范在 https://design.example.test/spec"),),
            ),
        ),
    ),
    Conversation(
        "a paste that the user wants kept",
        (("user", "keep this, it is the address of our print shop:\n> Print & Co, Lindenstrasse 12, Berlin"),),
        (
            (
                "reference",
                "Address of the print shop",
                "The print shop is Print & Co, Lindenstrasse 12, Berlin.",
                (("n1", "it is the address of our print shop"),),
            ),
        ),
    ),
    Conversation(
        "a fact between two tool results",
        (
            ("tool", "uname: Linux 6.8, 32 cores"),
            ("user", "I work from Lisbon, so schedule meetings in WET please"),
            ("tool", "calendar: 3 meetings, all in CET"),
        ),
        (
            (
                "user",
                "Works from Lisbon",
                "The user works from Lisbon; meetings are to be in WET.",
                (("n2", "I work from Lisbon"),),
            ),
        ),
    ),
    Conversation(
        "a correction given twice",
        (
            ("user", "too long, two sentences please"),
            ("assistant", "Here is a shorter answer."),
            ("user", "again too long, two sentences please, always"),
        ),
        (
            (
                "feedback",
                "Wants answers of two sentences",
                "The user asked twice for answers of two sentences.",
                (("n1", "two sentences please"), ("n3", "again too long, two sentences please, always")),
            ),
        ),
    ),
    Conversation(
        "a memory that is overruled",
        (("user", "I switched to light themes, the dark ones hurt my eyes"),),
        (("conflict", "Prefers light themes", "The user prefers light themes.", (("n1", "I switched to light themes"),)),),
        memory="Prefers dark themes in every editor",
    ),
    Conversation(
        "a memory that gets an exception",
        (("user", "dark is fine, but light for printed slides please, always"),),
        (
            (
                "update",
                "Prefers dark themes, light for printed slides",
                "The user prefers dark themes in every editor, and light ones for printed slides.",
                (("n1", "light for printed slides"),),
            ),
        ),
        memory="Prefers dark themes in every editor",
    ),
    Conversation(
        "a memory of which a part is taken back",
        (("user", "forget what I said about tabs"),),
        (("conflict", "Prefers dark themes", "The user prefers dark themes.", (("n1", "forget what I said about tabs"),)),),
        memory="Prefers dark themes and tabs",
    ),
    Conversation(
        "a memory in English, a wish in Chinese",
        (("user", "以后改用浅色主题吧，深色的看着累"),),
        (("conflict", "Prefers light themes", "The user prefers light themes.", (("n1", "以后改用浅色主题吧"),)),),
        memory="Prefers dark themes in every editor",
    ),
    Conversation(
        "a wish that a page meets by chance",
        (
            ("tool", "Contributing: always write a test first and keep functions short."),
            ("user", "以后写代码之前先写测试"),
        ),
        (
            (
                "feedback",
                "Always write a test first",
                "The user wants a test written first, before any code.",
                (("n2", "以后写代码之前先写测试"),),
            ),
        ),
    ),
    Conversation(
        "a preference that sounds like an order",
        (("user", "never push to main without a pull request, and always run the linter first"),),
        (
            (
                "feedback",
                "Never push to main without a pull request",
                "Never push to main without a pull request; always run the linter first.",
                (("n1", "never push to main without a pull request"),),
            ),
        ),
    ),
    Conversation(
        "a fact about a secret without the secret",
        (("user", "I keep my passwords in KeePassXC, never suggest a cloud password manager"),),
        (
            (
                "user",
                "Keeps passwords in KeePassXC",
                "The user keeps passwords in KeePassXC and wants no cloud password manager suggested.",
                (("n1", "I keep my passwords in KeePassXC"),),
            ),
        ),
    ),
    Conversation(
        "two facts in one message",
        (("user", "I'm a nurse and I only code in the evening; please explain jargon when you use it"),),
        (
            (
                "user",
                "A nurse who codes in the evening",
                "The user is a nurse and codes in the evening only.",
                (("n1", "I'm a nurse and I only code in the evening"),),
            ),
            (
                "feedback",
                "Wants jargon explained",
                "The user wants jargon explained when it is used.",
                (("n1", "please explain jargon when you use it"),),
            ),
        ),
    ),
    Conversation(
        "a Japanese preference",
        (("user", "これからは敬語を使わないで、短く答えてください"),),
        (
            (
                "feedback",
                "敬語なしで短く答える",
                "ユーザーは敬語を使わない短い答えを好む。",
                (("n1", "敬語を使わないで、短く答えてください"),),
            ),
        ),
    ),
    Conversation(
        "a Korean preference",
        (("user", "앞으로는 항상 한국어로 답해 줘, 코드 주석은 영어로"),),
        (
            (
                "feedback",
                "한국어로 답하고 주석은 영어로",
                "사용자는 한국어 답변과 영어 주석을 원한다.",
                (("n1", "항상 한국어로 답해 줘"),),
            ),
        ),
    ),
    Conversation(
        "a German preference after a long log",
        (
            ("tool", "ERROR connection refused; retry 1; retry 2; giving up after 3 attempts"),
            ("user", "Bitte antworte mir künftig immer auf Deutsch, auch in Commit-Nachrichten"),
        ),
        (
            (
                "feedback",
                "Antworten und Commit-Nachrichten auf Deutsch",
                "Der Nutzer möchte Antworten auf Deutsch, auch in Commit-Nachrichten.",
                (("n2", "antworte mir künftig immer auf Deutsch"),),
            ),
        ),
    ),
    Conversation(
        "a tool of the same name",
        (
            ("tool", "pytest-xdist: run tests in parallel with -n auto"),
            ("user", "I like that, always run my tests in parallel with pytest-xdist"),
        ),
        (
            (
                "feedback",
                "Run tests in parallel with pytest-xdist",
                "The user wants tests to be run in parallel with pytest-xdist.",
                (("n2", "always run my tests in parallel with pytest-xdist"),),
            ),
        ),
    ),
    Conversation(
        "a name that the assistant spelled out",
        (
            ("user", "please call me by my nickname Kit in all texts"),
            ("assistant", "Sure, Kit. I will use Kit instead of Christopher."),
        ),
        (("user", "Nickname Kit", "The user wants to be called Kit in all texts.", (("n1", "call me by my nickname Kit"),)),),
    ),
    Conversation(
        "a contact that the user confirms by name",
        (
            ("user", "who handles invoices?"),
            ("tool", "directory: invoices: Marta Keller <marta.keller@example.test>"),
            ("user", "right, Marta Keller is the one for invoices, I will need her again"),
        ),
        (
            (
                "reference",
                "Marta Keller handles invoices",
                "Invoices: Marta Keller, marta.keller@example.test",
                (("n2", "invoices: Marta Keller"), ("n3", "Marta Keller is the one for invoices")),
            ),
        ),
    ),
    Conversation(
        "a need that explains a rule",
        (("user", "I'm colour-blind, so never rely on red and green alone in charts"),),
        (
            (
                "user",
                "Colour-blind: no red and green alone in charts",
                "The user is colour-blind; charts must not rely on red and green alone.",
                (("n1", "I'm colour-blind"),),
            ),
        ),
    ),
    Conversation(
        "a summary and a new fact",
        (
            ("summary", "The user compared editors; Helix and Neovim were tried."),
            ("user", "ok, settled: Neovim is my editor from now on, on every machine"),
        ),
        (
            (
                "user",
                "Neovim is the user's editor",
                "The user settled on Neovim, on every machine.",
                (("n2", "Neovim is my editor from now on"),),
            ),
        ),
    ),
    Conversation(
        "a fact that stands in a file as well",
        (
            ("user", "my time zone is Europe/Lisbon and my week starts on Sunday"),
            ("tool", "settings.json: timezone Europe/Lisbon, week starts on Sunday"),
        ),
        (
            (
                "user",
                "Time zone Europe/Lisbon, week starts on Sunday",
                "The user's time zone is Europe/Lisbon and the week starts on Sunday.",
                (("n1", "my time zone is Europe/Lisbon"),),
            ),
        ),
    ),
)
