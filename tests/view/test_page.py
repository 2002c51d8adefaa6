"""The page is one file, and nothing that a memory says becomes anything but text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest

from soong_memory_client.testing import FakeDaemon
from soong_memoryd.cli.viewer.collect import days
from soong_memoryd.cli.viewer.page import embedded, render
from tests.cli.scene import MEMORIES, VERSION, WHY, run
from tests.cli.system_scene import settle
from tests.view.pages import HOSTILE, page_data

SOURCES = Path(__file__).resolve().parents[2] / "soong_memoryd" / "cli" / "viewer"


class Elements(HTMLParser):
    """The elements of a page, their attributes, and the text of each script and style."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem:
            self.raw.append(data)

    def names(self) -> list[str]:
        return [name for name, _ in self.found]


@pytest.mark.rule("view.no-injection")
def test_hostile_memories_add_no_element_and_no_attribute() -> None:
    hostile, empty = (
        Elements(render(page_data(len(HOSTILE)))),
        Elements(render(page_data(len(HOSTILE)) | {"memories": [], "jobs": []})),
    )
    assert hostile.found == empty.found
    assert not {"iframe", "img", "svg", "base", "object"} & set(hostile.names())
    assert hostile.names().count("script") == 2


@pytest.mark.rule("view.no-injection")
@pytest.mark.parametrize("text", HOSTILE)
def test_embedded_data_has_no_character_that_html_knows_and_reads_back(text: str) -> None:
    data = embedded({"text": text})
    assert not set("<>&\u2028\u2029") & set(data)
    assert json.loads(data) == {"text": text}


@pytest.mark.rule("view.no-injection")
def test_the_script_knows_no_way_to_make_text_into_markup() -> None:
    script = (SOURCES / "page.js").read_text(encoding="utf-8")
    forbidden = (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
        "setTimeout(",
        ".href",
        ".src",
    )
    assert [word for word in forbidden if word in script] == []
    assert set(re.findall(r"setAttribute\(([^,]+)", script)) == {"key", '"aria-current"'}


@pytest.mark.rule("view.policy")
def test_the_policy_allows_our_style_and_script_and_nothing_else() -> None:
    page = Elements(render(page_data(20)))
    (policy,) = [found["content"] for name, found in page.found if found.get("http-equiv") == "Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in (policy or "").split(";"))
    style, _, script = page.raw
    hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in (style, script)]
    assert rules == {
        "default-src": "'none'",
        "style-src": hashes[0],
        "script-src": hashes[1],
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    attributes = {name for _, found in page.found for name in found}
    assert not {"src", "style", "onclick", "onload"} & attributes
    assert all((found.get("href") or "#").startswith("#") for _, found in page.found)


@pytest.mark.rule("view.large")
def test_a_thousand_memories_are_one_file_within_a_second() -> None:
    data = page_data(1000)
    began = time.monotonic()
    text = render(data)
    assert time.monotonic() - began < 1.0
    assert len(json.loads(Elements(text).raw[1])["memories"]) == 1000


@pytest.mark.rule("view.private-file")
def test_the_page_is_private_and_lies_in_the_sessions_directory(daemon: FakeDaemon, tmp_path: Path) -> None:
    settle(daemon)
    ran = run(daemon, "view", XDG_RUNTIME_DIR=str(tmp_path))
    path = tmp_path / "soong-memoryd" / "view.html"
    assert str(path) in ran.out
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    path.chmod(0o644)
    run(daemon, "view", XDG_RUNTIME_DIR=str(tmp_path))
    assert path.stat().st_mode & 0o777 == 0o600
    assert run(daemon, "view").out.count(f"{daemon.home}/memoryd/view/view.html") == 1


@pytest.mark.rule("view.content")
def test_a_memory_comes_with_its_sentence_its_versions_and_the_jobs_with_their_reasons(
    daemon: FakeDaemon, tmp_path: Path
) -> None:
    settle(daemon)
    run(daemon, "view", "-o", str(tmp_path / "page.html"))
    data = json.loads(Elements((tmp_path / "page.html").read_text(encoding="utf-8")).raw[1])
    assert [memory["id"] for memory in data["memories"]] == [memory["id"] for memory in MEMORIES]
    assert data["memories"][0]["sources"] == WHY["sources"]
    assert data["memories"][0]["versions"][0]["version_id"] == VERSION
    assert data["jobs"][1]["result"]["ignored"][0]["reason"] == "one_off_task"
    assert data["days"] == [{"day": "2026-12-01", "created": 1, "updated": 0, "conflict": 0}]


@pytest.mark.rule("view.content")
def test_a_day_counts_what_changed_and_what_it_cost() -> None:
    usage = {"calls": 1, "prompt_tokens": 10, "completion_tokens": 2}
    events = [
        {
            "type": "memory_extraction_completed",
            "at": "2026-12-01T23:59:59Z",
            "payload": {"created": ["a", "b"], "usage": usage},
        },
        {"type": "memory_extraction_failed", "at": "2026-12-01T10:00:00Z", "payload": {"usage": usage}},
        {"type": "memory_forgotten", "at": "2026-12-02T00:00:00Z", "payload": {}},
        {"type": "daemon_started", "at": "2026-12-03T00:00:00Z", "payload": {}},
    ]
    first, second = days(events)
    assert (first["created"], first["prompt_tokens"], first["completion_tokens"], first["calls"]) == (2, 20, 4, 2)
    assert second == {"day": "2026-12-02", "forgotten": 1}


def test_the_browser_is_opened_when_asked(daemon: FakeDaemon, tmp_path: Path) -> None:
    settle(daemon)
    opener = tmp_path / "xdg-open"
    opener.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n', encoding="utf-8")
    opener.chmod(0o700)
    page = tmp_path / "page.html"
    assert run(daemon, "view", "-o", str(page), "--open", PATH=f"{tmp_path}:/bin:/usr/bin").code == 0
    assert (tmp_path / "opened").read_text(encoding="utf-8").strip() == str(page)
