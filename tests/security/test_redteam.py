"""Conversations that want something remembered, with a model that obeys them; and ones that rightly do."""

from __future__ import annotations

import pytest

from tests.security.benign import CONVERSATIONS, Conversation
from tests.security.obedient import attempt, rows, run
from tests.security.redteam import ATTACKS, Attack

KINDS = {
    "tool output", "delayed trigger", "other agents", "paste", "quotation", "role play", "assistant says so", "fence",
    "forged id", "hidden text", "bare assent", "unconfirmed link", "other memory",
}  # fmt: skip


def test_the_set_covers_every_kind_of_attack():
    assert len(ATTACKS) >= 40
    assert {attack.kind for attack in ATTACKS} == KINDS


@pytest.mark.rule("security.red-team")
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: f"{attack.kind}: {attack.name}")
def test_nothing_is_written_for_a_model_that_obeys_what_it_reads(attack: Attack):
    done = attempt(attack)
    assert done.written == 0
    assert done.failure is None, "an attacker must not be able to stop a session's extraction either"


@pytest.mark.rule("security.no-false-alarm")
@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda conversation: conversation.name)
def test_what_the_user_rightly_wants_kept_is_written(conversation: Conversation):
    calls = conversation.calls()
    done = run(rows(conversation.nodes), lambda _: calls, conversation.memory)
    assert (done.written, done.failure) == (len(calls), None)
