"""The demo: its transcript, and one whole run against a real daemon."""

from __future__ import annotations

import io
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from soong_claude_transcript import Transcript
from soong_memoryd.cli.demo import files_holding, run
from soong_memoryd.cli.demo.stage import BUILTIN_CONFIG
from soong_memoryd.cli.demo.story import PLACEHOLDER, made_up_token, read_story
from soong_memoryd.text.secrets.finder import SecretFinder
from tests.support.daemon import KEY_VARIABLE, remote
from tests.support.model_server import ModelServer, calls

Json = dict[str, Any]
TRANSCRIPT = Path(__file__).parents[2] / "soong_memoryd" / "cli" / "demo" / "transcript.jsonl"


@pytest.mark.rule("cli.demo-secret")
def test_the_secret_is_made_when_the_demo_runs_and_looks_like_one() -> None:
    text = TRANSCRIPT.read_text(encoding="utf-8")
    assert text.count(PLACEHOLDER) == 1
    assert SecretFinder().find(text) == []
    token = made_up_token()
    assert token != made_up_token()
    assert [finding.level for finding in SecretFinder().find(f"the API token is {token}.")] == ["shaped"]


@pytest.mark.rule("cli.demo-story")
def test_the_story_has_what_a_day_of_work_has() -> None:
    transcript = Transcript()
    story = list(read_story("token"))
    made = [call for record in story for call in transcript.feed(record.content)]
    nodes = [node for call in made if call.method == "context.append" for node in call.params["nodes"]]
    kinds = {node["kind"] for node in nodes}
    assert kinds == {"user_message", "assistant_message", "tool_result", "compact_summary", "other"}
    assert sum(call.method == "run.started" for call in made) == sum(call.method == "run.completed" for call in made) == 13
    assert [call.params["kind"] for call in made if call.method == "agent.register"] == ["sub"]
    assert "context.rewind" not in [call.method for call in made]
    assert sum(record.needs_model for record in story) == 2
    assert all(set(record.content) >= {"type"} and "demo" not in record.content for record in story)


@pytest.fixture
def homes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where throw-away homes are made: a short path, because a socket's path has to be short."""
    with tempfile.TemporaryDirectory(prefix="d-") as directory:
        monkeypatch.setattr(tempfile, "tempdir", directory)
        yield Path(directory)


@pytest.mark.rule("cli.demo-works")
def test_the_demo_turns_wishes_into_memories_keeps_the_secret_out_and_leaves_nothing_behind(
    homes: Path,
) -> None:
    out = io.StringIO()
    assert run({**os.environ, "SOONG_MEMORYD_SOCKET": "/nowhere"}, out) == 0, out.getvalue()
    shown = out.getvalue()
    assert "→ explicit: 1 created" in shown
    assert "+ memory/feedback/" in shown
    assert "MEMORY.md" in shown
    assert "<memory ids=" in shown
    assert "in 0 files under the home" in shown
    assert list(homes.iterdir()) == []


NODE = re.compile(r'<node id="([^"]+)"[^>]*>\n(.*?)\n</node>', re.DOTALL)
MEMORY_OF = re.compile(r"(mem_[0-9]{14}_[a-z0-9]{8})([^\n]*)")


def careful(request: Json) -> Json:
    """What a model that understands the story proposes: a fact, a link that "that" points to, a change of mind."""
    prompt = "\n".join(str(message.get("content") or "") for message in request["messages"])
    if "create_memory" not in str(request.get("tools")):
        return calls(("select_memories", {"ids": [found[0] for found in MEMORY_OF.findall(prompt) if "uv" in found[1]]}))(
            request
        )
    said = {text: node_id for node_id, text in NODE.findall(prompt)}
    made: list[tuple[str, Json]] = []

    def cite(words: str) -> list[Json]:
        return [{"node_id": node_id, "quote": words} for text, node_id in said.items() if words in text][:1]

    def texts(summary: str) -> Json:
        return {"summary": summary, "tags": ["demo"], "body": f"{summary}."}

    known = prompt.split("<node ")[0]
    if (evidence := cite("以后回答我都用中文")) and "Answer in Chinese" not in known:
        fields = {"category": "feedback", "name": "answer-language", "evidence": evidence, "confirmed_by": None}
        made.append(("create_memory", {**fields, **texts("Answer in Chinese")}))
    if (evidence := cite("Always use uv for Python dependencies, never pip")) and "Use uv, never pip" not in known:
        fields = {"category": "feedback", "name": "uv-not-pip", "evidence": evidence, "confirmed_by": None}
        made.append(("create_memory", {**fields, **texts("Use uv, never pip")}))
    link, wish = cite("https://www.postgresql.org/docs/current/functions-datetime.html"), cite("Save that link")
    if link and wish and "Postgres date" not in known:
        fields = {"category": "reference", "name": "postgres-dates", "evidence": [*link, *wish]}
        made.append(("create_memory", {**fields, "confirmed_by": wish[0]["node_id"], **texts("Postgres date functions")}))
    target = next((found[0] for found in MEMORY_OF.findall(known) if "Answer in Chinese" in found[1]), None)
    if target and (evidence := cite("from now on answer me in English again")):
        fields = {"id": target, "relation": "conflict", "evidence": evidence, "confirmed_by": None}
        made.append(("update_memory", {**fields, **texts("Answer in English; the team reads along")}))
    return calls(*made, ("finish", {"ignored": [], "duplicates": []}))(request)


@pytest.mark.rule("cli.demo-works")
def test_the_same_demo_runs_on_any_openai_compatible_model(tmp_path: Path, homes: Path) -> None:
    out = io.StringIO()
    with ModelServer(careful) as server:
        config = tmp_path / "memoryd.toml"
        config.write_text(remote(server.base_url), encoding="utf-8")
        env = {**os.environ, KEY_VARIABLE: "not-a-key", "SOONG_DEMO_CONFIG": str(config)}
        assert run(env, out) == 0, out.getvalue()
        assert server.calls >= 4
    shown = out.getvalue()
    assert "+ memory/reference/postgres-dates-" in shown
    assert "1 updated" in shown and "Answer in English" in shown
    assert "selected by model" in shown and "Use uv, never pip" in shown
    assert "Answer in Chinese (" not in shown, "a change of mind replaces what was said before"


@pytest.mark.rule("cli.demo-works")
def test_a_demo_that_cannot_start_says_why_and_fails(tmp_path: Path, homes: Path) -> None:
    config = tmp_path / "memoryd.toml"
    config.write_text('[model]\nprovider = "bultin"\n', encoding="utf-8")
    out = io.StringIO()
    assert run({**os.environ, "SOONG_DEMO_CONFIG": str(config)}, out) == 1
    assert "demo failed: the daemon ended with" in out.getvalue()
    out = io.StringIO()
    assert run({**os.environ, "SOONG_DEMO_CONFIG": str(tmp_path / "absent")}, out) == 1
    assert "demo failed" in out.getvalue()
    assert list(homes.iterdir()) == []


@pytest.mark.rule("cli.demo-works")
def test_a_demo_in_which_no_wish_became_a_memory_fails(homes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("soong_memoryd.cli.demo.BUILTIN_CONFIG", BUILTIN_CONFIG + "enabled = false\n")
    out = io.StringIO()
    assert run(os.environ, out) == 1
    assert "demo failed: no wish became a memory" in out.getvalue()


def test_files_that_hold_something_are_found_wherever_they_lie(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "state.db").write_bytes(b"\x00needle\x00")
    (tmp_path / "c").write_bytes(b"hay")
    assert files_holding(tmp_path, b"needle") == ["a/b/state.db"]
