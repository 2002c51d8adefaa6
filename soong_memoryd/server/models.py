"""The models in use: one for extraction, one for recall, built from the config and replaced when it changes.

Owns: which model serves which use, what was spent, and what status and ``config.check`` say of them. Must not know jobs.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import anyio
import structlog

from soong_memoryd.clock import Clock, timestamp
from soong_memoryd.config.keys import KeyRing
from soong_memoryd.config.schema import Config
from soong_memoryd.errors import ModelError
from soong_memoryd.llm.builtin import BuiltinModel
from soong_memoryd.llm.conversation import Answer, Conversation, Model, Usage
from soong_memoryd.llm.endpoints import EndpointMemory
from soong_memoryd.llm.profiles import Profile, Use, resolve
from soong_memoryd.llm.remote import RemoteModel
from soong_memoryd.server.config_report import USES
from soong_memoryd.state.database import Database
from soong_memoryd.state.queries import counters

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Health:
    """How a model's last call went: ``state`` is ok | failing | unchecked, ``error`` a code, ``since`` a timestamp."""

    state: str = "unchecked"
    error: str | None = None
    since: str | None = None


class MeteredModel:
    """A model whose calls are counted in the day's spending and whose health is remembered. Implements ``Model``."""

    def __init__(self, model: Model, database: Database, clock: Clock) -> None:
        self._model = model
        self._database = database
        self._clock = clock
        self._users = 0
        self._retired = False
        self.health = Health()

    @property
    def label(self) -> str:
        """See ``Model.label``."""
        return self._model.label

    @property
    def context_tokens(self) -> int:
        """See ``Model.context_tokens``."""
        return self._model.context_tokens

    @property
    def is_builtin(self) -> bool:
        """Whether this is the embedded model."""
        return isinstance(self._model, BuiltinModel)

    @property
    def inner(self) -> Model:
        """The model itself."""
        return self._model

    async def ask(self, conversation: Conversation) -> Answer:
        """See ``Model.ask``."""
        try:
            async with self.in_use():
                answer = await self._model.ask(conversation)
        except ModelError as error:
            spent = getattr(error, "usage", None)
            if isinstance(spent, Usage):
                await self._spend(spent)
            if error.blame == "profile":
                self._note("failing", error.code)
            raise
        if not self.is_builtin:
            await self._spend(answer.usage)
        self._note("ok", None)
        if answer.warning is not None:
            _log.warning("model_warning", model=self.label, code=answer.warning)
        return answer

    @asynccontextmanager
    async def in_use(self) -> AsyncIterator[None]:
        """Keep the connections open meanwhile, also when the model is retired."""
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1
            await self._close_unused()

    async def retire(self) -> None:
        """Another model took its place: end the connections when the last one who asks has the answer."""
        self._retired = True
        await self._close_unused()

    async def _close_unused(self) -> None:
        if self._retired and not self._users and isinstance(self._model, RemoteModel):
            with anyio.CancelScope(shield=True), suppress(Exception):  # nobody uses it any more
                await self._model.close()

    async def _spend(self, usage: Usage) -> None:
        day = timestamp(self._clock.wall_seconds())[:10]
        await self._database.run(lambda c: counters.spend(c, day, usage.calls, usage.prompt_tokens, usage.completion_tokens))

    def _note(self, state: str, error: str | None) -> None:
        if self.health.state != state:
            self.health = Health(state, error, timestamp(self._clock.wall_seconds()))
        self.health.error = error


def profiles_of(config: Config) -> dict[Use, Profile | None]:
    """The profile of each use.

    Raises:
        ConfigError: one of them cannot be used.
    """
    return {use: resolve(config, use) for use in USES}


class Models:
    """The two models. ``configure`` builds those anew whose profile changed."""

    def __init__(self, keys: KeyRing, endpoints: EndpointMemory, database: Database, clock: Clock) -> None:
        self._keys = keys
        self._endpoints = endpoints
        self._database = database
        self._clock = clock
        self._profiles: Mapping[Use, Profile | None] = dict.fromkeys(USES)
        self._models: dict[Use, MeteredModel | None] = dict.fromkeys(USES)

    def configure(self, profiles: Mapping[Use, Profile | None]) -> list[MeteredModel]:
        """Serve these profiles from now on; returns the models that are no longer in use, to be retired."""
        changed = [use for use in USES if profiles[use] != self._profiles[use]]
        replaced = [model for use in changed if (model := self._models[use]) is not None]
        self._models = self._models | {use: self._build(profiles[use]) for use in changed}
        self._profiles = profiles
        return replaced

    def of(self, use: Use) -> MeteredModel | None:
        """The model of a use, None while none is configured."""
        return self._models[use]

    def describe(self, paused: dict[str, Any] | None) -> list[dict[str, Any]]:
        """What status says; ``paused`` is the pause of the extraction profile (``{since, error}``)."""
        return [self._describe(use, paused if use == "extract" else None) for use in USES]

    async def check(self) -> list[dict[str, Any]]:
        """One tiny call per profile, as ``config.check`` answers."""
        return [await self._check(use) for use in USES]

    async def close(self) -> None:
        """End every connection to a provider."""
        for model in self._models.values():
            if model is not None and isinstance(model.inner, RemoteModel):
                with suppress(Exception):  # leaving anyway
                    await model.inner.close()

    def _build(self, profile: Profile | None) -> MeteredModel | None:
        if profile is None:
            return None
        inner: Model = BuiltinModel() if profile.provider == "builtin" else RemoteModel(profile, self._keys, self._endpoints)
        return MeteredModel(inner, self._database, self._clock)

    def _describe(self, use: Use, paused: dict[str, Any] | None) -> dict[str, Any]:
        profile, model = self._profiles[use], self._models[use]
        if profile is None or model is None:
            return {"use": use, "provider": None, "name": None, "state": "missing", "since": None, "error": None}
        health = (
            {"state": "ok", "since": None, "error": None}
            if model.is_builtin
            else {"state": model.health.state, "since": model.health.since, "error": model.health.error}
        )
        if paused is not None:
            health = {"state": "paused", **paused}
        return {"use": use, "provider": profile.provider, "name": profile.name or None, **health}

    async def _check(self, use: Use) -> dict[str, Any]:
        profile, model = self._profiles[use], self._models[use]
        row: dict[str, Any] = {"use": use, "provider": None, "name": None, "rung": None, "key_source": None}
        if profile is None or model is None:
            return {**row, "state": "missing", "error": None}
        row |= {"provider": profile.provider, "name": profile.name or None}
        if not isinstance(model.inner, RemoteModel):
            return {**row, "state": "ok", "error": None}
        async with model.in_use():
            found = await model.inner.check()
        _log.info("model_checked", use=use, state=found.state, error=found.error)
        return {
            **row,
            "rung": found.rung,
            "key_source": found.key_source,
            "state": found.state,
            "error": found.error,
            "hint": found.hint,
        }
