"""Which model is evaluated, and the memoryd.toml that the daemon gets for it.

Owns: the three kinds of subject (scripted, builtin, remote) and what is said about each. Must not know what is measured.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tests.support.daemon import BUILTIN, remote
from tests.support.model_server import ModelServer

Json = dict[str, Any]
Kind = Literal["scripted", "builtin", "remote"]

FAR = {"idle_seconds": 86_400, "extract_every_messages": 1000, "extract_every_tokens": 1_000_000}
BY_WORDS = BUILTIN  # recall with the embedded model is recall by words alone

MEANING: dict[Kind, str] = {
    "scripted": "A scripted model that knows the right answers and also proposes what must be refused. Recall, precision and "
    "updates below show that the harness and the gates work; they say nothing about a model's judgement. Recall by words, "
    "intent and the feedback loop are real figures: no judgement of a model is in them.",
    "builtin": "The embedded model: rules, no network. It keeps what is explicitly asked for, never updates, recalls by words. "
    "These are its real figures.",
    "remote": "A real model behind the configured endpoint. Its answers vary from run to run: compare runs, not digits.",
}


@dataclass(frozen=True, slots=True)
class Subject:
    """A model under evaluation: ``label`` names it in reports and file names, ``text`` is its memoryd.toml."""

    kind: Kind
    label: str
    text: str = ""

    @contextmanager
    def config(self, answer: Callable[[Json], Json]) -> Iterator[str]:
        """The memoryd.toml to use; a scripted subject answers with ``answer`` while the context is open."""
        if self.kind != "scripted":
            yield self.text
            return
        with ModelServer(answer) as server:
            yield remote(server.base_url, **FAR)


SCRIPTED = Subject("scripted", "scripted")


def read(path: Path) -> Subject:
    """The subject of a memoryd.toml; ValueError says what is missing in it."""
    text = path.read_text(encoding="utf-8")
    model = tomllib.loads(text).get("model", {})
    provider = model.get("provider")
    if not provider:
        raise ValueError(f"{path} has no [model] with a provider")
    if provider == "builtin":
        return Subject("builtin", "builtin", text)
    return Subject("remote", f"{provider}/{model.get('name', '?')}", text)


def arguments_of(call: Json) -> Json:
    """The arguments of a tool call in a request's history."""
    made: Json = json.loads(call["function"]["arguments"])
    return made
