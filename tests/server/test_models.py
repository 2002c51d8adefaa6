"""Which model serves when the config changes, and when the one before it lets go of its connections."""

from __future__ import annotations

import anyio
import pytest
import structlog

from soong_memoryd.config.keys import KeyRing
from soong_memoryd.llm.conversation import Answer, Conversation, Usage
from soong_memoryd.llm.endpoints import ForgetfulEndpoints
from soong_memoryd.llm.remote import RemoteModel
from soong_memoryd.server.models import MeteredModel, Models, profiles_of
from soong_memoryd.state.database import Database
from tests.support.clock import ManualClock
from tests.support.models import config_with

REMOTE = {"provider": "openai-compatible", "name": "scripted", "base_url": "http://127.0.0.1:9/v1"}
CONVERSATION = Conversation("rules", "question", ())


class Asked(RemoteModel):
    """Answers when it is told to, and notes when it was closed."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self.asked, self.go_on = anyio.Event(), anyio.Event()
        self.closed = 0

    async def ask(self, _: Conversation) -> Answer:
        self.asked.set()
        await self.go_on.wait()
        return Answer((), Usage(1, 2, 3), "tools", None, "model_prompt_cut")

    async def close(self) -> None:
        self.closed += 1


@pytest.fixture
def models(tmp_path, monkeypatch):
    """``with_models(scenario)`` runs a scenario over models at nobody's address."""
    monkeypatch.setattr("soong_memoryd.server.models.RemoteModel", Asked)

    def with_models(scenario) -> None:
        async def main() -> None:
            database = await Database.open(tmp_path / "state.db")
            try:
                await scenario(Models(KeyRing(tmp_path, {}), ForgetfulEndpoints(), database, ManualClock()))
            finally:
                await database.close()

        anyio.run(main)

    return with_models


def test_a_model_whose_profile_is_the_same_stays_and_another_takes_the_place_of_a_changed_one(models):
    profiles = {"small": {**REMOTE, "name": "small"}}

    async def scenario(subject: Models) -> None:
        assert subject.configure(profiles_of(config_with(REMOTE, profiles, recall_model_profile="small"))) == []
        extract, recall = subject.of("extract"), subject.of("recall")
        profiles["small"]["name"] = "tiny"
        replaced = subject.configure(profiles_of(config_with(REMOTE, profiles, recall_model_profile="small", debug=True)))
        assert replaced == [recall]
        assert subject.of("extract") is extract
        assert subject.of("recall") is not recall

    models(scenario)


def test_a_model_that_was_replaced_closes_its_connections_when_its_last_answer_is_there(models):
    async def scenario(subject: Models) -> None:
        subject.configure(profiles_of(config_with(REMOTE)))
        model = subject.of("extract")
        assert isinstance(model, MeteredModel) and isinstance(model.inner, Asked)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(model.ask, CONVERSATION)
            await model.inner.asked.wait()
            for replaced in subject.configure(profiles_of(config_with({**REMOTE, "name": "another"}))):
                await replaced.retire()
            assert model.inner.closed == 0
            model.inner.go_on.set()
        assert model.inner.closed == 1

    models(scenario)


def test_what_is_odd_about_an_answer_is_logged(models):
    async def scenario(subject: Models) -> None:
        subject.configure(profiles_of(config_with(REMOTE)))
        model = subject.of("extract")
        assert isinstance(model, MeteredModel) and isinstance(model.inner, Asked)
        model.inner.go_on.set()
        await model.ask(CONVERSATION)

    with structlog.testing.capture_logs() as logged:
        models(scenario)
    assert [(row["event"], row["code"]) for row in logged] == [("model_warning", "model_prompt_cut")]
