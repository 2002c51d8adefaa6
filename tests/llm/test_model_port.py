"""What every implementation of the ``Model`` port keeps to, whatever is behind it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator

import anyio
import pytest

from soong_memoryd.llm.builtin import BuiltinModel
from soong_memoryd.llm.conversation import Answer, Conversation, Facts, Message, Model, Round
from soong_memoryd.llm.ladder import RUNGS
from tests.llm.conversations import MADE, SEVERAL
from tests.support.model_server import ModelServer, calls
from tests.support.models import remote_at

Ask = Callable[[Conversation], tuple[Model, Answer]]
WISH = Facts(messages=(Message("n1", "Please remember that I like tea with milk."),))
CONVERSATION = Conversation(SEVERAL.system, SEVERAL.user, SEVERAL.tools, facts=WISH)


@pytest.fixture(params=["builtin", *RUNGS])
def ask(request: pytest.FixtureRequest) -> Iterator[Ask]:
    """ask(conversation) -> (the model, its answer), for the embedded model and a remote one on every rung."""

    def embedded(conversation: Conversation) -> tuple[Model, Answer]:
        model = BuiltinModel()
        return model, anyio.run(model.ask, conversation)

    if request.param == "builtin":
        yield embedded
        return
    with ModelServer(calls(*MADE)) as server:

        def remote(conversation: Conversation) -> tuple[Model, Answer]:
            model = remote_at(server.base_url, structured_output=request.param)

            async def run() -> Answer:
                try:
                    return await model.ask(conversation)
                finally:
                    await model.close()

            return model, anyio.run(run)

        yield remote


def test_a_model_has_a_label_of_one_line_and_room_for_a_prompt(ask: Ask) -> None:
    model, _ = ask(CONVERSATION)
    assert model.label and "\n" not in model.label
    assert model.context_tokens > 1000


def test_an_answer_calls_offered_tools_with_objects_and_ends_with_finish(ask: Ask) -> None:
    _, answer = ask(CONVERSATION)
    assert [call.name for call in answer.calls] == ["create_memory", "finish"]
    assert all(isinstance(call.arguments, dict) and call.problem is None for call in answer.calls)
    assert answer.problem is None and answer.rung


def test_every_quote_names_a_node_that_was_told(ask: Ask) -> None:
    _, answer = ask(CONVERSATION)
    evidence = (answer.calls[0].arguments or {})["evidence"]
    assert evidence and {quote["node_id"] for quote in evidence} == {"n1"}


def test_what_was_refused_can_be_told_and_is_answered(ask: Ask) -> None:
    _, first = ask(CONVERSATION)
    told = Round(first.calls, ("refused: size: too long", "staged"), "Mend it or finish.")
    _, second = ask(Conversation(CONVERSATION.system, CONVERSATION.user, CONVERSATION.tools, (told,), CONVERSATION.facts))
    assert second.calls[-1].name == "finish"


def test_asking_costs_nothing_negative_and_changes_no_conversation(ask: Ask) -> None:
    before = copy.deepcopy(CONVERSATION)
    _, answer = ask(CONVERSATION)
    assert min(answer.usage.calls, answer.usage.prompt_tokens, answer.usage.completion_tokens) >= 0
    assert before == CONVERSATION
